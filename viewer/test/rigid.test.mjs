// Rigid bodies: modes of contacts from their events, and how the page shows them.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { contactRows, spanAt } from '../src/modes.js';
import { readResults } from '../src/results.js';
import { findChromium, launch, openPage, writePage } from './browser.mjs';
import { makeFixture } from './fixture.mjs';
import { BOUNCES, impactTime, landing, LIFTED, makeRigidFixture, ROLLS, STOPS, UNTIL } from './rigid.mjs';

const rowsOf = (fixture) => {
  const results = readResults(fixture.bytes);
  return contactRows(results, results.times[0], results.times[results.count - 1]);
};
const spans = (row) => row.spans.map(({ from, to, mode }) => [mode, from, to]);

describe('modes of contacts', () => {
  test('land, slip, stick and take-off begin and end them; what touches from the start has no event for it', () => {
    const [ball, brick, hinge, ...others] = rowsOf(makeRigidFixture());
    assert.deepEqual([ball.name, brick.name, hinge.name, others.length], ['floor - ball', 'floor - brick', 'hinge.angle', 0]);
    assert.deepEqual(spans(ball), [['free', 0, landing], ['sliding', landing, ROLLS], ['sticking', ROLLS, UNTIL]]);
    assert.deepEqual(spans(brick), [['sliding', 0, STOPS], ['sticking', STOPS, LIFTED], ['free', LIFTED, UNTIL]]);
    assert.deepEqual(spans(hinge), [['free', 0, UNTIL]]);
    assert.deepEqual(ball.hits.map((e) => e.time), Array.from({ length: BOUNCES }, (_, k) => impactTime(k)));
    assert.equal(hinge.hits.length, 1);
  });

  test('spans follow each other without gaps, and have the mode of each instant', () => {
    for (const row of rowsOf(makeRigidFixture())) {
      assert.equal(row.spans[0].from, 0);
      assert.equal(row.spans.at(-1).to, UNTIL);
      for (const [k, span] of row.spans.entries()) {
        assert.ok(span.to > span.from && (k === 0 || span.from === row.spans[k - 1].to));
        assert.equal(spanAt(row, (span.from + span.to)/2), span);
      }
    }
    assert.equal(spanAt(rowsOf(makeRigidFixture())[0], -1), null);
  });

  test('touches and separations of elastic bodies make them too', () => {
    const [bouncing, rolling] = rowsOf(makeFixture());
    assert.deepEqual(bouncing.spans.slice(0, 3).map((s) => s.mode), ['free', 'touching', 'free']);
    assert.deepEqual(rolling.spans.map((s) => s.mode), ['touching']);
    assert.equal(bouncing.hits.length, 0);
  });
});

const id = (name) => `[data-testid="${name}"]`;
const skip = findChromium() ? false : 'no Chromium found';

describe('rigid bodies on the page', { skip }, () => {
  let folder, browser, page, context, seen;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'carom-rigid-'));
    browser = await launch();
    ({ page, context, seen } = await openPage(browser, await writePage(path.join(folder, 'rigid.html'), makeRigidFixture().bytes)));
  });
  after(async () => {
    await context?.close();
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const twoFrames = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const texts = (selector) => page.$$eval(selector, (list) => list.map((e) => e.textContent));

  test('impacts are listed with speeds, restitution, impulse and loss', async () => {
    const cells = await texts(`${id('event-1')} > span`);
    assert.deepEqual(cells, ['0.349749', 'impact →', 'floor - ball', '3.43 → 2.06', '0.6', '11', '7.54']);
    assert.match(await page.getAttribute(id('event-1'), 'title'), /velocity \(0\.8, 0, −3\.431\) → \(0\.72, 0, 2\.059\) m\/s\nimpulse on B .* N s\nslip: slides throughout$/);
    assert.match(await page.getAttribute(id('event-4'), 'title'), /slip: slides, then sticks, it stops at 25 % of the impulse, going in$/);
    assert.deepEqual(await texts(`${id('event-2')} > span`), ['0.700000', 'sticks', 'floor - brick', '', '', '', '']);
    assert.match(await page.textContent(id('event-foot')), /^slip → throughout, ⇥ sticks, ⇄ reverses · \* /);
  });

  test('each contact has a strip in the colours of its modes', async () => {
    await page.click(id('tab-contacts'));
    await twoFrames(); // the first sees the size that it now has
    assert.deepEqual(await texts('.contact-row > span:first-child'), ['floor - ball', 'floor - brick', 'hinge.angle']);
    assert.deepEqual(await texts('.contact-head span'), ['sliding', 'sticking or rolling', 'impact']);
    // One pixel in the middle of each span, and one on an impact, three quarters down: beside the line of what is free.
    const colours = await page.evaluate(({ times, until }) => {
      const lines = [0, 1].map((k) => {
        const canvas = document.querySelector(`[data-testid="strip-${k}"]`);
        return canvas.getContext('2d').getImageData(0, Math.round(0.75*canvas.height), canvas.width, 1);
      });
      return times.map(([k, t]) => {
        const x = Math.round(t/until*(lines[k].width - 1));
        return lines[k].data.slice(4*x, 4*x + 3).join(',');
      });
    }, { times: [[0, 0.2], [0, (landing + ROLLS)/2], [0, 2.2], [1, STOPS/2], [1, 1.5], [1, 2.3]], until: UNTIL });
    const [free, sliding, sticking] = colours;
    assert.equal(new Set([free, sliding, sticking]).size, 3);
    assert.deepEqual(colours.slice(3), [sliding, sticking, free]);
  });

  test('the mode of the instant is beside it, and a click goes there', async () => {
    const modes = async (t) => {
      await page.evaluate((to) => { window.carom.time = to; }, t);
      await twoFrames();
      return Promise.all([0, 1].map((k) => page.textContent(id(`mode-${k}`))));
    };
    assert.deepEqual(await modes(0.1), ['free', 'sliding']);
    assert.deepEqual(await modes(1.6), ['sliding', 'no slip']);
    assert.deepEqual(await modes(2.4), ['no slip', 'free']);
    const box = await page.locator(id('strip-0')).boundingBox();
    await page.mouse.click(box.x + box.width*impactTime(1)/UNTIL + 2, box.y + box.height/2); // beside the impact: that is what is meant
    assert.equal(await page.evaluate(() => window.carom.time), impactTime(1));
    await page.mouse.move(box.x + 0.7*box.width, box.y + box.height/2);
    assert.match(await page.getAttribute(id('strip-0'), 'title'), /^floor - ball: sliding from 1\.\d+ s to 1\.900000 s$/);
  });

  test('the summary counts them, without depths', async () => {
    await page.click(id('tab-summary'));
    const rows = await texts('#tab-summary tr');
    for (const row of ['Impacts7', 'Landings, take-offs1, 1', 'Slips, sticks2, 2']) assert.ok(rows.includes(row), row);
    assert.ok(rows.some((row) => row.startsWith('dampinglost in impacts')));
    assert.ok(!rows.some((row) => /depth|^elastic/.test(row)));
    assert.deepEqual(seen, { console: [], requests: [] });
  });
});
