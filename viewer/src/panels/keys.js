// keys.js -- keyboard shortcuts, and the help that lists them. One table for both, so that they cannot disagree.

import { $, make } from './dom.js';

// [section, shown keys, what, { key: action name }]; keys are those of KeyboardEvent, with S- for Shift.
const SHORTCUTS = [
  ['Time', 'Space', 'play or pause', { ' ': 'toggle' }],
  ['Time', '← →', 'previous, next sample', { ArrowLeft: 'previousSample', ArrowRight: 'nextSample' }],
  ['Time', 'Shift ← →', 'previous, next 10th sample', { 'S-ArrowLeft': 'back10', 'S-ArrowRight': 'forward10' }],
  ['Time', '[ ]', 'previous, next event', { '[': 'previousEvent', ']': 'nextEvent' }],
  ['Time', ', .', 'the same, where [ ] are hard to reach', { ',': 'previousEvent', '.': 'nextEvent' }],
  ['Time', 'Home End', 'start, end', { Home: 'first', End: 'last' }],
  ['Time', '− +', 'slower, faster', { '-': 'slower', '+': 'faster', '=': 'faster' }],
  ['Time', '1', 'real time', { 1: 'realTime' }],
  ['Time', 'L', 'loop over what the plots show', { l: 'loop' }],
  ['View', 'F', 'fit the whole run', { f: 'fitRun' }],
  ['View', 'Shift F', 'fit what is there now', { 'S-F': 'fitNow' }],
  ['View', 'X Y Z I', 'look along an axis, from the corner', { x: 'lookX', y: 'lookY', z: 'lookZ', i: 'lookIso' }],
  ['View', 'N', 'follow the next body', { n: 'followNext' }],
  ['Show', 'C', 'contact points and forces', { c: 'forces' }],
  ['Show', 'A', 'pressure over the faces that touch', { a: 'pressure' }],
  ['Show', 'V', 'values of forces and gaps', { v: 'values' }],
  ['Show', 'G', 'normals and nearest points', { g: 'normals' }],
  ['Show', 'J', 'joints and springs', { j: 'joints' }],
  ['Show', 'T', 'trails', { t: 'trails' }],
  ['Show', 'B', 'names of bodies and joints', { b: 'labels' }],
  ['Show', 'H', 'see-through bodies', { h: 'seeThrough' }],
  ['Show', 'M', 'what touches in place of meshes', { m: 'standIns' }],
  ['Show', 'D', 'theme: auto, light, dark', { d: 'theme' }],
  ['Plots', 'P', 'add a plot', { p: 'addPlot' }],
  ['Plots', 'R', 'whole run in all plots', { r: 'resetZoom' }],
  ['File', 'O', 'open a .carom file', { o: 'open' }],
  ['File', 'S', 'save the picture as PNG', { s: 'savePng' }],
  ['File', '?', 'this help', { '?': 'help' }],
];

const MOUSE = [
  ['Mouse in the view', 'drag', 'turn'],
  ['Mouse in the view', 'right drag', 'shift'],
  ['Mouse in the view', 'wheel', 'zoom to the pointer'],
  ['Mouse in a plot', 'click', 'go to that time'],
  ['Mouse in a plot', 'drag, wheel', 'zoom'],
  ['Mouse in a plot', 'Shift wheel', 'shift'],
  ['Mouse in a plot', 'double click', 'whole run'],
];

export function bindKeys(actions) {
  const table = new Map(SHORTCUTS.flatMap(([, , , keys]) => Object.entries(keys)));
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || isTyping(e.target) || $('help').open) return;
    const action = table.get(e.shiftKey ? `S-${e.key}` : e.key) ?? table.get(e.key);
    // Space on a focused button presses that button; that must not also play.
    if (!action || (e.key === ' ' && e.target.closest?.('button'))) return;
    e.preventDefault();
    actions[action]();
  });
}

function isTyping(target) {
  return target.matches?.('input:not([type="checkbox"]), select, textarea');
}

export function fillHelp(panel) {
  const rows = [...SHORTCUTS, ...MOUSE];
  const sections = [...new Set(rows.map(([section]) => section))];
  panel.replaceChildren(...sections.map((title) => make('section', {}, make('h2', {}, title),
    make('table', {}, ...rows.filter(([section]) => section === title).map(helpRow)))));
}

function helpRow([, keys, what, isKeyboard]) {
  const caps = isKeyboard ? keys.split(' ').flatMap((key) => [make('kbd', {}, key), ' ']) : [keys];
  return make('tr', {}, make('td', {}, ...caps), make('td', {}, what));
}
