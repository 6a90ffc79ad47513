// contacts.js -- a strip for each contact: free, touching, sliding or sticking over time, with a mark for each impact. It shows the part of the
// run that the plots show. Only the rows in sight exist: there may be thousands.

import { contactRows, spanAt } from '../modes.js';
import { plainUnit, timeText } from '../format.js';
import { make, setText } from './dom.js';

const ROW = 28; // px, as in style.css
const HIT_WIDTH = 1.5; // px
const NEAR = 4; // px; so near to an impact the pointer means it
const NAMES = { free: 'free', touching: 'touching', sliding: 'sliding', sticking: 'sticking or rolling' };
const SHORT = { ...NAMES, sticking: 'no slip' };

export function makeContacts(panel, onSeek) {
  const head = make('div', { className: 'contact-head' });
  const body = make('div', { className: 'contact-body', dataset: { testid: 'contact-rows' } });
  const spacer = make('div');
  const line = make('div', { className: 'strip-now' });
  const panelState = { panel, head, body, spacer, line, shown: new Map(), rows: [], begin: 0, end: 0, window: null, time: 0, theme: null, onSeek };
  body.append(spacer, line);
  panel.replaceChildren(make('div', { className: 'contacts' }, head, body));
  body.addEventListener('scroll', () => draw(panelState));
  new ResizeObserver(() => redraw(panelState)).observe(body);
  return {
    load: (results, begin, end) => load(panelState, results, begin, end),
    setTheme: (theme) => { panelState.theme = theme; redraw(panelState); },
    setWindow: (window) => { panelState.window = window; redraw(panelState); },
    setTime: (t) => { panelState.time = t; showTime(panelState); },
    get rows() { return panelState.rows; },
  };
}

function load(p, results, begin, end) {
  Object.assign(p, { rows: contactRows(results, begin, end), begin, end, window: null });
  p.head.replaceChildren(...legend(p.rows));
  p.spacer.style.height = `${p.rows.length*ROW}px`;
  p.spacer.textContent = p.rows.length === 0 ? 'Nothing touched anything in this run.' : '';
  p.spacer.className = p.rows.length === 0 ? 'empty' : '';
  p.body.scrollTop = 0;
  redraw(p);
}

// Of what there is in this run.
function legend(rows) {
  const modes = Object.keys(NAMES).filter((mode) => mode !== 'free' && rows.some((row) => row.spans.some((span) => span.mode === mode)));
  const entry = (className, text) => make('span', {}, make('i', { className }), text);
  return [
    ...modes.map((mode) => entry(`band ${mode}`, NAMES[mode])),
    ...(rows.some((row) => row.hits.length > 0) ? [entry('tick', 'impact')] : []),
  ];
}

// ---- rows

function redraw(p) {
  for (const row of p.shown.values()) row.element.remove();
  p.shown.clear();
  draw(p);
  showTime(p);
}

function draw(p) {
  const { body, shown, rows } = p;
  const first = Math.max(0, Math.floor(body.scrollTop/ROW) - 3);
  const last = Math.min(rows.length - 1, Math.ceil((body.scrollTop + body.clientHeight)/ROW) + 3);
  for (const [k, row] of shown) if (k < first || k > last) { row.element.remove(); shown.delete(k); }
  for (let k = first; k <= last; k++) if (!shown.has(k)) addRow(p, k);
}

function addRow(p, k) {
  const row = p.rows[k];
  const canvas = make('canvas', { className: 'strip', dataset: { testid: `strip-${k}` } });
  const now = make('span', { className: 'mode', dataset: { testid: `mode-${k}` } });
  const element = make('div', { className: 'contact-row', dataset: { testid: `contact-${k}` } }, make('span', { title: row.name }, row.name), canvas, now);
  element.style.top = `${k*ROW}px`;
  canvas.addEventListener('click', (e) => p.onSeek(timeAt(p, canvas, e)));
  canvas.addEventListener('pointermove', (e) => { canvas.title = meaning(p, row, canvas, e); });
  p.shown.set(k, { element, canvas, now });
  p.body.append(element);
  drawStrip(p, row, canvas);
  showMode(p, row, now);
}

const range = (p) => p.window ?? [p.begin, p.end];

function timeAt(p, canvas, e) {
  const box = canvas.getBoundingClientRect();
  const [from, to] = range(p);
  const t = from + (to - from)*Math.min(1, Math.max(0, (e.clientX - box.left)/box.width));
  return nearestHit(p, rowOf(p, canvas), t, (to - from)*NEAR/box.width)?.time ?? t;
}

const rowOf = (p, canvas) => p.rows[[...p.shown].find(([, row]) => row.canvas === canvas)[0]];

function nearestHit(p, row, t, within) {
  const near = row.hits.filter((hit) => Math.abs(hit.time - t) <= within);
  return near.sort((a, b) => Math.abs(a.time - t) - Math.abs(b.time - t))[0] ?? null;
}

function meaning(p, row, canvas, e) {
  const t = timeAt(p, canvas, e);
  const hit = row.hits.find((h) => h.time === t);
  if (hit) return `${row.name}: ${hit.kind} at ${timeText(hit.time)} s${Number.isFinite(hit.speed) ? `, ${plainUnit(hit.speed, 'm/s')}` : ''}`;
  const span = spanAt(row, t);
  return span ? `${row.name}: ${NAMES[span.mode]} from ${timeText(span.from)} s to ${timeText(span.to)} s` : row.name;
}

// ---- the strip

function drawStrip(p, row, canvas) {
  const ratio = window.devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!p.theme || width === 0) return;
  canvas.width = Math.round(width*ratio);
  canvas.height = Math.round(height*ratio);
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  const [from, to] = range(p);
  const x = (t) => to > from ? (t - from)/(to - from)*width : 0;
  pen.fillStyle = p.theme.raised;
  pen.fillRect(0, 0, width, height);
  drawSpans(p, row, pen, x, width, height);
  pen.fillStyle = p.theme.impact;
  for (const hit of row.hits) if (hit.time >= from && hit.time <= to) pen.fillRect(Math.min(x(hit.time), width - HIT_WIDTH), 0, HIT_WIDTH, height);
  pen.strokeStyle = p.theme.line;
  pen.strokeRect(0.5, 0.5, width - 1, height - 1);
}

// Free is the line in the middle that is left. A band that is narrower than a pixel is drawn as one.
function drawSpans(p, row, pen, x, width, height) {
  pen.fillStyle = p.theme.line;
  pen.fillRect(0, height/2 - 0.5, width, 1);
  for (const span of row.spans) {
    const left = Math.max(0, x(span.from));
    const right = Math.min(width, Math.max(x(span.to), left + 1));
    if (span.mode === 'free' || right <= 0 || left >= width) continue;
    pen.fillStyle = p.theme[span.mode];
    pen.fillRect(left, 3, right - left, height - 6);
  }
}

// ---- time

function showTime(p) {
  const [from, to] = range(p);
  const canvas = p.shown.values().next().value?.canvas;
  const isSeen = canvas && to > from && p.time >= from && p.time <= to;
  p.line.hidden = !isSeen;
  if (isSeen) {
    p.line.style.height = `${p.rows.length*ROW}px`;
    p.line.style.transform = `translateX(${canvas.offsetLeft + (p.time - from)/(to - from)*canvas.clientWidth - 1}px)`;
  }
  for (const [k, row] of p.shown) showMode(p, p.rows[k], row.now);
}

function showMode(p, row, now) {
  const mode = spanAt(row, p.time)?.mode ?? 'free';
  setText(now, SHORT[mode]);
  now.className = `mode ${mode}`;
}
