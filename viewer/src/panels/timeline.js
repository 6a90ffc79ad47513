// timeline.js -- the scrubber: the whole run, with marks at events, bands while something touches, and the part the
// plots show.

import { niceBelow, tickText, timeText } from '../format.js';

const SCALE_HEIGHT = 14; // px, below the track
const BAND_HEIGHT = 5; // px
const TICK_SPACING = 90; // px
const BEGINS = new Set(['touch', 'limit', 'land']);
const INSTANTS = new Set(['impact', 'jam']);

export function makeTimeline(element, onSeek) {
  const canvas = element.querySelector('canvas');
  const line = {
    element, canvas, playhead: element.querySelector('#playhead'),
    begin: 0, end: 0, time: 0, events: [], bands: [], window: null, theme: null,
  };
  const seekTo = (e) => {
    const box = canvas.getBoundingClientRect();
    onSeek(line.begin + (line.end - line.begin)*Math.min(1, Math.max(0, (e.clientX - box.left)/box.width)));
  };
  element.addEventListener('pointerdown', (e) => { element.setPointerCapture(e.pointerId); seekTo(e); });
  element.addEventListener('pointermove', (e) => { if (element.hasPointerCapture(e.pointerId)) seekTo(e); });
  new ResizeObserver(() => { draw(line); setTime(line, line.time); }).observe(element);
  return {
    load: (begin, end, events, contacts) => { // contacts: rows of modes.js
      Object.assign(line, { begin, end, events, bands: contacts.flatMap(({ spans }) => spans.filter((span) => span.mode !== 'free')), window: null });
      draw(line);
    },
    setTheme: (theme) => { line.theme = theme; draw(line); },
    setWindow: (window) => { line.window = window; draw(line); },
    setTime: (t) => setTime(line, t),
  };
}

function setTime(line, t) {
  line.time = t;
  const { element, playhead } = line;
  playhead.style.transform = `translateX(${xOf(line, t, element.clientWidth) - 1}px)`;
  element.setAttribute('aria-valuemin', line.begin);
  element.setAttribute('aria-valuemax', line.end);
  element.setAttribute('aria-valuenow', t);
  element.setAttribute('aria-valuetext', `${timeText(t)} s`);
}

function xOf(line, t, width) {
  return line.end > line.begin ? (t - line.begin)/(line.end - line.begin)*width : 0;
}

function draw(line) {
  const { canvas, theme } = line;
  const ratio = window.devicePixelRatio;
  const width = line.element.clientWidth;
  const height = line.element.clientHeight;
  if (!theme || width === 0) return;
  canvas.width = Math.round(width*ratio);
  canvas.height = Math.round(height*ratio);
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  drawTrack(line, pen, width, height - SCALE_HEIGHT);
  drawScale(line, pen, width, height);
}

function drawTrack(line, pen, width, height) {
  const { theme } = line;
  const x = (t) => xOf(line, t, width);
  const top = 4;
  pen.fillStyle = theme.raised;
  pen.fillRect(0, top, width, height - top);
  pen.fillStyle = theme['in-contact'];
  // Impacts are far narrower than a pixel; they are drawn as one.
  for (const { from, to } of line.bands) pen.fillRect(x(from), height - BAND_HEIGHT, Math.max(1, x(to) - x(from)), BAND_HEIGHT);
  for (const e of line.events) {
    pen.fillStyle = theme[e.kind] ?? theme.faint;
    // What begins on the upper part, what ends on the lower: an impact shows both although they share a pixel. That of rigid bodies is one event.
    const isUpper = BEGINS.has(e.kind) || INSTANTS.has(e.kind);
    const isWhole = INSTANTS.has(e.kind);
    pen.fillRect(Math.round(x(e.time)) - 0.5, isUpper ? top : top + (height - top)/2, 1.5, isWhole ? height - top : (height - top)/2);
  }
  pen.strokeStyle = theme.line;
  pen.strokeRect(0.5, top + 0.5, width - 1, height - top - 1);
  if (!line.window) return;
  const [from, to] = line.window.map(x);
  pen.strokeStyle = theme.accent;
  pen.strokeRect(Math.max(0.5, Math.floor(from) - 0.5), top + 0.5, Math.max(2, Math.ceil(to - from)), height - top - 1);
}

function drawScale(line, pen, width, height) {
  const { begin, end, theme } = line;
  if (!(end > begin)) return;
  const step = niceAbove((end - begin)*TICK_SPACING/width);
  pen.fillStyle = theme.faint;
  pen.font = `11px ${getComputedStyle(line.element).fontFamily}`;
  pen.textBaseline = 'bottom';
  for (let k = Math.ceil(begin/step - 1e-9); k*step <= end + 1e-9*step; k++) {
    const x = xOf(line, k*step, width);
    const text = `${tickText(k*step, step)} s`;
    const room = pen.measureText(text).width;
    pen.fillRect(Math.min(width - 1, Math.round(x)), height - SCALE_HEIGHT, 1, 3);
    pen.fillText(text, Math.min(width - room, Math.max(0, x - room/2)), height + 1);
  }
}

function niceAbove(x) {
  const below = niceBelow(x);
  return below >= x*(1 - 1e-9) ? below : niceBelow(below*2.5*(1 + 1e-9));
}
