// colours.js -- colours of bodies and curves, and of the current theme.

// Mid tones: readable as a line on white and on near-black.
export const PALETTE = ['#2f7ed8', '#e08a1e', '#2fa36b', '#c9473d', '#8a63c9', '#1aa0b0', '#d65a9a', '#9a8420'];

export function bodyColours(bodies, fixedColour) {
  let next = 0;
  return bodies.map((body) => body.fixed ? fixedColour : PALETTE[next++ % PALETTE.length]);
}

// A curve about a body has the body's colour if it is still free in that plot.
export function curveColour(name, bodies, colours, taken) {
  const index = bodies.findIndex((body) => !body.fixed && name.startsWith(`bodies.${body.name}.`));
  const wanted = index >= 0 ? [colours[index], ...PALETTE] : PALETTE;
  return wanted.find((c) => !taken.includes(c)) ?? PALETTE[taken.length % PALETTE.length];
}

// Colours are written once, in style.css; canvas and WebGL ask for them by name.
export function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ['text', 'faint', 'line', 'panel', 'accent', 'ground', 'grid', 'fixed', 'force', 'normal', 'friction', 'contact',
    'touch', 'separation', 'limit', 'limit_left', 'impact', 'land', 'slip', 'stick', 'take_off', 'jam',
    'touching', 'sliding', 'sticking', 'in-contact', 'raised', 'joint', 'driven', 'spring', 'anchor', 'gap'];
  return {
    isDark: document.documentElement.dataset.theme === 'dark',
    background: colour('view'),
    ...Object.fromEntries(names.map((name) => [name, colour(name)])),
  };
}

// Dark to bright, even to the eye, told apart by who sees few colours: viridis of matplotlib (CC0) at six places, linear in between.
const STOPS = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];
export const SCALE_SIZE = 256;

// Red, green, blue, opacity of each of SCALE_SIZE steps, 0 .. 255.
export function scaleColours() {
  const data = new Uint8Array(4*SCALE_SIZE);
  for (let k = 0; k < SCALE_SIZE; k++) {
    const x = k/(SCALE_SIZE - 1)*(STOPS.length - 1);
    const i = Math.min(STOPS.length - 2, Math.floor(x));
    data.set([...STOPS[i].map((c, n) => Math.round(c + (x - i)*(STOPS[i + 1][n] - c))), 255], 4*k);
  }
  return data;
}

// The same for CSS, evenly spaced.
export function scaleStops() {
  return STOPS.map((rgb) => `rgb(${rgb.join(' ')})`);
}
