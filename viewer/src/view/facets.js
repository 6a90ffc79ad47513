// facets.js -- a mesh as it collides: plane triangles, each with its own normal, and lines where the surface has an edge.

import { BufferGeometry, Float32BufferAttribute, Vector3 } from 'three';

const EDGE = Math.cos(30*Math.PI/180); // neighbours that differ by more meet in an edge
const MOST_WITH_EDGES = 300000; // triangles; above, lines would be most of what is seen
const DIRECTIONS = 64; // that the outline is known in

// { solid, edges, isTurned, isOpen }. Made once, however many shapes have the mesh.
export function meshSurface(mesh) {
  if (!mesh) return null;
  mesh.surface ??= mesh.positions ? facets(mesh) : boxOutline(mesh);
  return mesh.surface;
}

export function meshReach({ positions, low, high }) {
  if (!positions) return Math.hypot(...low.map((x, k) => Math.max(Math.abs(x), Math.abs(high[k]))));
  let far = 0;
  for (let i = 0; i < positions.length; i += 3) far = Math.max(far, Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
  return far;
}

function facets(mesh) {
  const { positions, triangles } = mesh;
  const points = new Float32Array(3*triangles.length);
  const normals = new Float32Array(3*triangles.length);
  const facing = new Float32Array(triangles.length); // unit normal of each triangle
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) points.set(positions.subarray(3*triangles[t + k], 3*triangles[t + k] + 3), 3*(t + k));
    setNormal(points, 3*t, facing, t);
    for (let k = 0; k < 3; k++) normals.set(facing.subarray(t, t + 3), 3*(t + k));
  }
  const solid = new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(points, 3))
    .setAttribute('normal', new Float32BufferAttribute(normals, 3));
  solid.userData.outline = outline(positions);
  const edges = triangles.length/3 <= MOST_WITH_EDGES ? edgeLines(positions, edgeEnds(triangles, positions.length/3, facing)) : null;
  return { solid, edges, isTurned: false, isOpen: !mesh.isClosed };
}

// Of the corners p[at], p[at + 3], p[at + 6]; zero for a triangle without area.
function setNormal(p, at, out, to) {
  const [ax, ay, az] = [p[at + 3] - p[at], p[at + 4] - p[at + 1], p[at + 5] - p[at + 2]];
  const [bx, by, bz] = [p[at + 6] - p[at], p[at + 7] - p[at + 1], p[at + 8] - p[at + 2]];
  const [x, y, z] = [ay*bz - az*by, az*bx - ax*bz, ax*by - ay*bx];
  const length = Math.hypot(x, y, z) || 1;
  out[to] = x/length;
  out[to + 1] = y/length;
  out[to + 2] = z/length;
}

// Vertices at the ends of the lines to draw: where the normals of two triangles differ, and where there is one triangle or more than two.
export function edgeEnds(triangles, vertexCount, facing) {
  const first = new Map(); // edge -> its first triangle; -1 when a second one has come
  const sharp = new Set();
  for (let h = 0; h < triangles.length; h++) {
    const t = h - h%3;
    const [a, b] = [triangles[h], triangles[t + (h + 1)%3]];
    const edge = Math.min(a, b)*vertexCount + Math.max(a, b);
    const other = first.get(edge);
    if (other === undefined) first.set(edge, t);
    else if (other < 0 || dot3(facing, other, t) < EDGE) sharp.add(edge);
    if (other !== undefined) first.set(edge, -1);
  }
  for (const [edge, t] of first) if (t >= 0) sharp.add(edge);
  return [...sharp].flatMap((edge) => [Math.floor(edge/vertexCount), edge%vertexCount]);
}

function dot3(v, i, j) {
  return v[i]*v[j] + v[i + 1]*v[j + 1] + v[i + 2]*v[j + 2];
}

function edgeLines(positions, ends) {
  if (ends.length === 0) return null;
  const points = new Float32Array(3*ends.length);
  ends.forEach((v, k) => points.set(positions.subarray(3*v, 3*v + 3), 3*k));
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}

// The farthest points in directions spread over the sphere (a golden spiral): as good as all of them to place a label.
function outline(positions) {
  const far = Array.from({ length: DIRECTIONS }, (_, k) => {
    const z = 1 - (2*k + 1)/DIRECTIONS;
    const r = Math.sqrt(1 - z*z);
    const angle = k*Math.PI*(3 - Math.sqrt(5));
    return { d: [r*Math.cos(angle), r*Math.sin(angle), z], best: -Infinity, at: 0 };
  });
  for (let i = 0; i < positions.length; i += 3) {
    for (const f of far) {
      const reach = f.d[0]*positions[i] + f.d[1]*positions[i + 1] + f.d[2]*positions[i + 2];
      if (reach > f.best) Object.assign(f, { best: reach, at: i });
    }
  }
  return far.map(({ at }) => new Vector3().fromArray(positions, at));
}

// A mesh that is too large for the file is its box, as lines.
function boxOutline({ low, high }) {
  const corner = (i) => [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]];
  const lines = [];
  for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) lines.push(...corner(i), ...corner(i | bit));
  const edges = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(lines, 3));
  const solid = new BufferGeometry().setAttribute('position', new Float32BufferAttribute([], 3)).setAttribute('normal', new Float32BufferAttribute([], 3));
  solid.userData.outline = Array.from({ length: 8 }, (_, i) => new Vector3(...corner(i)));
  return { solid, edges, isTurned: false, isOpen: false };
}
