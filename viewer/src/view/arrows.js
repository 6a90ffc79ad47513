// arrows.js -- contact points and the forces in them, drawn over everything else.
//
// Thickness is in pixels, so arrows stay readable at every zoom; length is set by one of the rules in LENGTHS. They
// ignore depth because the force on a body usually points into the body.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three';

const SHAFT = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0); // along +y from the origin
const HEAD = new ConeGeometry(1, 1, 20).translate(0, 0.5, 0);
const DOT = new SphereGeometry(1, 16, 12);
const UP = new Vector3(0, 1, 0);

const PIXELS = { shaft: 2, headRadius: 6.5, headLength: 18, dot: 4.5, full: 0.3 }; // full: of the view's height
const LOG_DECADES = 5;

// Force to a fraction of the full length. `scale` holds the largest force now, of the run, and the slider's value.
const LENGTHS = {
  auto: (f, scale) => Math.max(0.05, 1 + Math.log10(f/scale.run)/LOG_DECADES),
  run: (f, scale) => f/scale.run,
  now: (f, scale) => f/scale.now,
  fixed: (f, scale) => Math.min(3, f/scale.fixed),
};

export function makeArrows() {
  const group = new Group();
  const materials = {
    total: overlayMaterial(), normal: overlayMaterial(), friction: overlayMaterial(), dot: overlayMaterial(),
  };
  const pool = { arrows: [], dots: [], lines: [], usedArrows: 0, usedDots: 0, usedLines: 0 };
  return { group, materials, pool };
}

function overlayMaterial() {
  return new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
}

// contacts: { list, run, now }: the contacts of forces.js, and the largest force of the run and of this instant.
export function updateArrows(arrows, contacts, options, pixelSize) {
  begin(arrows);
  if (options.isShown) for (const contact of contacts.list) showContact(arrows, contact, contacts, options, pixelSize);
  end(arrows);
}

// Between the two, what is shown; what was there before and is not now is hidden.
export function begin({ pool }) {
  pool.usedArrows = pool.usedDots = pool.usedLines = 0;
}

export function end({ pool }) {
  for (let k = pool.usedArrows; k < pool.arrows.length; k++) pool.arrows[k].visible = false;
  for (let k = pool.usedDots; k < pool.dots.length; k++) pool.dots[k].visible = false;
  for (let k = pool.usedLines; k < pool.lines.length; k++) pool.lines[k].visible = false;
}

function showContact(arrows, contact, scale, options, pixelSize) {
  const size = pixelSize(contact.point);
  showDot(arrows, contact.point, PIXELS.dot*size, arrows.materials.dot);
  contact.tip = contact.point;
  const show = (vector, material) => {
    const force = vector.length();
    if (!(force > options.threshold)) return;
    const fraction = LENGTHS[options.length](force, { run: scale.run, now: scale.now, fixed: options.fixed });
    const tip = showArrow(arrows, contact.point, vector, fraction*PIXELS.full*options.viewHeight*size, size, material);
    if (tip.z > contact.tip.z || contact.tip === contact.point) contact.tip = tip;
  };
  if (options.parts === 'split') {
    show(contact.normalPart, arrows.materials.normal);
    show(contact.frictionPart, arrows.materials.friction);
  } else {
    show(contact.force, arrows.materials.total);
  }
}

export function showDot(arrows, point, radius, material) {
  const dot = taken(arrows, 'dots', 'usedDots', () => overlaid(new Mesh(DOT), 20));
  dot.material = material;
  dot.position.copy(point);
  dot.scale.setScalar(radius);
}

export function showLine(arrows, from, to, radius, material) {
  const length = from.distanceTo(to);
  if (!(length > 0)) return;
  const line = taken(arrows, 'lines', 'usedLines', () => overlaid(new Mesh(SHAFT), 17));
  line.material = material;
  line.position.copy(from);
  line.scale.set(radius, length, radius);
  line.quaternion.setFromUnitVectors(UP, to.clone().sub(from).divideScalar(length));
}

export function showArrow(arrows, point, vector, length, size, material) {
  const arrow = taken(arrows, 'arrows', 'usedArrows', makeArrow);
  const [shaft, head] = arrow.children;
  const headLength = Math.min(PIXELS.headLength*size, 0.6*length);
  shaft.material = head.material = material;
  shaft.scale.set(PIXELS.shaft*size, Math.max(1e-12, length - headLength), PIXELS.shaft*size);
  head.position.y = length - headLength;
  head.scale.set(PIXELS.headRadius*size, headLength, PIXELS.headRadius*size);
  arrow.position.copy(point);
  const direction = vector.clone().normalize();
  arrow.quaternion.setFromUnitVectors(UP, direction);
  return direction.multiplyScalar(length).add(point);
}

function makeArrow() {
  const arrow = new Group();
  arrow.add(overlaid(new Mesh(SHAFT), 18), overlaid(new Mesh(HEAD), 19));
  return arrow;
}

function overlaid(mesh, order) {
  mesh.renderOrder = order;
  mesh.frustumCulled = false;
  return mesh;
}

function taken(arrows, list, counter, make) {
  const { pool, group } = arrows;
  if (pool[counter] === pool[list].length) {
    pool[list].push(make());
    group.add(pool[list].at(-1));
  }
  const object = pool[list][pool[counter]++];
  object.visible = true;
  return object;
}
