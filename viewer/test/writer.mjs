// writer.mjs -- writes .carom files for the tests; written from docs/results-format.md, independent of the reader.

import * as zlib from 'node:zlib';

const MAGIC = 'carom results 1\n';

// zlib.crc32 came with Node 20.15 and 22.2; before, this.
function crcOf(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes);
  let c = 0xffffffff;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return (c ^ 0xffffffff) >>> 0;
}

export function frame(kind, payload) {
  const bytes = Buffer.alloc(payload.length + 12);
  bytes.write(kind, 0, 'latin1');
  bytes.writeUInt32LE(payload.length, 4);
  payload.copy(bytes, 8);
  bytes.writeUInt32LE(crcOf(bytes.subarray(0, 8 + payload.length)), 8 + payload.length);
  return bytes;
}

export const json = (kind, value) => frame(kind, Buffer.from(JSON.stringify(value)));

export function sample(numbers) {
  const payload = Buffer.alloc(8*numbers.length);
  numbers.forEach((x, i) => payload.writeDoubleLE(x, 8*i));
  return frame('SAMP', payload);
}

// patches: [{ pair, body, origin, polygons: [[[x, y, z, pressure], ...], ...], points: [[x, y, z, nx, ny, nz, force], ...] }]
export function patchFrame(patches) {
  const words = (list, write) => { const b = Buffer.alloc(4*list.length); list.forEach((x, i) => b[write](x, 4*i)); return b; };
  const doubles = (list) => { const b = Buffer.alloc(8*list.length); list.forEach((x, i) => b.writeDoubleLE(x, 8*i)); return b; };
  return frame('PTCH', Buffer.concat(patches.flatMap(({ pair, body, origin, polygons = [], points = [] }) => [
    words([pair, body, polygons.length, polygons.flat().length, points.length], 'writeUInt32LE'), doubles(origin),
    words(polygons.map((p) => p.length), 'writeUInt32LE'), words(polygons.flat(2), 'writeFloatLE'), words(points.flat(), 'writeFloatLE'),
  ])));
}

export const file = (frames) => Buffer.concat([Buffer.from(MAGIC), ...frames]);

const column = (name, unit) => ({ name, unit });
const vector = (name, unit, axes = ['x', 'y', 'z']) => axes.map((axis) => column(`${name}.${axis}`, unit));

export const CONTACT = [column('pair', ''), ...vector('point', 'm'), ...vector('normal', ''), ...vector('force', 'N'),
  column('normal_force', 'N'), column('depth', 'm')];

export const ENERGIES = ['kinetic', 'potential', 'elastic', 'springs', 'damping', 'friction', 'rolling', 'joints', 'supplied', 'imbalance'];

// Columns of coordinates and speeds, by type of joint.
const JOINT_COLUMNS = {
  revolute: (of) => [column(of('angle'), 'rad'), column(of('angle_rate'), 'rad/s')],
  prismatic: (of) => [column(of('distance'), 'm'), column(of('distance_rate'), 'm/s')],
  spherical: (of) => [...vector(of('quaternion'), '', ['w', 'x', 'y', 'z']), ...vector(of('angular_velocity'), 'rad/s')],
};

export function columnsOf(movingBodies, joints = []) {
  const energies = ENERGIES.map((name) => column(`energy.${name}`, 'J'));
  const columns = joints.filter((j) => !j.closes_loop).flatMap((j) => JOINT_COLUMNS[j.type]((what) => `joints.${j.name}.${what}`));
  return [column('time', 's'), column('sample', ''), ...movingBodies.flatMap(bodyColumns), ...columns, ...energies];
}

function bodyColumns(name) {
  const of = (what, unit, axes) => vector(`bodies.${name}.${what}`, unit, axes);
  return [...of('position', 'm'), ...of('orientation', '', ['w', 'x', 'y', 'z']), ...of('velocity', 'm/s'),
    ...of('angular_velocity', 'rad/s')];
}

export function gapColumns(pair) {
  const of = (what, unit) => vector(`gaps.${pair}.${what}`, unit);
  return [column(`gaps.${pair}.distance`, 'm'), ...of('normal', ''), ...of('point_a', 'm'), ...of('point_b', 'm'), column(`gaps.${pair}.error`, 'm')];
}
