// modes.js -- what each contact does over time, from its events: free, touching, sliding, sticking; and the instants at which it is hit.

const BECOMES = {
  touch: 'touching', limit: 'touching', land: 'touching', slip: 'sliding', stick: 'sticking',
  separation: 'free', limit_left: 'free', take_off: 'free',
};
const HITS = new Set(['impact', 'jam']);

// Name of the pair, or of the joint and its coordinate; and the unit in which it comes near. The coordinates of a joint
// are the first of its columns.
export function placeOf({ head, columns }, event) {
  const joint = head.joints[event.joint];
  if (!joint) return { name: head.pairs[event.pair]?.name ?? '', unit: 'm' };
  const start = `joints.${joint.name}.`;
  const column = columns.filter((c) => c.name.startsWith(start))[event.coordinate ?? 0];
  return { name: column ? column.name.slice('joints.'.length) : joint.name, unit: column?.unit || 'm' };
}

// One row for each pair, and each coordinate of a joint, that anything happened to; pairs first, in their order:
// { name, spans: [{ from, to, mode }] without gaps from begin to end, hits: [event] }.
export function contactRows(results, begin, end) {
  const rows = new Map();
  const rowOf = (key, event, order) => {
    if (!rows.has(key)) rows.set(key, { order, name: placeOf(results, event).name, spans: [], hits: [], mode: 'free', since: begin });
    return rows.get(key);
  };
  for (const pair of pairsAtStart(results)) rowOf(`${pair}`, { pair }, pair).mode = 'touching';
  for (const event of results.events) {
    const isOfJoint = event.joint >= 0;
    if (!isOfJoint && !(event.pair >= 0)) continue;
    const order = isOfJoint ? results.head.pairCount + event.joint : event.pair;
    const row = rowOf(isOfJoint ? `${event.joint}.${event.coordinate}` : `${event.pair}`, event, order);
    if (HITS.has(event.kind)) row.hits.push(event);
    if (event.kind in BECOMES) turn(row, event.time, BECOMES[event.kind]);
  }
  return [...rows.values()].sort((a, b) => a.order - b.order).map((row) => {
    turn(row, end, '');
    return { name: row.name, spans: row.spans, hits: row.hits };
  });
}

// What touches from the start has no event for it.
function pairsAtStart({ count, contacts }) {
  const { start, data, width, field } = contacts;
  return count === 0 ? [] : Array.from({ length: start[1] }, (_, k) => data[k*width + field.pair]);
}

// A mode that another one follows at the same instant was none: who lands slides or sticks at once.
function turn(row, time, mode) {
  if (mode === row.mode) return;
  if (time > row.since) row.spans.push({ from: row.since, to: time, mode: row.mode });
  Object.assign(row, { mode, since: Math.max(time, row.since) });
}

export function spanAt(row, t) {
  return row.spans.findLast((span) => span.from <= t) ?? null;
}
