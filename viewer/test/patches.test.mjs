// Patches: read, held until they change, blended in time, refused where they cannot be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleColours } from '../src/colours.js';
import { bracket } from '../src/interpolate.js';
import { largestPressure, patchesAt, pressedWith } from '../src/patches.js';
import { makeQuantities, valueAt } from '../src/quantities.js';
import { readResults } from '../src/results.js';
import { scaleTicks } from '../src/view/pressure.js';
import { blockPatch, contact, FORCE, head, makePressingFixture, P, padPatch, row } from './pressing.mjs';
import { file, frame, json, patchFrame, sample } from './writer.mjs';

const near = (actual, expected, tolerance) => assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
const results = readResults(makePressingFixture().bytes);
const at = (t) => patchesAt(results, bracket(results.times, t));

test('a patch holds from its sample until another one, or until the pair parts', () => {
  assert.equal(results.stop, null);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((t) => at(t).map((patch) => patch.pair)), [[0], [0, 1], [0, 1], [0, 1], [], []]);
  assert.equal(at(0)[0], at(1)[0]);
  assert.equal(at(2)[0], at(3)[0]);
  assert.notEqual(at(1)[0], at(2)[0]);
  assert.deepEqual([at(0)[0].body, at(0)[0].origin, [...at(0)[0].counts]], [1, blockPatch(0).origin, [4]]);
});

test('the pressure over the polygons is the normal force, and so are the forces of points', () => {
  for (const t of [0, 0.5, 1, 1.25, 1.5, 2, 3]) near(pressedWith(at(t)[0]), FORCE, 1e-6*FORCE); // float32 corners
  near(pressedWith(at(2)[1]), 36, 1e-5);
  const normalForce = makeQuantities(results).get('contacts.table - block.normal_force');
  near(pressedWith(at(3)[0]), valueAt(normalForce, results.times, 3), 1e-6*FORCE);
});

test('between samples pressures are linear, and what comes or goes grows or fades', () => {
  near(largestPressure(at(1.5)), 1.5*P, 1e-4);
  near(largestPressure(at(2)), 2*P, 1e-4);
  near(pressedWith(at(0.25)[1]), 0.25*36, 1e-5);
  near(pressedWith(at(3.75)[0]), 0.25*FORCE, 1e-5*FORCE);
  const pressure = makeQuantities(results).get('contacts.table - block.pressure');
  assert.deepEqual([...pressure.data], [P, P, 2*P, 2*P, 0, 0]);
  assert.equal(pressure.unit, 'Pa');
  assert.equal(makeQuantities(results).has('contacts.table - pad.pressure'), false);
});

test('patches that cannot be end the reading, with a reason', () => {
  const start = [json('HEAD', head()), sample(row(0, [contact(0, 0, FORCE)]))];
  const stopped = (...frames) => readResults(file(frames)).stop?.why ?? null;
  const block = blockPatch(0);
  const whole = patchFrame([block]);
  assert.equal(stopped(...start, whole), null);
  assert.match(stopped(start[0], whole), /without a sample/);
  assert.match(stopped(...start, whole, whole), /without a sample/);
  assert.match(stopped(...start, patchFrame([{ ...block, pair: 2 }])), /not there/);
  assert.match(stopped(...start, patchFrame([{ ...block, body: 3 }])), /not there/);
  assert.match(stopped(...start, patchFrame([{ ...block, polygons: [block.polygons[0].slice(0, 2)] }])), /cannot be/);
  assert.match(stopped(...start, patchFrame([{ ...block, origin: [0, NaN, 0] }])), /cannot be/);
  assert.match(stopped(...start, patchFrame([{ ...padPatch(), points: [[0, 0, 0, 0, 0, 1, Infinity]] }])), /cannot be/);
  for (let n = 1; n < whole.length - 12; n++) assert.match(stopped(...start, frame('PTCH', whole.subarray(8, 8 + n))), /cut off/);
  const many = Buffer.from(whole.subarray(8, whole.length - 4));
  many.writeUInt32LE(0xffffffff, 12);
  assert.match(stopped(...start, frame('PTCH', many)), /cut off/);
});

test('colours become brighter all the way', () => {
  const colours = scaleColours();
  const luminance = (k) => [0.2126, 0.7152, 0.0722].reduce((sum, w, n) => sum + w*(colours[4*k + n]/255)**2.2, 0);
  for (let k = 8; k < 256; k += 8) assert.ok(luminance(k) > luminance(k - 8), `step ${k}`);
  assert.deepEqual([...colours.subarray(0, 4), ...colours.subarray(4*255)], [68, 1, 84, 255, 253, 231, 37, 255]);
});

test('the scale says its top with a unit and round numbers below it', () => {
  assert.deepEqual(scaleTicks(294.2, 'Pa', 0).map(({ text }) => text), ['0', '50', '100', '150', '200', '250', '294.2 Pa']);
  assert.deepEqual(scaleTicks(12.32e6, 'Pa', 0).map(({ text }) => text), ['0', '2', '4', '6', '8', '10', '12.32 MPa']);
  const ticks = scaleTicks(1.5e9, 'Pa', 5);
  assert.deepEqual(ticks.map(({ text }) => text), ['1.5 GPa', '150 MPa', '15 MPa', '1.5 MPa', '150 kPa', '15 kPa']);
  assert.deepEqual(ticks.map((tick) => tick.at), [1, 0.8, 0.6, 0.4, 0.19999999999999996, 0]);
  assert.deepEqual(scaleTicks(0, 'Pa', 0), []);
});
