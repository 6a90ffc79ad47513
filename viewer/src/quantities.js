// quantities.js -- everything that can be plotted: the columns of the file, and what follows from them.
//
// A quantity is { name, unit, derived, data, rate }. `data` has one number per sample and is computed at the first
// use: a run with 500 pairs has thousands of derived quantities, of which a few are looked at. `rate`, if there is
// one, is the column of its time derivative.

import { bracket, hermite, linear } from './interpolate.js';
import { largestPressure } from './patches.js';

const GAPS_SHOWN = 5; // at first; more curves cannot be told apart

export function makeQuantities(results) {
  const list = [
    ...results.columns.map((column) => fromColumn(results, column)),
    ...bodySpeeds(results),
    ...totalEnergy(results),
    ...contactQuantities(results),
  ];
  return new Map(list.map((quantity) => [quantity.name, quantity]));
}

export function valueAt(quantity, times, t) {
  const at = bracket(times, t);
  if (at.i < 0) return NaN;
  if (quantity.isStep) return quantity.data[at.i];
  return quantity.rate ? hermite(quantity.data, quantity.rate, at) : linear(quantity.data, at);
}

function fromColumn(results, column) {
  const { byName } = results;
  const isCoordinate = column.name.startsWith('joints.') && byName.has(`${column.name}_rate`);
  const rate = byName.get(isCoordinate ? `${column.name}_rate` : column.name.replace(/\.position\.([xyz])$/, '.velocity.$1'));
  return {
    name: column.name,
    unit: column.unit,
    derived: false,
    isStep: column.name === 'sample',
    data: column.data,
    rate: rate && rate !== column ? rate.data : null, // a name without ".position." finds itself
  };
}

function derived(name, unit, compute) {
  let data = null;
  return { name, unit, derived: true, isStep: false, rate: null, get data() { return data ??= compute(); } };
}

function bodySpeeds(results) {
  return results.head.bodies.flatMap((body) => [
    magnitude(results, `bodies.${body.name}.velocity`, `bodies.${body.name}.speed`),
    magnitude(results, `bodies.${body.name}.angular_velocity`, `bodies.${body.name}.angular_speed`),
  ]).filter(Boolean);
}

function magnitude(results, vector, name) {
  const columns = ['x', 'y', 'z'].map((axis) => results.byName.get(`${vector}.${axis}`));
  if (columns.includes(undefined)) return null;
  const [x, y, z] = columns.map((c) => c.data);
  return derived(name, columns[0].unit, () => x.map((_, i) => Math.hypot(x[i], y[i], z[i])));
}

// What the bodies and springs have: kinetic, potential, elastic and in springs. What was dissipated is not in it.
function totalEnergy(results) {
  const column = (name) => results.byName.get(`energy.${name}`);
  const parts = ['kinetic', 'potential', 'elastic'].map(column);
  if (parts.includes(undefined) || column('total')) return [];
  const [k, p, e] = parts.map((c) => c.data);
  const s = column('springs')?.data;
  return [derived('energy.total', parts[0].unit, () => k.map((_, i) => k[i] + p[i] + e[i] + (s ? s[i] : 0)))];
}

function contactQuantities(results) {
  const pressing = new Set(results.patches.filter((patch) => patch?.corners.length > 0).map((patch) => patch.pair));
  return results.head.pairs.flatMap((pair, index) => {
    const name = (what) => `contacts.${pair.name}.${what}`;
    const sum = (of) => () => overSamples(results, index, of, (a, b) => a + b);
    const field = (f) => (c, row) => c.data[row + c.field[f]];
    return [
      derived(name('normal_force'), 'N', sum(field('normal_force'))),
      derived(name('friction_force'), 'N', sum(frictionOf)),
      ...(pressing.has(index) ? [derived(name('pressure'), 'Pa', () => overSamples(results, index, pressureOf(results), Math.max))] : []),
      derived(name('depth'), 'm', () => overSamples(results, index, field('depth'), Math.max)),
      ...['x', 'y', 'z'].map((axis) => derived(name(`force.${axis}`), 'N', sum(field(`force.${axis}`)))),
    ];
  });
}

// The largest over the patch of a contact; 0 without.
function pressureOf({ patches }) {
  return (contacts, row) => largestPressure([patches[row/contacts.width]]);
}

