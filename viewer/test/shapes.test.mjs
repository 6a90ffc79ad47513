// Surfaces of shapes: closed, outside out, as large as they should be; gaps: read and placed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Vector3 } from 'three';
import { bracket } from '../src/interpolate.js';
import { defaultPlots, makeQuantities, valueAt } from '../src/quantities.js';
import { readResults } from '../src/results.js';
import { contactsAt } from '../src/view/forces.js';
import { gapsAt, recordedGaps } from '../src/view/gaps.js';
import { shapeGeometry, shapeRadius } from '../src/view/shapes.js';
import { floorGap, hullFaces, makeShapesFixture, plain, SHAPES } from './shapes.mjs';
import { makeFixture } from './fixture.mjs';

const near = (a, b, tolerance, what = '') =>
  assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);
const fixture = makeShapesFixture();
const results = readResults(fixture.bytes);
const SURFACED = Object.entries(SHAPES).filter(([name]) => name !== 'ellipsoid');
const withDefaults = (shape) => ({ rounding: 0, vertices: [], faces: [], ...shape });

function meshOf(shape) {
  const { solid } = shapeGeometry(withDefaults(shape));
  const vector = (attribute) => Array.from({ length: attribute.count }, (_, k) => new Vector3().fromBufferAttribute(attribute, k));
  const index = [...solid.index.array];
  return {
    points: vector(solid.attributes.position), normals: vector(solid.attributes.normal),
    triangles: Array.from({ length: index.length/3 }, (_, k) => index.slice(3*k, 3*k + 3)),
  };
}

// Divergence theorem: a sixth of the sum of the triple products.
const volumeOf = ({ points, triangles }) => triangles.reduce((v, [a, b, c]) => v + points[a].dot(points[b].clone().cross(points[c]))/6, 0);

const FLOAT = 2e-7; // coordinates of meshes are single precision, sizes are below 0.3

test('every surface is closed: each side of a triangle is that of another, the other way round', () => {
  for (const [name, shape] of SURFACED) {
    const { points, triangles } = meshOf(shape);
    const key = (v) => points[v].toArray().map((x) => Math.round(x*1e6) + 0).join();
    const sides = new Map();
    for (const triangle of triangles) {
      const keys = triangle.map(key);
      for (let k = 0; k < 3; k++) {
        const [a, b] = [keys[k], keys[(k + 1) % 3]];
        if (a === b) continue; // at a tip
        const [side, sign] = a < b ? [`${a} ${b}`, 1] : [`${b} ${a}`, -1];
        sides.set(side, (sides.get(side) ?? 0) + sign);
      }
    }
    assert.ok([...sides.values()].every((n) => n === 0), name);
  }
});

test('normals are unit and point out: nothing of a convex shape lies before a point along its normal', () => {
  for (const [name, shape] of SURFACED) {
    const { points, normals } = meshOf(shape);
    normals.forEach((n) => near(n.length(), 1, FLOAT, name));
    if (name === 'torus') continue;
    for (let k = 0; k < points.length; k += 7) {
      const height = points[k].dot(normals[k]);
      for (const p of points) assert.ok(p.dot(normals[k]) <= height + 3*FLOAT, `${name}: ${p.dot(normals[k])} above ${height}`);
    }
  }
});

// Of arcs with n segments per turn polygons have (sin a)/a of the area, a = 2 pi/n; rounded edges here at most 80 per turn both ways.
test('volumes are those of the formulas, less what chords leave out', () => {
  const expect = (name, volume, chords) => near(volumeOf(meshOf(SHAPES[name]))/volume, 1 - chords/2, chords/2 + 1e-6, name);
  const ring = 1 - Math.sin(2*Math.PI/96)/(2*Math.PI/96);
  const [x, y, z] = SHAPES.box.size;
  const r = SHAPES['rounded-box'].rounding;
  const [a, b, c] = [x, y, z].map((s) => s - 2*r);
  expect('box', x*y*z, 0);
  // Steiner: core, faces moved by r, quarter cylinders, a ball. Only the last two have chords: they are less than a fifth.
  expect('rounded-box', a*b*c + 2*r*(a*b + b*c + c*a) + Math.PI*r*r*(a + b + c) + 4/3*Math.PI*r**3, 0.004);
  expect('cylinder', Math.PI*0.1**2*0.22, 2*ring);
  expect('cone', Math.PI*0.12**2*0.26/3, 2*ring);
  expect('frustum', Math.PI*0.2/3*(0.12**2 + 0.12*0.05 + 0.05**2), 2*ring);
  expect('capsule', Math.PI*0.07**2*0.16 + 4/3*Math.PI*0.07**3, 0.008);
  expect('torus', 2*Math.PI**2*0.1*0.035**2, 0.01);
});

test('outer dimensions stay when edges are rounded', () => {
  for (const [name, k, size] of [['rounded-box', 'x', 0.12], ['rounded-box', 'z', 0.1], ['rounded-cylinder', 'x', 0.1], ['rounded-cylinder', 'z', 0.11]]) {
    near(Math.max(...meshOf(SHAPES[name]).points.map((p) => p[k])), size, FLOAT, name);
  }
});

