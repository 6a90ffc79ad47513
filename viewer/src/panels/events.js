// events.js -- table of events: contacts, and limits of joints. Only the rows in sight exist: a rattling part makes tens of thousands.

import { locate } from '../interpolate.js';
import { placeOf } from '../modes.js';
import { plain, plainUnit, timeText } from '../format.js';
import { make } from './dom.js';

const ROW = 24; // px, as in style.css
const OTHERS_VISIBLE = 0.01; // between e asked and measured; the summary of `carom run` draws the line there too
const OTHERS = 'weight, turning, friction or other contacts acted, or the damping is a fit';
const KINDS = {
  touch: 'touch', separation: 'separation', limit: 'limit', limit_left: 'limit left',
  impact: 'impact', land: 'landing', slip: 'slips', stick: 'sticks', take_off: 'take-off', jam: 'jams',
};
const OTHERS_RIGID = 'others took part, or the law is not energetic';
const PATHS = { throughout: '→', sticks: '⇥', reverses: '⇄', pushed: '↦', jams: '✕' }; // behind the word impact: there is no room for more
const PATH_TEXTS = {
  throughout: 'slides throughout', sticks: 'slides, then sticks', reverses: 'slides, stops and slides back', pushed: 'is pushed to slide', jams: 'jams: friction presses on until it stops',
};
const headings = (hasLimits) => [
  ['Time [s]', 'number'],
  ['Event', ''],
  [hasLimits ? 'Pair or joint' : 'Pair', ''],
  ['v', 'number', 'Normal speed: of approach for a touch, of parting for a separation [m/s]; '
    + 'at a limit the rate of the coordinate [m/s or rad/s]'],
  ['e asked', 'number', 'Coefficient of restitution asked for'],
  ['measured', 'number', 'Coefficient of restitution measured: parting speed over approach speed. '
    + `Where it differs from the one asked for (*), ${OTHERS}. A contact that lasted beyond its impact has none`],
];

// Of rigid bodies: an instant has no duration and no depth, but a before and an after.
const rigidHeadings = (hasLimits) => [
  ['Time [s]', 'number'],
  ['Event', '', `Impacts with what the slip does meanwhile: ${pathLegend(Object.keys(PATHS))}`],
  [hasLimits ? 'Pair or joint' : 'Pair', ''],
  ['v → v′ [m/s]', 'number', 'Normal speeds of approach and of parting [m/s; of joints that turn rad/s]; of a contact that jams, of the slip'],
  ['e', 'number', `Restitution measured: root of the work that came back over the work that went in. Where it differs from the one asked for (*), ${OTHERS_RIGID}`],
  ['p [N s]', 'number', 'Normal impulse [N s]'],
  ['lost [J]', 'number', 'Energy lost along the normal and to friction [J]'],
];

// "slip → slides throughout, ⇥ sticks": of those that there are.
function pathLegend(paths) {
  const found = Object.keys(PATHS).filter((path) => paths.includes(path));
  return found.length > 0 ? `slip ${found.map((path) => `${PATHS[path]} ${path}`).join(', ')}` : '';
}

export function makeEvents(panel, onSeek) {
  const body = make('div', { className: 'event-body', dataset: { testid: 'event-table' } });
  const spacer = make('div');
  const head = make('div', { className: 'event-row event-head' });
  const foot = make('div', { className: 'event-foot', dataset: { testid: 'event-foot' }, hidden: true }, `* ${OTHERS}`);
  const table = { head, body, foot, spacer, rows: new Map(), events: [], times: new Float64Array(0), placeOf: null, current: -1, onSeek };
  body.append(spacer);
  table.element = make('div', { className: 'events' }, head, body, foot);
  panel.replaceChildren(table.element);
  body.addEventListener('scroll', () => draw(table));
  new ResizeObserver(() => draw(table)).observe(body);
  return {
    load: (results) => load(table, results),
    setTime: (t) => setTime(table, t),
  };
}

function heading(events, isRigid) {
  const hasLimits = events.some((e) => e.kind === 'limit' || e.joint >= 0);
  return (isRigid ? rigidHeadings : headings)(hasLimits).map(([text, className, title = '']) => make('span', { className, title }, text));
}

