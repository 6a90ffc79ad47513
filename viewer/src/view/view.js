// view.js -- the 3-D panel: camera, light, bodies, arrows, trails, labels.
//
// Draws only when asked: `render` is called from the frame loop of main.js after something changed. Without WebGL
// makeView returns a view that does nothing and says so in the panel; the rest of the page does not notice.

import {
  AmbientLight, Box3, Color, DirectionalLight, Matrix3, PCFShadowMap, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { plainUnit, withUnit } from '../format.js';
import { bracket } from '../interpolate.js';
import { makeArrows, updateArrows } from './arrows.js';
import { makeBodies, poseBodies } from './bodies.js';
import { bodyRadius, boundsNow, boundsOfRun } from './bounds.js';
import { contactsAt, largestForce } from './forces.js';
import { gapsAt, makeGaps, recordedGaps, updateGaps } from './gaps.js';
import { largestPointForce, largestPressure, patchesAt } from '../patches.js';
import { makeMechanism, updateMechanism } from './joints.js';
import { gridFor, updateGround } from './ground.js';
import { makeLabels, updateLabels } from './labels.js';
import { fullScale, makeLegend, makePressure, PRESSURE_SCALES, updateLegend, updatePressure } from './pressure.js';
import { shapeMiddle, shapeRadius } from './shapes.js';
import { disposeTrails, makeTrails, updateTrails } from './trails.js';
import { makeTriad, updateTriad } from './triad.js';

const FIELD_OF_VIEW = 32; // degrees; narrow, so that parallel edges look parallel
const FIT_MARGIN = 1.04;
const ISOMETRIC = new Vector3(0.62, -1, 0.5);
const GAP_VALUES = 3; // written beside the nearest; more would cover what they are about
const OUTLINE = [-75, -60, -45, -30, -15, 0, 15, 30, 45, 60, 75].map((degrees) => degrees*Math.PI/180);
const VIEWS = {
  // Looking exactly along z leaves the orbit's azimuth undefined; a hair off keeps x to the right.
  x: new Vector3(1, 0, 0), y: new Vector3(0, -1, 0), z: new Vector3(0, -1e-4, 1), iso: ISOMETRIC,
};

export function makeView(elements, onNeedsFrame) {
  const renderer = makeRenderer(elements.canvas);
  if (!renderer) {
    elements.message.hidden = false;
    return noView();
  }
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, elements.canvas);
  controls.enableDamping = true;
  controls.dampingFactor = 0.15;
  controls.zoomSpeed = 1.5;
  controls.zoomToCursor = true;
  controls.addEventListener('change', onNeedsFrame);
  elements.canvas.addEventListener('webglcontextrestored', onNeedsFrame);
  const view = {
    elements, renderer, camera, controls, onNeedsFrame,
    scene: new Scene(), light: makeLight(), arrows: makeArrows(), gaps: makeGaps(), pressure: makePressure(),
    legend: makeLegend(elements.legend),
    labels: makeLabels(elements.labels),
    options: {
      showForces: true, parts: 'total', length: 'auto', fixed: 1, threshold: 0, showValues: false, // fixed, threshold: N
      showPressure: true, pressureScale: 'now', showNormals: false, mostGaps: 10,
      showJoints: true, showTrails: true, showLabels: false, isSeeThrough: false, showShadows: true, showStandIns: false,
    },
    follow: -1, model: null, isDraft: false, frames: 0, size: [1, 1],
  };
  view.triad = makeTriad(elements.triad, (axis) => lookAlong(view, axis));
  view.scene.add(view.light.sky, view.light.sun, view.light.sun.target, view.arrows.group, view.gaps.group, view.pressure.group);
  new ResizeObserver(() => resize(view)).observe(elements.panel);
  resize(view);
  return methodsOf(view);
}

function methodsOf(view) {
  return {
    isAvailable: true,
    options: view.options,
    get frames() { return view.frames; },
    get model() { return view.model; },
    load: (results, tracks, colours) => load(view, results, tracks, colours),
    setTheme: (theme) => setTheme(view, theme),
    fitRun: () => view.model && frame(view, view.model.bounds),
    fitNow: (t) => view.model && frame(view, boundsNow(view.model.results.head, view.model.tracks, bracket(view.model.results.times, t))),
    lookAlong: (name) => lookAlong(view, name),
    setFollow: (index) => { view.follow = index; view.followed = null; view.onNeedsFrame(); },
    setHidden: (index, isHidden) => setHidden(view, index, isHidden),
    setDraft: (isDraft) => { view.isDraft = isDraft; },
    update: () => view.controls.update(),
    render: (t) => render(view, t),
    snapshot: (t) => snapshot(view, t),
  };
}

