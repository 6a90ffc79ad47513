// shapes.mjs -- a run with every kind of shape, sharp in front and rounded behind, all turning slowly, and a ball that falls
// between them with its gaps recorded.
//
//     node test/shapes.mjs FILE.carom    writes it

import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { columnsOf, CONTACT, ENERGIES, file, gapColumns, json, sample } from './writer.mjs';

const UNTIL = 2;
const EVERY = 0.02;
const G = 9.81;
const SPIN = 0.8; // rad/s about z
const R = 0.08; // of the ball
export const BALL = { x: 0, y: -0.4, z0: 0.9 };

const GOLD = (1 + Math.sqrt(5))/2;

// Faces of a polyhedron whose corners all lie on a sphere about the origin and whose faces touch one: by brute force.
export function hullFaces(points) {
  const sub = (a, b) => a.map((x, k) => x - b[k]);
  const cross = ([a, b, c], [d, e, f]) => [b*f - c*e, c*d - a*f, a*e - b*d];
  const dot = (a, b) => a.reduce((s, x, k) => s + x*b[k], 0);
  const found = new Map();
  for (let i = 0; i < points.length; i++) for (let j = 0; j < points.length; j++) for (let k = j + 1; k < points.length; k++) {
    if (i === j || i === k) continue;
    const n = cross(sub(points[j], points[i]), sub(points[k], points[i]));
    const height = points.map((p) => dot(n, sub(p, points[i])));
    if (Math.hypot(...n) < 1e-9 || Math.max(...height) > 1e-9) continue;
    const ring = points.map((_, v) => v).filter((v) => Math.abs(height[v]) < 1e-9);
    const middle = ring.reduce((m, v) => m.map((x, q) => x + points[v][q]/ring.length), [0, 0, 0]);
    const u = sub(points[ring[0]], middle);
    const w = cross(n, u).map((x) => x/Math.hypot(...n));
    const angle = (v) => Math.atan2(dot(w, sub(points[v], middle)), dot(u, sub(points[v], middle)));
    ring.sort((a, b) => angle(a) - angle(b));
    found.set([...ring].sort((a, b) => a - b).join(), ring);
  }
  return [...found.values()];
}

const icosahedron = (a) => [-1, 1].flatMap((s) => [-GOLD, GOLD].flatMap((g) => [[0, s, g], [s, g, 0], [g, 0, s]]))
  .map((p) => p.map((x) => a*x/Math.hypot(1, GOLD)));
const wedge = (a) => [[-a, -a, -a], [a, -a, -a], [a, a, -a], [-a, a, -a], [-0.4*a, 0, a], [0.4*a, 0, a]];

// The inner polyhedron of one whose faces all touch a sphere about the origin.
function polytope(points, rounding) {
  const faces = hullFaces(points);
  const [a, b, c] = faces[0].map((v) => points[v]);
  const n = [0, 1, 2].map((k) => (b[(k + 1) % 3] - a[(k + 1) % 3])*(c[(k + 2) % 3] - a[(k + 2) % 3]) - (b[(k + 2) % 3] - a[(k + 2) % 3])*(c[(k + 1) % 3] - a[(k + 1) % 3]));
  const inside = Math.abs(n.reduce((s, x, k) => s + x*a[k], 0))/Math.hypot(...n);
  const core = { vertices: points.map((p) => p.map((x) => x*(1 - rounding/inside))), faces };
  return { kind: 'polytope', size: [0, 0, 0], vertices: points, faces, ...(rounding > 0 ? { rounding, core } : {}) };
}

export const plain = (kind, size, rounding) => ({ kind, size, ...(rounding > 0 ? { rounding } : {}) });

export const SHAPES = {
  'box': plain('box', [0.24, 0.16, 0.2], 0),
  'cylinder': plain('cylinder', [0.1, 0.22, 0], 0),
  'cone': plain('cone', [0.12, 0, 0.26], 0),
  'frustum': plain('cone', [0.12, 0.05, 0.2], 0),
  'icosahedron': polytope(icosahedron(0.14), 0),
  'wedge': polytope(wedge(0.11), 0),
  'ellipsoid': plain('ellipsoid', [0.14, 0.09, 0.06], 0),
  'rounded-box': plain('box', [0.24, 0.16, 0.2], 0.03),
  'rounded-cylinder': plain('cylinder', [0.1, 0.22, 0], 0.03),
  'rounded-cone': plain('cone', [0.12, 0, 0.26], 0.02),
  'rounded-frustum': plain('cone', [0.12, 0.05, 0.2], 0.02),
  'rounded-icosahedron': polytope(icosahedron(0.14), 0.03),
  'capsule': plain('capsule', [0.07, 0.16, 0], 0),
  'torus': plain('torus', [0.1, 0.035, 0], 0),
};

