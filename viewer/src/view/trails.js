// trails.js -- the path of each moving body from the start to the current time.
//
// The whole path is given to the graphics card once; moving in time changes how many segments are drawn, and the
// end point of the last one so that the trail ends in the body and not at the sample before it.

import { Group } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { locate } from '../interpolate.js';
import { positionAt } from '../tracks.js';

const MOST_POINTS = 20000; // per body
const MOST_IN_ALL = 2e6; // 1e5 samples of 100 bodies would be 240 MB of line segments
const FEWEST_POINTS = 200;

export function makeTrails(results, tracks, colours) {
  const group = new Group();
  const most = Math.max(FEWEST_POINTS, Math.min(MOST_POINTS, MOST_IN_ALL/tracks.length));
  const stride = Math.max(1, Math.ceil(results.count/most));
  const rows = [];
  for (let i = 0; i < results.count; i += stride) rows.push(i);
  const times = Float64Array.from(rows, (i) => results.times[i]);
  const trails = rows.length < 2 ? [] : tracks.flatMap((track, i) => track.isMoving ? [makeTrail(track, rows, colours[i])] : []);
  for (const trail of trails) group.add(trail.line);
  return { group, trails, times };
}

function makeTrail(track, rows, colour) {
  const points = pathOf(track, rows);
  const geometry = new LineGeometry();
  geometry.setPositions(points);
  const line = new Line2(geometry, new LineMaterial({ color: colour, linewidth: 2.2, transparent: true, opacity: 0.9 }));
  line.frustumCulled = false;
  line.renderOrder = 1;
  return { track, points, line, patched: -1 };
}

// A failed run may end in NaN: the path then stays where it was.
function pathOf(track, rows) {
  const points = new Float32Array(3*rows.length);
  rows.forEach((row, k) => track.position.forEach((data, axis) => {
    points[3*k + axis] = Number.isFinite(data[row]) ? data[row] : k > 0 ? points[3*k - 3 + axis] : 0;
  }));
  return points;
}

export function updateTrails(trails, t, at) {
  if (!trails.group.visible) return;
  const segment = Math.min(locate(trails.times, t), trails.times.length - 2);
  for (const trail of trails.trails) endTrail(trail, segment, positionAt(trail.track, at));
}

function endTrail(trail, segment, end) {
  const { geometry } = trail.line;
  const buffer = geometry.attributes.instanceEnd.data; // six numbers per segment: start, end
  const isReset = trail.patched >= 0 && trail.patched !== segment;
  if (isReset) writeEnd(buffer, trail.patched, trail.points.subarray(3*trail.patched + 3, 3*trail.patched + 6));
  writeEnd(buffer, segment, end);
  trail.patched = segment;
  geometry.instanceCount = segment + 1;
  buffer.needsUpdate = true;
}

function writeEnd(buffer, segment, point) {
  const at = 6*segment + 3;
  buffer.array.set(point, at);
  buffer.addUpdateRange(at, 3);
}

export function disposeTrails(trails) {
  for (const { line } of trails.trails) { line.geometry.dispose(); line.material.dispose(); }
}
