// forces.js -- contacts at an instant as vectors, for the arrows and their labels.

import { Vector3 } from 'three';

// Between two samples a contact of both is blended; one that exists in only one of them grows from nothing or fades
// to nothing. That is also how the plots draw it: the arrow and the curve show the same number.
export function contactsAt(results, at) {
  const before = contactsOfSample(results, at.i);
  if (at.s === 0) return before;
  const after = contactsOfSample(results, at.j);
  const blended = before.map((c) => {
    const k = after.findIndex((d) => d.pair === c.pair);
    return blend(c, k >= 0 ? after.splice(k, 1)[0] : vanished(c), at.s);
  });
  return [...blended, ...after.map((c) => blend(vanished(c), c, at.s))];
}

function contactsOfSample({ contacts }, row) {
  if (row < 0) return [];
  const list = [];
  for (let k = contacts.start[row]; k < contacts.start[row + 1]; k++) list.push(contact(contacts, k*contacts.width));
  return list;
}

function vanished(c) {
  return { ...c, depth: 0, force: new Vector3(), normalPart: new Vector3() };
}

function blend(a, b, s) {
  const mix = (name) => a[name].clone().lerp(b[name], s);
  return withParts({ pair: a.pair, point: mix('point'), normal: mix('normal'), depth: a.depth + s*(b.depth - a.depth), force: mix('force'),
    normalPart: mix('normalPart') });
}

function withParts(c) {
  return { ...c, frictionPart: c.force.clone().sub(c.normalPart), size: c.force.length() };
}

function contact({ data, field }, row) {
  const vector = (name) => new Vector3(...['x', 'y', 'z'].map((axis) => data[row + field[`${name}.${axis}`]]));
  const normal = vector('normal');
  const normalPart = normal.clone().multiplyScalar(data[row + field.normal_force]);
  return withParts({ pair: data[row + field.pair], point: vector('point'), normal, depth: data[row + field.depth], force: vector('force'), normalPart });
}

export function largestForce({ contacts }) {
  const { data, field, width } = contacts;
  let largest = 0;
  for (let row = 0; row < data.length; row += width) {
    const f = Math.hypot(data[row + field['force.x']], data[row + field['force.y']], data[row + field['force.z']]);
    if (f > largest) largest = f;
  }
  return largest;
}
