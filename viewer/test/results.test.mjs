// The reader: good files, files cut off at every byte, damaged files, files that are something else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from '../src/crc32.js';
import { readResults } from '../src/results.js';
import { makeFixture } from './fixture.mjs';
import { columnsOf, CONTACT, file, json, sample } from './writer.mjs';

const HEAD = {
  format: 1, carom: '0.1.0', name: 'small', bodies: [], pairs: [{ name: 'a - b', a: 0, b: 1 }],
  columns: [{ name: 'time', unit: 's' }, { name: 'x', unit: 'm' }], contact: CONTACT,
};
const contact = (pair, fn) => [pair, 1, 2, 3, 0, 0, 1, 0.3*fn, 0.4*fn, fn, fn, 1e-5];
const FRAMES = [
  json('HEAD', HEAD),
  sample([0, 1]),
  json('EVNT', { time: 0.5, kind: 'touch', pair: 0 }),
  sample([0.5, 2, ...contact(0, 10), ...contact(0, 5)]),
  sample([1, 3]),
  json('DONE', { verdict: 'completed', time: 1 }),
];
const ENDS = FRAMES.reduce((ends, f) => [...ends, ends.at(-1) + f.length], [16]);

test('the checksum is the one of zlib and PNG', () => {
  assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926); // check value of the polynomial
});

test('a whole file gives its columns, contacts, events and end', () => {
  const r = readResults(file(FRAMES));
  assert.equal(r.error, null);
  assert.equal(r.stop, null);
  assert.deepEqual([...r.times], [0, 0.5, 1]);
  assert.deepEqual([...r.byName.get('x').data], [1, 2, 3]);
  assert.deepEqual([...r.contacts.start], [0, 0, 2, 2]);
  assert.equal(r.contacts.data[12 + r.contacts.field.normal_force], 5);
  assert.equal(r.events[0].kind, 'touch');
  assert.equal(r.done.verdict, 'completed');
});

test('pairs are told when something happens to them, and have their number', () => {
  const { pairs, ...rest } = HEAD;
  const head = json('HEAD', { ...rest, format: 2, pair_count: 1e6 });
  const r = readResults(file([head, FRAMES[1], json('PAIR', { pair: 70000, name: 'c - d' }), json('PAIR', { pair: 3 }), ...FRAMES.slice(2)]));
  assert.equal(r.stop, null);
  assert.equal(r.head.pairCount, 1e6);
  assert.deepEqual(r.head.pairs.flatMap((pair, k) => [[k, pair.name]]), [[3, 'pair 3'], [70000, 'c - d']]);
  assert.equal(readResults(file(FRAMES)).head.pairCount, pairs.length);
  for (const pair of [-1, 1e6, 0.5, 'x', undefined]) {
    assert.match(readResults(file([head, json('PAIR', { pair })])).stop.why, /not one of those of the head/);
  }
});

test('what was left out is known, with and without an end, and late events come in their order', () => {
  const thin = (n) => json('THIN', { time: 0.5, left_out: { samples: 0, steps: n, events: 2, patches: 0 } });
  const page = json('THIN', { page: { every: 4, samples: 100, events: 8 } });
  const event = (time) => json('EVNT', { time, kind: 'touch', pair: 0 });
  const frames = [FRAMES[0], page, ...FRAMES.slice(1, -1), event(0.9), thin(10), thin(25), event(0.7)];
  const cut = readResults(file(frames));
  assert.equal(cut.thinning.left_out.steps, 25);
  assert.deepEqual(cut.thinning.page, { every: 4, samples: 100, events: 8 });
  assert.deepEqual(cut.events.map((e) => e.time), [0.5, 0.7, 0.9]);
  const whole = readResults(file([...frames, json('DONE', { verdict: 'completed', time: 1, left_out: { samples: 1, steps: 30, events: 2, patches: 0 } })]));
  assert.equal(whole.thinning.left_out.steps, 30);
  assert.deepEqual(readResults(file(FRAMES)).thinning, {});
});

