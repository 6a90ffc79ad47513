// patches.js -- surfaces over which bodies press on each other: from PTCH frames, and at an instant.
//
// A patch is { pair, body, origin, counts, corners, points }: polygons with counts[k] corners each, four numbers for each corner (place from
// the origin, in the body's frame, and pressure), and points of seven numbers (place, normal, force).

const HEAD_BYTES = 44;
const CORNER = 4;
const POINT = 7;

// The patches of a frame, or in a string why it has none.
export function readPatches(bytes, frame, pairCount, bodyCount) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const list = [];
  for (let at = frame.start; at < frame.end;) {
    if (at + HEAD_BYTES > frame.end) return 'a patch is cut off';
    const [pair, body, polygons, corners, points] = [0, 1, 2, 3, 4].map((k) => view.getUint32(at + 4*k, true));
    const next = at + HEAD_BYTES + 4*(polygons + CORNER*corners + POINT*points);
    if (next > frame.end) return 'a patch is cut off';
    if (pair >= pairCount || body >= bodyCount) return 'a patch is of a pair or a body that is not there';
    const start = at + HEAD_BYTES;
    const patch = {
      pair, body, origin: [5, 7, 9].map((k) => view.getFloat64(at + 4*k, true)),
      counts: Uint32Array.from({ length: polygons }, (_, k) => view.getUint32(start + 4*k, true)),
      corners: floats(view, start + 4*polygons, CORNER*corners),
      points: floats(view, start + 4*(polygons + CORNER*corners), POINT*points),
    };
    if (!isWhole(patch)) return 'a patch has polygons that cannot be';
    list.push(patch);
    at = next;
  }
  return list;
}

function floats(view, at, count) {
  const data = new Float32Array(count);
  for (let k = 0; k < count; k++) data[k] = view.getFloat32(at + 4*k, true);
  return data;
}

function isWhole({ origin, counts, corners, points }) {
  const sum = counts.reduce((a, b) => a + b, 0);
  return counts.every((n) => n >= 3) && sum*CORNER === corners.length && [...origin, ...corners, ...points].every(Number.isFinite);
}

// One patch for each contact of the file, or null: that of its sample, or that of the sample before if the pair touched there.
export function patchesOfContacts(stored, contacts, count) {
  const list = new Array(contacts.data.length/contacts.width).fill(null);
  if (stored.size === 0) return list;
  let before = new Map();
  for (let row = 0; row < count; row++) {
    const now = new Map();
    for (let k = contacts.start[row]; k < contacts.start[row + 1]; k++) {
      const pair = contacts.data[k*contacts.width + contacts.field.pair];
      list[k] = stored.get(row)?.find((patch) => patch.pair === pair) ?? before.get(pair) ?? null;
      if (list[k]) now.set(pair, list[k]);
    }
    before = now;
  }
  return list;
}

function ofSample({ contacts, patches }, row) {
  const list = new Map();
  for (let k = contacts.start[row]; k < contacts.start[row + 1]; k++) if (patches[k]) list.set(patches[k].pair, patches[k]);
  return list;
}

// What there is between two samples, as contacts are blended (view/forces.js): a patch of both is blended if it has the same polygons, and else that of the nearer
// sample; one of only one of them keeps its shape while its pressure grows from nothing or fades to nothing.
export function patchesAt(results, at) {
  if (at.i < 0) return [];
  const before = ofSample(results, at.i);
  const after = at.s === 0 ? before : ofSample(results, at.j);
  return [
    ...[...before].map(([pair, patch]) => blended(patch, after.get(pair), at.s)),
    ...[...after].filter(([pair]) => !before.has(pair)).map(([, patch]) => blended(patch, undefined, 1 - at.s)),
  ];
}

function blended(a, b, s) {
  if (s === 0 || a === b) return a;
  if (!b || isEmpty(b)) return weakened(a, 1 - s);
  if (isEmpty(a)) return weakened(b, s);
  if (!isAlike(a, b)) return s < 0.5 ? a : b;
  const mix = (p, q) => p.map((x, k) => x + s*(q[k] - x));
  return { ...a, origin: mix(a.origin, b.origin), corners: mix(a.corners, b.corners), points: mix(a.points, b.points) };
}

function isEmpty({ corners, points }) {
  return corners.length + points.length === 0;
}

function isAlike(a, b) {
  return a.body === b.body && a.points.length === b.points.length && a.counts.length === b.counts.length && a.counts.every((n, k) => n === b.counts[k]);
}

function weakened(patch, factor) {
  const scaled = (data, width) => data.map((x, k) => k % width === width - 1 ? factor*x : x);
  return { ...patch, corners: scaled(patch.corners, CORNER), points: scaled(patch.points, POINT) };
}

const most = (data, width) => { let top = 0; for (let k = width - 1; k < data.length; k += width) top = Math.max(top, data[k]); return top; };
export const largestPressure = (patches) => patches.reduce((top, patch) => patch ? Math.max(top, most(patch.corners, CORNER)) : top, 0);
export const largestPointForce = (patches) => patches.reduce((top, patch) => patch ? Math.max(top, most(patch.points, POINT)) : top, 0);

// Sum of the pressure over the polygons, and of the forces of the points [N], each along its own normal.
export function pressedWith({ counts, corners, points }) {
  let force = 0;
  let first = 0;
  for (const n of counts) {
    for (let k = 1; k + 1 < n; k++) {
      const [a, b, c] = [first, first + k, first + k + 1].map((i) => corners.subarray(CORNER*i, CORNER*i + CORNER));
      const [p, q] = [b, c].map((x) => [x[0] - a[0], x[1] - a[1], x[2] - a[2]]);
      const area = 0.5*Math.hypot(p[1]*q[2] - p[2]*q[1], p[2]*q[0] - p[0]*q[2], p[0]*q[1] - p[1]*q[0]);
      force += area*(a[3] + b[3] + c[3])/3;
    }
    first += n;
  }
  for (let k = POINT - 1; k < points.length; k += POINT) force += points[k];
  return force;
}