function noView() {
  const nothing = () => {};
  return {
    isAvailable: false, options: {}, frames: 0, model: null, snapshot: async () => null,
    load: nothing, setTheme: nothing, fitRun: nothing, fitNow: nothing, lookAlong: nothing,
    setFollow: nothing, setHidden: nothing, setDraft: nothing, update: nothing, render: nothing,
  };
}

// Asked before three.js is, because its constructor also writes to the console when there is no WebGL.
function makeRenderer(canvas) {
  try {
    const options = { antialias: true, powerPreference: 'high-performance' };
    const context = canvas.getContext('webgl2', options);
    if (!context) return null;
    const renderer = new WebGLRenderer({ canvas, context, ...options });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    return renderer;
  } catch {
    return null;
  }
}

function makeLight() {
  const sky = new AmbientLight(0xffffff, 1.35);
  const sun = new DirectionalLight(0xffffff, 2.2);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 3;
  return { sky, sun };
}

function load(view, results, tracks, colours) {
  unload(view);
  const meshes = makeBodies(tracks, colours);
  const trails = makeTrails(results, tracks, colours);
  const mechanism = makeMechanism(results.head);
  const bounds = boundsOfRun(results, tracks);
  view.model = { results, tracks, meshes, trails, mechanism, bounds, largestForce: largestForce(results), recorded: recordedGaps(results), pressed: mostOfRun(results) };
  view.scene.add(meshes.group, trails.group, mechanism.group);
  view.follow = -1;
  view.controls.target.fromArray(bounds.centre);
  view.camera.position.fromArray(bounds.centre).addScaledVector(ISOMETRIC, bounds.radius);
  frame(view, bounds);
}

// Full scale of colours that are those of the run.
function mostOfRun({ patches }) {
  return { pressure: largestPressure(patches), force: largestPointForce(patches) };
}

function unload(view) {
  if (!view.model) return;
  const { meshes, trails, mechanism } = view.model;
  view.scene.remove(meshes.group, trails.group, mechanism.group);
  meshes.dispose();
  mechanism.dispose();
  disposeTrails(trails);
  view.model = null;
}

function setHidden(view, index, isHidden) {
  const body = view.model.meshes.bodies[index];
  body.group.visible = !isHidden;
  for (const trail of view.model.trails.trails) if (trail.track === body.track) trail.line.visible = !isHidden;
  view.onNeedsFrame();
}

function setTheme(view, theme) {
  view.scene.background = new Color(theme.background);
  view.light.sky.intensity = theme.isDark ? 1.2 : 1.6;
  const { materials } = view.arrows;
  materials.total.color.set(theme.force);
  materials.normal.color.set(theme.normal);
  materials.friction.color.set(theme.friction);
  materials.dot.color.set(theme.contact);
  view.gaps.materials.total.color.set(theme.gap);
  if (view.model) colourMechanism(view.model.mechanism.materials, theme);
  for (const { mesh, uniforms } of view.model?.meshes.grounds ?? []) {
    mesh.material.color.set(theme.ground);
    uniforms.uLine.value.set(theme.grid);
  }
  view.onNeedsFrame();
}

function colourMechanism(materials, theme) {
  for (const name of ['joint', 'driven', 'spring', 'anchor']) materials[name].color.set(theme[name]);
  for (const name of ['cut', 'rail', 'dashedRail']) materials[name].color.set(theme.joint);
}

function resize(view) {
  const { clientWidth: width, clientHeight: height } = view.elements.panel;
  if (width === 0 || height === 0) return;
  view.size = [width, height];
  view.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
  view.renderer.setSize(width, height, false);
  view.camera.aspect = width/height;
  view.camera.updateProjectionMatrix();
  view.onNeedsFrame();
}

// Keeps the direction of sight; what is inside the bounds fills the panel.
function frame(view, bounds) {
  const { camera, controls } = view;
  const direction = camera.position.clone().sub(controls.target).normalize();
  if (!(direction.length() > 0)) direction.copy(ISOMETRIC).normalize();
  controls.target.fromArray(bounds.centre);
  camera.position.copy(controls.target).add(direction);
  camera.lookAt(controls.target);
  camera.position.copy(controls.target).addScaledVector(direction, FIT_MARGIN*distanceFor(camera, controls.target, bounds.balls));
  controls.update();
  view.onNeedsFrame();
}

// A point (x, y, z) in camera axes is in sight from distance d if |y| <= (d - z) tan of half the field; the radius of
// the ball is added to both (a little too much, never too little).
function distanceFor(camera, target, balls) {
  const tangent = Math.tan(0.5*FIELD_OF_VIEW*Math.PI/180);
  const inverse = camera.quaternion.clone().invert();
  const p = new Vector3();
  let distance = 0;
  for (const [x, y, z, r] of balls) {
    p.set(x, y, z).sub(target).applyQuaternion(inverse);
    distance = Math.max(distance, p.z + r + Math.max(Math.abs(p.y) + r, (Math.abs(p.x) + r)/camera.aspect)/tangent);
  }
  return distance;
}

