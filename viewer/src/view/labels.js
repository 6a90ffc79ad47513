// labels.js -- names of bodies and values of forces as text over the picture.

import { Vector3 } from 'three';

const HEIGHT = 18; // px, of a label in style.css
const PADDING = 12; // px, left and right together
const AWAY = 10; // px, between a point and its label

// Where a label may stand beside its point, as the place of its middle in units of (half width + AWAY, HEIGHT): the first that is free.
// Values belong to a point: to the right of it, then around it. Names stand over their body and give way upwards.
const BESIDE = [[1, 0], [1, 1], [1, -1], [-1, 0], [-1, 1], [-1, -1], [1, 2], [1, -2], [-1, 2], [-1, -2]];
const BELOW = [[1, 0.7], [-1, 0.7], [1, 1.7], [-1, 1.7], [1, -0.7], [-1, -0.7], [1, 2.7], [-1, 2.7], [1, -1.7], [-1, -1.7]];
const ABOVE = [[0, -0.7], [0, -1.75], [1, -0.2], [-1, -0.2], [0, -2.8], [1, 1], [-1, 1]];
const CORNER = [[1, -0.8], [-1, -0.8], [1, 0.8], [-1, 0.8]];
const PLACES = { 'body-label': ABOVE, 'joint-label': CORNER, 'gap-label': BELOW, 'force-label': BESIDE };

export function makeLabels(layer) {
  return { layer, pool: [], widths: new Map(), pen: null };
}

const projected = new Vector3();

// items: [{ position: Vector3, lift (px upwards), text, className }], the most important first: what finds no free place is
// left out. Elements are kept and reused: making them anew 60 times a second would be most of the work of a frame.
export function updateLabels(labels, items, camera, width, height) {
  const taken = [];
  items.forEach((item, k) => place(labels, k, item, taken, camera, width, height));
  for (let k = items.length; k < labels.pool.length; k++) labels.pool[k].hidden = true;
}

function place(labels, k, item, taken, camera, width, height) {
  const element = labels.pool[k] ?? added(labels);
  projected.copy(item.position).project(camera);
  const isInSight = projected.z <= 1 && Math.abs(projected.x) <= 1 && Math.abs(projected.y) <= 1;
  const x = 0.5*(projected.x + 1)*width;
  const y = 0.5*(1 - projected.y)*height - (item.lift ?? 0);
  const box = isInSight ? freePlace(PLACES[item.className], x, y, textWidth(labels, item.text) + PADDING, taken) : null;
  element.hidden = !box;
  if (!box) return;
  taken.push(box);
  if (element.textContent !== item.text) element.textContent = item.text;
  element.className = `label ${item.className}`;
  element.style.left = `${Math.round(box.x)}px`;
  element.style.top = `${Math.round(box.y)}px`;
}

// Middle of the first place where the label covers no other.
export function freePlace(places, x, y, width, taken) {
  for (const [right, down] of places) {
    const box = { x: x + right*(0.5*width + AWAY), y: y + down*HEIGHT, width };
    const isFree = taken.every((t) => Math.abs(t.x - box.x) >= 0.5*(t.width + width) || Math.abs(t.y - box.y) >= HEIGHT);
    if (isFree) return box;
  }
  return null;
}

// Measured apart from the page: asking an element for its width would lay out the page in every frame.
function textWidth(labels, text) {
  labels.pen ??= penFor(labels.layer);
  if (labels.widths.size > 5000) labels.widths.clear();
  if (!labels.widths.has(text)) labels.widths.set(text, labels.pen.measureText(text).width);
  return labels.widths.get(text);
}

function penFor(layer) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `12px ${getComputedStyle(layer).fontFamily}`;
  return pen;
}

function added(labels) {
  const element = document.createElement('div');
  labels.layer.append(element);
  labels.pool.push(element);
  return element;
}
