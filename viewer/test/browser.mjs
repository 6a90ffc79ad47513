// browser.mjs -- finds Chromium, makes pages from the template, opens them with eyes on errors and the network.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const TEMPLATE = fileURLToPath(new URL('../../src/results/page.html', import.meta.url));
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const ARGUMENTS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-sandbox',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const HANGS = 600e3; // [ms] what takes that long waits for something that never comes; a busy machine is no reason to fail

export function findChromium() {
  if (process.env.CAROM_CHROMIUM) return process.env.CAROM_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return NAMES.flatMap((name) => folders.map((f) => path.join(f, name))).find(existsSync) ?? null;
}

export function launch(more = []) {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: [...ARGUMENTS, ...more] });
}

// What `carom view` does.
export async function writePage(target, bytes) {
  const template = await readFile(TEMPLATE, 'utf8');
  const text = bytes ? template.replace('@CAROM_RESULTS_BASE64@', Buffer.from(bytes).toString('base64')) : template;
  await writeFile(target, text);
  return target;
}

// Messages of the graphics driver about reading pixels back for a screenshot are not the page's.
const isDriverTalk = (text) => /GL Driver Message|GPU stall due to ReadPixels/.test(text);

export async function openPage(browser, file, { hash = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(HANGS);
  const page = await context.newPage();
  const seen = { console: [], requests: [] };
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type()) && !isDriverTalk(m.text())) seen.console.push(m.text());
  });
  page.on('pageerror', (e) => seen.console.push(String(e)));
  const address = pathToFileURL(file).href;
  page.on('request', (r) => { if (!r.url().startsWith(address) && !/^(data|blob):/.test(r.url())) seen.requests.push(r.url()); });
  await page.goto(address + hash);
  await page.evaluate(() => window.carom.ready);
  return { page, context, seen };
}
