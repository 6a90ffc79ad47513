// shapes.js -- the surfaces of shapes as triangles, true to their roundings. No pixels here: it runs without a page.
//
// A rounded shape is a sharp core grown by a radius (a ball that rolls over it). A core with plane faces gives plane
// faces moved outwards, strips of cylinders along its edges and pieces of spheres at its corners; a core that is round
// about z is turned from its profile. Normals are those of the true surface, so that plane faces stay plane.

import { BufferGeometry, Float32BufferAttribute, TorusGeometry, Vector3 } from 'three';
import { meshReach, meshSurface } from './facets.js';

const TURN = 96; // segments about z
const ARC = 10; // segments of a rounded edge of a turned shape, at most 180 degrees
const MOST_EDGES_DRAWN = 5000;

// { solid, edges, isTurned }: triangles, line segments or null, and whether it has the pattern that shows turning.
export function shapeGeometry(shape) {
  return SURFACES[shape.kind]?.(shape) ?? null;
}

const SURFACES = {
  'box': ({ size, rounding }) => grownPolyhedron(boxCore(size, rounding), rounding),
  'polytope': ({ vertices, faces, core, rounding }) => grownPolyhedron(rounding > 0 ? core : { vertices, faces }, rounding),
  'cylinder': ({ size: [r, length], rounding }) => turned(frustumCore(r, r, length, rounding), rounding),
  'cone': ({ size: [r0, r1, length], rounding }) => turned(frustumCore(r0, r1, length, rounding), rounding),
  'capsule': ({ size: [r, length] }) => turned({ r0: 0, z0: -length/2, r1: 0, z1: length/2, side: 0 }, r),
  'torus': ({ size: [ring, tube] }) => ({ solid: new TorusGeometry(ring, tube, 40, 128), edges: null, isTurned: true }),
  'mesh': ({ mesh }) => meshSurface(mesh),
};

// Largest distance of a point from the shape's origin; 0 where there is none.
export function shapeRadius(shape) {
  const reach = REACH[shape.kind]?.(shape) ?? 0;
  return Number.isFinite(reach) ? reach : 0;
}

const REACH = {
  'sphere': ({ size }) => size[0],
  'ellipsoid': ({ size }) => Math.max(...size),
  'box': ({ size }) => 0.5*Math.hypot(...size),
  'cylinder': ({ size }) => Math.hypot(size[0], size[1]/2),
  'cone': ({ size }) => Math.hypot(Math.max(size[0], size[1]), size[2]/2),
  'capsule': ({ size }) => size[0] + size[1]/2,
  'torus': ({ size }) => size[0] + size[1],
  'polytope': ({ vertices }) => vertices.reduce((far, p) => Math.max(far, Math.hypot(...p)), 0),
  'mesh': ({ mesh }) => mesh ? mesh.reach ??= meshReach(mesh) : 0,
};

// Where its middle is, from its origin: that of a mesh is where its author put it.
export function shapeMiddle({ mesh, rotation }) {
  if (!mesh) return new Vector3();
  const [x, y, z] = mesh.low.map((low, k) => 0.5*(low + mesh.high[k]));
  return rotation ? new Vector3(...rotation.map((row) => row[0]*x + row[1]*y + row[2]*z)) : new Vector3(x, y, z);
}

// ---- plane faces

function boxCore(size, rounding) {
  const [x, y, z] = size.map((s) => s/2 - rounding);
  const vertices = [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c) => [a, b, c])));
  const normals = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]; // of faces without area too: a core may be thin
  return { vertices, faces: [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]], normals };
}

// Corners of a face are counter-clockwise from outside.
function grownPolyhedron(core, radius) {
  if (!isPolyhedron(core)) return null;
  const corners = core.vertices.map((p) => new Vector3(...p));
  const normals = core.normals?.map((n) => new Vector3(...n)) ?? core.faces.map((face) => faceNormal(face, corners));
  const surface = newSurface();
  core.faces.forEach((face, f) => {
    const ring = face.map((v) => add(surface, corners[v].clone().addScaledVector(normals[f], radius), normals[f]));
    for (let k = 1; k + 1 < ring.length; k++) surface.triangles.push(ring[0], ring[k], ring[k + 1]);
  });
  const edges = edgesOf(core.faces);
  if (!(radius > 0)) return { solid: finished(surface), edges: edgeLines(edges, corners), isTurned: false };
  const steps = edges.length > 2000 ? 2 : edges.length > 300 ? 4 : 8;
  for (const edge of edges) addStrip(surface, edge, corners, normals, radius, steps);
  addBalls(surface, core.faces, edges, corners, normals, radius, steps);
  return { solid: finished(surface), edges: null, isTurned: false };
}

