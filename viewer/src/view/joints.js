// joints.js -- symbols of joints, springs, and what is held by the world.
//
// Symbols are drawn over everything else, because a joint usually sits inside the bodies it connects, and their size is
// in pixels, so that they stay readable at every zoom. A joint that closes a loop is drawn with dashes. One row per
// kind of joint in SYMBOLS.

import {
  BoxGeometry, ConeGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshLambertMaterial, Quaternion, SphereGeometry,
  TorusGeometry, Vector3,
} from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const UP = new Vector3(0, 1, 0);
const COIL_RADIUS = 8; // px
const WIDEST_COIL = 0.2; // of the spring's length
const SMALLEST_SCENE = 110; // px; zooming out, symbols shrink when the whole scene is smaller than this

// ---- geometries, in pixels; the joint's axis is z

const alongZ = (geometry) => geometry.rotateX(Math.PI/2);
const barrel = (radius, length) => alongZ(new CylinderGeometry(radius, radius, length, 24));
const at = (geometry, z) => geometry.translate(0, 0, z);

const AXIS = barrel(1, 84);
const DASHES = mergeGeometries([-38, -23, 0, 23, 38].map((z) => at(barrel(1.3, 8), z)));
const BARREL = barrel(6, 20);
const ARROWS = mergeGeometries([
  at(alongZ(new ConeGeometry(4.5, 11, 20)), 43), at(alongZ(new ConeGeometry(4.5, 11, 20)).rotateX(Math.PI), -43)]);
const SLIDER = new BoxGeometry(10, 10, 22);
const THREAD = mergeGeometries([-6, -2, 2, 6].map((z) => at(new TorusGeometry(7, 1.2, 6, 24), z)));
const CORE = barrel(4.5, 20);
const YOKE = barrel(4, 26);
const CROSS = barrel(4, 26).rotateY(Math.PI/2); // along x
const PLATE = new BoxGeometry(26, 26, 3);
const BALL = new SphereGeometry(7.5, 24, 16);
const CAGE = mergeGeometries([0, 1, 2, 3, 4, 5].flatMap((k) => {
  const arc = () => new TorusGeometry(8, 1.3, 6, 8, Math.PI/5).rotateZ(k*Math.PI/3);
  return [arc(), arc().rotateX(Math.PI/2)];
}));
const BLOCK = new BoxGeometry(10, 10, 10);
const ANCHOR = mergeGeometries([
  new ConeGeometry(9, 15, 4).rotateX(Math.PI/2).translate(0, 0, -7.5).rotateZ(Math.PI/4),
  barrel(14, 2.5).translate(0, 0, -16)].map((g) => g.toNonIndexed()));

// On M, the frame of the second body, which moves along with it; F is the first body's. `rail` marks the way from F to M.
const SYMBOLS = {
  'fixed': { onM: [BLOCK] },
  'revolute': { axis: true, onM: [BARREL] },
  'prismatic': { axis: true, rail: true, onM: [SLIDER, ARROWS] },
  'cylindrical': { axis: true, rail: true, onM: [BARREL, ARROWS] },
  'screw': { axis: true, rail: true, onM: [CORE, THREAD] },
  'universal': { onF: [YOKE], onM: [CROSS] },
  'planar': { axis: true, rail: true, onM: [PLATE] },
  'spherical': { onM: [BALL], cut: [CAGE] },
  'free': {},
  'free-cardan': {},
};

// ---- springs: along y from 0 to 1, radius 1

const TURNS = 11;
const LEAD = 0.12; // straight part at each end

function coilPoints() {
  const points = [0, 0, 0, 0, LEAD, 0];
  const steps = 18*TURNS;
  for (let k = 0; k <= steps; k++) {
    const angle = 2*Math.PI*TURNS*k/steps;
    points.push(Math.cos(angle), LEAD + (1 - 2*LEAD)*k/steps, Math.sin(angle));
  }
  return [...points, 0, 1 - LEAD, 0, 0, 1, 0];
}

// A cup and a piston in it, in two planes so that it is seen from every side.
function dashpotSegments() {
  const axis = [[0, 0, 0], [0, 0.35, 0], [0, 0.56, 0], [0, 1, 0]];
  const inPlane = (p) => [
    [p(-1), 0.35], [p(1), 0.35], [p(-1), 0.35], [p(-1), 0.66], [p(1), 0.35], [p(1), 0.66], [p(-0.75), 0.56], [p(0.75), 0.56],
  ].map(([[x, z], y]) => [x, y, z]);
  return [...axis, ...inPlane((s) => [s, 0]), ...inPlane((s) => [0, s])].flat();
}

const COIL = new LineGeometry().setPositions(coilPoints());
const DASHPOT = new LineSegmentsGeometry().setPositions(dashpotSegments());
const SEGMENT = new LineGeometry().setPositions([0, 0, 0, 0, 1, 0]);

// ---- made once per file

