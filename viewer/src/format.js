// format.js -- numbers for people: significant digits, SI prefixes, units.

const PREFIXES = [['n', 1e-9], ['µ', 1e-6], ['m', 1e-3], ['', 1], ['k', 1e3], ['M', 1e6], ['G', 1e9]];

// Only units that engineers do write with a prefix.
const TAKES_PREFIX = new Set(['m', 'm/s', 'N', 'J', 's', 'N s', 'W', 'Pa']);

// The prefix with which a number of this size has one to three digits before the point.
export function prefixFor(size, unit) {
  const none = { name: '', factor: 1 };
  if (!TAKES_PREFIX.has(unit) || !(size >= 1e-9) || !Number.isFinite(size)) return none;
  const [name, factor] = [...PREFIXES].reverse().find(([, f]) => size >= 0.9995*f) ?? PREFIXES[0];
  return { name, factor };
}

export function significant(value, digits = 5) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'n/a' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 1e6 ? value.toPrecision(digits) : value.toExponential(digits - 1);
  return minus(text.includes('e') ? tidyExponent(text) : text);
}

export function withUnit(value, unit, digits = 5) {
  const prefix = prefixFor(Math.abs(value), unit);
  const number = significant(value/prefix.factor, digits);
  return unit ? `${number} ${prefix.name}${unit}` : number;
}

// As many digits as the number needs, at most `digits`: for settings and summaries, where 1e-6 should read 1e-6.
export function plain(value, digits = 6) {
  if (typeof value !== 'number') return String(value ?? '');
  if (!Number.isFinite(value) || value === 0) return significant(value);
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  return minus(size >= 1e-3 && size < 1e6 ? String(rounded) : tidyExponent(rounded.toExponential()));
}

export function plainUnit(value, unit, digits = 4) {
  const prefix = prefixFor(Math.abs(value), unit);
  return `${plain(value/prefix.factor, digits)} ${prefix.name}${unit}`.trim();
}

// Microseconds always; more when playback is so slow that the last digit would stand still.
export function timeText(t, speed = 1) {
  return minus(t.toFixed(timeDecimals(speed)));
}

export function timeDecimals(speed) {
  return Math.min(9, Math.max(6, Math.ceil(4 - Math.log10(speed))));
}

// Decimals that tell neighbouring ticks of an axis apart.
export function tickText(value, increment) {
  const decimals = Math.min(12, Math.max(0, Math.ceil(-Math.log10(increment) - 1e-9)));
  const text = value.toFixed(decimals + (hasHalfStep(increment, decimals) ? 1 : 0));
  return minus(Number(text) === 0 ? text.replace('-', '') : text);
}

function hasHalfStep(increment, decimals) {
  const scaled = increment*10**decimals;
  return Math.abs(scaled - Math.round(scaled)) > 1e-6;
}

// 1, 2, 5 times a power of ten, the largest not above x.
export function niceBelow(x) {
  const power = 10**Math.floor(Math.log10(x));
  return power*([5, 2].find((k) => k*power <= x*(1 + 1e-9)) ?? 1);
}

function tidyExponent(text) {
  return text.replace(/e\+?(-?)0*(\d)/, 'e$1$2');
}

function minus(text) {
  return text.replace(/^-/, '−').replace('e-', 'e−');
}
