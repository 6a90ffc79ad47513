// forces.js -- contacts of one sample as vectors, for the arrows and their labels.

import { Vector3 } from 'three';

export function contactsAt(results, row) {
  const { contacts } = results;
  if (row < 0) return [];
  const list = [];
  for (let k = contacts.start[row]; k < contacts.start[row + 1]; k++) list.push(contact(contacts, k*contacts.width));
  return list;
}

function contact({ data, field }, row) {
  const vector = (name) => new Vector3(...['x', 'y', 'z'].map((axis) => data[row + field[`${name}.${axis}`]]));
  const force = vector('force');
  const normalPart = vector('normal').multiplyScalar(data[row + field.normal_force]);
  return {
    pair: data[row + field.pair],
    point: vector('point'),
    force,
    normalPart,
    frictionPart: force.clone().sub(normalPart),
    size: force.length(),
  };
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
