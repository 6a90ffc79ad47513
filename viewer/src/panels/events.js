// events.js -- table of events: contacts, and limits of joints. Only the rows in sight exist: a rattling part makes tens of thousands.

import { locate } from '../interpolate.js';
import { plain, plainUnit, timeText } from '../format.js';
import { make } from './dom.js';

const ROW = 24; // px, as in style.css
const OTHERS_VISIBLE = 0.01; // between e asked and measured; the summary of `carom run` draws the line there too
const OTHERS = 'weight, turning, friction or other contacts acted, or the damping is a fit';
const KINDS = { touch: 'touch', separation: 'separation', limit: 'limit', limit_left: 'limit left' };
const headings = (hasLimits) => [
  ['Time [s]', 'number'],
  ['Event', ''],
  [hasLimits ? 'Pair or joint' : 'Pair', ''],
  ['v', 'number', 'Normal speed: of approach for a touch, of parting for a separation [m/s]; '
    + 'at a limit the rate of the coordinate [m/s or rad/s]'],
  ['e asked', 'number', 'Coefficient of restitution asked for'],
  ['measured', 'number', 'Coefficient of restitution measured: parting speed over approach speed. '
    + `Where it differs from the one asked for (*), ${OTHERS}`],
];

export function makeEvents(panel, onSeek) {
  const body = make('div', { className: 'event-body', dataset: { testid: 'event-table' } });
  const spacer = make('div');
  const head = make('div', { className: 'event-row event-head' });
  const foot = make('div', { className: 'event-foot', dataset: { testid: 'event-foot' }, hidden: true }, `* ${OTHERS}`);
  const table = { head, body, foot, spacer, rows: new Map(), events: [], times: new Float64Array(0), placeOf: null, current: -1, onSeek };
  body.append(spacer);
  panel.replaceChildren(make('div', { className: 'events' }, head, body, foot));
  body.addEventListener('scroll', () => draw(table));
  new ResizeObserver(() => draw(table)).observe(body);
  return {
    load: (results) => load(table, results),
    setTime: (t) => setTime(table, t),
  };
}

function heading(events) {
  const hasLimits = events.some((e) => e.kind === 'limit');
  return headings(hasLimits).map(([text, className, title = '']) => make('span', { className, title }, text));
}

function load(table, { events, head, columns }) {
  Object.assign(table, { events, placeOf: (event) => placeOf(head, columns, event), times: Float64Array.from(events, (e) => e.time), current: -1 });
  table.head.replaceChildren(...heading(events));
  table.foot.hidden = !events.some(isOfOthersToo);
  for (const row of table.rows.values()) row.remove();
  table.rows.clear();
  table.spacer.style.height = `${events.length*ROW}px`;
  table.spacer.textContent = events.length === 0 ? 'Nothing began or ceased to touch, and no joint reached a limit in this run.' : '';
  table.spacer.className = events.length === 0 ? 'empty' : '';
  table.body.scrollTop = 0;
  draw(table);
}

function draw(table) {
  const { body, rows, events } = table;
  const first = Math.max(0, Math.floor(body.scrollTop/ROW) - 5);
  const last = Math.min(events.length - 1, Math.ceil((body.scrollTop + body.clientHeight)/ROW) + 5);
  for (const [k, row] of rows) if (k < first || k > last) { row.remove(); rows.delete(k); }
  for (let k = first; k <= last; k++) if (!rows.has(k)) addRow(table, k);
}

function addRow(table, k) {
  const event = table.events[k];
  const dataset = { testid: `event-${k}`, time: event.time };
  const row = make('div', { className: 'event-row', title: details(event, table.placeOf(event)), dataset }, ...cells(table, event));
  row.style.top = `${k*ROW}px`;
  row.classList.toggle('current', k === table.current);
  row.addEventListener('click', () => table.onSeek(event.time));
  table.rows.set(k, row);
  table.body.append(row);
}

function cells(table, event) {
  const kind = event.kind in KINDS ? event.kind : 'other';
  const number = (text, ...more) => make('span', { className: 'number' }, text, ...more);
  const ratio = (value) => Number.isFinite(value) ? plain(Number(value.toFixed(4)), 4) : '';
  const { name, unit } = table.placeOf(event);
  return [
    number(timeText(event.time)),
    make('span', {}, make('i', { className: `mark ${kind}` }), KINDS[event.kind] ?? String(event.kind)),
    make('span', {}, name),
    number(Number.isFinite(event.speed) ? plainUnit(event.speed, `${unit}/s`) : ''),
    number(ratio(event.asked_restitution)),
    number(ratio(event.restitution), make('sup', {}, isOfOthersToo(event) ? '*' : '')),
  ];
}

// Not an error of the run: a weight that rolls off an edge while a slow impact lasts parts faster than it came.
// A law of one's own asks for no restitution.
function isOfOthersToo(event) {
  return Number.isFinite(event.asked_restitution) && Math.abs(event.restitution - event.asked_restitution) > OTHERS_VISIBLE;
}

const FIELDS = { asked_restitution: 'e asked', restitution: 'e measured' };

// Name of the pair, or of the joint and its coordinate; and the unit in which it comes near. The coordinates of a joint
// are the first of its columns.
function placeOf(head, columns, event) {
  const joint = head.joints[event.joint];
  if (!joint) return { name: head.pairs[event.pair]?.name ?? '', unit: 'm' };
  const start = `joints.${joint.name}.`;
  const column = columns.filter((c) => c.name.startsWith(start))[event.coordinate ?? 0];
  return { name: column ? column.name.slice('joints.'.length) : joint.name, unit: column?.unit || 'm' };
}

// Everything, with more digits: what the row has no room for too.
function details(event, { name, unit }) {
  const impulse = unit === 'rad' ? 'N m s' : 'N s';
  const fields = [['speed', `${unit}/s`], ['asked_restitution', ''], ['restitution', ''], ['duration', 's'],
    ['approach_speed', `${unit}/s`], ['depth', unit], ['impulse', impulse]];
  const parts = fields.filter(([field]) => Number.isFinite(event[field]))
    .map(([field, of]) => `${FIELDS[field] ?? field.replace('_', ' ')} ${plainUnit(event[field], of, 5)}`);
  const others = isOfOthersToo(event) ? `\n* ${OTHERS}` : '';
  return `${name}: ${KINDS[event.kind] ?? event.kind} at ${timeText(event.time)} s\n${parts.join(', ')}${others}`;
}

// The current event is the last one that has happened.
function setTime(table, t) {
  const k = table.times.length > 0 && t >= table.times[0] ? locate(table.times, t) : -1;
  if (k === table.current) return;
  table.rows.get(table.current)?.classList.remove('current');
  table.current = k;
  table.rows.get(k)?.classList.add('current');
  if (k >= 0 && !table.body.matches(':hover')) keepInSight(table.body, k);
}

function keepInSight(body, k) {
  const top = k*ROW;
  if (top < body.scrollTop || top + ROW > body.scrollTop + body.clientHeight) body.scrollTop = top - 0.5*body.clientHeight;
}
