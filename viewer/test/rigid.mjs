// rigid.mjs -- a run of rigid bodies, written by hand: a ball that bounces until it lands, slides and rolls; a brick that slides from the start, stops, and is
// lifted off; a flap on a hinge that hits its limit.
//
//     node test/rigid.mjs FILE.carom    writes it

import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { columnsOf, CONTACT, ENERGIES, file, json, sample } from './writer.mjs';

const G = 9.81;
export const UNTIL = 2.5;
const EVERY = 0.01;
const BALL = { r: 0.1, h: 0.6, e: 0.6, v: 0.8, m: 2 };
export const BOUNCES = 6; // told of; the others are summed up in the landing
export const ROLLS = 1.9, STOPS = 0.7, LIFTED = 2;
const BRICK = { size: [0.3, 0.2, 0.1], v: 0.7 };
const PAIRS = ['floor - ball', 'floor - brick', 'ball - brick'];
const I = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

const v1 = Math.sqrt(2*G*BALL.h);
const t1 = v1/G;
// Speeds before the impacts are v1, e v1, e^2 v1, ...; between them 2 e^k v1/g.
export const impactTime = (k) => t1 + 2*v1/G*BALL.e*(1 - BALL.e**k)/(1 - BALL.e);
export const landing = t1 + 2*v1/G*BALL.e/(1 - BALL.e);

function heightAt(t) {
  if (t >= landing) return 0;
  if (t < t1) return BALL.h - G*t*t/2;
  let k = 0;
  while (impactTime(k + 1) <= t) k++;
  const s = t - impactTime(k);
  return BALL.e**(k + 1)*v1*s - G*s*s/2;
}

const brickAt = (t) => t < STOPS ? BRICK.v*(t - t*t/(2*STOPS)) : BRICK.v*STOPS/2;
const brickHeight = (t) => t > LIFTED ? 0.3*(t - LIFTED) : 0;
const flapAngle = (t) => 0.5*Math.abs(Math.sin(2*t));

function impact(k) {
  const v = BALL.e**k*v1;
  const path = ['throughout', 'throughout', 'sticks', 'reverses', 'none', 'none'][k];
  return {
    time: impactTime(k), kind: 'impact', pair: 0, point: [BALL.v*impactTime(k), 0, 0], normal: [0, 0, 1], speed: v, asked_restitution: BALL.e, restitution: k === 3 ? 0.5 : BALL.e,
    impulse: BALL.m*v*(1 + BALL.e), lost_normal: BALL.m*v*v*(1 - BALL.e**2)/2, velocity_before: [BALL.v, 0, -v], velocity_after: [0.9*BALL.v, 0, BALL.e*v],
    impulse_b: [-0.1*BALL.m*BALL.v, 0, BALL.m*v*(1 + BALL.e)], lost_friction: 0.01, path, ...(path === 'sticks' ? { path_stop: 0.25, stops_in_compression: true } : {}),
    index: 0, together: k === 3 ? 2 : 1,
  };
}

const mode = (time, kind, pair, speed = 0) => ({ time, kind, pair, point: [0, 0, 0], normal: [0, 0, 1], speed });

export function rigidEvents() {
  return [
    ...Array.from({ length: BOUNCES }, (_, k) => impact(k)),
    mode(landing, 'land', 0), mode(landing, 'slip', 0), mode(ROLLS, 'stick', 0),
    mode(0, 'slip', 1), mode(STOPS, 'stick', 1), mode(LIFTED, 'take_off', 1),
    { time: Math.PI/2, kind: 'impact', joint: 0, coordinate: 0, point: [0, 0, 0.5], speed: 1, asked_restitution: 1, restitution: 1, impulse: 0.4, lost_normal: 0, together: 1 },
  ].sort((a, b) => a.time - b.time);
}

const shape = (kind, size) => ({ name: 'shape', kind, size, material: 'steel', position: [0, 0, 0], rotation: I });
const body = (name, fixed, mass, position, s) => ({ name, fixed, mass, com: [0, 0, 0], position, orientation: [1, 0, 0, 0], shapes: [s] });
const JOINT = { name: 'hinge', type: 'revolute', bodies: [-1, 3], frames: [{ position: [-0.6, 0, 0.5], rotation: I }, { position: [0, 0, 0], rotation: I }], pitch: 0, closes_loop: false, driven: false };