// One number per sample from the contacts of one pair; 0 while the pair does not touch.
function overSamples(results, pair, of, combine) {
  const { contacts, count } = results;
  const data = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    for (let k = contacts.start[i]; k < contacts.start[i + 1]; k++) {
      const row = k*contacts.width;
      if (contacts.data[row + contacts.field.pair] === pair) data[i] = combine(data[i], of(contacts, row));
    }
  }
  return data;
}

// Size of the part of the force along the surface: f - fn n.
export function frictionOf(contacts, row) {
  const { data, field } = contacts;
  const fn = data[row + field.normal_force];
  const along = (axis) => data[row + field[`force.${axis}`]] - fn*data[row + field[`normal.${axis}`]];
  return Math.hypot(along('x'), along('y'), along('z'));
}

// As short as it can be told apart in a plot; the full name is the tooltip.
export function shortName(name) {
  return name.replace(/^gaps\.(.*)\.distance$/, 'gap $1').replace(/^(bodies|contacts|joints|gaps)\./, '');
}

// Quantities of one kind differ in what they are of: gaps.*.distance, bodies.*.x, energy.*.
export function kindOf(name) {
  const parts = name.split('.');
  return parts.length > 2 ? `${parts[0]}.*.${parts.at(-1)}` : `${parts[0]}.*`;
}

// What is shown before anybody has chosen: coordinates of joints, where the bodies go that no joint holds, and the
// energies. The bodies' coordinate is the one in which they move farthest, except that height wins unless another moves
// clearly more.
export function defaultPlots(results, quantities) {
  const plots = jointPlots(results);
  const held = new Set(plots.length > 0 ? results.head.joints.flatMap((joint) => joint.bodies) : []);
  const isShown = (body, i) => results.byName.has(`bodies.${body.name}.position.z`) && !held.has(i);
  const bodies = results.head.bodies.filter(isShown).slice(0, 6);
  if (bodies.length > 0) {
    const axis = mostMovingAxis(results, bodies);
    plots.push(bodies.map((b) => `bodies.${b.name}.position.${axis}`));
  }
  plots.push(gapPlot(results));
  plots.push(energyPlot(results).filter((n) => quantities.has(n)));
  return plots.filter((names) => names.length > 0);
}

// Of recorded gaps, those that become smallest. A plot's "+" offers the others.
function gapPlot(results) {
  const least = (c) => c.data.reduce((a, b) => b < a ? b : a, Infinity);
  const isGap = (c) => c.name.startsWith('gaps.') && c.name.endsWith('.distance');
  return results.columns.filter(isGap).map((c) => ({ name: c.name, least: least(c) }))
    .sort((a, b) => a.least - b.least).slice(0, GAPS_SHOWN).map((c) => c.name);
}

// Angles, and distances, that change. Coordinates of ball and free joints say little as curves.
function jointPlots(results) {
  const isShown = (c) => c.name.startsWith('joints.') && results.byName.has(`${c.name}_rate`) && span(c.data) > 0;
  const moving = results.columns.filter(isShown);
  const units = [...new Set(moving.map((c) => c.unit))];
  return units.map((unit) => moving.filter((c) => c.unit === unit).slice(0, 6).map((c) => c.name));
}

// Elastic energy where bodies can touch and give way; what springs hold and what drives and forces supply where there is any.
function energyPlot(results) {
  const isUsed = (name) => results.byName.get(`energy.${name}`)?.data.some((v) => v !== 0);
  const names = ['kinetic', 'potential', ...((results.head.pairCount > 0 && results.head.settings.response !== 'rigid') || isUsed('elastic') ? ['elastic'] : []),
    ...['springs', 'supplied'].filter(isUsed), 'total'];
  return names.map((name) => `energy.${name}`);
}

function mostMovingAxis(results, bodies) {
  const travel = (axis) => Math.max(...bodies.map((b) => span(results.byName.get(`bodies.${b.name}.position.${axis}`).data)));
  const [x, y, z] = ['x', 'y', 'z'].map(travel);
  const isFlat = z < 0.02*Math.max(x, y);
  return isFlat ? (x >= y ? 'x' : 'y') : 'z';
}

function span(data) {
  let lo = Infinity;
  let hi = -Infinity;
  for (const v of data) { if (v < lo) lo = v; if (v > hi) hi = v; }
  return hi >= lo ? hi - lo : 0;
}