function isPolyhedron(core) {
  const n = core?.vertices?.length ?? 0;
  return n > 3 && Array.isArray(core.faces) && core.vertices.every((p) => p?.length === 3 && p.every(Number.isFinite)) &&
    core.faces.every((face) => Array.isArray(face) && face.length > 2 && face.every((v) => Number.isInteger(v) && v >= 0 && v < n));
}

// Newell: the sum over all corners, good for long thin faces too.
function faceNormal(face, corners) {
  const n = new Vector3();
  face.forEach((v, k) => n.add(corners[v].clone().sub(corners[face[0]]).cross(corners[face[(k + 1) % face.length]].clone().sub(corners[face[0]]))));
  return n.normalize();
}

// Each edge once: vertices a, b, and the faces on its left (where it runs from a to b) and right.
function edgesOf(faces) {
  const open = new Map();
  const edges = [];
  faces.forEach((face, f) => face.forEach((a, k) => {
    const b = face[(k + 1) % face.length];
    const other = open.get(`${b} ${a}`);
    if (other === undefined) { open.set(`${a} ${b}`, f); return; }
    edges.push({ a: b, b: a, left: other, right: f });
  }));
  return edges;
}

function edgeLines(edges, corners) {
  if (edges.length > MOST_EDGES_DRAWN) return null;
  return lineGeometry(edges.flatMap(({ a, b }) => [...corners[a].toArray(), ...corners[b].toArray()]));
}

function lineGeometry(positions) {
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3));
}

function addStrip(surface, { a, b, left, right }, corners, normals, radius, steps) {
  const rows = [];
  for (let k = 0; k <= steps; k++) {
    const n = between(normals[left], normals[right], k/steps);
    rows.push([a, b].map((v) => add(surface, corners[v].clone().addScaledVector(n, radius), n)));
  }
  for (let k = 0; k < steps; k++) {
    const [[a0, b0], [a1, b1]] = [rows[k], rows[k + 1]];
    surface.triangles.push(a0, a1, b1, a0, b1, b0);
  }
}

// At a corner the normals of the faces round it bound a piece of a sphere: triangles from their mean to each edge there.
function addBalls(surface, faces, edges, corners, normals, radius, steps) {
  const middle = corners.map(() => new Vector3());
  faces.forEach((face, f) => { for (const v of face) middle[v].add(normals[f]); });
  for (const n of middle) n.normalize();
  for (const { a, b, left, right } of edges) {
    addPiece(surface, corners[a], radius, [middle[a], normals[right], normals[left]], steps);
    addPiece(surface, corners[b], radius, [middle[b], normals[left], normals[right]], steps);
  }
}

// A spherical triangle; its side between the last two normals has the points of the strip beside it.
function addPiece(surface, centre, radius, [apex, from, to], steps) {
  let above = null;
  for (let i = 0; i <= steps; i++) {
    const p = between(apex, from, i/steps);
    const q = between(apex, to, i/steps);
    const row = [];
    for (let k = 0; k <= i; k++) {
      const n = i === 0 ? apex : between(i === steps ? from : p, i === steps ? to : q, k/i);
      row.push(add(surface, centre.clone().addScaledVector(n, radius), n));
    }
    for (let k = 0; k < i; k++) {
      surface.triangles.push(above[k], row[k], row[k + 1]);
      if (k + 1 < i) surface.triangles.push(above[k], row[k + 1], above[k + 1]);
    }
    above = row;
  }
}

// On the arc from a to b, both unit.
function between(a, b, s) {
  const angle = Math.acos(Math.min(1, Math.max(-1, a.dot(b))));
  if (angle < 1e-6) return a.clone().lerp(b, s).normalize();
  return a.clone().multiplyScalar(Math.sin((1 - s)*angle)).addScaledVector(b, Math.sin(s*angle)).normalize();
}

