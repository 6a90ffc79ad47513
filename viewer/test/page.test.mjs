// The page in a real browser, from file://, driven by mouse and keyboard.
//
// CAROM_PAGE may name a page made by `carom view`; without it the template and the fixture are used.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { findChromium, launch, openPage, writePage } from './browser.mjs';
import { makeFixture } from './fixture.mjs';
import { makeMechanismFixture } from './mechanism.mjs';
import { FORCE, makePressingFixture, P } from './pressing.mjs';
import { makeShapesFixture } from './shapes.mjs';
import { columnsOf, CONTACT, file, json, sample } from './writer.mjs';

const id = (name) => `[data-testid="${name}"]`;
const time = (page) => page.evaluate(() => window.carom.time);
const twoFrames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const press = async (page, keys) => { for (const key of keys.split(' ')) await page.keyboard.press(key); };
const skip = findChromium() ? false : 'no Chromium found';

// Gaps of pairs with long names; the last are the nearest.
const longName = (k) => `mechanism.lever_${k} - housing.inner_wall_${k}`;

function manyGaps(n) {
  const gaps = Array.from({ length: n }, (_, k) => ({ name: `gaps.${longName(k + 1)}.distance`, unit: 'm' }));
  const columns = [{ name: 'time', unit: 's' }, ...['kinetic', 'potential', 'elastic'].map((e) => ({ name: `energy.${e}`, unit: 'J' })), ...gaps];
  const head = { format: 1, carom: '0.1.0', name: 'gaps', model: '', pairs: gaps.map((_, k) => ({ name: longName(k + 1), a: 0, b: 0 })), columns, contact: CONTACT, bodies: [] };
  const rows = [0, 0.5, 1].map((t) => sample([t, t, -t, 0, ...gaps.map((_, k) => 1 - 0.01*k + t)]));
  return file([json('HEAD', head), ...rows]);
}

// Balls nearly in one place, each with its recorded gap to the next: 10 mm, 20 mm, ...
function makeCrowd(n) {
  const names = Array.from({ length: n }, (_, k) => `ball_${k}`);
  const shape = { name: 'shape', kind: 'sphere', size: [0.2, 0, 0], material: 'steel', position: [0, 0, 0], rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };
  const bodies = names.map((name, k) => ({ name, fixed: true, mass: 1, com: [0, 0, 0], position: [0.02*k, 0, 0], orientation: [1, 0, 0, 0], shapes: [shape] }));
  const pairs = names.slice(1).map((name, k) => ({ name: `${names[k]} - ${name}`, a: k, b: k + 1 }));
  const fields = ['distance', ...['normal', 'point_a', 'point_b'].flatMap((v) => ['x', 'y', 'z'].map((axis) => `${v}.${axis}`)), 'error'];
  const columns = [{ name: 'time', unit: 's' }, ...pairs.flatMap((p) => fields.map((f) => ({ name: `gaps.${p.name}.${f}`, unit: 'm' })))];
  const gap = (k) => [0.01*(k + 1), 1, 0, 0, 0.02*k, 0, 0, 0.02*k + 0.01*(k + 1), 0, 0, 0];
  const head = { format: 1, carom: '0.1.0', name: 'crowd', model: '', pairs, columns, contact: CONTACT, bodies };
  return file([json('HEAD', head), sample([0, ...pairs.flatMap((_, k) => gap(k))])]);
}

let folder;
let browser;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carom-viewer-'));
  if (!skip) browser = await launch();
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function pageOf(name, bytes, options) {
  return openPage(browser, await writePage(path.join(folder, name), bytes), options);
}

