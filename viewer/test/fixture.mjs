// fixture.mjs -- a run with closed-form motion: a bouncing ball, a rolling ball, a sliding brick, a fixed plinth.
//
//     node test/fixture.mjs FILE.carom    writes it
//
// In contact the ball moves as d = D sin(w t) until it is deepest and as D cos(e w t) afterwards, so that it leaves
// with e times its approach speed and position and velocity are smooth: what the page interpolates has an exact value.

import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { columnsOf, CONTACT, ENERGIES, file, json, sample } from './writer.mjs';

const G = 9.81;
const UNTIL = 3;
const EVERY = 0.01;
const E = 0.75;
const COMPRESSION = 2e-4; // s
const BALL = { r: 0.1, m: 1.2, x0: -0.55, vx: 0.3, z0: 1.1, wy: 3 };
const ROLLER = { r: 0.08, m: 0.9, v: 0.42 };
const BRICK = { m: 2.5, size: [0.3, 0.18, 0.12], v: 1.1, mu: 0.2 };
const PLINTH = { size: [0.25, 0.25, 0.5] };
const PAIRS = ['floor - ball', 'floor - roller', 'floor - brick'];

// Phases of the ball's height above contact: { kind, from, to, v or D, w }.
function ballPhases() {
  const phases = [];
  let t = 0;
  let up = 0;
  let h = BALL.z0 - BALL.r;
  while (t < UNTIL) {
    const flight = (up + Math.sqrt(up*up + 2*G*h))/G;
    const v = Math.sqrt(up*up + 2*G*h);
    const w = Math.PI/2/COMPRESSION;
    const D = v/w;
    phases.push({ kind: 'flight', from: t, to: t + flight, h, up });
    phases.push({ kind: 'in', from: t + flight, to: t + flight + COMPRESSION, D, w, v });
    const parting = COMPRESSION/E;
    phases.push({ kind: 'out', from: t + flight + COMPRESSION, to: t + flight + COMPRESSION + parting, D, w: E*w, v });
    t += flight + COMPRESSION + parting;
    up = E*v;
    h = 0;
  }
  return phases;
}

const PHASES = ballPhases();

// Height of the lowest point, its speed, contact force (0 in flight).
export function ballHeight(t) {
  const p = PHASES.find((q) => t < q.to) ?? PHASES.at(-1);
  const s = t - p.from;
  if (p.kind === 'flight') return { h: p.h + p.up*s - G*s*s/2, v: p.up - G*s, f: 0 };
  const sine = p.kind === 'in' ? Math.sin(p.w*s) : Math.cos(p.w*s);
  const cosine = p.kind === 'in' ? Math.cos(p.w*s) : -Math.sin(p.w*s);
  return { h: -p.D*sine, v: -p.D*p.w*cosine, f: BALL.m*p.w*p.w*p.D*sine };
}

const about = ([x, y, z], angle) => [Math.cos(angle/2), ...[x, y, z].map((c) => c*Math.sin(angle/2))];

function brickX(t) {
  const s = Math.min(t, BRICK.v/(BRICK.mu*G));
  return { x: -0.9 + BRICK.v*s - BRICK.mu*G*s*s/2, v: BRICK.v - BRICK.mu*G*s };
}

// One row of columns and contacts.
function rowAt(t, kind) {
  const b = ballHeight(t);
  const brick = brickX(t);
  const roll = ROLLER.v/ROLLER.r;
  const kinetic = 0.5*BALL.m*(b.v*b.v + BALL.vx**2) + 0.7*ROLLER.m*ROLLER.v**2 + 0.5*BRICK.m*brick.v**2;
  const potential = BALL.m*G*b.h;
  const elastic = b.f > 0 ? 0.5*b.f*-b.h : 0;
  const friction = 0.5*BRICK.m*(BRICK.v**2 - brick.v**2);
  const start = BALL.m*G*(BALL.z0 - BALL.r) + 0.5*BALL.m*BALL.vx**2 + 0.7*ROLLER.m*ROLLER.v**2 + 0.5*BRICK.m*BRICK.v**2;
  const columns = [t, kind,
    BALL.x0 + BALL.vx*t, 0, BALL.r + b.h, ...about([0, 1, 0], BALL.wy*t), BALL.vx, 0, b.v, 0, BALL.wy, 0,
    -0.7 + ROLLER.v*t, 0.45, ROLLER.r, ...about([0, 1, 0], roll*t), ROLLER.v, 0, 0, 0, roll, 0,
    brick.x, -0.5, BRICK.size[2]/2, 1, 0, 0, 0, brick.v, 0, 0, 0, 0, 0,
    kinetic, potential, elastic, 0, start - kinetic - potential - elastic - friction, friction, 0, 0, 0, 1e-9*Math.sin(7*t)];
  const contacts = [];
  if (b.f > 0) contacts.push([0, BALL.x0 + BALL.vx*t, 0, 0, 0, 0, 1, 0.1*b.f, 0, b.f, b.f, -b.h]);
  contacts.push([1, -0.7 + ROLLER.v*t, 0.45, 0, 0, 0, 1, 0, 0, ROLLER.m*G, ROLLER.m*G, 2e-6]);
  const slide = brick.v > 0 ? -BRICK.mu*BRICK.m*G : 0;
  contacts.push([2, brick.x, -0.5, 0, 0, 0, 1, slide, 0, BRICK.m*G, BRICK.m*G, 1e-6]);
  return [...columns, ...contacts.flat()];
}