function load(table, results) {
  const { events } = results;
  const isRigid = events.some((e) => e.kind === 'impact') || results.head.settings.response === 'rigid';
  Object.assign(table, { events, isRigid, placeOf: (event) => placeOf(results, event), times: Float64Array.from(events, (e) => e.time), current: -1 });
  table.head.replaceChildren(...heading(events, isRigid));
  table.element.classList.toggle('rigid', isRigid);
  const notes = [isRigid ? pathLegend(events.map((e) => e.path)) : '', events.some(isOfOthersToo) ? `* ${isRigid ? OTHERS_RIGID : OTHERS}` : ''].filter(Boolean);
  Object.assign(table.foot, { textContent: notes.join(' · '), title: notes.join('\n'), hidden: notes.length === 0 });
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

const number = (text, ...more) => make('span', { className: 'number' }, text, ...more);
const ratio = (value) => Number.isFinite(value) ? plain(Number(value.toFixed(4)), 4) : '';

function cells(table, event) {
  const kind = event.kind in KINDS ? event.kind : 'other';
  const { name, unit } = table.placeOf(event);
  const slip = PATHS[event.path] ? ` ${PATHS[event.path]}` : '';
  const first = [
    number(timeText(event.time)),
    make('span', {}, make('i', { className: `mark ${kind}` }), (KINDS[event.kind] ?? String(event.kind)) + slip),
    make('span', {}, name),
  ];
  if (table.isRigid) return [...first, ...rigidCells(event)];
  return [
    ...first,
    number(Number.isFinite(event.speed) ? plainUnit(event.speed, `${unit}/s`) : ''),
    number(ratio(event.asked_restitution)),
    number(event.lasted ? 'lasted' : ratio(event.restitution), make('sup', {}, isOfOthersToo(event) ? '*' : '')),
  ];
}

const rebound = (event) => event.velocity_after && event.normal
  ? event.normal.reduce((sum, n, k) => sum + n*event.velocity_after[k], 0) : event.restitution*event.speed;
const lost = (event) => (event.lost_normal ?? NaN) + (event.lost_friction ?? 0);

function rigidCells(event) {
  const few = (value) => Number.isFinite(value) ? plain(value, Math.abs(value) < 1e-3 ? 2 : 3) : ''; // an exponent takes the room of a digit
  if (event.kind !== 'impact') return [number(event.speed > 0 ? few(event.speed) : ''), number(''), number(''), number('')];
  return [
    number(`${few(event.speed)} → ${few(rebound(event))}`),
    number(ratio(event.restitution), make('sup', {}, isOfOthersToo(event) ? '*' : '')),
    number(few(event.impulse)),
    number(few(lost(event))),
  ];
}

// Not an error of the run: a weight that rolls off an edge while a slow impact lasts parts faster than it came.
// A law of one's own asks for no restitution.
function isOfOthersToo(event) {
  return Number.isFinite(event.asked_restitution) && Number.isFinite(event.restitution) && Math.abs(event.restitution - event.asked_restitution) > OTHERS_VISIBLE;
}

const FIELDS = { asked_restitution: 'e asked', restitution: 'e measured' };

// Everything, with more digits: what the row has no room for too.
function details(event, { name, unit }) {
  const impulse = unit === 'rad' ? 'N m s' : 'N s';
  const fields = [['speed', `${unit}/s`], ['asked_restitution', ''], ['restitution', ''], ['duration', 's'],
    ['approach_speed', `${unit}/s`], ['depth', unit], ['impulse', impulse], ['lost_normal', 'J'], ['lost_friction', 'J']];
  const parts = fields.filter(([field]) => Number.isFinite(event[field]))
    .map(([field, of]) => `${FIELDS[field] ?? field.replace('_', ' ')} ${plainUnit(event[field], of, 5)}`);
  const others = isOfOthersToo(event) ? `\n* ${event.kind === 'impact' ? OTHERS_RIGID : OTHERS}` : '';
  return `${name}: ${KINDS[event.kind] ?? event.kind} at ${timeText(event.time)} s\n${parts.join(', ')}${impactDetails(event)}${others}`;
}

// What only rigid bodies have: velocities of B against A, what the slip did, who else was hit.
function impactDetails(event) {
  if (event.kind !== 'impact') return '';
  const vector = (v) => `(${v.map((x) => plain(x, 4)).join(', ')})`;
  const stop = Number.isFinite(event.path_stop) ? `, it stops at ${plain(100*event.path_stop, 3)} % of the impulse, ${event.stops_in_compression ? 'going in' : 'coming out'}` : '';
  return [
    event.velocity_before ? `velocity ${vector(event.velocity_before)} → ${vector(event.velocity_after)} m/s` : '',
    event.impulse_b ? `impulse on B ${vector(event.impulse_b)} N s` : '',
    PATH_TEXTS[event.path] ? `slip: ${PATH_TEXTS[event.path]}${stop}` : '',
    event.together > 1 ? `${event.together} contacts touched at this instant` : '',
    event.collapse ? 'ever smaller bounces between contacts were ended here' : '',
  ].filter(Boolean).map((text) => `\n${text}`).join('');
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
