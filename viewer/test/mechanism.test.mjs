// Joints, springs and limits: what is read, derived and placed in space.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quaternion, Vector3 } from 'three';
import { bracket } from '../src/interpolate.js';
import { defaultPlots, makeQuantities, valueAt } from '../src/quantities.js';
import { readResults } from '../src/results.js';
import { makeTracks, orientationAt, positionAt } from '../src/tracks.js';
import { boundsOfRun } from '../src/view/bounds.js';
import { makeMechanism, updateMechanism, worldPoints } from '../src/view/joints.js';
import { elbow, makeMechanismFixture, shoulder, tip } from './mechanism.mjs';
import { CONTACT, file, json } from './writer.mjs';

const fixture = makeMechanismFixture();
const results = readResults(fixture.bytes);
const quantities = makeQuantities(results);
const near = (a, b, tolerance, what = '') =>
  assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);

// As bodies.js has them, without meshes.
function posed(t) {
  const at = bracket(results.times, t);
  return makeTracks(results).map((track) => {
    const [w, x, y, z] = orientationAt(track, at);
    return { group: { position: new Vector3(...positionAt(track, at)), quaternion: new Quaternion(x, y, z, w) } };
  });
}

test('the fixture reads back to the bits that were written', () => {
  assert.equal(results.error, null);
  fixture.columns.forEach((c, k) => assert.deepEqual([...results.columns[k].data], fixture.rows.map((row) => row[k]), c.name));
  assert.equal(results.head.joints.length, 5);
  assert.deepEqual(results.head.springs[0].points[0], [0.75, 0, 1.2]);
});

test('coordinates of joints follow their rates between samples', () => {
  const angle = quantities.get('joints.shoulder.angle');
  // Hermite error: h^4/384 times the fourth derivative, 0.8*81.
  for (const t of [0.3333, 1.2345, 3.777]) near(valueAt(angle, results.times, t), shoulder(t).q, 1.7e-9);
  assert.equal(quantities.get('joints.shoulder.angle_rate').rate, null);
  assert.equal(quantities.get('joints.ball.quaternion.w').rate, null);
});

test('the first plots are angles, distances and the energies there are', () => {
  assert.deepEqual(defaultPlots(results, quantities), [
    ['joints.shoulder.angle', 'joints.elbow.angle'], ['joints.slide.distance'],
    ['kinetic', 'potential', 'springs', 'supplied', 'total'].map((name) => `energy.${name}`)]);
});

test('the total energy counts what is in springs', () => {
  const part = (name) => quantities.get(`energy.${name}`).data[50];
  near(part('total'), part('kinetic') + part('potential') + part('springs'), 1e-14);
});

test('joints and ends of springs are where the bodies are', () => {
  const t = 1.24; // a sample
  const mechanism = makeMechanism(results.head);
  const places = updateMechanism(mechanism, posed(t), () => 1e-3, 1);
  const knee = [-0.5*Math.sin(shoulder(t).q), 0, 1.2 - 0.5*Math.cos(shoulder(t).q)];
  assert.deepEqual(places.map((p) => p.name), ['shoulder', 'elbow', 'slide', 'ball', 'guide']);
  [[0, 0, 1.2], knee].forEach((p, k) => p.forEach((x, axis) => near(places[k].position.getComponent(axis), x, 1e-14, places[k].name)));
  const { line } = mechanism.springs[0];
  const way = new Vector3(0, line.scale.y, 0).applyQuaternion(line.quaternion).add(line.position);
  tip(t).forEach((x, axis) => near(way.getComponent(axis), x, 1e-14));
  const axis = new Vector3(0, 0, 1).applyQuaternion(mechanism.joints[1].onM.quaternion);
  near(axis.y, 1, 1e-15);
  near(elbow(t).q, valueAt(quantities.get('joints.elbow.angle'), results.times, t), 1e-15);
  mechanism.dispose();
});

test('what the world holds is in the picture', () => {
  assert.equal(worldPoints(results.head).length, 5); // shoulder, slide, guide, two springs
  const { centre, radius } = boundsOfRun(results, makeTracks(results));
  for (const p of worldPoints(results.head)) assert.ok(p.distanceTo(new Vector3(...centre)) <= radius);
});

test('a head with odd joints and springs is read, and drawn as far as it goes', () => {
  const head = { format: 1, columns: [{ name: 'time', unit: 's' }], contact: CONTACT, bodies: [{}], joints: [{}, { type: 'hinge', bodies: [7, 0] },
    { type: 'revolute', frames: [{ position: [NaN, 0, 0], rotation: [[1]] }] }, { type: 3 }], springs: [{}, { points: [[0, 0, 1]] }] };
  const odd = readResults(file([json('HEAD', head)]));
  const mechanism = makeMechanism(odd.head);
  assert.equal(updateMechanism(mechanism, [], () => 1, 1).length, 4);
  assert.deepEqual(mechanism.springs.map((s) => s.line.visible), [false, true]);
});
