// gaps.js -- normals and nearest points of pairs of shapes at an instant, and how they are drawn.
//
// A run with `gaps` has them for every pair, touching or not. Without, they are known of contacts only: the nearest
// points are half the depth before and behind the contact point (of faces that press on each other: its centre of
// pressure and the largest depth).

import { Vector3 } from 'three';
import { linear } from '../interpolate.js';
import { begin, end, makeArrows, showArrow, showDot, showLine } from './arrows.js';

const PIXELS = { arrow: 52, dot: 4, line: 1.1 };
const AXES = ['x', 'y', 'z'];

// The recorded pairs: [{ pair, distance, a, b, normal }], columns of numbers.
export function recordedGaps(results) {
  const column = (pair, name) => results.byName.get(`gaps.${pair.name}.${name}`)?.data;
  const vector = (pair, name) => AXES.map((axis) => column(pair, `${name}.${axis}`));
  const of = (pair, k) => ({
    pair: k, distance: column(pair, 'distance'), a: vector(pair, 'point_a'), b: vector(pair, 'point_b'), normal: vector(pair, 'normal'),
  });
  const isWhole = (gap) => [gap.distance, ...gap.a, ...gap.b, ...gap.normal].every(Boolean);
  return results.head.pairs.map(of).filter(isWhole);
}

// contacts: of forces.js. most: so many of the recorded pairs, the nearest ones. Nearest first.
export function gapsAt(recorded, contacts, at, most) {
  if (at.i < 0) return [];
  const known = new Set(recorded.map((gap) => gap.pair));
  const nearest = recorded.map((gap) => ({ gap, distance: linear(gap.distance, at) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((p, q) => p.distance - q.distance).slice(0, most);
  const list = [
    ...nearest.map(({ gap, distance }) => recordedAt(gap, distance, at)),
    ...contacts.filter((c) => !known.has(c.pair)).map(ofContact),
  ];
  return list.filter((gap) => gap.normal.lengthSq() > 0 && [...gap.a, ...gap.b].every(Number.isFinite));
}

function recordedAt(gap, distance, at) {
  const vector = (data) => new Vector3(...data.map((d) => linear(d, at)));
  return { pair: gap.pair, distance, a: vector(gap.a), b: vector(gap.b), normal: vector(gap.normal).normalize() };
}

// p_B - p_A = -depth n, with the contact point half way.
function ofContact({ pair, point, normal, depth }) {
  const n = normal.clone().normalize();
  return { pair, distance: -depth, a: point.clone().addScaledVector(n, 0.5*depth), b: point.clone().addScaledVector(n, -0.5*depth), normal: n };
}

export function makeGaps() {
  return makeArrows();
}

export function updateGaps(drawn, gaps, pixelSize) {
  const material = drawn.materials.total;
  begin(drawn);
  for (const { a, b, normal } of gaps) {
    const size = pixelSize(a);
    showLine(drawn, a, b, PIXELS.line*size, material);
    showDot(drawn, a, PIXELS.dot*size, material);
    showDot(drawn, b, PIXELS.dot*pixelSize(b), material);
    showArrow(drawn, a, normal, PIXELS.arrow*size, size, material);
  }
  end(drawn);
}