export function makeMechanism(head) {
  const group = new Group();
  const materials = {
    joint: symbolMaterial(1), driven: symbolMaterial(1), cut: symbolMaterial(0.7), anchor: symbolMaterial(0.85),
    spring: new LineMaterial({ linewidth: 2.2 }), rail: overlayLine(), dashedRail: overlayLine({ dashed: true, dashSize: 0.04, gapSize: 0.04 }),
  };
  const joints = head.joints.map((joint) => makeJoint(joint, materials, group));
  const springs = head.springs.map((spring) => makeSpring(spring, materials, group));
  const anchors = worldPoints(head).map((point) => ({ point, mesh: added(group, new Mesh(ANCHOR, materials.anchor), 9) }));
  const dispose = () => { for (const m of Object.values(materials)) m.dispose(); };
  return { group, joints, springs, anchors, materials, dispose };
}

function symbolMaterial(opacity) {
  return new MeshLambertMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity });
}

function overlayLine(more = {}) {
  return new LineMaterial({ linewidth: 1.5, depthTest: false, depthWrite: false, transparent: true, ...more });
}

// Where joints and springs are held by the world. A free joint holds nothing.
export function worldPoints(head) {
  const holds = (joint) => !joint.type.startsWith('free');
  const points = [
    ...head.joints.filter(holds).flatMap(({ bodies, frames }) => bodies.map((body, k) => body < 0 ? pointOf(frames[k].position) : null)),
    ...head.springs.flatMap(({ bodies, points: ends }) => bodies.map((body, k) => body < 0 ? pointOf(ends[k]) : null)),
  ].filter(Boolean);
  return [...new Map(points.map((p) => [p.join(), p])).values()].map((p) => new Vector3(...p));
}

function pointOf(value) {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite) ? value : [0, 0, 0];
}

function makeJoint(joint, materials, group) {
  const symbol = SYMBOLS[joint.type] ?? {};
  const isCut = joint.closes_loop === true;
  const material = isCut ? materials.cut : joint.driven ? materials.driven : materials.joint;
  const holder = (geometries) => {
    const frame = new Group();
    geometries.forEach((geometry, k) => added(frame, new Mesh(geometry, material), 11 + k));
    group.add(frame);
    return frame;
  };
  const axis = symbol.axis ? [isCut ? DASHES : AXIS] : [];
  const rail = symbol.rail ? added(group, new Line2(SEGMENT, isCut ? materials.dashedRail : materials.rail), 10) : null;
  if (rail && isCut) rail.computeLineDistances();
  return {
    joint, rail, onF: holder(symbol.onF ?? []), onM: holder([...axis, ...(isCut && symbol.cut) || symbol.onM || []]),
    ends: joint.frames.map((frame, k) => ({ body: joint.bodies[k], ...localFrame(frame) })),
  };
}

function localFrame({ position, rotation }) {
  const r = rotation;
  const isMatrix = Array.isArray(r) && r.length === 3 && r.flat().length === 9;
  const turn = new Quaternion();
  if (isMatrix) turn.setFromRotationMatrix(new Matrix4().set(...r[0], 0, ...r[1], 0, ...r[2], 0, 0, 0, 0, 1));
  return { p: new Vector3(...pointOf(position)), q: turn };
}

function makeSpring(spring, materials, group) {
  const isDamper = !(spring.stiffness > 0);
  const line = isDamper ? new LineSegments2(DASHPOT, materials.spring) : new Line2(COIL, materials.spring);
  added(group, line, 0);
  return { line, ends: spring.points.map((p, k) => ({ body: spring.bodies[k], p: new Vector3(...pointOf(p)), q: new Quaternion() })) };
}

function added(parent, object, order) {
  object.renderOrder = order;
  object.frustumCulled = false;
  parent.add(object);
  return object;
}

// ---- moved with the bodies

// bodies: those of bodies.js, posed. Returns where the joints are, for their labels.
export function updateMechanism(mechanism, bodies, pixelSize, sceneRadius) {
  const scale = (p) => Math.min(pixelSize(p), 2*sceneRadius/SMALLEST_SCENE);
  for (const { point, mesh } of mechanism.anchors) {
    mesh.position.copy(point);
    mesh.scale.setScalar(scale(point));
  }
  for (const spring of mechanism.springs) {
    const [a, b] = spring.ends.map((end) => inWorld(end, bodies).p);
    const length = a.distanceTo(b);
    stretch(spring.line, a, b, Math.min(COIL_RADIUS*scale(a.clone().lerp(b, 0.5)), WIDEST_COIL*length));
  }
  return mechanism.joints.map((item) => {
    const [F, M] = item.ends.map((end) => inWorld(end, bodies));
    place(item.onF, F, scale(F.p));
    place(item.onM, M, scale(M.p));
    if (item.rail) stretch(item.rail, F.p, M.p, 1);
    return { position: M.p, name: item.joint.name };
  });
}

function inWorld({ body, p, q }, bodies) {
  const group = bodies[body]?.group;
  if (!group) return { p: p.clone(), q };
  return { p: p.clone().applyQuaternion(group.quaternion).add(group.position), q: group.quaternion.clone().multiply(q) };
}

function place(object, { p, q }, scale) {
  object.position.copy(p);
  object.quaternion.copy(q);
  object.scale.setScalar(scale);
}

// A shape along y from 0 to 1 between two points.
function stretch(object, a, b, radius) {
  const way = b.clone().sub(a);
  const length = way.length();
  object.visible = length > 0;
  if (!object.visible) return;
  object.position.copy(a);
  object.quaternion.setFromUnitVectors(UP, way.divideScalar(length));
  object.scale.set(radius, length, radius);
}