describe('a run', { skip }, () => {
  let page, context, seen;

  before(async () => {
    const given = process.env.CAROM_PAGE;
    const opened = given ? openPage(browser, path.resolve(given)) : pageOf('run.html', makeFixture().bytes);
    ({ page, context, seen } = await opened);
  });
  after(() => context?.close());

  test('the title is the name of the model', async () => {
    assert.equal(await page.title(), await page.textContent(id('model-name')));
    assert.notEqual(await page.title(), 'carom');
  });

  test('plays: time advances, frames are drawn, pause stops it', async () => {
    const frames = await page.evaluate(() => window.carom.framesRendered());
    await page.click(id('play'));
    await page.waitForFunction(() => window.carom.time > 0.05);
    assert.equal(await page.evaluate(() => window.carom.isPlaying()), true);
    await page.keyboard.press('Space');
    await twoFrames(page);
    const t = await time(page);
    await page.waitForTimeout(150);
    assert.equal(await time(page), t);
    assert.ok(await page.evaluate(() => window.carom.framesRendered()) > frames);
  });

  test('the scrubber follows the mouse', async () => {
    const box = await page.locator(id('timeline')).boundingBox();
    const end = Number(await page.getAttribute(id('timeline'), 'aria-valuemax'));
    await page.mouse.move(box.x + 0.25*box.width, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6*box.width, box.y + 10, { steps: 4 });
    await page.mouse.up();
    assert.ok(Math.abs(await time(page) - 0.6*end) < 2*end/box.width);
    assert.ok(Math.abs(Number(await page.inputValue(id('time'))) - await time(page)) < 1e-6);
  });

  test('the keyboard steps through samples and events', async () => {
    const events = await page.evaluate(() => window.carom.events());
    await page.keyboard.press('Home');
    const start = await time(page);
    await page.keyboard.press('ArrowRight');
    const next = await time(page);
    assert.ok(next > start);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await time(page), start);
    const later = events.find((e) => e.time > start);
    await page.keyboard.press(']');
    if (later) assert.equal(await time(page), later.time);
  });

  test('the legend shows the value of the column at the current time', async () => {
    await page.keyboard.press('Home');
    for (let k = 0; k < 7; k++) await page.keyboard.press('ArrowRight');
    await twoFrames(page);
    const shown = page.locator('[data-testid^="value:bodies."], [data-testid^="value:joints."]').first();
    const name = (await shown.getAttribute('data-testid')).slice('value:'.length);
    const value = await page.evaluate((n) => window.carom.value(n), name);
    assert.equal(Number(await shown.getAttribute('data-value')), value);
    assert.match(await shown.textContent(), / ((n|µ|m|k)?m|rad)(\/s)?$/);
  });

  test('a click in a plot moves time, a drag zooms, a double click shows the whole run', async () => {
    const box = await page.locator('.u-over').first().boundingBox();
    const end = Number(await page.getAttribute(id('timeline'), 'aria-valuemax'));
    await page.mouse.click(box.x + 0.5*box.width, box.y + 20);
    assert.ok(Math.abs(await time(page) - 0.5*end) < 2*end/box.width);
    await page.mouse.move(box.x + 0.2*box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4*box.width, box.y + 30, { steps: 4 });
    await page.mouse.up();
    assert.equal(await page.isEnabled(id('reset-zoom')), true);
    await page.mouse.dblclick(box.x + 0.5*box.width, box.y + 20);
    await page.waitForFunction(() => document.querySelector('[data-testid="reset-zoom"]').disabled);
  });

  test('a click on an event lands at its time', async () => {
    const events = await page.evaluate(() => window.carom.events());
    if (events.length === 0) return;
    const k = Math.min(3, events.length - 1);
    await page.click(id(`event-${k}`));
    assert.equal(await time(page), events[k].time);
    await twoFrames(page);
    const current = Number(await page.getAttribute('.event-row.current', 'data-time'));
    assert.equal(current, events[k].time);
  });

  test('the picture changes with time', async () => {
    const shot = async (t) => {
      await page.evaluate((x) => { window.carom.time = x; }, t);
      await twoFrames(page);
      return page.locator(id('canvas')).screenshot();
    };
    const end = Number(await page.getAttribute(id('timeline'), 'aria-valuemax'));
    const first = await shot(0);
    assert.equal(first.equals(await shot(0.37*end)), false);
    assert.ok(first.equals(await shot(0)), 'the same time gives the same picture');
  });

  test('any column can be found and plotted; another unit opens a new plot', async () => {
    const before = await page.locator(id('plot')).count();
    await page.locator(id('add-curve')).first().click();
    await page.fill(id('picker-search'), 'energy kinetic');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator(id('plot')).count(), before + 1);
    await page.locator(id('remove-plot')).last().click();
    assert.equal(await page.locator(id('plot')).count(), before);
  });

  test('saves CSV and PNG', async () => {
    const [csv] = await Promise.all([page.waitForEvent('download'), page.click(id('save-csv'))]);
    const text = await readFile(await csv.path(), 'utf8');
    assert.match(text, /^time \[s\],/);
    assert.equal(text.trim().split('\n').length, 1 + await page.evaluate(() => window.carom.sampleCount()));
    const [png] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
    const bytes = await readFile(await png.path());
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  });

  test('the time is kept in the address and read from it', async () => {
    await page.evaluate(() => { window.carom.time = 0.123456; });
    await page.waitForFunction(() => location.hash === '#t=0.123456');
    await page.evaluate(() => { location.hash = '#t=0.2'; });
    await page.waitForFunction(() => window.carom.time === 0.2);
  });

  test('all switches work without complaint, and help opens', async () => {
    await press(page, 'c c t t b v h h x y z i n f Shift+F d d d l - + 1 r');
    for (const tab of ['bodies', 'summary', 'model', 'events']) await page.click(id(`tab-${tab}`));
    await page.keyboard.press('?');
    assert.equal(await page.isVisible(id('help')), true);
    await page.keyboard.press('Escape');
    await twoFrames(page);
  });

  test('no error, no warning, no request to the network', () => {
    assert.deepEqual(seen, { console: [], requests: [] });
  });
});

