// labels.js -- names of bodies and values of forces as text over the picture.

import { Vector3 } from 'three';

export function makeLabels(layer) {
  return { layer, pool: [] };
}

const projected = new Vector3();

// items: [{ position: Vector3, shift (px to the right), text, className }]. Elements are kept and reused: making them
// anew 60 times a second would be most of the work of a frame.
export function updateLabels(labels, items, camera, width, height) {
  items.forEach((item, k) => place(labels, k, item, camera, width, height));
  for (let k = items.length; k < labels.pool.length; k++) labels.pool[k].hidden = true;
}

function place(labels, k, item, camera, width, height) {
  const element = labels.pool[k] ?? added(labels);
  projected.copy(item.position).project(camera);
  element.hidden = projected.z > 1 || Math.abs(projected.x) > 1 || Math.abs(projected.y) > 1;
  if (element.hidden) return;
  if (element.textContent !== item.text) element.textContent = item.text;
  element.className = `label ${item.className}`;
  const x = Math.round(0.5*(projected.x + 1)*width + (item.shift ?? 0));
  const y = Math.round(0.5*(1 - projected.y)*height);
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
}

function added(labels) {
  const element = document.createElement('div');
  labels.layer.append(element);
  labels.pool.push(element);
  return element;
}
