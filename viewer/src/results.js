// results.js -- the bytes of a .carom file become columns.
//
// In:    the whole file as a Uint8Array. Format: docs/results-format.md.
// Out:   one Float64Array per column, contacts of all samples in one array, a patch for each contact, events, head and end of the run.
// Promise: never throws on bad bytes. A file that is cut off or damaged gives everything before the damage, and
//          `stop` says where and why reading ended; bytes that are no results file at all give `error`.
// Start reading at readResults.

import { crc32 } from './crc32.js';
import { unpackMesh } from './meshes.js';
import { patchesOfContacts, readPatches } from './patches.js';

const MAGIC = 'carom results 1\n';
const FRAME_OVERHEAD = 12; // kind, length, checksum
const SUPPORTED_FORMATS = [1, 2]; // 1 has its pairs in the head

// Used when the head does not name them, so that a bare head still reads.
const CONTACT_FIELDS = ['pair', 'point.x', 'point.y', 'point.z', 'normal.x', 'normal.y', 'normal.z',
  'force.x', 'force.y', 'force.z', 'normal_force', 'depth'];

export function readResults(bytes) {
  const notOurs = checkMagic(bytes);
  if (notOurs) return failure(notOurs);
  const scan = scanFrames(bytes);
  if (scan.error) return failure(scan.error);
  return assemble(bytes, scan);
}

function failure(message) {
  return { ...assemble(new Uint8Array(0), emptyScan()), error: message };
}

function checkMagic(bytes) {
  if (bytes.length === 0) return 'The file is empty.';
  const start = ascii(bytes, 0, Math.min(MAGIC.length, bytes.length));
  if (start === MAGIC) return null;
  if (MAGIC.startsWith(start)) return `The file is cut off after ${bytes.length} bytes, inside its first line.`;
  return start.startsWith('carom results ')
    ? 'This results file was written by a different version of carom; this page reads format 1.'
    : 'This is not a carom results file: it does not begin with "carom results 1".';
}

function emptyScan() {
  return {
    error: null, head: {}, width: 0, fields: CONTACT_FIELDS,
    pairs: [], // those that something happens to, by number: the others are holes
    samples: [], contactCount: 0, // samples: offset and number of contacts, alternating
    patches: new Map(), // of samples that have any, by row
    events: [], done: null, stop: null, thinning: {},
  };
}

// First pass: check every frame, parse the JSON ones, remember where the samples are. Nothing large is allocated
// before the number of samples is known, so each column is allocated once and at its final size.
function scanFrames(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan = emptyScan();
  let at = MAGIC.length;
  let isFirst = true;
  while (at < bytes.length) {
    const frame = frameAt(bytes, view, at);
    const why = frame.bad ?? acceptFrame(scan, bytes, frame, isFirst);
    if (isFirst && why) return { ...scan, error: `The head of the results file cannot be read: ${why}.` };
    if (why) scan.stop = { at, why };
    if (why || scan.done) return scan;
    isFirst = false;
    at = frame.next;
  }
  if (isFirst) scan.error = 'The file ends before its head: the run was cut off before anything was written.';
  return scan;
}

function frameAt(bytes, view, at) {
  if (at + FRAME_OVERHEAD > bytes.length) return { bad: `the frame at byte ${at} is cut off` };
  const start = at + 8;
  const end = start + view.getUint32(at + 4, true);
  if (end + 4 > bytes.length) return { bad: `the frame at byte ${at} is cut off` };
  if (crc32(bytes, at, end) !== view.getUint32(end, true)) return { bad: `the checksum of the frame at byte ${at} is wrong` };
  return { kind: ascii(bytes, at, at + 4), start, end, next: end + 4 };
}

// Returns null, or why the frame (whose checksum is right) cannot be used. Kinds that are not known are passed
// over: a later carom may add some.
function acceptFrame(scan, bytes, frame, isFirst) {
  if (isFirst && frame.kind !== 'HEAD') return 'the first frame is not HEAD';
  switch (frame.kind) {
    case 'HEAD': return isFirst ? acceptHead(scan, parseJson(bytes, frame)) : 'there is a second HEAD frame';
    case 'PAIR': return acceptPair(scan, parseJson(bytes, frame));
    case 'SAMP': return acceptSample(scan, frame);
    case 'PTCH': return acceptPatches(scan, bytes, frame);
    case 'EVNT': return acceptEvent(scan, parseJson(bytes, frame));
    case 'THIN': return acceptThinning(scan, parseJson(bytes, frame));
    case 'DONE': return acceptDone(scan, parseJson(bytes, frame));
    default: return null;
  }
}

function acceptHead(scan, head) {
  if (!isObject(head)) return 'it is not JSON';
  if (!SUPPORTED_FORMATS.includes(head.format)) return `it has format ${head.format}, this page reads ${SUPPORTED_FORMATS.join(' and ')}`;
  if (!Array.isArray(head.columns) || head.columns[0]?.name !== 'time') return 'its first column is not "time"';
  scan.head = head;
  scan.width = head.columns.length;
  list(head.pairs).forEach((pair, k) => { scan.pairs[k] = { name: `pair ${k}`, ...pair }; });
  if (Array.isArray(head.contact) && head.contact.length > 0) scan.fields = head.contact.map((c) => c.name);
  return null;
}

function pairCount(head) {
  return head.pair_count ?? list(head.pairs).length;
}

function acceptPair(scan, pair) {
  if (!Number.isInteger(pair?.pair) || !(pair.pair >= 0 && pair.pair < pairCount(scan.head))) return 'a pair is not one of those of the head';
  scan.pairs[pair.pair] = { name: `pair ${pair.pair}`, ...pair };
  return null;
}

