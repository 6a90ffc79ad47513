// pressure.js -- patches as surfaces coloured by their pressure, and the scale that says what the colours mean.
//
// A patch lies inside both bodies, so it is drawn over everything, like the forces. The colour is found for each pixel: between corners the pressure is linear, a
// colour between two colours would be another one.

import { BufferAttribute, BufferGeometry, DataTexture, DynamicDrawUsage, Group, LineSegments, Mesh, ShaderMaterial, Vector3 } from 'three';
import { SCALE_SIZE, scaleColours, scaleStops } from '../colours.js';
import { niceBelow, plain, plainUnit, prefixFor } from '../format.js';
import { make } from '../panels/dom.js';
import { largestPointForce, largestPressure } from '../patches.js';

const DECADES = 5; // of the logarithmic scale
const DISC = 12; // corners of a disc that stands for a point
const DISC_PIXELS = 3; // its least radius

export const PRESSURE_SCALES = {
  now: { isOfRun: false, decades: 0 },
  run: { isOfRun: true, decades: 0 },
  log: { isOfRun: true, decades: DECADES },
};

const VERTEX = 'attribute float part; varying float vPart; void main() { vPart = part; gl_Position = projectionMatrix*modelViewMatrix*vec4(position, 1.0); }';
const FRAGMENT = `uniform sampler2D uColours; uniform float uDecades; uniform float uOpacity; varying float vPart;
  void main() {
    float x = uDecades > 0.0 ? 1.0 + log2(max(vPart, 1e-9))/(3.321928*uDecades) : vPart;
    gl_FragColor = vec4(texture2D(uColours, vec2((clamp(x, 0.0, 1.0)*${SCALE_SIZE - 1}.0 + 0.5)/${SCALE_SIZE}.0, 0.5)).rgb, uOpacity);
  }`;

export function makePressure() {
  const colours = new DataTexture(scaleColours(), SCALE_SIZE, 1);
  colours.needsUpdate = true;
  const uDecades = { value: 0 };
  const material = (opacity) => new ShaderMaterial({
    uniforms: { uColours: { value: colours }, uDecades, uOpacity: { value: opacity } },
    vertexShader: VERTEX, fragmentShader: FRAGMENT, side: 2, transparent: true, depthTest: false, depthWrite: false,
  });
  const faces = overlaid(new Mesh(new BufferGeometry(), material(0.9)), 14);
  const lines = overlaid(new LineSegments(new BufferGeometry(), material(1)), 15);
  const group = new Group();
  group.add(faces, lines);
  return { group, faces, lines, uDecades };
}

function overlaid(object, order) {
  object.renderOrder = order;
  object.frustumCulled = false;
  return object;
}

// patches: of patches.js. tops: largest pressure and force, full scale. Returns nothing; the group is empty where nothing presses.
export function updatePressure(drawn, patches, bodies, tops, decades, pixelSize) {
  const faces = new Strip();
  const lines = new Strip();
  drawn.uDecades.value = decades;
  const origin = new Vector3();
  patches.forEach((patch, k) => {
    const matrix = bodies[patch.body]?.group.matrixWorld;
    if (!matrix) return;
    const place = (x, y, z) => new Vector3(x + patch.origin[0], y + patch.origin[1], z + patch.origin[2]).applyMatrix4(matrix);
    if (k === 0) origin.copy(place(0, 0, 0)); // small numbers from here on: a patch may be a micrometre wide
    addPolygons(faces, lines, patch, (x, y, z) => place(x, y, z).sub(origin), tops.pressure);
    addPoints(faces, patch, (x, y, z) => place(x, y, z).sub(origin), (v) => v.transformDirection(matrix), tops.force, pixelSize(place(0, 0, 0)));
  });
  drawn.group.visible = faces.points.length > 0;
  drawn.group.position.copy(origin);
  faces.fill(drawn.faces.geometry);
  lines.fill(drawn.lines.geometry);
}

// Corners one after the other, each with its part of the full scale.
class Strip {
  points = [];
  parts = [];

  add(part, ...points) {
    for (const p of points) { this.points.push(p.x, p.y, p.z); this.parts.push(part); }
  }

  fill(geometry) {
    put(geometry, 'position', this.points, 3);
    put(geometry, 'part', this.parts, 1);
    geometry.setDrawRange(0, this.parts.length);
  }
}

// Buffers grow and are kept.
function put(geometry, name, numbers, width) {
  let attribute = geometry.getAttribute(name);
  if (!attribute || attribute.array.length < numbers.length) {
    if (attribute) geometry.dispose();
    attribute = new BufferAttribute(new Float32Array(2*numbers.length + 64*width), width).setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, attribute);
  }
  attribute.array.set(numbers);
  attribute.needsUpdate = true;
}

