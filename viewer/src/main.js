// main.js -- puts the page together: one clock, several panels that show the instant it points to.
//
// Data flow: bytes -> readResults -> load() of every panel. Time: player -> invalidate -> one animation frame ->
// setTime() of every panel. Panels never call each other; they report to here.

import { bodyColours, themeColours } from './colours.js';
import { csvTable } from './csv.js';
import { bindFiles, embeddedBytes } from './files.js';
import { timeText } from './format.js';
import { makeHash, timeInHash } from './hash.js';
import { bracket, locate } from './interpolate.js';
import { makeBodyList } from './panels/bodies.js';
import { makeContacts } from './panels/contacts.js';
import { $, saveFile, setText } from './panels/dom.js';
import { makeEvents } from './panels/events.js';
import { bindKeys, fillHelp } from './panels/keys.js';
import { makePicker } from './panels/picker.js';
import { makePlots } from './panels/plots.js';
import { bindSplitters } from './panels/splitters.js';
import { showSummary, verdictOf } from './panels/summary.js';
import { makeTimeline } from './panels/timeline.js';
import { largestPressure, patchesAt, pressedWith } from './patches.js';
import { makePlayer, nearestSpeed, SPEEDS } from './player.js';
import { defaultPlots, makeQuantities, valueAt } from './quantities.js';
import { readResults } from './results.js';
import { makeTheme } from './theme.js';
import { makeTracks } from './tracks.js';
import { makeView } from './view/view.js';
import { makeViewTools } from './viewtools.js';

const SLOW_FRAME = 0.06; // s; slower playback is drawn without shadows
const SAME_TIME = 1e-12; // s; a step to the next event must not find the one we stand on

const page = {
  results: null, quantities: new Map(),
  isTimeDirty: true, isDirty: true, isScheduled: false, // what the next frame has to do
  lastFrame: 0, pace: 0, isSlow: false, // s; how fast this machine draws
};

const player = makePlayer(() => { page.isTimeDirty = true; invalidate(); });
const view = makeView({
  panel: $('view'), canvas: $('canvas'), labels: $('labels'), message: $('no-webgl'), triad: $('triad'), scale: $('scale'), legend: $('legend'),
}, redraw);
const tools = makeViewTools(view, player, redraw);
const timeline = makeTimeline($('timeline'), seek);
const events = makeEvents($('tab-events'), seek);
const contacts = makeContacts($('tab-contacts'), seek);
const bodyList = makeBodyList($('tab-bodies'), { onFollow: tools.follow, onHide: view.setHidden });
const plots = makePlots($('plot-list'), {
  onSeek: seek, onWindow: showWindow, onPick: (plot, anchor) => picker.open(plot, anchor),
});
const picker = makePicker(plots.toggleCurve);
const theme = makeTheme($('theme'), applyTheme);
const hash = makeHash(seek);

function seek(t) {
  player.seek(t);
  hash.keep(player.state.time);
}

function showWindow(window) {
  player.setWindow(window);
  timeline.setWindow(window);
  contacts.setWindow(window);
  $('reset-zoom').disabled = window === null;
}

function applyTheme() {
  const colours = themeColours();
  view.setTheme(colours);
  timeline.setTheme(colours);
  contacts.setTheme(colours);
  plots.setTheme(colours);
}

// ---- files

function openBytes(bytes, fileName) {
  const results = readResults(bytes);
  if (results.error) return showLanding(`${fileName ? `${fileName}: ` : ''}${results.error}`);
  $('landing').hidden = true;
  show(results);
  return true;
}

function openEmbedded() {
  let bytes = null;
  try {
    bytes = embeddedBytes();
  } catch {
    return showLanding('The data in this page is damaged: it is not base64.');
  }
  return bytes ? openBytes(bytes, '') : showLanding(null);
}

function showLanding(error) {
  $('landing').hidden = false;
  $('landing-error').hidden = !error;
  $('landing-error').textContent = error ?? '';
  $('landing-back').hidden = page.results === null;
  return false;
}

function show(results) {
  const colours = bodyColours(results.head.bodies, themeColours().fixed);
  const tracks = makeTracks(results);
  const quantities = makeQuantities(results);
  Object.assign(page, { results, quantities });
  const { times, count } = results;
  const begin = count > 0 ? times[0] : 0;
  const end = count > 0 ? times[count - 1] : 0;
  showTitle(results);
  player.load(begin, end);
  view.load(results, tracks, colours);
  tools.load(results, tracks);
  contacts.load(results, begin, end);
  timeline.load(begin, end, results.events, contacts.rows);
  events.load(results);
  $('contact-count').textContent = String(contacts.rows.length);
  bodyList.load(tracks, colours);
  picker.load(quantities);
  plots.load({ times, quantities, bodies: results.head.bodies, colours, plots: defaultPlots(results, quantities) });
  showWindow(null);
  showSummary($('tab-summary'), results);
  applyTheme();
  const t = timeInHash();
  if (t !== null) player.seek(t);
}

