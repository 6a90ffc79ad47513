// triad.js -- the small axes in the corner. A click on a letter looks along that axis.

import { Vector3 } from 'three';

const SVG = 'http://www.w3.org/2000/svg';
const CENTRE = 36;
const REACH = 24;

export function makeTriad(svg, onPick) {
  return ['x', 'y', 'z'].map((axis, k) => {
    const line = element(svg, 'line', axis);
    const text = element(svg, 'text', axis);
    text.textContent = axis.toUpperCase();
    text.addEventListener('click', () => onPick(axis));
    const direction = new Vector3().setComponent(k, 1);
    return { line, text, direction };
  });
}

function element(svg, tag, axis) {
  const e = document.createElementNS(SVG, tag);
  e.setAttribute('class', `axis-${axis}`);
  svg.append(e);
  return e;
}

const v = new Vector3();

export function updateTriad(triad, camera) {
  const inverse = camera.quaternion.clone().invert();
  for (const { line, text, direction } of triad) {
    v.copy(direction).applyQuaternion(inverse);
    setAll(line, { x1: CENTRE, y1: CENTRE, x2: CENTRE + REACH*v.x, y2: CENTRE - REACH*v.y });
    setAll(text, { x: CENTRE + (REACH + 8)*v.x, y: CENTRE - (REACH + 8)*v.y });
  }
}

function setAll(e, attributes) {
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value.toFixed(1));
}