function bounceEvents() {
  return PHASES.flatMap((p) => {
    const point = [BALL.x0 + BALL.vx*p.from, 0, 0];
    if (p.kind === 'in') return [{ time: p.from, kind: 'touch', pair: 0, point, normal: [0, 0, 1], speed: p.v }];
    if (p.kind !== 'out') return [];
    return [{ time: p.to, kind: 'separation', pair: 0, point, normal: [0, 0, 1], speed: E*p.v,
      duration: p.to - p.from + COMPRESSION, approach_speed: p.v, asked_restitution: E, restitution: E*(1 - 2e-5),
      depth: p.D, impulse: BALL.m*p.v*(1 + E) }];
  }).filter((e) => e.time <= UNTIL);
}

function sampleTimes(events) {
  const list = [];
  for (let k = 0; k*EVERY <= UNTIL + 1e-9; k++) list.push([k*EVERY, 0]);
  for (const e of events) list.push([e.time, 1]);
  for (const p of PHASES) {
    if (p.kind === 'flight') continue;
    for (let k = 1; k < 10; k++) list.push([p.from + k/10*(p.to - p.from), 2]);
  }
  return list.filter(([t]) => t <= UNTIL).sort((a, b) => a[0] - b[0]);
}

function head() {
  const I = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const shape = (kind, size) => ({ name: 'shape', kind, size, material: 'steel', position: [0, 0, 0], rotation: I });
  const body = (name, fixed, mass, position, s) =>
    ({ name, fixed, mass, com: [0, 0, 0], position, orientation: [1, 0, 0, 0], shapes: [s] });
  return {
    format: 2, carom: '0.1.0', name: 'three movers', model: MODEL, overrides: ['simulate.until=3'],
    settings: { gravity: [0, 0, -G], damping: 'exact', tolerance: 1e-6, until: UNTIL, every: EVERY, method: 'auto',
      v_small: 0.001, w_small: 0.01, k_red: 1 },
    materials: [{ name: 'steel', density: 7850, E: 2.1e11, nu: 0.3 }],
    bodies: [
      body('floor', true, 0, [0, 0, 0], shape('half-space', [0, 0, 0])),
      body('plinth', true, 0, [0.75, 0.1, 0.25], shape('box', PLINTH.size)),
      body('ball', false, BALL.m, [BALL.x0, 0, BALL.z0], shape('sphere', [BALL.r, 0, 0])),
      body('roller', false, ROLLER.m, [-0.7, 0.45, ROLLER.r], shape('sphere', [ROLLER.r, 0, 0])),
      body('brick', false, BRICK.m, [-0.9, -0.5, 0.06], shape('box', BRICK.size)),
    ],
    pair_count: PAIRS.length,
    columns: columnsOf(['ball', 'roller', 'brick']),
    contact: CONTACT,
  };
}

const MODEL = `carom: 1
name: three movers
bodies:
  floor: {fixed: true, shape: half-space, material: steel}
  ball: {shape: {sphere: 0.1}, material: steel, position: [-0.55, 0, 1.1]}
  # <script>alert("a model text is text")</script>
simulate: {until: 3, every: 0.01}
`;

// Returns { bytes, events, rows, columns }.
export function makeFixture({ withDone = true } = {}) {
  const events = [
    { time: 0, kind: 'touch', pair: 1, point: [-0.7, 0.45, 0], normal: [0, 0, 1], speed: 0 },
    { time: 0, kind: 'touch', pair: 2, point: [-0.9, -0.5, 0], normal: [0, 0, 1], speed: 0 }, ...bounceEvents()];
  const rows = sampleTimes(events.filter((e) => e.time > 0)).map(([t, kind]) => rowAt(t, kind));
  const pair = (name, k) => json('PAIR', { pair: k, name, a: 0, b: k + 2, restitution: E, friction: 0.2, rolling: 0 });
  const frames = [json('HEAD', head()), ...PAIRS.map(pair)];
  let next = 0;
  for (const row of rows) {
    while (next < events.length && events[next].time <= row[0]) frames.push(json('EVNT', events[next++]));
    frames.push(sample(row));
  }
  if (withDone) frames.push(json('DONE', done(rows.at(-1), events)));
  return { bytes: file(frames), events, rows, columns: head().columns };
}

function done(row, events) {
  const energy = Object.fromEntries(ENERGIES.map((name, k) => [name, row[head().columns.length - ENERGIES.length + k]]));
  const count = (kind) => events.filter((e) => e.kind === kind).length;
  return { verdict: 'completed', message: '', time: UNTIL, method: 'dop853', steps: 412, rejected: 9, evaluations: 5120,
    jacobians: 0, touches: count('touch'), separations: count('separation'), switches: 0, gap_evaluations: 911,
    smallest_step: 1e-7, largest_depth: 5.6e-4, largest_imbalance: 1e-9, energy_scale: 13.4, energy };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(process.argv[2], makeFixture().bytes);