test('a file cut off at any byte gives the frames before the cut', () => {
  const whole = file(FRAMES);
  for (let n = 0; n < whole.length; n++) {
    const r = readResults(whole.subarray(0, n));
    const frames = ENDS.filter((end) => end <= n).length - 1;
    assert.equal(r.error === null, frames >= 1, `cut at byte ${n}`);
    assert.equal(r.count, [1, 3, 4].filter((k) => k < frames).length, `cut at byte ${n}`);
    assert.equal(r.done, null);
    assert.equal(r.stop !== null, frames >= 1 && !ENDS.includes(n), `cut at byte ${n}`);
  }
});

test('a flipped bit in any byte is noticed and what is before it stays', () => {
  const whole = file(FRAMES);
  for (let n = 0; n < whole.length; n++) {
    const bytes = Buffer.from(whole);
    bytes[n] ^= 0x10;
    const r = readResults(bytes);
    const frame = ENDS.filter((end) => end <= n).length - 1;
    assert.equal(r.error === null, frame >= 1, `byte ${n}`);
    assert.equal(r.count, [1, 3, 4].filter((k) => k < frame).length, `byte ${n}`);
    assert.equal(r.done, null, `byte ${n}`);
  }
});

test('bytes at an odd place in a larger buffer are read alike', () => {
  const whole = file(FRAMES);
  const large = Buffer.concat([Buffer.from('abc'), whole]);
  assert.deepEqual([...readResults(new Uint8Array(large.buffer, large.byteOffset + 3, whole.length)).times], [0, 0.5, 1]);
});

test('other files are refused with a reason', () => {
  assert.match(readResults(Buffer.from('PNG and so on, certainly long enough')).error, /not a carom results file/);
  assert.match(readResults(Buffer.from('carom results 2\nxxxxxxxxxxxxxxx')).error, /different version/);
  assert.match(readResults(new Uint8Array(0)).error, /empty/);
  assert.match(readResults(file([json('HEAD', { ...HEAD, format: 7 })])).error, /format 7/);
  assert.match(readResults(file([sample([0, 1])])).error, /not HEAD/);
});

test('frames of a kind not known are passed over, a sample of the wrong length ends the reading', () => {
  const [head, s0, , , s2] = FRAMES;
  assert.equal(readResults(file([head, s0, json('NOTE', { text: 'later' }), s2])).count, 2);
  const r = readResults(file([head, s0, sample([0.5, 2, 3]), s2]));
  assert.equal(r.count, 1);
  assert.match(r.stop.why, /3 numbers/);
});

test('no samples, no bodies', () => {
  const r = readResults(file([json('HEAD', { format: 1, columns: [{ name: 'time', unit: 's' }] })]));
  assert.equal(r.error, null);
  assert.equal(r.count, 0);
  assert.deepEqual(r.head.bodies, []);
});

test('the fixture reads back to the bits that were written', () => {
  const { bytes, rows, columns, events } = makeFixture();
  const r = readResults(bytes);
  assert.equal(r.count, rows.length);
  assert.equal(r.events.length, events.length);
  columns.forEach((c, k) => assert.deepEqual([...r.columns[k].data], rows.map((row) => row[k]), c.name));
});

test('1e5 samples are read in a few seconds of the processor at most', () => {
  const columns = columnsOf(['a', 'b', 'c']);
  const row = columns.map((_, k) => k);
  const frames = [json('HEAD', { ...HEAD, columns })];
  for (let i = 0; i < 1e5; i++) { row[0] = i*1e-5; frames.push(sample(row)); }
  const bytes = file(frames);
  const start = process.cpuUsage();
  const r = readResults(bytes);
  assert.equal(r.count, 1e5);
  const { user, system } = process.cpuUsage(start); // in microseconds, about 0.3e6
  assert.ok(user + system < 5e6, `${user + system} us`);
});
