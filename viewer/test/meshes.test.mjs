// Meshes: unpacked to the bits that were packed, drawn as plane triangles with their edges, hulls in their place only when asked for.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { unpackMesh } from '../src/meshes.js';
import { readResults } from '../src/results.js';
import { meshReach, meshSurface } from '../src/view/facets.js';
import { shapeGeometry, shapeMiddle, shapeRadius } from '../src/view/shapes.js';
import { findChromium, launch, openPage, writePage } from './browser.mjs';
import { columnsOf, CONTACT, ENERGIES, file, json, sample } from './writer.mjs';

// As docs/results-format.md has it.
function pack(points, triangles, closed, bytes = points.length <= 65536 ? 2 : 4) {
  const vertices = Buffer.alloc(12*points.length);
  points.flat().forEach((x, i) => vertices.writeFloatLE(x, 4*i));
  const indices = Buffer.alloc(3*bytes*triangles.length);
  triangles.flat().forEach((v, i) => indices.writeUIntLE(v, bytes*i, bytes));
  const bound = (pick) => [0, 1, 2].map((k) => points.reduce((b, p) => pick(b, p[k]), points[0][k]));
  return { vertex_count: points.length, triangle_count: triangles.length, closed, low: bound(Math.min), high: bound(Math.max),
    vertices: vertices.toString('base64'), triangles: indices.toString('base64') };
}

// An L of two blocks of the side a: its reentrant edge is one too.
function bracketOf(a) {
  const profile = [[0, 0], [2*a, 0], [2*a, a], [a, a], [a, 2*a], [0, 2*a]];
  const points = [0, a].flatMap((z) => profile.map(([x, y]) => [x, y, z]));
  const caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
  const sides = profile.flatMap((_, i) => { const j = (i + 1) % 6; return [[i, j, j + 6], [i, j + 6, i + 6]]; });
  return { points, triangles: [...caps.map(([a, b, c]) => [a, c, b]), ...caps.map((t) => t.map((v) => v + 6)), ...sides] };
}

function sphereOf(n) {
  const points = [[0, 0, 1], [0, 0, -1]];
  const triangles = [];
  const ring = (i, k) => 2 + (i - 1)*2*n + k % (2*n);
  for (let i = 1; i < n; i++) for (let k = 0; k < 2*n; k++) {
    const [t, f] = [Math.PI*i/n, Math.PI*k/n];
    points.push([Math.sin(t)*Math.cos(f), Math.sin(t)*Math.sin(f), Math.cos(t)]);
    if (i > 1) triangles.push([ring(i - 1, k), ring(i, k), ring(i, k + 1)], [ring(i - 1, k), ring(i, k + 1), ring(i - 1, k + 1)]);
  }
  for (let k = 0; k < 2*n; k++) triangles.push([0, ring(1, k), ring(1, k + 1)], [1, ring(n - 1, k + 1), ring(n - 1, k)]);
  return { points, triangles };
}

const bracket = bracketOf(0.25); // coordinates are exact in single precision
const packed = pack(bracket.points, bracket.triangles, true);

test('points and triangles come back to the bit, with two bytes an index and with four', () => {
  for (const bytes of [2, 4]) {
    const mesh = unpackMesh(pack(bracket.points, bracket.triangles, true, bytes));
    assert.deepEqual([...mesh.positions], bracket.points.flat());
    assert.deepEqual([...mesh.triangles], bracket.triangles.flat());
    assert.deepEqual([mesh.low, mesh.high, mesh.isClosed], [[0, 0, 0], [0.5, 0.5, 0.25], true]);
  }
});

test('a mesh that is damaged makes no surface and no error', () => {
  const broken = [null, 3, {}, { ...packed, low: [0, 0] }, { ...packed, vertices: '*' }, { ...packed, vertices: packed.vertices.slice(0, 8) },
    { ...packed, triangles: packed.triangles.slice(0, 12) }, { ...packed, triangles: '' }, { ...packed, triangle_count: 1e9 },
    { ...packed, vertices: Buffer.from(new Float32Array([NaN, 0, 0, 1, 0, 0, 0, 1, 0]).buffer).toString('base64') }];
  for (const mesh of broken) {
    assert.equal(unpackMesh(mesh), null, JSON.stringify(mesh));
    assert.equal(shapeGeometry({ kind: 'mesh', mesh: unpackMesh(mesh) }), null);
    assert.equal(shapeRadius({ kind: 'mesh', mesh: unpackMesh(mesh) }), 0);
  }
});

// Divergence theorem over the triangles that are drawn; normals point out of the solid.
test('triangles are plane, face outward and enclose the volume', () => {
  const { solid, isOpen } = meshSurface(unpackMesh(packed));
  const [p, n] = [solid.attributes.position.array, solid.attributes.normal.array];
  assert.equal(p.length, 9*bracket.triangles.length);
  let volume = 0;
  for (let t = 0; t < p.length; t += 9) {
    const [a, b, c] = [0, 3, 6].map((k) => p.subarray(t + k, t + k + 3));
    volume += (a[0]*(b[1]*c[2] - b[2]*c[1]) + a[1]*(b[2]*c[0] - b[0]*c[2]) + a[2]*(b[0]*c[1] - b[1]*c[0]))/6;
    const normal = n.subarray(t, t + 3);
    for (const q of [a, b, c]) assert.ok(Math.abs((q[0] - a[0])*normal[0] + (q[1] - a[1])*normal[1] + (q[2] - a[2])*normal[2]) < 1e-7);
    for (let k = 0; k < 9; k++) assert.equal(n[t + k], normal[k%3]);
    assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-7);
  }
  assert.ok(Math.abs(volume - 3*0.25**3) < 1e-8);
  assert.equal(isOpen, false);
});

