// bounds.js -- how large is what there is to see? A box around it: { centre, radius, balls }; balls are [x, y, z, r].

import { positionAt } from '../tracks.js';
import { worldPoints } from './joints.js';
import { shapeRadius } from './shapes.js';

const PROBES = 300; // samples looked at over the run; enough to frame it
const MOST_BALLS = 20000;

// The whole run. A body that flies off to far away would make everything else a dot: then the start counts.
export function boundsOfRun(results, tracks) {
  const probes = Math.max(2, Math.min(PROBES, Math.floor(MOST_BALLS/tracks.length)));
  const whole = boundsOf(results.head, tracks, probeRows(results.count, probes));
  const start = boundsOf(results.head, tracks, [{ i: 0, s: 0 }]);
  return whole.radius > 30*start.radius ? start : whole;
}

export function boundsNow(head, tracks, at) {
  return boundsOf(head, tracks, [at]);
}

// instants: brackets of interpolate.js
function boundsOf(head, tracks, instants) {
  const moving = emptyBox();
  for (const p of worldPoints(head)) grow(moving, p.toArray(), 0);
  const fixed = [];
  for (const track of tracks) {
    const size = bodyRadius(track.body);
    if (!track.isMoving) { if (size > 0) fixed.push([positionAt(track, { i: 0, s: 0 }), size]); continue; }
    for (const at of instants) grow(moving, positionAt(track, at), size);
  }
  return measured(addFixed(moving, fixed));
}

// Fixed bodies belong to the picture unless they dwarf the moving ones (a floor made of a large box).
function addFixed(moving, fixed) {
  const limit = isEmpty(moving) ? Infinity : 3*measured(moving).radius;
  for (const [p, size] of fixed) if (size <= limit) grow(moving, p, size);
  return moving;
}

// Largest distance of the body's material from its origin; half-spaces do not count. A body without shapes reaches to
// its joints.
export function bodyRadius(body) {
  if (body.shapes.length === 0) return Math.max(0, ...body.points.map((p) => Math.hypot(...p)));
  const reach = (shape) => shapeRadius(shape) > 0 ? shapeRadius(shape) + Math.hypot(...(shape.position ?? [0])) : 0;
  return Math.max(0, ...body.shapes.map(reach));
}

function probeRows(count, probes) {
  const n = Math.min(count, probes);
  return Array.from({ length: n }, (_, k) => ({ i: n < 2 ? 0 : Math.round(k*(count - 1)/(n - 1)), s: 0 }));
}

function emptyBox() {
  return { lo: [Infinity, Infinity, Infinity], hi: [-Infinity, -Infinity, -Infinity], balls: [] };
}

function isEmpty(box) {
  return box.lo[0] > box.hi[0];
}

function grow(box, p, size) {
  if (!p.every(Number.isFinite)) return;
  box.balls.push([...p, size]);
  for (let k = 0; k < 3; k++) {
    box.lo[k] = Math.min(box.lo[k], p[k] - size);
    box.hi[k] = Math.max(box.hi[k], p[k] + size);
  }
}

function measured(box) {
  if (isEmpty(box)) return { centre: [0, 0, 0], radius: 1, balls: [[0, 0, 0, 1]] };
  const centre = box.lo.map((lo, k) => 0.5*(lo + box.hi[k]));
  const radius = 0.5*Math.hypot(...box.hi.map((hi, k) => hi - box.lo[k]));
  return radius > 0 ? { centre, radius, balls: box.balls } : { centre, radius: 1, balls: [[...centre, 1]] };
}