function addPolygons(faces, lines, { counts, corners }, place, top) {
  const part = (i) => top > 0 ? corners[4*i + 3]/top : 0;
  let first = 0;
  for (const n of counts) {
    const at = Array.from({ length: n }, (_, k) => place(corners[4*(first + k)], corners[4*(first + k) + 1], corners[4*(first + k) + 2]));
    for (let k = 1; k + 1 < n; k++) for (const c of [0, k, k + 1]) faces.add(part(first + c), at[c]);
    for (let k = 0; k < n; k++) for (const c of [k, (k + 1) % n]) lines.add(part(first + c), at[c]);
    first += n;
  }
}

// A disc for each, so large that together they are about as large as what they stand for.
function addPoints(faces, { points }, place, turned, top, pixel) {
  const count = points.length/7;
  if (count === 0) return;
  const radius = Math.max(DISC_PIXELS*pixel, 0.4*extent(points)/Math.sqrt(count));
  for (let i = 0; i < points.length; i += 7) {
    const middle = place(points[i], points[i + 1], points[i + 2]);
    const normal = turned(new Vector3(points[i + 3], points[i + 4], points[i + 5]));
    const u = new Vector3(Math.abs(normal.x) < 0.7 ? 1 : 0, Math.abs(normal.x) < 0.7 ? 0 : 1, 0).cross(normal).normalize();
    const v = normal.clone().cross(u);
    const rim = (k) => middle.clone().addScaledVector(u, radius*Math.cos(2*Math.PI*k/DISC)).addScaledVector(v, radius*Math.sin(2*Math.PI*k/DISC));
    for (let k = 0; k < DISC; k++) faces.add(top > 0 ? points[i + 6]/top : 0, middle, rim(k), rim(k + 1));
  }
}

function extent(points) {
  const span = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += 7) { low = Math.min(low, points[i]); high = Math.max(high, points[i]); }
    return high - low;
  });
  return Math.hypot(...span);
}

// Full scale at an instant: of the run or of what is there now.
export function fullScale(patches, run, scale) {
  if (PRESSURE_SCALES[scale].isOfRun) return run;
  return { pressure: largestPressure(patches), force: largestPointForce(patches) };
}

// ---- the scale beside the picture

// Ticks of a scale from 0 to top: [{ at: 0..1, text }]. The top itself, and round numbers below it.
export function scaleTicks(top, unit, decades) {
  if (!(top > 0)) return [];
  if (decades > 0) return Array.from({ length: decades + 1 }, (_, k) => ({ at: 1 - k/decades, text: plainUnit(top/10**k, unit, 3) }));
  const step = niceBelow(top/3);
  const { factor } = prefixFor(top, unit);
  const round = Array.from({ length: Math.floor(top/step) + 1 }, (_, k) => k*step).filter((x) => x <= 0.86*top);
  return [...round.map((x) => ({ at: x/top, text: plain(x/factor, 4) })), { at: 1, text: plainUnit(top, unit, 4) }];
}

export function makeLegend(element) {
  const bars = [['pressure', 'Pressure'], ['force', 'Force of a point']].map(([name, title]) => {
    const ticks = make('div', { className: 'ticks' });
    const colours = make('div', { className: 'scale-colours' });
    colours.style.background = `linear-gradient(to top, ${scaleStops().join()})`;
    const box = make('div', { className: 'colour-scale', dataset: { testid: `scale-${name}` } },
      make('div', { className: 'scale-title' }, title), make('div', { className: 'scale-bar' }, colours, ticks));
    return { name, box, ticks, shown: '' };
  });
  element.replaceChildren(...bars.map(({ box }) => box));
  return { element, bars };
}

// has: which of the two there are in the run at all.
export function updateLegend(legend, isShown, has, tops, scale) {
  legend.element.hidden = !isShown;
  if (!isShown) return;
  const { decades, isOfRun } = PRESSURE_SCALES[scale];
  for (const bar of legend.bars) {
    bar.box.hidden = !has[bar.name];
    const ticks = scaleTicks(tops[bar.name], bar.name === 'pressure' ? 'Pa' : 'N', decades);
    const shown = ticks.map(({ at, text }) => `${at.toFixed(3)} ${text}`).join();
    if (shown === bar.shown) continue;
    bar.shown = shown;
    bar.box.title = isOfRun ? 'The largest of the run is full scale' : 'The largest at this instant is full scale';
    bar.box.classList.toggle('idle', ticks.length === 0);
    bar.ticks.replaceChildren(...ticks.map(({ at, text }) => {
      const tick = make('span', {}, text);
      tick.style.bottom = `${100*at}%`;
      return tick;
    }));
  }
}
