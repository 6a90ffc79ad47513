// mechanism.mjs -- a run with prescribed motion: a double pendulum with a spring and a limit, a driven cart with a
// damper and a rod that closes a loop.
//
//     node test/mechanism.mjs FILE.carom    writes it
//
// Everything is at exact places of simple functions of time, so that what the page shows can be computed.

import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { columnsOf, CONTACT, ENERGIES, file, json, sample } from './writer.mjs';

const G = 9.81;
const UNTIL = 4;
const EVERY = 0.01;
const LINK = { length: 0.5, width: 0.06, mass: 1.2 };
const PIVOT = [0, 0, 1.2];
const CART = { z: 0.1, mass: 2, reach: 0.25 };
const SPRING = { from: [0.75, 0, 1.2], k: 40, rest: 0.5 };
export const LIMIT = 0.75; // rad

// z along world y, and along world x; rows.
const ABOUT_Y = [[1, 0, 0], [0, 0, 1], [0, -1, 0]];
const ALONG_X = [[0, 0, 1], [1, 0, 0], [0, 1, 0]];
const I = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

const frame = (position, rotation) => ({ position, rotation });
const joint = (name, type, bodies, frames, more = {}) =>
  ({ name, type, bodies, frames, pitch: 0, closes_loop: false, driven: false, ...more });

const JOINTS = [
  joint('shoulder', 'revolute', [-1, 0], [frame(PIVOT, ABOUT_Y), frame([0, 0, LINK.length/2], ABOUT_Y)]),
  joint('elbow', 'revolute', [0, 1], [frame([0, 0, -LINK.length/2], ABOUT_Y), frame([0, 0, LINK.length/2], ABOUT_Y)]),
  joint('slide', 'prismatic', [-1, 2], [frame([0, 0, CART.z], ALONG_X), frame([0, 0, 0], ALONG_X)], { driven: true }),
  joint('ball', 'spherical', [2, 3], [frame([0, 0, 0.06], I), frame([0, 0, 0], I)]),
  joint('guide', 'cylindrical', [3, -1], [frame([0, 0, 0.2], ALONG_X), frame([0, 0, CART.z + 0.26], ALONG_X)], { closes_loop: true }),
];
const SPRINGS = [
  { name: 'return', bodies: [-1, 1], points: [SPRING.from, [0, 0, -LINK.length/2]], stiffness: SPRING.k, damping: 0, rest: SPRING.rest },
  { name: 'brake', bodies: [-1, 2], points: [[-0.8, 0, CART.z], [-0.1, 0, 0]], stiffness: 0, damping: 5, rest: 0.7 },
];

// Angles of the joints, and the cart, with their rates.
export const shoulder = (t) => ({ q: 0.8*Math.cos(3*t), v: -2.4*Math.sin(3*t) });
export const elbow = (t) => ({ q: 0.5*Math.sin(4*t), v: 2*Math.cos(4*t) });
export const cart = (t) => ({ q: CART.reach*Math.sin(2*t), v: 2*CART.reach*Math.cos(2*t) });

// A point at distance `length` below `p`, on something turned by `angle` about y.
const below = ([x, y, z], length, angle) => [x - length*Math.sin(angle), y, z - length*Math.cos(angle)];
const belowRate = ([x, y, z], length, angle, rate) => [x - length*Math.cos(angle)*rate, y, z + length*Math.sin(angle)*rate];
const aboutY = (angle) => [Math.cos(angle/2), 0, Math.sin(angle/2), 0];

// Where the tip of the lower link is: one end of the spring.
export function tip(t) {
  const a = shoulder(t);
  const b = elbow(t);
  return below(below(PIVOT, LINK.length, a.q), LINK.length, a.q + b.q);
}

function links(t) {
  const a = shoulder(t);
  const b = elbow(t);
  const half = LINK.length/2;
  const angle = a.q + b.q;
  const rate = a.v + b.v;
  const knee = below(PIVOT, LINK.length, a.q);
  const kneeRate = belowRate([0, 0, 0], LINK.length, a.q, a.v);
  return [
    { p: below(PIVOT, half, a.q), q: aboutY(a.q), v: belowRate([0, 0, 0], half, a.q, a.v), w: [0, a.v, 0] },
    { p: below(knee, half, angle), q: aboutY(angle), v: belowRate(kneeRate, half, angle, rate), w: [0, rate, 0] },
  ];
}

function rowAt(t, kind) {
  const c = cart(t);
  const still = { q: [1, 0, 0, 0], v: [c.v, 0, 0], w: [0, 0, 0] };
  const bodies = [...links(t), { p: [c.q, 0, CART.z], ...still }, { p: [c.q, 0, CART.z + 0.06], ...still }];
  const coordinates = [shoulder(t), elbow(t), c].flatMap(({ q, v }) => [q, v]);
  return [t, kind, ...bodies.flatMap(({ p, q, v, w }) => [...p, ...q, ...v, ...w]), ...coordinates, 1, 0, 0, 0, 0, 0, 0,
    ...energies(t, bodies)];
}