describe('values of the fixture', { skip }, () => {
  test('columns and derived quantities at an instant are the ones written', async () => {
    const fixture = makeFixture();
    const { page, context } = await pageOf('values.html', fixture.bytes, { hash: '#t=0.44' });
    assert.equal(await time(page), 0.44);
    const row = fixture.rows.find((r) => r[0] === 0.44);
    const read = (name) => page.evaluate((n) => window.carom.value(n), name);
    for (const [k, c] of fixture.columns.entries()) assert.equal(await read(c.name), row[k], c.name);
    assert.equal(await read('contacts.floor - ball.normal_force'), 0);
    assert.equal((await page.evaluate(() => window.carom.events())).length, fixture.events.length);
    await assert.rejects(read('no.such.column'), /no column/);
    await context.close();
  });
});

describe('a mechanism', { skip }, () => {
  test('joints and springs are drawn and can be left out', async () => {
    const { page, context, seen } = await pageOf('mechanism.html', makeMechanismFixture().bytes, { hash: '#t=1.24' });
    const shot = async () => { await twoFrames(page); return page.locator(id('canvas')).screenshot(); };
    const shown = await shot();
    await press(page, 'j');
    assert.equal(await page.getAttribute(id('toggle-joints'), 'aria-pressed'), 'false');
    assert.equal(shown.equals(await shot()), false);
    await press(page, 'j');
    assert.ok(shown.equals(await shot()), 'J brings them back');
    await press(page, 'b h f Shift+F n n x');
    await twoFrames(page);
    assert.match(await page.textContent('#labels'), /elbow/);
    assert.deepEqual(seen, { console: [], requests: [] });
    await context.close();
  });

  test('limits are in the list, joints in the plots, springs in the ledger', async () => {
    const fixture = makeMechanismFixture();
    const { page, context, seen } = await pageOf('limits.html', fixture.bytes);
    assert.match(await page.textContent(id('event-1')), /limit left.*shoulder\.angle/);
    assert.match(await page.getAttribute(id('event-1'), 'title'), /approach speed 0\.8\d* rad\/s, depth 0\.05 rad, impulse 3\.1 N m s/);
    await page.click(id('event-2'));
    assert.equal(await time(page), fixture.events[2].time);
    assert.match(await page.locator(id('value:joints.shoulder.angle')).textContent(), / rad$/);
    await page.locator(id('add-curve')).first().click();
    await page.fill(id('picker-search'), 'elbow rate');
    assert.equal(await page.locator(id('pick:joints.elbow.angle_rate')).count(), 1);
    await page.keyboard.press('Escape');
    await page.click(id('tab-summary'));
    assert.match(await page.textContent('#tab-summary'), /Limits reached, left2, 2/);
    const ledger = await page.textContent(id('ledger'));
    for (const row of [/stored in springs/, /lost in joints/, /by drives and forces/]) assert.match(ledger, row);
    assert.doesNotMatch(ledger, /contacts|friction/);
    assert.deepEqual(seen, { console: [], requests: [] });
    await context.close();
  });

  test('a model without joints has no button for them', async () => {
    const { page, context } = await pageOf('no-joints.html', makeFixture().bytes);
    assert.equal(await page.isVisible(id('toggle-joints')), false);
    await page.click(id('tab-summary'));
    assert.doesNotMatch(await page.textContent('#tab-summary'), /springs|joints|drives|Limits/);
    await context.close();
  });
});