function lookAlong(view, name) {
  const { camera, controls } = view;
  const distance = camera.position.distanceTo(controls.target);
  camera.position.copy(controls.target).addScaledVector(VIEWS[name].clone().normalize(), distance);
  controls.update();
  view.onNeedsFrame();
}

function render(view, t) {
  if (!view.model) return;
  const { model, camera, renderer, options } = view;
  const at = bracket(model.results.times, t);
  poseBodies(model.meshes, at);
  followBody(view);
  placeCamera(view);
  view.light.sun.castShadow = options.showShadows && !view.isDraft;
  seeThrough(model.meshes.materials, options.isSeeThrough);
  for (const frame of model.meshes.standIns) frame.visible = options.showStandIns;
  const contacts = contactsAt(model.results, at);
  showForces(view, contacts);
  showPressure(view, at);
  const gaps = showGaps(view, contacts, at);
  const joints = showMechanism(view);
  model.trails.group.visible = options.showTrails;
  updateTrails(model.trails, t, at);
  renderer.render(view.scene, camera);
  updateLabels(view.labels, labelItems(view, contacts, gaps, joints), camera, ...view.size);
  updateTriad(view.triad, camera);
  showScale(view);
  view.frames++;
}

function followBody(view) {
  const body = view.model.meshes.bodies[view.follow];
  if (!body) return;
  const now = body.group.position.clone();
  if (!Number.isFinite(now.length())) return; // a camera at NaN never comes back
  if (view.followed) {
    const moved = now.clone().sub(view.followed);
    view.camera.position.add(moved);
    view.controls.target.add(moved);
  }
  view.followed = now;
}

// Near plane, ground and light go with the camera: the same page shows a 1 mm ball and a 100 m crane.
function placeCamera(view) {
  const { camera, controls, model } = view;
  const distance = camera.position.distanceTo(controls.target);
  camera.near = 0.02*distance;
  camera.far = 20*distance + 20*model.bounds.radius;
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
  view.scene.updateMatrixWorld();
  for (const ground of model.meshes.grounds) updateGround(ground, controls.target, distance, model.bounds.radius);
  placeSun(view.light.sun, controls.target, Math.min(1.3*distance, 2*model.bounds.radius + 0.1*distance));
}

const SUN = new Vector3(-0.35, -0.45, 1).normalize();

function placeSun(sun, target, reach) {
  sun.target.position.copy(target);
  sun.position.copy(target).addScaledVector(SUN, 3*reach);
  const box = sun.shadow.camera;
  Object.assign(box, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.5*reach, far: 6*reach });
  box.updateProjectionMatrix();
  sun.shadow.normalBias = 0.002*reach; // in length units, about one texel: hides the striping of curved surfaces
}

function seeThrough(materials, isOn) {
  for (const m of materials) {
    if (m.transparent !== isOn) m.needsUpdate = true;
    Object.assign(m, { transparent: isOn, opacity: isOn ? 0.4 : 1, depthWrite: !isOn });
  }
}

function showForces(view, list) {
  const { options, camera } = view;
  const scale = { list, run: view.model.largestForce, now: Math.max(0, ...list.map((c) => c.size)) };
  const settings = { ...options, isShown: options.showForces, viewHeight: view.size[1] };
  updateArrows(view.arrows, scale, settings, (point) => pixelAt(view, camera, point));
}

// What is drawn, for the labels.
function showGaps(view, contacts, at) {
  const { options, model } = view;
  const gaps = options.showNormals ? gapsAt(model.recorded, contacts, at, options.mostGaps) : [];
  updateGaps(view.gaps, gaps, (point) => pixelAt(view, view.camera, point));
  return gaps;
}

function showPressure(view, at) {
  const { options, model } = view;
  const { pressure, force } = model.pressed;
  const isShown = options.showPressure && pressure + force > 0;
  const patches = isShown ? patchesAt(model.results, at) : [];
  const tops = fullScale(patches, model.pressed, options.pressureScale);
  updatePressure(view.pressure, patches, model.meshes.bodies, tops, PRESSURE_SCALES[options.pressureScale].decades, (point) => pixelAt(view, view.camera, point));
  updateLegend(view.legend, isShown, { pressure: pressure > 0, force: force > 0 }, tops, options.pressureScale);
}

function gapLabel({ a, b, distance }) {
  return { position: a.clone().lerp(b, 0.5), text: withUnit(distance, 'm', 4), className: 'gap-label' };
}