function showTitle(results) {
  const { head, events: list } = results;
  document.title = head.name;
  $('model-name').textContent = head.name;
  $('model-text').textContent = head.model ?? '';
  $('event-count').textContent = String(list.length);
  $('body-count').textContent = String(head.bodies.length);
  const verdict = verdictOf(results);
  Object.assign($('verdict'), {
    hidden: false, textContent: verdict.text, className: `badge ${verdict.tone}`, title: verdict.note,
  });
}

// ---- one animation frame

function redraw() {
  page.isDirty = true;
  invalidate();
}

function invalidate() {
  if (page.isScheduled) return;
  page.isScheduled = true;
  requestAnimationFrame(onFrame);
}

function onFrame(now) {
  page.isScheduled = false;
  const elapsed = page.lastFrame > 0 ? (now - page.lastFrame)/1000 : 0;
  page.lastFrame = player.state.isPlaying ? now : 0;
  player.tick(elapsed);
  watchPace(elapsed);
  view.update();
  if (page.isTimeDirty) showTime();
  if (page.isTimeDirty || page.isDirty) view.render(player.state.time);
  page.isTimeDirty = page.isDirty = false;
  if (player.state.isPlaying) invalidate();
}

// Without a graphics card shadows are half the work. They come back when playback stops.
function watchPace(elapsed) {
  if (elapsed > 0) page.pace = 0.8*page.pace + 0.2*Math.min(elapsed, 0.3);
  if (page.pace > SLOW_FRAME) page.isSlow = true;
  view.setDraft(page.isSlow && player.state.isPlaying);
}

function showTime() {
  if (!page.results) return;
  const { time, speed, isPlaying, isLooping } = player.state;
  const at = bracket(page.results.times, time);
  timeline.setTime(time);
  plots.setTime(time);
  events.setTime(time);
  contacts.setTime(time);
  bodyList.setTime(at);
  if (document.activeElement !== $('time')) $('time').value = timeText(time, speed);
  setText($('sample-text'), page.results.count > 0 ? `sample ${at.i + 1} of ${page.results.count}` : 'no samples');
  $('play').querySelector('use').setAttribute('href', isPlaying ? '#i-pause' : '#i-play');
  $('loop').ariaPressed = String(isLooping);
  $('speed').value = String(nearestSpeed(speed));
  setText($('speed-text'), `${speed}×`);
}

// ---- stepping

function stepSample(n) {
  if (!page.results?.count) return;
  player.pause();
  const { times, count } = page.results;
  const { i, s } = bracket(times, player.state.time);
  // Between two samples, "previous" is the one just passed.
  const target = n < 0 && s > 0 ? i + n + 1 : i + n;
  seek(times[Math.max(0, Math.min(count - 1, skipEqual(times, target, n)))]);
}

// Two samples at one instant: stepping back from the later one must not stay there.
function skipEqual(times, target, n) {
  let k = target;
  while (n < 0 && k > 0 && times[k] >= player.state.time) k--;
  return k;
}

function stepEvent(direction) {
  const list = page.results?.events ?? [];
  const t = player.state.time;
  const next = direction > 0 ? list.find((e) => e.time > t + SAME_TIME) : list.findLast((e) => e.time < t - SAME_TIME);
  player.pause();
  if (next) seek(next.time);
}

// ---- saving

async function savePng() {
  const blob = await view.snapshot(player.state.time);
  if (blob) saveFile(`${fileStem()}-${timeText(player.state.time)}s.png`, blob);
}

function saveCsv() {
  const [from, to] = plots.window ?? [player.state.begin, player.state.end];
  const text = csvTable(page.results.times, plots.shownQuantities(), from, to);
  saveFile(`${fileStem()}.csv`, new Blob([text], { type: 'text/csv' }));
}

function fileStem() {
  return page.results.head.name.replace(/[^\w.-]+/g, '_');
}

// ---- controls