describe('shapes and gaps', { skip }, () => {
  test('every shape is drawn, and normals and nearest points on request', async () => {
    const { page, context, seen } = await pageOf('shapes.html', makeShapesFixture().bytes, { hash: '#t=0.3' });
    const shot = () => page.locator(id('canvas')).screenshot();
    const labels = () => page.locator('.gap-label:not([hidden])').allTextContents();
    await twoFrames(page);
    const without = await shot();
    await press(page, 'v');
    await twoFrames(page);
    assert.deepEqual(await labels(), []);
    await press(page, 'g');
    await twoFrames(page);
    assert.equal(await page.getAttribute(id('toggle-normals'), 'aria-pressed'), 'true');
    assert.deepEqual(await labels(), ['378.6 mm', '873.5 mm']);
    assert.ok(!without.equals(await shot()), 'lines and arrows are in the picture');
    await page.click(id('toggle-display'));
    await page.selectOption(id('gaps-shown'), '1');
    await twoFrames(page);
    assert.deepEqual(await labels(), ['378.6 mm']);
    await page.click(id('model-name'));
    await press(page, 'g v');
    await twoFrames(page);
    assert.deepEqual(await labels(), []);
    assert.ok(without.equals(await shot()), 'and gone again');
    assert.deepEqual(seen, { console: [], requests: [] });
    await context.close();
  });

  test('the gap of a pair can be plotted', async () => {
    const { page, context } = await pageOf('gap.html', makeShapesFixture().bytes);
    await page.evaluate(() => { window.carom.time = 0.3; });
    await twoFrames(page);
    assert.match(await page.locator(id('value:gaps.ball - floor.distance')).textContent(), /^378\.5\d mm$/);
    await context.close();
  });

  test('of many gaps the nearest are plotted, and every plot has room for its curves', async () => {
    const { page, context } = await pageOf('many-gaps.html', manyGaps(12), { viewport: { width: 900, height: 600 } });
    const names = await page.locator('[data-testid^="value:gaps."]').evaluateAll((all) => all.map((e) => e.dataset.testid));
    assert.deepEqual(names, [12, 11, 10, 9, 8].map((k) => `value:gaps.${longName(k)}.distance`));
    const plots = await page.locator(id('plot')).evaluateAll((all) => all.map((plot) => {
      const bottom = (name) => plot.querySelector(name).getBoundingClientRect().bottom;
      return { curves: plot.querySelector('.u-over').clientHeight, isWhole: bottom('.u-wrap') <= bottom('.chart') + 1 && bottom('.chart') <= plot.getBoundingClientRect().bottom };
    }));
    assert.ok(plots.length >= 2);
    for (const plot of plots) assert.ok(plot.curves >= 70 && plot.isWhole, JSON.stringify(plot));
    await page.locator(id('plot')).filter({ hasText: 'gap' }).locator(id('add-curve')).click();
    await page.click(id(`pick:gaps.${longName(1)}.distance`));
    assert.equal(await page.locator('[data-testid^="value:gaps."]').count(), 6);
    assert.match(await page.textContent('[role="option"]'), /distance/, 'its own kind comes first');
    await context.close();
  });

  test('values are those of the three nearest gaps; no label covers another', async () => {
    const { page, context } = await pageOf('crowd.html', makeCrowd(8));
    await press(page, 'g v b');
    await twoFrames(page);
    const shown = await page.locator('.label:not([hidden])').evaluateAll((all) => all.map((e) => {
      const { left, right, top, bottom } = e.getBoundingClientRect();
      return { text: e.textContent, isGap: e.classList.contains('gap-label'), left, right, top, bottom };
    }));
    assert.deepEqual(shown.filter((l) => l.isGap).map((l) => l.text), ['10.00 mm', '20.00 mm', '30.00 mm']);
    assert.ok(shown.filter((l) => !l.isGap).length >= 2);
    for (const [k, p] of shown.entries()) {
      for (const q of shown.slice(k + 1)) {
        const overlap = Math.min(Math.min(p.right, q.right) - Math.max(p.left, q.left), Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top));
        assert.ok(overlap <= 2, `${p.text} and ${q.text} overlap by ${overlap} px`);
      }
    }
    await context.close();
  });

  test('the name of a body stands over its middle', async () => {
    const { page, context } = await pageOf('name.html', makeCrowd(1));
    await press(page, 'b y f');
    await twoFrames(page);
    const label = await page.locator('.body-label:not([hidden])').boundingBox();
    const view = await page.locator(id('canvas')).boundingBox();
    assert.ok(Math.abs(label.x + label.width/2 - (view.x + view.width/2)) <= 3, 'the camera looks at the middle of the only body');
    assert.ok(label.y + label.height < view.y + view.height/2);
    await context.close();
  });

  test('normals of contacts need no recorded gaps', async () => {
    const { page, context } = await pageOf('contacts.html', makeFixture().bytes, { hash: '#t=1.24' });
    await press(page, 'g v');
    await twoFrames(page);
    assert.equal(await page.locator('.gap-label:not([hidden])').count(), 2);
    await context.close();
  });
});

