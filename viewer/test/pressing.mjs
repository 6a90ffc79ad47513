// pressing.mjs -- a run with patches: a block that lies, then tips its weight to one side, on a table; and a pad that is known as points.
//
// From t = 1 to 2 the pressure of the block goes linearly from P everywhere to 0 at one end and 2 P at the other: the force stays.

import { columnsOf, CONTACT, file, json, patchFrame, sample } from './writer.mjs';

export const P = 250; // Pa
export const SIDES = [0.4, 0.2]; // m
export const FORCE = P*SIDES[0]*SIDES[1];

const shape = (kind, size) => ({ name: 'shape', kind, size, material: 'steel', position: [0, 0, 0], rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] });
const body = (name, fixed, position, s) => ({ name, fixed, mass: 1, com: [0, 0, 0], position, orientation: [1, 0, 0, 0], shapes: [s] });

export function head() {
  return {
    format: 1, carom: '0.1.0', name: 'pressing', model: '', contact: CONTACT, columns: columnsOf(['block', 'pad']),
    bodies: [body('table', true, [0, 0, 0], shape('half-space', [0, 0, 0])), body('block', false, [0, 0, 0.1], shape('box', [...SIDES, 0.2])),
      body('pad', false, [0.6, 0, 0.1], shape('cylinder', [0.1, 0.2, 0]))],
    pairs: [{ name: 'table - block', a: 0, b: 1 }, { name: 'table - pad', a: 0, b: 2 }],
  };
}

const still = (x) => [x, 0, 0.1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
export const row = (t, contacts) => [t, 0, ...still(0), ...still(0.6), ...Array(10).fill(0), ...contacts.flat()];
export const contact = (pair, x, fn) => [pair, x, 0, 0, 0, 0, 1, 0, 0, fn, fn, 1e-6];

// Seen from above counter-clockwise: the normal points from the table into the block.
export function blockPatch(tilt) {
  const [a, b] = SIDES.map((side) => side/2);
  const corner = (x, y) => [x + a, y + b, 0, P*(1 + tilt*x/a)];
  return { pair: 0, body: 1, origin: [-a, -b, -0.1], polygons: [[corner(-a, -b), corner(a, -b), corner(a, b), corner(-a, b)]] };
}

export function padPatch() {
  const points = Array.from({ length: 8 }, (_, k) => [0.07*Math.cos(k*Math.PI/4), 0.07*Math.sin(k*Math.PI/4), 0, 0, 0, 1, k + 1]);
  return { pair: 1, body: 2, origin: [0, 0, -0.1], points };
}

// The pad touches from t = 1 on; nothing touches at t = 4.
export function makePressingFixture() {
  const both = [contact(0, 0, FORCE), contact(1, 0.6, 36)];
  return { bytes: file([json('HEAD', head()),
    sample(row(0, [contact(0, 0, FORCE)])), patchFrame([blockPatch(0)]),
    sample(row(1, both)), patchFrame([padPatch()]),
    sample(row(2, both)), patchFrame([blockPatch(1)]),
    sample(row(3, both)),
    sample(row(4, [])),
    sample(row(5, [contact(0, 0, FORCE)])),
    json('DONE', { verdict: 'completed', time: 5 })]) };
}
