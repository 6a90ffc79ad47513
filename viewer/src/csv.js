// csv.js -- the plotted numbers as a table, at full precision.

import { locate } from './interpolate.js';

// Rows are the samples between t0 and t1; numbers are written so that they read back to the same bits.
export function csvTable(times, quantities, t0, t1) {
  const header = ['time [s]', ...quantities.map((q) => q.unit ? `${q.name} [${q.unit}]` : q.name)];
  const lines = [header.map(quoted).join(',')];
  for (let i = Math.max(0, locate(times, t0)); i < times.length && times[i] <= t1; i++) {
    if (times[i] >= t0) lines.push([times[i], ...quantities.map((q) => q.data[i])].join(','));
  }
  return lines.join('\n') + '\n';
}

function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