test('edges are drawn where the surface bends by more than 30 degrees, and where it ends', () => {
  const count = (points, triangles) => (meshSurface(unpackMesh(pack(points, triangles, true))).edges?.attributes.position.count ?? 0)/2;
  assert.equal(count(bracket.points, bracket.triangles), 18); // a prism of six sides: no line across its faces
  const smooth = sphereOf(24); // 7.5 degrees from one to the next
  assert.equal(count(smooth.points, smooth.triangles), 0);
  assert.equal(count(smooth.points, smooth.triangles.filter((t) => !t.includes(0))), 48); // without its cap: the rim
  assert.equal(count([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]], [[0, 1, 2], [0, 3, 1], [0, 1, 4]]), 7); // three at one edge
});

test('shapes that have the same mesh have the same surface', () => {
  const mesh = unpackMesh(packed);
  assert.equal(shapeGeometry({ kind: 'mesh', mesh }), shapeGeometry({ kind: 'mesh', mesh }));
});

test('a mesh that the file has only the box of is drawn as its box', () => {
  const { vertices, triangles, ...box } = packed;
  const mesh = unpackMesh(box);
  const { solid, edges } = meshSurface(mesh);
  assert.equal(solid.attributes.position.count, 0);
  assert.equal(edges.attributes.position.count, 24);
  assert.equal(meshReach(mesh), Math.hypot(0.5, 0.5, 0.25));
  assert.ok(vertices && triangles);
});

test('the middle is that of the box, wherever the origin is', () => {
  const shape = { kind: 'mesh', mesh: unpackMesh(packed), rotation: [[0, -1, 0], [1, 0, 0], [0, 0, 1]] };
  assert.deepEqual(shapeMiddle(shape).toArray(), [-0.25, 0.25, 0.125]);
  assert.ok(Math.abs(shapeRadius(shape) - Math.hypot(0.5, 0.25, 0.25)) < 1e-7);
  assert.deepEqual(shapeMiddle({ kind: 'box', size: [1, 1, 1], mesh: null }).toArray(), [0, 0, 0]);
});

// ---- in a page

const frameOf = { material: 'steel', position: [0, 0, 0], rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], size: [0, 0, 0] };
const corners = bracket.points.map((_, i) => i).filter((i) => i%6 !== 3).map((i) => bracket.points[i]);
const hull = { ...frameOf, name: 'shape-hull', kind: 'polytope', stands_for: 'shape', vertices: corners,
  faces: [[4, 3, 2, 1, 0], [5, 6, 7, 8, 9], ...[0, 1, 2, 3, 4].map((i) => [i, (i + 1) % 5, (i + 1) % 5 + 5, i + 5])] };
const bodyAt = (name, x) => ({ name, fixed: false, mass: 1, com: [0, 0, 0], position: [x, 0, 0], orientation: [1, 0, 0, 0],
  shapes: [{ ...frameOf, name: 'shape', kind: 'mesh', mesh: 0 }, hull] });

function run(meshes) {
  const head = { format: 1, carom: '0.1.0', name: 'brackets', model: '', meshes, bodies: [bodyAt('one', -0.5), bodyAt('two', 0.5)], pairs: [],
    columns: columnsOf(['one', 'two']), contact: CONTACT };
  const row = (t) => [t, 0, ...[-0.5, 0.5].flatMap((x) => [x, 0, 0, 1, 0, 0, 0, ...Array(6).fill(0)]), ...ENERGIES.map(() => 0)];
  return file([json('HEAD', head), sample(row(0)), sample(row(1))]);
}

test('the head gives its shapes their mesh, and says what stands in for them', () => {
  const { head, error } = readResults(run([packed]));
  assert.equal(error, null);
  const [one, two] = head.bodies;
  assert.equal(one.shapes[0].mesh, two.shapes[0].mesh);
  assert.equal(one.shapes[0].mesh.triangles.length, 3*bracket.triangles.length);
  assert.equal(one.shapes[1].stands_for, 'shape');
  assert.equal(one.shapes[1].mesh, null);
});

test('the page draws meshes, and hulls in their place when M is pressed', { skip: findChromium() ? false : 'no Chromium found' }, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carom-viewer-'));
  const browser = await launch();
  const picture = async (page, key) => {
    if (key) await page.keyboard.press(key);
    await page.waitForTimeout(300);
    return (await page.locator('#view canvas').screenshot()).toString('base64');
  };
  const open = async (name, bytes) => openPage(browser, await writePage(path.join(folder, name), bytes));
  const { page, seen } = await open('mesh.html', run([packed]));
  const without = await open('none.html', run([]));
  const mesh = await picture(page);
  assert.notEqual(mesh, await picture(without.page)); // where there is nothing but the background
  assert.notEqual(await picture(page, 'm'), mesh);
  assert.ok(await page.isChecked('[data-testid="stand-ins"]'));
  assert.equal(await picture(page, 'm'), mesh);
  assert.deepEqual([...seen.console, ...without.seen.console], []);
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});
