// tracks.js -- the motion of each body: columns for free bodies, the pose of the head for fixed ones.

import { hermite, linear, slerp } from './interpolate.js';

const XYZ = ['x', 'y', 'z'];
const WXYZ = ['w', 'x', 'y', 'z'];

export function makeTracks(results) {
  return results.head.bodies.map((body) => makeTrack(results, body));
}

function makeTrack(results, body) {
  const column = (kind, axis) => results.byName.get(`bodies.${body.name}.${kind}.${axis}`)?.data;
  const all = (kind, axes) => {
    const list = axes.map((axis) => column(kind, axis));
    return list.every(Boolean) ? list : null;
  };
  const position = results.count > 0 ? all('position', XYZ) : null;
  return {
    body,
    isMoving: position !== null,
    position,
    orientation: all('orientation', WXYZ),
    velocity: all('velocity', XYZ),
    spin: all('angular_velocity', XYZ),
  };
}

export function positionAt(track, at) {
  const { position, velocity } = track;
  if (!position) return vector(track.body.position, [0, 0, 0]);
  return position.map((data, k) => velocity ? hermite(data, velocity[k], at) : linear(data, at));
}

export function orientationAt(track, at) {
  const q = track.orientation;
  if (!track.isMoving || !q) return vector(track.body.orientation, [1, 0, 0, 0]);
  return slerp(q.map((c) => c[at.i]), q.map((c) => c[at.j]), at.s);
}

export function speedAt(track, at) {
  return track.isMoving && track.velocity ? Math.hypot(...track.velocity.map((data) => linear(data, at))) : 0;
}

function vector(value, fallback) {
  return Array.isArray(value) && value.length === fallback.length ? value : fallback;
}