test('no point is farther away than the radius says', () => {
  for (const [name, shape] of SURFACED) {
    const far = Math.max(...meshOf(shape).points.map((p) => p.length()));
    const radius = shapeRadius(withDefaults(shape));
    assert.ok(far <= radius + FLOAT && far > 0.7*radius, `${name}: ${far} ${radius}`);
  }
});

test('roundings that leave a plate, a segment or a point of the core give closed surfaces too', () => {
  const thin = [plain('box', [0.1, 0.2, 0.3], 0.05), plain('box', [0.1, 0.1, 0.3], 0.05), plain('box', [0.1, 0.1, 0.1], 0.05),
    plain('cylinder', [0.1, 0.1, 0], 0.05), plain('cylinder', [0.05, 0.3, 0], 0.05), plain('cylinder', [0.05, 0.1, 0], 0.05)];
  const ball = 4/3*Math.PI*0.05**3;
  const volumes = [0.1*0.1*0.2 + 2*0.05**2*Math.PI*0.15 + ball, 0.05**2*Math.PI*0.2 + ball, ball, null, 0.05**2*Math.PI*0.2 + ball, ball];
  thin.forEach((shape, k) => {
    const mesh = meshOf(shape);
    assert.ok(mesh.points.every((p) => p.toArray().every(Number.isFinite)) && mesh.normals.every((n) => Math.abs(n.length() - 1) < FLOAT), shape.kind);
    // A triangle with sides up to a = pi/16 lies a^2/6 below the unit sphere at its middle, half of that on average: a^2/4 of the volume.
    if (volumes[k]) near(volumeOf(mesh)/volumes[k], 1 - (Math.PI/16)**2/8, (Math.PI/16)**2/8, `${shape.kind} ${k}`);
  });
});

test('sharp edges are drawn, rounded ones are not', () => {
  const edges = (name) => (shapeGeometry(withDefaults(SHAPES[name])).edges?.attributes.position.count ?? 0)/2;
  assert.equal(edges('box'), 12);
  assert.equal(edges('icosahedron'), 30);
  assert.equal(edges('cylinder'), 2*96);
  assert.equal(edges('cone'), 96);
  assert.equal(edges('rounded-box'), 0);
  assert.equal(edges('rounded-icosahedron'), 0);
});

test('a shape that is damaged or of a later version makes no surface and no error', () => {
  const broken = [{ kind: 'polytope', size: [0, 0, 0] }, { kind: 'polytope', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 1, 9]] },
    { kind: 'blob' }, { kind: 'cone', size: [NaN, 1, 1] }, { ...SHAPES.icosahedron, rounding: 0.1 }];
  for (const shape of broken) assert.equal(shapeGeometry(withDefaults(shape)), null, shape.kind);
  assert.equal(shapeRadius(withDefaults(broken[0])), 0);
});

test('the fixture reads back to the bits that were written', () => {
  assert.equal(results.error, null);
  fixture.columns.forEach((c, k) => assert.deepEqual([...results.columns[k].data], fixture.rows.map((row) => row[k]), c.name));
  assert.equal(hullFaces(SHAPES.icosahedron.vertices).length, 20);
});

test('recorded gaps are drawn nearest first, with their points and normals', () => {
  const recorded = recordedGaps(results);
  assert.deepEqual(recorded.map((gap) => gap.pair), [0, 1]);
  const at = bracket(results.times, 0.3);
  const gaps = gapsAt(recorded, [], at, 10);
  assert.deepEqual(gaps.map((gap) => gap.pair), [1, 0]);
  const { distance, a, b } = floorGap(results.times[at.i]);
  assert.equal(gaps[0].distance, distance);
  assert.deepEqual([gaps[0].a.toArray(), gaps[0].b.toArray()], [a, b]);
  for (const gap of gaps) near(gap.b.clone().sub(gap.a).dot(gap.normal), gap.distance, 1e-15);
  assert.equal(gapsAt(recorded, [], at, 1).length, 1);
  near(valueAt(makeQuantities(results).get('gaps.ball - floor.distance'), results.times, 0.3), distance, 1e-15);
});

test('the gaps that become smallest are in the first plots', () => {
  const plots = defaultPlots(results, makeQuantities(results));
  assert.ok(plots.some((names) => names.join() === 'gaps.ball - floor.distance,gaps.ball - box.distance'));
});

test('without recorded gaps contacts have normals, and nearest points half a depth off', () => {
  const run = readResults(makeFixture().bytes);
  assert.deepEqual(recordedGaps(run), []);
  const at = bracket(run.times, 0.5);
  const contacts = contactsAt(run, at);
  const gaps = gapsAt([], contacts, at, 10);
  assert.equal(gaps.length, contacts.length);
  gaps.forEach((gap, k) => {
    assert.equal(gap.distance, -contacts[k].depth);
    near(gap.a.z, 0.5*contacts[k].depth, 1e-18);
    near(gap.b.z, -0.5*contacts[k].depth, 1e-18);
    assert.deepEqual(gap.normal.toArray(), [0, 0, 1]);
  });
});

// Each pair once: the contact of a recorded pair is its gap.
test('a contact of a recorded pair is not drawn twice', () => {
  const at = bracket(results.times, 1.5);
  assert.equal(contactsAt(results, at).length, 1);
  assert.equal(gapsAt(recordedGaps(results), contactsAt(results, at), at, 10).length, 2);
});