// How many pixels of the picture have about this colour.
async function pixelsOf(page, colour) {
  const picture = (await page.locator(id('canvas')).screenshot()).toString('base64');
  return page.evaluate(async ({ data, rgb }) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const draw = canvas.getContext('2d');
    draw.drawImage(image, 0, 0);
    const pixels = draw.getImageData(0, 0, image.width, image.height).data;
    let count = 0;
    for (let k = 0; k < pixels.length; k += 4) if (rgb.every((c, n) => Math.abs(pixels[k + n] - c) < 40)) count++;
    return count;
  }, { data: picture, rgb: colour });
}

describe('pressure', { skip }, () => {
  const [LEAST, MOST] = [[68, 1, 84], [253, 231, 37]];
  const SCALES = 600; // pixels that the top of the two scales may have of it
  let page, context, seen;
  const go = async (t) => { await page.evaluate((x) => { window.carom.time = x; }, t); await twoFrames(page); };
  const ticks = (name) => page.locator(`${id(`scale-${name}`)} .ticks span`).allTextContents();

  before(async () => { ({ page, context, seen } = await pageOf('pressing.html', makePressingFixture().bytes)); });
  after(() => context?.close());

  test('patches are coloured by their pressure, on a scale with its unit', async () => {
    await go(0);
    assert.ok(await pixelsOf(page, MOST) > 2000);
    assert.deepEqual(await ticks('pressure'), ['0', '50', '100', '150', '200', '250 Pa']);
    await go(2);
    assert.ok(await pixelsOf(page, LEAST) > 200 && await pixelsOf(page, MOST) > 200, 'from nothing at one end to the most at the other');
    assert.equal((await ticks('pressure')).at(-1), '500 Pa');
    assert.equal((await ticks('force')).at(-1), '8 N');
  });

  test('the page says what presses now', async () => {
    await go(3);
    const [block, pad] = await page.evaluate(() => window.carom.patches());
    assert.deepEqual([block.pair, block.polygons, block.points, block.pressure], [0, 1, 0, 2*P]);
    assert.ok(Math.abs(block.force/FORCE - 1) < 1e-6 && Math.abs(block.force/await page.evaluate(() => window.carom.value('contacts.table - block.normal_force')) - 1) < 1e-6);
    assert.deepEqual([pad.pair, pad.polygons, pad.points, pad.force], [1, 0, 8, 36]);
    await go(4.5);
    assert.deepEqual(await page.evaluate(() => window.carom.patches()), []);
    assert.deepEqual(await ticks('pressure'), []);
  });

  test('of the run, or logarithmic', async () => {
    await go(0);
    await page.selectOption(id('pressure-scale'), 'run', { force: true });
    await twoFrames(page);
    assert.equal((await ticks('pressure')).at(-1), '500 Pa');
    assert.ok(await pixelsOf(page, MOST) < SCALES);
    await page.selectOption(id('pressure-scale'), 'log', { force: true });
    await twoFrames(page);
    assert.deepEqual(await ticks('pressure'), ['500 Pa', '50 Pa', '5 Pa', '500 mPa', '50 mPa', '5 mPa']);
    await page.selectOption(id('pressure-scale'), 'now', { force: true });
  });

  test('A hides and shows them; a run without patches does not speak of pressure', async () => {
    await go(0);
    await press(page, 'a');
    await twoFrames(page);
    assert.equal(await pixelsOf(page, MOST), 0);
    assert.equal(await page.isVisible(id('legend')), false);
    assert.equal(await page.getAttribute(id('toggle-pressure'), 'aria-pressed'), 'false');
    await page.click(id('toggle-pressure'));
    await twoFrames(page);
    assert.equal(await page.isVisible(id('legend')), true);
    assert.deepEqual(seen.console, []);
    const plain = await pageOf('plain.html', makeFixture().bytes);
    assert.equal(await plain.page.isVisible(id('toggle-pressure')), false);
    assert.equal(await plain.page.isVisible(id('legend')), false);
    await plain.context.close();
  });
});