// In the order of the columns; the supplied work is what makes the balance right.
function energies(t, bodies) {
  const square = (v) => v.reduce((sum, x) => sum + x*x, 0);
  const kinetic = 0.5*LINK.mass*(square(bodies[0].v) + square(bodies[1].v)) + 0.5*CART.mass*square(bodies[2].v);
  const potential = LINK.mass*G*(bodies[0].p[2] + bodies[1].p[2] - 1.5);
  const stretch = Math.hypot(...tip(t).map((x, k) => x - SPRING.from[k])) - SPRING.rest;
  const springs = 0.5*SPRING.k*stretch*stretch;
  const joints = 0.4*t;
  return [kinetic, potential, 0, springs, 0, 0, 0, joints, kinetic + potential + springs + joints - 12, 1e-10*Math.sin(t)];
}

// The shoulder is beyond its limit for `c` before and after each turning point at 2 pi k/3.
function limitEvents() {
  const c = Math.acos(LIMIT/0.8)/3;
  const speed = Math.abs(shoulder(c).v);
  const of = (time, kind, more = {}) => ({ time, kind, joint: 0, coordinate: 0, point: PIVOT, speed, ...more });
  const left = { duration: 2*c, approach_speed: speed, asked_restitution: 0.5, restitution: 1, depth: 0.05, impulse: 3.1 };
  const list = [];
  for (let k = 0; 2*Math.PI*k/3 - c < UNTIL; k++) {
    const middle = 2*Math.PI*k/3;
    list.push(of(Math.max(0, middle - c), 'limit'), of(middle + c, 'limit_left', left));
  }
  return list.filter((e) => e.time <= UNTIL);
}

function head() {
  const box = (size) => [{ name: 'shape', kind: 'box', size, material: 'steel', position: [0, 0, 0], rotation: I }];
  const body = (name, mass, shapes, com = [0, 0, 0]) =>
    ({ name, fixed: false, mass, com, position: [0, 0, 0], orientation: [1, 0, 0, 0], shapes });
  const link = box([LINK.width, LINK.width, LINK.length]);
  return {
    format: 1, carom: '0.1.0', name: 'double pendulum', model: 'carom: 1\nname: double pendulum\n', overrides: [],
    settings: { gravity: [0, 0, -G], damping: 'exact', tolerance: 1e-6, until: UNTIL, every: EVERY, method: 'auto' },
    materials: [{ name: 'steel', density: 7850, E: 2.1e11, nu: 0.3 }],
    bodies: [
      body('upper', LINK.mass, link), body('lower', LINK.mass, link), body('cart', CART.mass, box([0.2, 0.14, 0.12])),
      body('rod', 0.1, [], [0, 0, 0.1]), // without shapes
    ],
    joints: JOINTS,
    springs: SPRINGS,
    pairs: [],
    columns: columnsOf(['upper', 'lower', 'cart', 'rod'], JOINTS),
    contact: CONTACT,
  };
}

// Returns { bytes, events, rows, columns }.
export function makeMechanismFixture() {
  const events = limitEvents();
  const times = Array.from({ length: Math.round(UNTIL/EVERY) + 1 }, (_, k) => [k*EVERY, 0]);
  const instants = [...times, ...events.filter((e) => e.time > 0).map((e) => [e.time, 1])].sort((a, b) => a[0] - b[0]);
  const rows = instants.map(([t, kind]) => rowAt(t, kind));
  const frames = [json('HEAD', head())];
  let next = 0;
  for (const row of rows) {
    while (next < events.length && events[next].time <= row[0]) frames.push(json('EVNT', events[next++]));
    frames.push(sample(row));
  }
  const { columns } = head();
  const energy = Object.fromEntries(ENERGIES.map((name, k) => [name, rows.at(-1)[columns.length - ENERGIES.length + k]]));
  const count = (kind) => events.filter((e) => e.kind === kind).length;
  frames.push(json('DONE', { verdict: 'completed', message: '', time: UNTIL, method: 'dop853', steps: 120, rejected: 3, evaluations: 1900,
    jacobians: 0, touches: 0, separations: 0, limits: count('limit'), limits_left: count('limit_left'), switches: 0, gap_evaluations: 0,
    smallest_step: 1e-4, largest_depth: 0, largest_depth_pair: -1, largest_imbalance: 1e-10, energy_scale: 14, energy }));
  return { bytes: file(frames), events, rows, columns };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(process.argv[2], makeMechanismFixture().bytes);
