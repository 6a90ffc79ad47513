// interpolate.js -- what lies between two samples.
//
// Positions use the stored velocities (cubic Hermite): free flight is then exact, and a bounce between the samples
// "touch" and "separation" bends the right way. Orientations use slerp. Everything else is linear.

// Largest i with times[i] <= t, clamped to 0 .. n-1; -1 if there are no samples. With two samples at one instant
// (grid and event) the later one wins: it is the state after the event.
export function locate(times, t) {
  let lo = 0;
  let hi = times.length;
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (times[mid] <= t) lo = mid + 1; else hi = mid;
  }
  return times.length === 0 ? -1 : Math.max(0, lo - 1);
}

// Where t lies: between samples i and j at fraction s. Outside the run it stays at the first or last sample.
export function bracket(times, t) {
  const i = locate(times, t);
  if (i < 0 || i + 1 >= times.length || t <= times[i]) return { i, j: i, s: 0, dt: 0 };
  const dt = times[i + 1] - times[i];
  return { i, j: i + 1, s: (t - times[i])/dt, dt };
}

export function linear(data, at) {
  const a = data[at.i];
  return at.s === 0 ? a : a + at.s*(data[at.j] - a);
}

//     p(s) = h00 p0 + h10 dt v0 + h01 p1 + h11 dt v1
//
// written as p0 plus a correction so that a body at rest stays at rest to the last bit.
export function hermite(data, rate, at) {
  const p0 = data[at.i];
  if (at.s === 0) return p0;
  const { s, dt } = at;
  const h01 = s*s*(3 - 2*s);
  const h10 = s*(1 - s)*(1 - s);
  const h11 = s*s*(s - 1);
  return p0 + h01*(data[at.j] - p0) + dt*(h10*rate[at.i] + h11*rate[at.j]);
}

// Quaternions as [w, x, y, z]; q and -q are the same orientation, so the shorter way is taken.
export function slerp(a, b, s) {
  let dot = a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3];
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  const angle = Math.acos(dot);
  // sin(angle) in the denominator: nearly equal orientations are blended linearly instead.
  const isNear = angle < 1e-6;
  const wa = isNear ? 1 - s : Math.sin((1 - s)*angle)/Math.sin(angle);
  const wb = sign*(isNear ? s : Math.sin(s*angle)/Math.sin(angle));
  return normalised([0, 1, 2, 3].map((k) => wa*a[k] + wb*b[k]));
}

function normalised(q) {
  const length = Math.hypot(...q);
  return length > 0 && Number.isFinite(length) ? q.map((c) => c/length) : [1, 0, 0, 0];
}