const actions = {
  toggle: () => { player.toggle(); if (!player.state.isPlaying) hash.keep(player.state.time); },
  previousSample: () => stepSample(-1),
  nextSample: () => stepSample(1),
  back10: () => stepSample(-10),
  forward10: () => stepSample(10),
  previousEvent: () => stepEvent(-1),
  nextEvent: () => stepEvent(1),
  first: () => seek(player.state.begin),
  last: () => seek(player.state.end),
  slower: () => player.shiftSpeed(-1),
  faster: () => player.shiftSpeed(1),
  realTime: () => player.setSpeed(1),
  loop: () => player.setLooping(!player.state.isLooping),
  fitRun: view.fitRun,
  fitNow: () => view.fitNow(player.state.time),
  lookX: () => view.lookAlong('x'),
  lookY: () => view.lookAlong('y'),
  lookZ: () => view.lookAlong('z'),
  lookIso: () => view.lookAlong('iso'),
  followNext: tools.followNext,
  forces: () => tools.toggle('forces'),
  pressure: () => tools.toggle('pressure'),
  normals: () => tools.toggle('normals'),
  joints: () => tools.toggle('joints'),
  trails: () => tools.toggle('trails'),
  labels: () => tools.toggle('labels'),
  values: () => tools.toggleBox('force-values'),
  seeThrough: () => tools.toggleBox('see-through'),
  standIns: () => tools.toggleBox('stand-ins'),
  theme: () => theme.next(),
  addPlot: () => { const plot = plots.add(); picker.open(plot, plot.element.querySelector('[data-testid="add-curve"]')); },
  resetZoom: () => plots.setWindow(null),
  open: () => $('file-input').click(),
  savePng,
  help: () => $('help').showModal(),
};

const BUTTONS = {
  'first': 'first', 'last': 'last', 'play': 'toggle', 'loop': 'loop', 'speed-text': 'realTime',
  'prev-event': 'previousEvent', 'next-event': 'nextEvent', 'prev-sample': 'previousSample', 'next-sample': 'nextSample',
  'reset-zoom': 'resetZoom', 'add-plot': 'addPlot', 'save-png': 'savePng', 'show-help': 'help',
};

function bindControls() {
  for (const [id, action] of Object.entries(BUTTONS)) $(id).addEventListener('click', () => actions[action]());
  $('save-csv').addEventListener('click', saveCsv);
  $('close-help').addEventListener('click', () => $('help').close());
  $('landing-back').addEventListener('click', () => { $('landing').hidden = true; });
  $('speed').max = String(SPEEDS.length - 1);
  $('speed').addEventListener('input', () => player.setSpeed(SPEEDS[$('speed').value]));
  $('time').addEventListener('change', seekTyped);
  for (const tab of document.querySelectorAll('[role="tab"]')) tab.addEventListener('click', () => selectTab(tab));
  // After a click with the mouse the keyboard belongs to the page again: Space plays, arrows step.
  document.addEventListener('click', (e) => {
    if (e.detail > 0) e.target.closest('button, input[type="range"], input[type="checkbox"]')?.blur();
  });
  bindSplitters();
  bindKeys(actions);
  fillHelp($('help-body'));
}

function seekTyped() {
  seek(Number($('time').value.replace('−', '-').replace(',', '.')));
  $('time').blur();
}

function selectTab(chosen) {
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    tab.ariaSelected = String(tab === chosen);
    $(`tab-${tab.dataset.tab}`).hidden = tab !== chosen;
  }
  page.isTimeDirty = true;
  invalidate();
}

// ---- for tests and scripts; documented in docs/viewer.md

function publish(ready) {
  window.carom = {
    ready,
    get time() { return player.state.time; },
    set time(t) { seek(t); },
    play: () => player.play(),
    pause: () => player.pause(),
    isPlaying: () => player.state.isPlaying,
    get speed() { return player.state.speed; },
    set speed(s) { player.setSpeed(s); },
    value: (name) => valueNow(name),
    columns: () => [...page.quantities.values()].map(({ name, unit, derived }) => ({ name, unit, derived })),
    events: () => (page.results?.events ?? []).map((e) => ({ ...e })),
    patches: () => patchesNow(),
    sampleCount: () => page.results?.count ?? 0,
    framesRendered: () => view.frames,
    open: (bytes, name = '') => openBytes(new Uint8Array(bytes), name),
  };
}

function valueNow(name) {
  const quantity = page.quantities.get(name);
  if (!quantity) throw new Error(`there is no column "${name}"`);
  return valueAt(quantity, page.results.times, player.state.time);
}

function patchesNow() {
  const list = page.results ? patchesAt(page.results, bracket(page.results.times, player.state.time)) : [];
  return list.map((patch) => ({
    pair: patch.pair, polygons: patch.counts.length, points: patch.points.length/7, pressure: largestPressure([patch]), force: pressedWith(patch),
  }));
}

function start() {
  bindControls();
  bindFiles(openBytes);
  theme.apply();
  openEmbedded();
}

// Ready when the first picture is on the screen.
publish(new Promise((resolve) => {
  start();
  invalidate();
  requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
}));
