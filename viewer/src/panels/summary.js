// summary.js -- what the run was and how it went; and the model's text.

import { plain, plainUnit } from '../format.js';
import { make } from './dom.js';

// [name, what, which models have it]
const LEDGER = [['kinetic', '', 'all'], ['potential', '', 'all'], ['elastic', 'stored in contacts', 'contact'],
  ['springs', 'stored in springs and limits', 'used'], ['damping', 'lost to damping', 'contact'],
  ['friction', 'lost to friction', 'contact'], ['rolling', 'lost to rolling resistance', 'contact'],
  ['joints', 'lost in joints and dampers', 'used'], ['supplied', 'by drives and forces', 'used'],
  ['imbalance', 'not accounted for', 'all']];

export function verdictOf(results) {
  const { done, stop } = results;
  if (!done) return { text: 'incomplete', tone: 'warn', note: `incomplete: the run was cut off${stop ? ` (${stop.why})` : ''}` };
  if (done.verdict === 'completed') return { text: 'completed', tone: 'good', note: '' };
  const tone = done.verdict === 'failed' ? 'bad' : 'warn';
  return { text: String(done.verdict), tone, note: [done.verdict, done.message].filter(Boolean).join(': ') };
}

export function showSummary(panel, results) {
  const verdict = verdictOf(results);
  panel.replaceChildren(
    ...(verdict.note ? [make('p', { className: `note ${verdict.tone}`, dataset: { testid: 'incomplete' } }, verdict.note)] : []),
    ...leftOut(results).map((text) => make('p', { className: 'note warn', dataset: { testid: 'left-out' } }, text)),
    section('Run', runRows(results, verdict)),
    energySection(results),
    section('Settings', settingsRows(results)),
  );
}

// What the file would have had and has not.
function leftOut({ thinning, count, events }) {
  const { page, left_out: run } = thinning ?? {};
  const of = (n, all, what) => `${plain(n)} of ${plain(all)} ${what}`;
  const lines = [];
  if (run) {
    const parts = [['samples', 'samples of the output grid'], ['steps', 'samples at events and inside contacts'], ['events', 'events'], ['patches', 'patches of pressure']]
      .filter(([name]) => run[name] > 0).map(([name, what]) => `${plain(run[name])} ${what}`);
    if (parts.length > 0) lines.push(`left out by the run, to keep its results within simulate.results: ${parts.join(', ')}`);
  }
  if (page) lines.push(`this page has ${of(count, page.samples, 'samples')} and ${of(events.length, page.events, 'events')} of the results file, and no pressure: it is too long for a browser`);
  return lines;
}

function section(title, rows) {
  return make('section', {}, make('h2', {}, title), make('table', {}, ...rows.map(([name, value]) => pairRow(name, value))));
}

function pairRow(name, value) {
  return make('tr', {}, make('th', {}, name), make('td', { className: 'number' }, value));
}

function runRows(results, verdict) {
  const { head, done, times, count, events } = results;
  const rows = [['Model', head.name], ['Written by', `carom ${head.carom ?? '?'}`], ['Verdict', verdict.text],
    ['Time reached', plainUnit(done?.time ?? times[count - 1] ?? 0, 's', 7)],
    ['Samples, events', `${count}, ${events.length}`]];
  if (!done) return rows;
  const text = (value) => Number.isFinite(value) ? plain(value) : '';
  return [...rows,
    ['Method', String(done.method ?? '')],
    ['Steps (rejected)', `${text(done.steps)} (${text(done.rejected)})`],
    ['Smallest step', plainUnit(done.smallest_step ?? NaN, 's')],
    ['Evaluations, Jacobians', `${text(done.evaluations)}, ${text(done.jacobians)}`],
    ['Gap evaluations', text(done.gap_evaluations)],
    ...(isRigid(head) ? rigidRows(done, text) : []),
    ...(head.pairCount > 0 && !isRigid(head) ? [['Touches, separations', `${text(done.touches)}, ${text(done.separations)}`],
      ['Largest depth', plainUnit(done.largest_depth ?? NaN, 'm')]] : []),
    ...(done.limits > 0 ? [['Limits reached, left', `${text(done.limits)}, ${text(done.limits_left)}`]] : []),
  ];
}

const isRigid = (head) => head.settings.response === 'rigid';

function rigidRows(done, text) {
  return [['Impacts', text(done.impacts)], ['Landings, take-offs', `${text(done.landings)}, ${text(done.take_offs)}`],
    ['Slips, sticks', `${text(done.slips)}, ${text(done.sticks)}`], ...(done.jams > 0 ? [['Jams', text(done.jams)]] : [])];
}

// Rigid bodies store nothing, and lose in an instant what elastic ones lose to damping.
const ledgerOf = (head) => isRigid(head)
  ? LEDGER.map(([name, what, which]) => name === 'damping' ? [name, 'lost in impacts', which] : [name, what, ['elastic', 'rolling'].includes(name) ? 'used' : which]) : LEDGER;

// At the end of the run; without DONE the last sample stands for it.
function energySection(results) {
  const { done, byName, count } = results;
  const value = (name) => done?.energy?.[name] ?? byName.get(`energy.${name}`)?.data[count - 1];
  const scale = done?.energy_reference ?? done?.energy_scale;  // older files have the latter only
  const isUsed = (name) => value(name) !== 0 || byName.get(`energy.${name}`)?.data.some((v) => v !== 0);
  const isShown = { all: () => true, contact: (name) => results.head.pairCount > 0 || isUsed(name), used: isUsed };
  const lines = [
    ...ledgerOf(results.head).filter(([name, , which]) => isShown[which](name)).map(([name, what]) => [name, what, value(name), scale]),
    ['largest imbalance', 'of the run', done?.largest_imbalance, scale],
    ['reference energy', 'what the shares refer to', scale],
  ];
  const rows = lines.filter(([, , number]) => Number.isFinite(number)).map((line) => ledgerRow(...line));
  const heading = (text) => make('th', { className: 'number' }, text);
  const table = make('table', {}, make('tr', {}, heading(''), heading(''), heading('J'), heading('of scale')), ...rows);
  return make('section', { dataset: { testid: 'ledger' } }, make('h2', {}, 'Energy at the end'), table);
}

function ledgerRow(name, what, value, scale) {
  const share = scale > 0 ? plain(value/scale, 3) : '';
  const number = (text) => make('td', { className: 'number' }, text);
  const row = make('tr', {}, make('td', {}, name), make('th', {}, what), number(plain(value, 6)), number(share));
  row.classList.toggle('sum', name === 'imbalance');
  return row;
}

function settingsRows({ head }) {
  const show = (value) => Array.isArray(value) ? `(${value.map((v) => plain(v)).join(', ')})` : plain(value);
  const units = { gravity: 'm/s²', until: 's', every: 's', v_small: 'm/s', w_small: 'rad/s' };
  const rows = Object.entries(head.settings).map(([name, value]) => [name, `${show(value)} ${units[name] ?? ''}`.trim()]);
  return [...rows, ...head.overrides.map((text) => ['set on the command line', text])];
}