function acceptSample(scan, frame) {
  const numbers = (frame.end - frame.start) / 8;
  const contacts = (numbers - scan.width) / scan.fields.length;
  if (contacts < 0 || !Number.isInteger(contacts)) {
    return `a sample has ${numbers} numbers, which does not fit its ${scan.width} columns`;
  }
  scan.samples.push(frame.start, contacts);
  scan.contactCount += contacts;
  return null;
}

// They belong to the sample before them.
function acceptPatches(scan, bytes, frame) {
  const row = scan.samples.length/2 - 1;
  if (row < 0 || scan.patches.has(row)) return 'there are patches without a sample of their own';
  const patches = readPatches(bytes, frame, pairCount(scan.head), list(scan.head.bodies).length);
  if (typeof patches === 'string') return patches;
  scan.patches.set(row, patches);
  return null;
}

function acceptEvent(scan, event) {
  if (!isObject(event) || !Number.isFinite(event.time)) return 'an event cannot be read';
  scan.events.push(event);
  return null;
}

// What was left out: `page`, by who made the page; `left_out`, by the run so far.
function acceptThinning(scan, thinning) {
  if (!isObject(thinning)) return 'what was left out cannot be read';
  Object.assign(scan.thinning, thinning);
  return null;
}

function acceptDone(scan, done) {
  if (!isObject(done)) return 'the end of the run cannot be read';
  scan.done = done;
  if (isObject(done.left_out)) scan.thinning.left_out = done.left_out;
  return null;
}

// Second pass: samples into columns.
function assemble(bytes, scan) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = scan.samples.length / 2;
  const columns = list(scan.head.columns).map((c) => ({ name: String(c.name), unit: c.unit ?? '', data: new Float64Array(count) }));
  const contacts = makeContacts(scan, count);
  for (let row = 0; row < count; row++) {
    let at = scan.samples[2*row];
    for (const column of columns) { column.data[row] = view.getFloat64(at, true); at += 8; }
    const begin = contacts.start[row];
    const n = scan.samples[2*row + 1];
    for (let k = 0; k < n*contacts.width; k++) { contacts.data[begin*contacts.width + k] = view.getFloat64(at, true); at += 8; }
    contacts.start[row + 1] = begin + n;
  }
  return {
    error: null,
    head: withDefaults(scan.head, scan.pairs),
    count,
    columns,
    byName: new Map(columns.map((c) => [c.name, c])),
    times: columns[0]?.data ?? new Float64Array(0),
    contacts,
    patches: patchesOfContacts(scan.patches, contacts, count),
    events: inOrder(scan.events),
    thinning: scan.thinning,
    done: scan.done,
    stop: scan.stop,
  };
}

// The largest and the last of events that were left out stand behind the others.
function inOrder(events) {
  const isSorted = events.every((event, k) => k === 0 || events[k - 1].time <= event.time);
  return isSorted ? events : [...events].sort((a, b) => a.time - b.time);
}

// Contacts of sample i are rows start[i] .. start[i + 1] of data; field f of row r is data[r*width + field[f]].
function makeContacts(scan, count) {
  const width = scan.fields.length;
  return {
    width,
    field: Object.fromEntries(scan.fields.map((name, i) => [name, i])),
    start: new Uint32Array(count + 1),
    data: new Float64Array(scan.contactCount*width),
  };
}

// The page asks these lists for their length everywhere; a head without them is unusual but not wrong.
function withDefaults(head, pairs) {
  const joints = list(head.joints).map(jointWithDefaults);
  const springs = list(head.springs).map(springWithDefaults);
  const meshes = list(head.meshes).map(unpackMesh);
  return {
    ...head,
    name: head.name || 'unnamed model',
    settings: head.settings ?? {},
    bodies: list(head.bodies).map((body, i) => ({ ...bodyWithDefaults(body, i, meshes), points: heldAt(i, joints, springs) })),
    meshes,
    joints,
    springs,
    pairs,
    pairCount: pairCount(head),
    overrides: list(head.overrides),
  };
}

function bodyWithDefaults(body, i, meshes) {
  return { name: `body ${i}`, ...body, shapes: list(body.shapes).map((shape) => shapeWithDefaults(shape, meshes)) };
}

// Where joints and springs hold body i, in its frame: what there is to see of a body without shapes.
function heldAt(i, joints, springs) {
  const ends = [
    ...joints.flatMap(({ bodies, frames }) => bodies.map((body, k) => body === i ? frames[k].position : null)),
    ...springs.flatMap(({ bodies, points }) => bodies.map((body, k) => body === i ? points[k] : null)),
  ];
  return ends.filter((p) => Array.isArray(p) && p.length === 3);
}

function jointWithDefaults(joint, i) {
  return { name: `joint ${i}`, ...joint, type: String(joint.type ?? ''), bodies: twoOf(joint.bodies, -1), frames: twoOf(joint.frames, {}) };
}

function springWithDefaults(spring, i) {
  return { name: `spring ${i}`, ...spring, bodies: twoOf(spring.bodies, -1), points: twoOf(spring.points, [0, 0, 0]) };
}

function twoOf(value, fallback) {
  return [0, 1].map((k) => list(value)[k] ?? fallback);
}

function shapeWithDefaults(shape, meshes) {
  const rounding = shape.rounding > 0 ? shape.rounding : 0;
  return { ...shape, size: shape.size?.length === 3 ? shape.size : [0, 0, 0], rounding, vertices: list(shape.vertices), faces: list(shape.faces), mesh: meshes[shape.mesh] ?? null };
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

function parseJson(bytes, frame) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(frame.start, frame.end)));
  } catch {
    return null;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function ascii(bytes, start, end) {
  return String.fromCharCode(...bytes.subarray(start, end));
}