const NAMES = Object.keys(SHAPES);
const placeOf = (k) => [-1.05 + 0.35*(k % 7), k < 7 ? -0.25 : 0.25, 0.16];
const PAIRS = ['ball - box', 'ball - floor'];

function head() {
  const I = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const body = (name, fixed, position, shape) => ({ name, fixed, mass: fixed ? 0 : 1, com: [0, 0, 0], position, orientation: [1, 0, 0, 0],
    shapes: [{ name: 'shape', material: 'steel', position: [0, 0, 0], rotation: I, ...shape }] });
  return {
    format: 1, carom: '0.1.0', name: 'shapes', model: 'carom: 1\n', overrides: [],
    settings: { gravity: [0, 0, -G], damping: 'exact', tolerance: 1e-6, until: UNTIL, every: EVERY, method: 'auto' },
    bodies: [...NAMES.map((name, k) => body(name, false, placeOf(k), SHAPES[name])),
      body('ball', false, [BALL.x, BALL.y, BALL.z0], plain('sphere', [R, 0, 0])),
      body('floor', true, [0, 0, 0], plain('half-space', [0, 0, 0]))],
    pairs: [[14, 0], [14, 15]].map(([a, b], k) => ({ name: PAIRS[k], a, b, restitution: 0.5, friction: 0.2, rolling: 0 })),
    columns: [...columnsOf([...NAMES, 'ball']), ...PAIRS.flatMap(gapColumns)],
    contact: CONTACT,
  };
}

// The ball falls and then lies still; d: how deep.
export function ballAt(t) {
  const fallen = Math.sqrt(2*(BALL.z0 - R)/G);
  return t < fallen ? { z: BALL.z0 - G*t*t/2, v: -G*t, d: 0 } : { z: R - 1e-5, v: 0, d: 1e-5 };
}

export function floorGap(t) {
  const { z } = ballAt(t);
  return { distance: z - R, normal: [0, 0, -1], a: [BALL.x, BALL.y, z - R], b: [BALL.x, BALL.y, 0] };
}

// To the box's nearest corner as if it did not turn: numbers to draw, not geometry.
function boxGap(t) {
  const a = [BALL.x, BALL.y, ballAt(t).z];
  const b = [-0.93, -0.33, 0.26];
  const way = b.map((x, k) => x - a[k]);
  const length = Math.hypot(...way);
  const normal = way.map((x) => x/length);
  return { distance: length - R, normal, a: a.map((x, k) => x + R*normal[k]), b };
}

const numbers = ({ distance, normal, a, b }) => [distance, ...normal, ...a, ...b, 1e-16];

function rowAt(t) {
  const turn = [Math.cos(SPIN*t/2), 0, 0, Math.sin(SPIN*t/2)];
  const ball = ballAt(t);
  const contact = ball.d > 0 ? [1, BALL.x, BALL.y, -0.5*ball.d, 0, 0, -1, 0, 0, -G, G, ball.d] : [];
  return [t, 0, ...NAMES.flatMap((_, k) => [...placeOf(k), ...turn, 0, 0, 0, 0, 0, SPIN]),
    BALL.x, BALL.y, ball.z, 1, 0, 0, 0, 0, 0, ball.v, 0, 0, 0, ...ENERGIES.map(() => 0), ...numbers(boxGap(t)), ...numbers(floorGap(t)), ...contact];
}

export function makeShapesFixture() {
  const rows = Array.from({ length: Math.round(UNTIL/EVERY) + 1 }, (_, k) => rowAt(k*EVERY));
  return { bytes: file([json('HEAD', head()), ...rows.map(sample)]), rows, columns: head().columns };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(process.argv[2], makeShapesFixture().bytes);