// ---- round about z

// As src/geometry has it: bottom, top and side move inwards by the rounding. side: how far the side's normal is turned up from r.
function frustumCore(bottom, top, length, rounding) {
  const slope = (top - bottom)/length;
  const middle = 0.5*(bottom + top) - rounding*Math.hypot(1, slope);
  const core = { z0: -length/2 + rounding, z1: length/2 - rounding, side: Math.atan2(bottom - top, length) };
  core.r0 = middle + slope*core.z0;
  core.r1 = middle + slope*core.z1;
  if (rounding === 0) Object.assign(core, { r0: bottom, r1: top });
  if (core.r1 < 0) Object.assign(core, { r1: 0, z1: -middle/slope });
  if (core.r0 < 0) Object.assign(core, { r0: 0, z0: -middle/slope });
  return core;
}

// The profile of the grown core from the bottom of the axis to its top: [r, z, nr, nz]. A sharp edge is there twice, with the
// normals of both sides.
function profileOf({ r0, z0, r1, z1, side }, radius) {
  const point = (r, z, angle) => [r + radius*Math.cos(angle), z + radius*Math.sin(angle), Math.cos(angle), Math.sin(angle)];
  const arc = (r, z, from, to) => {
    const n = radius > 0 ? Math.max(1, Math.ceil(ARC*(to - from)/(Math.PI/2))) : 1;
    return Array.from({ length: n + 1 }, (_, k) => point(r, z, from + k/n*(to - from)));
  };
  const profile = [];
  if (r0 > 0) profile.push([0, z0 - radius, 0, -1]);
  if (r0 > 0 || radius > 0) profile.push(...arc(r0, z0, -Math.PI/2, side));
  else profile.push(point(r0, z0, side));
  if (r1 > 0 || radius > 0) profile.push(...arc(r1, z1, side, Math.PI/2));
  else profile.push(point(r1, z1, side));
  if (r1 > 0) profile.push([0, z1 + radius, 0, 1]);
  return profile;
}

function turned(core, radius) {
  const profile = profileOf(core, radius);
  if (!profile.flat().every(Number.isFinite)) return null;
  const surface = newSurface();
  const [low, high] = [profile[0][1], profile.at(-1)[1]];
  const rows = profile.map(([r, z, nr, nz]) => Array.from({ length: TURN + 1 }, (_, k) => {
    const angle = 2*Math.PI*k/TURN;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return add(surface, new Vector3(r*c, r*s, z), new Vector3(nr*c, nr*s, nz), [k/TURN, (z - low)/(high - low)]);
  }));
  for (let i = 0; i + 1 < rows.length; i++) {
    for (let k = 0; k < TURN; k++) {
      surface.triangles.push(rows[i][k], rows[i][k + 1], rows[i + 1][k + 1], rows[i][k], rows[i + 1][k + 1], rows[i + 1][k]);
    }
  }
  return { solid: finished(surface), edges: radius > 0 ? null : rims(core), isTurned: true };
}

function rims({ r0, z0, r1, z1 }) {
  const circle = (r, z) => Array.from({ length: TURN }, (_, k) => [k, k + 1].flatMap((i) => {
    const angle = 2*Math.PI*i/TURN;
    return [r*Math.cos(angle), r*Math.sin(angle), z];
  })).flat();
  return lineGeometry([...(r0 > 0 ? circle(r0, z0) : []), ...(r1 > 0 ? circle(r1, z1) : [])]);
}

// ---- triangles

function newSurface() {
  return { positions: [], normals: [], uvs: [], triangles: [] };
}

function add(surface, p, n, uv = [0, 0]) {
  surface.positions.push(p.x, p.y, p.z);
  surface.normals.push(n.x, n.y, n.z);
  surface.uvs.push(...uv);
  return surface.positions.length/3 - 1;
}

function finished({ positions, normals, uvs, triangles }) {
  return new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(positions, 3))
    .setAttribute('normal', new Float32BufferAttribute(normals, 3))
    .setAttribute('uv', new Float32BufferAttribute(uvs, 2))
    .setIndex(triangles);
}
