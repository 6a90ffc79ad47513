// build.mjs -- bundles src/ into one self-contained page, ../src/results/page.html.
//
//     node build.mjs            write it
//     node build.mjs --check    fail if the checked-in page is not what the sources give
//
// The same sources give the same bytes: no dates, no paths, exact versions in package-lock.json.

import { createHash } from 'node:crypto';
import { readFile, writeFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.join(here, '..', 'src', 'results', 'page.html');
const TOKEN = '@CAROM_RESULTS_BASE64@';
const BUNDLED = ['three', 'uplot'];

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry], absWorkingDir: here, bundle: true, minify: true, write: false, format: 'iife', charset: 'utf8',
    target: ['es2022', 'chrome111', 'firefox121', 'safari17'], legalComments: 'none', logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

// Text that would end or confuse the element it is put into.
function refuse(text, what, pattern) {
  const found = pattern.exec(text);
  if (found) throw new Error(`${what} contains ${JSON.stringify(found[0])}, which cannot stand inside the page`);
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

// Nothing may be fetched, and no script or style may run but those in the page.
function policy(scripts, style) {
  return [
    "default-src 'none'", `script-src ${scripts.map(hashOf).join(' ')}`, `style-src ${hashOf(style)}`,
    'img-src data:', "base-uri 'none'", "form-action 'none'",
  ].join('; ');
}

async function licences() {
  const texts = await Promise.all(BUNDLED.map(async (name) => {
    const { version } = JSON.parse(await readFile(path.join(here, 'node_modules', name, 'package.json'), 'utf8'));
    const licence = await readFile(path.join(here, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name} ${version}\n\n${licence.replaceAll('\r\n', '\n').trim()}`;
  }));
  return `Made by viewer/build.mjs; do not edit. This page contains:\n\n${texts.join('\n\n\n')}`;
}

async function page() {
  const [template, script, style, notice] = await Promise.all([
    readFile(path.join(here, 'src', 'index.html'), 'utf8'), bundle('src/main.js'), bundle('src/style.css'), licences(),
  ]);
  refuse(script, 'the script', /<\/script|<!--|<script/i);
  refuse(style, 'the style', /<\/style/i);
  refuse(notice, 'the licence text', /--/);
  const small = [...template.matchAll(/<script>([^@<]+)<\/script>/g)].map((m) => m[1]);
  const parts = { '@CSP@': policy([...small, script], style), '@STYLE@': style, '@SCRIPT@': script };
  const html = template
    .replace(/@(CSP|STYLE|SCRIPT)@/g, (name) => parts[name])
    .replace('<!doctype html>\n', `<!doctype html>\n<!--\n${notice}\n-->\n`);
  if (html.split(TOKEN).length !== 2) throw new Error(`the page must contain ${TOKEN} exactly once`);
  return html;
}

async function check(html) {
  const present = await readFile(target, 'utf8').catch(() => null);
  if (present === html) return;
  const why = present === null ? 'does not exist' : 'is not what viewer/src gives';
  console.error(`src/results/page.html ${why}. Run "npm ci && npm run build" in viewer/ and commit the result.`);
  process.exitCode = 1;
}

const html = await page();
if (process.argv.includes('--check')) {
  await check(html);
} else {
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, html);
  console.log(`src/results/page.html: ${Math.round(Buffer.byteLength(html)/1024)} kB`);
}
