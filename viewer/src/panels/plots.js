// plots.js -- the stack of plots. All share one time axis, the hover cursor and the line at the current time.
//
// A chart is made anew when its curves or the theme change; moving in time only moves a line and writes the legend,
// so that playing does not redraw 1e5 samples sixty times a second.

import uPlot from 'uplot';
import { curveColour } from '../colours.js';
import { prefixFor, tickText, withUnit } from '../format.js';
import { shortName, valueAt } from '../quantities.js';
import { make, setText } from './dom.js';

const AXIS_WIDTH = 64; // the same for all plots: their time axes are aligned
const CLICK_DISTANCE = 4; // px; a longer way is a drag
const CLOSEST_ZOOM = 1e-12; // of the run

export function makePlots(list, { onSeek, onWindow, onPick }) {
  const stack = {
    list, onSeek, onWindow, onPick,
    plots: [], active: null, window: null, time: 0, data: null, theme: null,
    isSyncing: false, // true while a chart is told its window, which it then reports back
  };
  new ResizeObserver(() => fitCharts(stack)).observe(list);
  return {
    load: (data) => load(stack, data),
    setTheme: (theme) => { stack.theme = theme; stack.plots.forEach((plot) => drawChart(stack, plot)); },
    setTime: (t) => { stack.time = t; stack.plots.forEach((plot) => showTime(stack, plot)); },
    setWindow: (window) => setWindow(stack, window),
    get window() { return stack.window; },
    get plots() { return stack.plots; },
    get active() { return stack.active; },
    add: (names = []) => addPlot(stack, names),
    toggleCurve: (plot, name) => toggleCurve(stack, plot, name),
    shownQuantities: () => [...new Set(stack.plots.flatMap((p) => p.curves.map((c) => c.quantity)))],
  };
}

// data: { times, quantities, bodies, colours, plots: [[name, ...], ...] }
function load(stack, data) {
  for (const plot of [...stack.plots]) removePlot(stack, plot);
  Object.assign(stack, { data, window: null });
  for (const names of data.plots) addPlot(stack, names);
}

function addPlot(stack, names) {
  const legend = make('div', { className: 'legend' });
  const chart = make('div', { className: 'chart' });
  const element = make('div', { className: 'plot', dataset: { testid: 'plot' } }, legend, chart);
  const plot = { element, legend, holder: chart, curves: [], chart: null, line: null };
  element.addEventListener('pointerdown', () => activate(stack, plot));
  stack.plots.push(plot);
  stack.list.append(element);
  for (const name of names) addCurve(stack, plot, name);
  activate(stack, plot);
  redraw(stack, plot);
  fitCharts(stack);
  return plot;
}

function removePlot(stack, plot) {
  plot.chart?.destroy();
  plot.element.remove();
  stack.plots = stack.plots.filter((p) => p !== plot);
  if (stack.active === plot) activate(stack, stack.plots.at(-1) ?? null);
  fitCharts(stack);
}

function activate(stack, plot) {
  stack.active = plot;
  for (const p of stack.plots) p.element.classList.toggle('active', p === plot && stack.plots.length > 1);
}

// Curves of one plot share its axis, so their units must agree: another unit opens a plot of its own.
function toggleCurve(stack, plot, name) {
  const quantity = stack.data?.quantities.get(name);
  if (!quantity) return plot;
  const at = plot ? plot.curves.findIndex((c) => c.quantity === quantity) : -1;
  if (at >= 0) { removeCurve(stack, plot, at); return plot; }
  if (!plot || (plot.curves.length > 0 && unitOf(plot) !== quantity.unit)) return addPlot(stack, [name]);
  addCurve(stack, plot, name);
  redraw(stack, plot);
  return plot;
}

export function unitOf(plot) {
  return plot.curves[0]?.quantity.unit ?? null;
}

function addCurve(stack, plot, name) {
  const { quantities, bodies, colours } = stack.data;
  const quantity = quantities.get(name);
  if (!quantity) return;
  plot.curves.push({ quantity, colour: curveColour(name, bodies, colours, plot.curves.map((c) => c.colour)) });
}

