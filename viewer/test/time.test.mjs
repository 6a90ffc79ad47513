// Between samples: search, Hermite, slerp; what is derived from columns; the clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvTable } from '../src/csv.js';
import { plain, prefixFor, significant, tickText, timeText, withUnit } from '../src/format.js';
import { bracket, hermite, linear, locate, slerp } from '../src/interpolate.js';
import { makePlayer, SPEEDS } from '../src/player.js';
import { defaultPlots, makeQuantities, valueAt } from '../src/quantities.js';
import { readResults } from '../src/results.js';
import { makeTracks, positionAt } from '../src/tracks.js';
import { ballHeight, makeFixture } from './fixture.mjs';

const near = (a, b, tolerance, what = '') =>
  assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);
const fixture = makeFixture();
const results = readResults(fixture.bytes);
const quantities = makeQuantities(results);

test('locate finds the last sample that has happened', () => {
  const times = [0, 1, 1, 2];
  assert.deepEqual([-1, 0, 0.5, 1, 1.5, 2, 9].map((t) => locate(times, t)), [0, 0, 0, 2, 2, 3, 3]);
  assert.equal(locate([], 1), -1);
});

test('outside the run the ends stay', () => {
  const times = [1, 2];
  assert.equal(linear([10, 20], bracket(times, 0)), 10);
  assert.equal(linear([10, 20], bracket(times, 3)), 20);
  assert.equal(linear([10], bracket([1], 5)), 10);
});

test('Hermite gives a cubic exactly', () => {
  const p = (t) => 2 - t + 3*t*t - 0.5*t*t*t;
  const v = (t) => -1 + 6*t - 1.5*t*t;
  const times = [0.5, 2.5];
  const tolerance = 2e-14; // a few roundings of numbers up to 10
  for (const t of [0.5, 0.9, 1.7, 2.5]) near(hermite(times.map(p), times.map(v), bracket(times, t)), p(t), tolerance);
});

test('a body at rest stays at rest to the last bit', () => {
  const at = bracket([0, 0.01], 0.0037);
  assert.equal(hermite([0.1, 0.1], [0, 0], at), 0.1);
});

test('slerp turns at constant rate, takes the short way, and keeps unit length', () => {
  const turn = (angle) => [Math.cos(angle/2), 0, Math.sin(angle/2), 0];
  const q = slerp(turn(0.2), turn(1.4).map((c) => -c), 0.25);
  turn(0.5).forEach((c, k) => near(q[k], c, 1e-15));
  near(Math.hypot(...slerp([1, 0, 0, 0], [1, 1e-9, 0, 0], 0.5)), 1, 1e-15);
  assert.deepEqual(slerp([0, 0, 0, 0], [0, 0, 0, 0], 0.5), [1, 0, 0, 0]);
});

test('the ball between samples is where the closed form says', () => {
  const track = makeTracks(results)[2];
  const height = (t) => positionAt(track, bracket(results.times, t))[2];
  // Free flight is a parabola: exact. In contact: Hermite error D w^4 h^4/384, with w h = pi/20 and D = 6e-4 m.
  for (const t of [0.0137, 0.3333, 0.9171, 1.4005]) near(height(t), 0.1 + ballHeight(t).h, 1e-14, `t = ${t}`);
  const touch = fixture.events.find((e) => e.kind === 'touch' && e.pair === 0).time;
  for (const dt of [3.3e-5, 1.13e-4, 3.1e-4]) near(height(touch + dt), 0.1 + ballHeight(touch + dt).h, 1e-9, `dt = ${dt}`);
});

test('contact quantities: zero while apart, sums over the contacts of the pair', () => {
  const fn = quantities.get('contacts.floor - ball.normal_force');
  const friction = quantities.get('contacts.floor - ball.friction_force');
  results.times.forEach((t, i) => {
    near(fn.data[i], ballHeight(t).f, 1e-9, `t = ${t}`);
    near(friction.data[i], 0.1*ballHeight(t).f, 1e-9);
  });
  assert.equal(valueAt(quantities.get('contacts.floor - ball.depth'), results.times, 0.2), 0);
  near(valueAt(quantities.get('contacts.floor - roller.force.z'), results.times, 1), 0.9*9.81, 1e-12);
});

test('speed and total energy', () => {
  near(valueAt(quantities.get('bodies.ball.speed'), results.times, 0.1), Math.hypot(0.3, 0.981), 1e-12);
  const sum = ['kinetic', 'potential', 'elastic'].reduce((s, n) => s + quantities.get(`energy.${n}`).data[100], 0);
  near(quantities.get('energy.total').data[100], sum, 1e-15*20);
});

test('the first plots are heights and energies', () => {
  const plots = defaultPlots(results, quantities);
  assert.deepEqual(plots[0], ['ball', 'roller', 'brick'].map((b) => `bodies.${b}.position.z`));
  assert.ok(plots[1].includes('energy.total'));
});

test('CSV has the shown samples at full precision', () => {
  const q = quantities.get('contacts.floor - ball.normal_force');
  const lines = csvTable(results.times, [q], 0.1, 0.12).trim().split('\n');
  assert.equal(lines[0], 'time [s],contacts.floor - ball.normal_force [N]');
  assert.deepEqual(lines.slice(1).map((l) => Number(l.split(',')[0])), [0.1, 0.11, 0.12]);
});

test('numbers for people', () => {
  assert.equal(withUnit(8.21e-5, 'm', 3), '82.1 µm');
  assert.equal(withUnit(-3430, 'N', 3), '−3.43 kN');
  assert.equal(withUnit(0, 'J'), '0 J');
  assert.equal(withUnit(3.1e-17, 'J', 2), '3.1e−17 J');
  assert.equal(withUnit(0.99999, 'm', 3), '1.00 m');
  assert.equal(significant(NaN), 'n/a');
  assert.equal(plain(1e-6), '1e−6');
  assert.equal(plain(412), '412');
  assert.equal(prefixFor(5, 'rad/s').name, '');
  assert.equal(tickText(0.44052, 2e-5), '0.44052');
  assert.equal(tickText(2.5, 2.5), '2.5');
  assert.equal(timeText(0.4405), '0.440500');
  assert.equal(timeText(0.4405, 1e-5), '0.440500000');
});

test('the clock plays, stops at the end, loops over the window', () => {
  const player = makePlayer(() => {});
  player.load(0, 2);
  assert.equal(player.state.speed, 1);
  player.play();
  player.tick(0.05);
  assert.equal(player.state.time, 0.05);
  player.tick(60); // a stalled tab counts as 0.25 s
  near(player.state.time, 0.3, 1e-15);
  player.seek(1.99);
  player.tick(0.05);
  assert.deepEqual([player.state.time, player.state.isPlaying], [2, false]);
  player.setLooping(true);
  player.setWindow([0.5, 0.6]);
  player.play();
  assert.equal(player.state.time, 0.5);
  player.tick(0.09);
  player.tick(0.09);
  assert.equal(player.state.time, 0.5);
});

test('speeds reach from 1e-5 to 10, and a run of 1e-3 s is slowed down', () => {
  assert.deepEqual([SPEEDS[0], SPEEDS.at(-1)], [1e-5, 10]);
  const player = makePlayer(() => {});
  player.load(0, 1e-3);
  assert.equal(player.state.speed, 1e-4);
  player.load(0, 0);
  player.play();
  assert.equal(player.state.isPlaying, false);
});