function showMechanism(view) {
  const { mechanism, meshes, bounds } = view.model;
  mechanism.group.visible = view.options.showJoints;
  if (!mechanism.group.visible) return [];
  return updateMechanism(mechanism, meshes.bodies, (point) => pixelAt(view, view.camera, point), bounds.radius);
}

// Length in the world of one pixel at this point.
function pixelAt(view, camera, point) {
  const depth = Math.max(camera.near, point.distanceTo(camera.position));
  return 2*depth*Math.tan(0.5*FIELD_OF_VIEW*Math.PI/180)/view.size[1];
}

function labelItems(view, contacts, gaps, joints) {
  const { options } = view;
  return [
    ...(options.showValues ? gaps.slice(0, GAP_VALUES).map(gapLabel) : []),
    ...(options.showForces && options.showValues ? forceLabels(contacts, options.threshold) : []),
    ...(options.showLabels ? bodyLabels(view) : []),
    ...(options.showLabels ? joints.map(({ position, name }) => ({ position, text: name, className: 'joint-label' })) : []),
  ];
}

// What moves first, and of it what is in front: where names have no room, these stay.
function bodyLabels(view) {
  const isLabelled = ({ group, track }) => group.visible && bodyRadius(track.body) > 0;
  const label = ({ group, track }) => {
    const centre = middleOf(track.body).applyMatrix4(group.matrixWorld);
    const place = { position: centre, lift: heightOnScreen(view, group, track.body, centre), away: centre.distanceTo(view.camera.position) };
    return { ...place, text: track.body.name, className: 'body-label', isMoving: track.isMoving };
  };
  return view.model.meshes.bodies.filter(isLabelled).map(label).sort((p, q) => q.isMoving - p.isMoving || p.away - q.away);
}

function forceLabels(contacts, threshold) {
  return contacts.filter((c) => c.size > threshold).sort((c, d) => d.size - c.size)
    .map((c) => ({ position: c.tip ?? c.point, text: withUnit(c.size, 'N', 4), className: 'force-label' }));
}

// Of the balls around the shapes, in the body's frame.
function middleOf(body) {
  const box = new Box3();
  for (const shape of body.shapes) {
    const size = 2*shapeRadius(shape);
    const position = new Vector3(...(shape.position ?? [0, 0, 0])).add(shapeMiddle(shape));
    if (size > 0) box.union(new Box3().setFromCenterAndSize(position, new Vector3(size, size, size)));
  }
  return box.getCenter(new Vector3());
}

// How far the outline of a body's convex hull is above its middle [px]: the least h(w)/(w.up) over directions w on the screen,
// where h is the support function. Of a slanting bar that is just above its middle, not as high as its upper end.
function heightOnScreen(view, group, body, centre) {
  const [right, up] = [new Vector3(1, 0, 0), new Vector3(0, 1, 0)].map((axis) => axis.applyQuaternion(view.camera.quaternion));
  const meshes = body.shapes.map((shape, k) => shapeRadius(shape) > 0 ? group.children[k]?.children[0] : null).filter(Boolean);
  const heights = OUTLINE.map((angle) => {
    const w = up.clone().multiplyScalar(Math.cos(angle)).addScaledVector(right, Math.sin(angle));
    const support = (mesh) => mesh.getWorldPosition(new Vector3()).sub(centre).dot(w) + reachAlong(mesh, w);
    return Math.max(0, ...meshes.map(support))/Math.cos(angle);
  });
  return Math.min(...heights)/pixelAt(view, view.camera, centre);
}

// The largest x.u over the points x = M p of a mesh, from its origin: p.(M^T u), and for the unit ball |M^T u|.
function reachAlong(mesh, u) {
  const d = u.clone().applyMatrix3(new Matrix3().setFromMatrix4(mesh.matrixWorld).transpose());
  if (mesh.geometry.type === 'SphereGeometry') return d.length();
  const { outline } = mesh.geometry.userData;
  if (outline) return Math.max(...outline.map((p) => p.dot(d)));
  const p = mesh.geometry.attributes.position;
  let far = 0;
  for (let i = 0; i < p.count; i++) far = Math.max(far, p.getX(i)*d.x + p.getY(i)*d.y + p.getZ(i)*d.z);
  return far;
}

function showScale(view) {
  const distance = view.camera.position.distanceTo(view.controls.target);
  const { step, fine } = gridFor(distance);
  const text = view.model.meshes.grounds.length > 0 ? `grid ${plainUnit(fine > 0.35 ? step : 10*step, 'm')}` : '';
  if (view.elements.scale.textContent !== text) view.elements.scale.textContent = text;
}

// toBlob must follow the drawing at once: the browser may clear the canvas afterwards.
function snapshot(view, t) {
  render(view, t);
  return new Promise((resolve) => view.elements.canvas.toBlob(resolve, 'image/png'));
}