function removeCurve(stack, plot, index) {
  plot.curves.splice(index, 1);
  redraw(stack, plot);
}

function redraw(stack, plot) {
  drawLegend(stack, plot);
  drawChart(stack, plot);
}

function drawLegend(stack, plot) {
  const items = plot.curves.map((curve, index) => legendItem(stack, plot, curve, index));
  const add = make('button', { title: 'Add or remove curves', dataset: { testid: 'add-curve' } }, '+');
  add.addEventListener('click', () => stack.onPick(plot, add));
  const close = make('button', { title: 'Remove this plot', dataset: { testid: 'remove-plot' } }, '×');
  close.addEventListener('click', () => removePlot(stack, plot));
  plot.legend.replaceChildren(make('span', { className: 'tools' }, add, close), ...items);
}

function legendItem(stack, plot, curve, index) {
  curve.value = make('b', { dataset: { testid: `value:${curve.quantity.name}` } });
  // The colour mark is also the button: under the pointer it turns into a cross.
  const remove = make('button', { title: 'Remove this curve' }, '×');
  remove.style.setProperty('--curve', curve.colour);
  remove.addEventListener('click', () => removeCurve(stack, plot, index));
  const name = make('span', { className: 'name' }, shortName(curve.quantity.name));
  return make('span', { className: 'curve', title: curve.quantity.name }, remove, name, curve.value);
}

function drawChart(stack, plot) {
  plot.chart?.destroy();
  plot.chart = plot.line = null;
  plot.holder.replaceChildren();
  if (!stack.theme || !stack.data) return null;
  if (plot.curves.length === 0) return showMessage(plot, 'Press + to choose a quantity.');
  if (stack.data.times.length === 0) return showMessage(plot, 'The file has no samples.');
  const data = [stack.data.times, ...plot.curves.map((c) => c.quantity.data)];
  stack.isSyncing = true;
  plot.chart = new uPlot(chartOptions(stack, plot), data, plot.holder);
  stack.isSyncing = false;
  plot.line = make('div', { className: 'now-line' });
  plot.chart.over.append(plot.line);
  bindMouse(stack, plot.chart);
  if (stack.window) showWindow(stack, plot);
  return showTime(stack, plot);
}

function showMessage(plot, text) {
  plot.holder.append(make('p', { className: 'empty' }, text));
}

function chartOptions(stack, plot) {
  const { theme } = stack;
  const unit = unitOf(plot);
  const axis = { stroke: theme.faint, font: '11px system-ui, sans-serif', labelFont: '11px system-ui, sans-serif',
    grid: { stroke: theme.line, width: 1 }, ticks: { stroke: theme.line, width: 1, size: 4 } };
  return {
    ...chartSize(plot),
    legend: { show: false },
    pxAlign: false,
    padding: [8, 26, 0, 0],
    cursor: {
      sync: { key: 'carom', setSeries: false }, drag: { x: true, y: false, dist: CLICK_DISTANCE, setScale: true },
      points: { size: 6 }, y: false,
    },
    scales: { x: { time: false, range: timeRange }, y: { range: valueRange } },
    axes: [
      { ...axis, size: 24, gap: 3, space: 80, values: (_u, splits, _i, _s, step) => splits.map((v) => `${tickText(v, step)} s`) },
      { ...axis, size: AXIS_WIDTH - 16, gap: 4, labelSize: 16, labelGap: 0, space: 26, label: (u) => axisUnit(u, unit),
        values: (u, splits, _i, _s, step) => scaledTicks(splits, step, axisPrefix(u, unit).factor) },
    ],
    series: [{}, ...plot.curves.map((c) => ({ label: c.quantity.name, stroke: c.colour, width: 1.6, points: { size: 4 } }))],
    hooks: { setScale: [(u, key) => { if (key === 'x') takeWindow(stack, u); }] },
  };
}

function scaledTicks(splits, step, factor) {
  return splits.map((v) => tickText(v/factor, step/factor));
}

function axisPrefix(u, unit) {
  const { min, max } = u.scales.y;
  return prefixFor(Math.max(Math.abs(min), Math.abs(max)), unit);
}