describe('table of events', { skip }, () => {
  test('numbers are whole, and a restitution that is not the pair\'s alone is marked', async () => {
    const head = { format: 1, carom: '0.1.0', name: 'events', model: '', pairs: [{ name: 'board.floor - pebble', a: 0, b: 0 }],
      columns: [{ name: 'time', unit: 's' }], contact: CONTACT, bodies: [] };
    const event = (time, restitution, asked = 0.4) => json('EVNT', { time, kind: 'separation', pair: 0, speed: 0.0240123, asked_restitution: asked, restitution });
    const { page, context } = await pageOf('events.html', file([json('HEAD', head), sample([0]), event(0.1, 0.3975123), event(0.2, 1.57921), event(0.3, 0.8, null), sample([1])]));
    assert.match(await page.textContent(id('event-0')), /board\.floor - pebble24\.01 mm\/s0\.40\.3975$/);
    assert.match(await page.textContent(id('event-1')), /1\.579\*$/);
    assert.match(await page.getAttribute(id('event-1'), 'title'), /pebble.*at 0\.200000 s\nspeed 24\.012 mm\/s, .*1\.5792\n\* .*other contacts acted/);
    assert.match(await page.textContent(id('event-2')), /mm\/s0\.8$/); // a law that asks for none
    assert.equal(await page.isVisible(id('event-foot')), true);
    const cut = await page.locator('.event-row > *').evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent));
    assert.deepEqual(cut, []);
    await context.close();
  });
});

describe('walls', { skip }, () => {
  // The wall's solid is on the side of the camera: from behind it is nearly clear.
  test('what is behind a wall that faces away is seen through it', async () => {
    const shape = (kind, size, more) => ({ name: 'shape', kind, size, material: 'steel', position: [0, 0, 0], rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], ...more });
    const body = (name, fixed, s) => ({ name, fixed, mass: 1, com: [0, 0, 0], position: [0, 0, 0], orientation: [1, 0, 0, 0], shapes: [s] });
    const head = { format: 1, carom: '0.1.0', name: 'wall', model: '', pairs: [], columns: [{ name: 'time', unit: 's' }], contact: CONTACT,
      bodies: [body('wall', true, shape('half-space', [0, 0, 0], { position: [0, -0.5, 0], rotation: [[1, 0, 0], [0, 0, 1], [0, -1, 0]] })),
        body('ball', false, shape('sphere', [0.2, 0, 0]))] };
    const { page, context } = await pageOf('wall.html', file([json('HEAD', head), sample([0])]));
    await twoFrames(page);
    const picture = (await page.locator(id('canvas')).screenshot()).toString('base64');
    const [red, , blue] = await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const draw = canvas.getContext('2d');
      draw.drawImage(image, 0, 0);
      return [...draw.getImageData(image.width >> 1, image.height >> 1, 1, 1).data];
    }, picture);
    assert.ok(blue - red > 40, `the ball is blue, got red ${red}, blue ${blue}`);
    await context.close();
  });
});

describe('policy', { skip }, () => {
  test('the page cannot reach the network, and the tests would notice the attempt', async () => {
    const { page, context, seen } = await pageOf('policy.html', makeFixture().bytes);
    await assert.rejects(page.evaluate(() => fetch('https://example.org/')));
    assert.match(seen.console.join(), /Content Security Policy/);
    assert.deepEqual(seen.requests, []);
    await context.close();
  });
});