function head() {
  return {
    format: 1, carom: '0.1.0', name: 'rigid bodies', model: 'carom: 1\n', overrides: [],
    settings: { gravity: [0, 0, -G], response: 'rigid', damping: 'exact', friction_law: 'bristle', tolerance: 1e-6, until: UNTIL, every: EVERY, method: 'auto', v_small: 0.001, w_small: 0.01, k_red: 1,
      impact_law: 'energetic', impacts: 'waves', impact_exponent: 1.5, landing: 'sum' },
    materials: [{ name: 'steel', density: 7850, E: 2.1e11, nu: 0.3 }],
    bodies: [
      body('floor', true, 0, [0, 0, 0], shape('half-space', [0, 0, 0])),
      body('ball', false, BALL.m, [0, 0, BALL.h + BALL.r], shape('sphere', [BALL.r, 0, 0])),
      body('brick', false, 3, [0, -0.5, BRICK.size[2]/2], shape('box', BRICK.size)),
      body('flap', false, 1, [-0.6, 0, 0.5], shape('box', [0.3, 0.02, 0.2])),
    ],
    joints: [JOINT],
    pairs: PAIRS.map((name, k) => ({ name, a: [0, 0, 1][k], b: [1, 2, 2][k], restitution: BALL.e, friction: 0.3, rolling: 0, impact_law: 'energetic' })),
    columns: columnsOf(['ball', 'brick', 'flap'], [JOINT]),
    contact: CONTACT,
  };
}

function rowAt(t) {
  const pose = (p, v, q = [1, 0, 0, 0]) => [...p, ...q, ...v, 0, 0, 0];
  const angle = flapAngle(t);
  const contacts = [
    ...(t >= landing ? [0, BALL.v*t, 0, 0, 0, 0, 1, -3, 0, BALL.m*G, BALL.m*G, 0] : []),
    ...(t <= LIFTED ? [1, brickAt(t), -0.5, 0, 0, 0, 1, -4, 0, 3*G, 3*G, 0] : []),
  ];
  const potential = BALL.m*G*(heightAt(t) - BALL.h);
  return [t, 0, ...pose([BALL.v*t, 0, BALL.r + heightAt(t)], [BALL.v, 0, 0]), ...pose([brickAt(t), -0.5, BRICK.size[2]/2 + brickHeight(t)], [0, 0, 0]),
    ...pose([-0.6, 0, 0.5], [0, 0, 0], [Math.cos(angle/2), 0, 0, Math.sin(angle/2)]), angle, 0, -potential, potential, 0, 0, 0, 0, 0, 0, 0, 0, ...contacts];
}

export function makeRigidFixture() {
  const events = rigidEvents();
  const frames = [json('HEAD', head())];
  let next = 0;
  for (let k = 0; k*EVERY <= UNTIL + 1e-9; k++) {
    while (next < events.length && events[next].time <= k*EVERY) frames.push(json('EVNT', events[next++]));
    frames.push(sample(rowAt(k*EVERY)));
  }
  const count = (kind) => events.filter((e) => e.kind === kind).length;
  frames.push(json('DONE', { verdict: 'completed', message: '', time: UNTIL, method: 'dop853', steps: 90, rejected: 2, evaluations: 900, jacobians: 0, touches: 0, separations: 0,
    impacts: count('impact'), landings: count('land'), slips: count('slip'), sticks: count('stick'), take_offs: count('take_off'), jams: 0, switches: 0, gap_evaluations: 50,
    smallest_step: 1e-4, largest_depth: 0, largest_depth_pair: -1, largest_imbalance: 1e-9, energy_scale: 12, energy: Object.fromEntries(ENERGIES.map((name) => [name, name === 'damping' ? 6 : 0])) }));
  return { bytes: file(frames), events };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(process.argv[2], makeRigidFixture().bytes);