function axisUnit(u, unit) {
  return unit ? `[${axisPrefix(u, unit).name}${unit}]` : '[–]';
}

function timeRange(_u, min, max) {
  return max > min ? [min, max] : [min - 0.5, min + 0.5];
}

// A little room above and below. A curve that is constant but for rounding must look constant.
function valueRange(_u, min, max) {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size === 0) return [-1, 1];
  const room = Math.max(0.06*(max - min), 1e-6*size);
  return [min - room, max + room];
}

function bindMouse(stack, chart) {
  let down = null;
  chart.over.addEventListener('pointerdown', (e) => { down = [e.clientX, e.clientY]; });
  chart.over.addEventListener('pointerup', (e) => {
    if (!down || e.button !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) >= CLICK_DISTANCE) return;
    stack.onSeek(chart.posToVal(e.clientX - chart.over.getBoundingClientRect().left, 'x'));
  });
  chart.over.addEventListener('wheel', (e) => { e.preventDefault(); wheel(stack, chart, e); }, { passive: false });
}

function wheel(stack, chart, e) {
  const { min, max } = chart.scales.x;
  // Browsers may already turn Shift and wheel into a sideways one.
  const across = e.shiftKey ? e.deltaY || e.deltaX : e.deltaX;
  const isShift = Math.abs(across) > Math.abs(e.shiftKey ? 0 : e.deltaY);
  if (isShift) return setWindow(stack, shifted(stack, min, max, 0.001*across*(max - min)));
  const centre = chart.posToVal(e.clientX - chart.over.getBoundingClientRect().left, 'x');
  const factor = 1.0015**e.deltaY;
  return setWindow(stack, [centre + (min - centre)*factor, centre + (max - centre)*factor]);
}

function shifted(stack, min, max, by) {
  const [begin, end] = wholeRange(stack);
  const step = Math.max(begin - min, Math.min(end - max, by));
  return [min + step, max + step];
}

function wholeRange(stack) {
  const { times } = stack.data;
  return timeRange(null, times[0], times[times.length - 1]);
}

function takeWindow(stack, chart) {
  if (stack.isSyncing) return;
  setWindow(stack, [chart.scales.x.min, chart.scales.x.max]);
}

// The one place where the shown part of the run changes; null is the whole run.
function setWindow(stack, window) {
  if (!stack.data || stack.data.times.length === 0) return;
  const [begin, end] = wholeRange(stack);
  const from = Math.max(begin, window?.[0] ?? begin);
  const to = Math.min(end, window?.[1] ?? end);
  if (!(to - from > CLOSEST_ZOOM*(end - begin))) return;
  stack.window = from <= begin && to >= end ? null : [from, to];
  stack.plots.forEach((plot) => showWindow(stack, plot));
  stack.onWindow(stack.window);
}

function showWindow(stack, plot) {
  if (!plot.chart) return;
  const [min, max] = stack.window ?? wholeRange(stack);
  stack.isSyncing = true;
  plot.chart.batch(() => plot.chart.setScale('x', { min, max }));
  stack.isSyncing = false;
  placeLine(stack, plot);
}

function showTime(stack, plot) {
  placeLine(stack, plot);
  for (const { quantity, value } of plot.curves) {
    const v = valueAt(quantity, stack.data.times, stack.time);
    setText(value, withUnit(v, quantity.unit));
    value.dataset.value = v;
  }
}

function placeLine(stack, plot) {
  if (!plot.line) return;
  const { min, max } = plot.chart.scales.x;
  plot.line.hidden = stack.time < min || stack.time > max;
  if (!plot.line.hidden) plot.line.style.transform = `translateX(${plot.chart.valToPos(stack.time, 'x') - 0.75}px)`;
}

function chartSize(plot) {
  return { width: Math.max(120, plot.holder.clientWidth), height: Math.max(60, plot.holder.clientHeight) };
}

function fitCharts(stack) {
  for (const plot of stack.plots) {
    if (!plot.chart) continue;
    const size = chartSize(plot);
    if (size.width === plot.chart.width && size.height === plot.chart.height) continue;
    plot.chart.setSize(size);
    placeLine(stack, plot);
  }
}