describe('unusual files', { skip }, () => {
  const columns = [{ name: 'time', unit: 's' }];
  const HEAD = { format: 1, carom: '0.1.0', name: 'small', model: '', bodies: [], pairs: [], columns, contact: CONTACT };
  const small = (more, frames) => file([json('HEAD', { ...HEAD, ...more }), ...frames]);

  test('without data there is a place to drop a file, and it opens what is dropped', async () => {
    const { page, context, seen } = await pageOf('empty.html', null);
    assert.equal(await page.isVisible(id('landing')), true);
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], 'run.carom'));
      return transfer;
    }, makeFixture().bytes.toString('base64'));
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
    await page.waitForFunction(() => document.title === 'three movers');
    assert.equal(await page.isVisible(id('landing')), false);
    assert.deepEqual(seen, { console: [], requests: [] });
    await context.close();
  });

  test('a file that is something else is refused with a message', async () => {
    const { page, context, seen } = await pageOf('other.html', Buffer.from('%PDF-1.7 and so on'));
    assert.match(await page.textContent(id('error')), /not a carom results file/);
    assert.deepEqual(seen.console, []);
    await context.close();
  });

  test('a page whose data is not base64 says so', async () => {
    const target = await writePage(path.join(folder, 'damaged.html'), Buffer.from('x'));
    await writeFile(target, (await readFile(target, 'utf8')).replace('text/plain">eA==', 'text/plain">%%%%'));
    const { page, context, seen } = await openPage(browser, target);
    assert.match(await page.textContent(id('error')), /damaged/);
    assert.deepEqual(seen.console, []);
    await context.close();
  });

  test('a run that was cut off says so and shows what there is', async () => {
    const bytes = makeFixture().bytes;
    const { page, context } = await pageOf('cut.html', bytes.subarray(0, bytes.length >> 1));
    assert.equal(await page.textContent(id('verdict')), 'incomplete');
    await page.click(id('tab-summary'));
    assert.match(await page.textContent(id('incomplete')), /incomplete: the run was cut off/);
    assert.ok(await page.evaluate(() => window.carom.sampleCount()) > 100);
    await context.close();
  });

  test('no bodies, no samples, one sample', async () => {
    const failed = json('DONE', { verdict: 'failed', message: 'a reason' });
    const files = {
      none: small({}, []),
      one: small({}, [sample([0])]),
      body: small({ bodies: [{ name: 'a', fixed: true }] }, [sample([0]), failed]),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const { page, context, seen } = await pageOf(`${name}.html`, bytes);
      await press(page, 'Space ArrowRight ArrowLeft ] [ End Home f Shift+F p Escape n');
      for (const tab of ['bodies', 'summary', 'model']) await page.click(id(`tab-${tab}`));
      await twoFrames(page);
      assert.deepEqual(seen, { console: [], requests: [] }, name);
      await context.close();
    }
  });

  test('a head with odd bodies, samples that are not numbers', async () => {
    const bodies = [
      { name: 'a', shapes: [{ kind: 'sphere' }, { kind: 'torus', size: [1, 1, 1] }] },
      { shapes: [{ kind: 'box', size: [1, 1, 1] }, { kind: 'half-space' }] },
      {},
    ];
    const row = (t) => columnsOf(['a']).map((_, k) => k === 0 ? t : NaN);
    const bytes = small({ bodies, pairs: [{}], columns: columnsOf(['a']) }, [
      sample(row(0)), sample([...row(1), 5, ...Array(11).fill(NaN)]), json('EVNT', { time: 1, kind: 'other', pair: 7 }),
      sample(row(2)), json('DONE', {}),
    ]);
    const { page, context, seen } = await pageOf('odd.html', bytes);
    await press(page, 'End ArrowLeft [ n f Shift+F b v');
    for (const tab of ['bodies', 'summary', 'model']) await page.click(id(`tab-${tab}`));
    await twoFrames(page);
    assert.equal(await page.evaluate(() => window.carom.value('contacts.pair 0.normal_force')), 0);
    assert.deepEqual(seen, { console: [], requests: [] });
    await context.close();
  });

  test('without WebGL the panel says so and the plots work', async () => {
    const plainBrowser = await launch(['--disable-3d-apis']);
    const { page, seen } = await openPage(plainBrowser, await writePage(path.join(folder, 'flat.html'), makeFixture().bytes));
    assert.equal(await page.isVisible(id('no-webgl')), true);
    await press(page, 'ArrowRight c t b v f n x');
    await twoFrames(page);
    assert.equal(await page.evaluate(() => window.carom.time), 0.01);
    assert.match(await page.locator('[data-testid^="value:"]').first().textContent(), / m$/);
    assert.deepEqual(seen.console, []);
    await plainBrowser.close();
  });
});
