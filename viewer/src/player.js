// player.js -- the clock of the page: current time, playing or not, speed, loop.
//
// Knows nothing of the screen. `onChange` is called after every change; `tick` is called once per animation frame.

export const SPEEDS = speedSeries();

// 1-2-5 per decade. Five decades below real time because an impact lasts about 1e-4 s.
function speedSeries() {
  const list = [];
  for (let decade = -5; decade <= 0; decade++) for (const k of [1, 2, 5]) list.push(Number(`${k}e${decade}`));
  return [...list, 10];
}

// A stalled tab must not make the motion jump.
const LONGEST_FRAME = 0.25; // s

export function makePlayer(onChange) {
  const state = { time: 0, begin: 0, end: 0, speed: 1, isPlaying: false, isLooping: false, window: null };

  function change(values) {
    Object.assign(state, values);
    onChange(state);
  }

  function seek(t) {
    if (Number.isFinite(t)) change({ time: clamp(t, state.begin, state.end) });
  }

  function play() {
    if (state.end <= state.begin) return;
    const [from, to] = loopRange();
    const isOutside = state.isLooping && (state.time < from || state.time >= to);
    const time = isOutside || state.time >= state.end ? (state.isLooping ? from : state.begin) : state.time;
    change({ time, isPlaying: true });
  }

  // The loop runs over what the plots show: zoom to an impact, and the impact repeats.
  function loopRange() {
    return state.window ?? [state.begin, state.end];
  }

  function tick(elapsed) {
    if (!state.isPlaying) return;
    const [from, to] = state.isLooping ? loopRange() : [state.begin, state.end];
    const time = state.time + Math.min(elapsed, LONGEST_FRAME)*state.speed;
    if (time < to) change({ time });
    else if (state.isLooping) change({ time: from });
    else change({ time: to, isPlaying: false });
  }

  return {
    state,
    seek,
    play,
    pause: () => change({ isPlaying: false }),
    toggle: () => state.isPlaying ? change({ isPlaying: false }) : play(),
    tick,
    setSpeed: (speed) => change({ speed }),
    shiftSpeed: (steps) => change({ speed: SPEEDS[clamp(nearestSpeed(state.speed) + steps, 0, SPEEDS.length - 1)] }),
    setLooping: (isLooping) => change({ isLooping }),
    setWindow: (window) => change({ window: window && clampWindow(window, state) }),
    load: (begin, end) => change({ begin, end, time: begin, isPlaying: false, window: null, speed: suitableSpeed(end - begin) }),
  };
}

export function nearestSpeed(speed) {
  let best = 0;
  SPEEDS.forEach((s, i) => { if (Math.abs(Math.log(s/speed)) < Math.abs(Math.log(SPEEDS[best]/speed))) best = i; });
  return best;
}

// Real time if the run then takes 1 s to 1 min to watch, else about 10 s.
function suitableSpeed(duration) {
  return !(duration > 0) || (duration >= 1 && duration <= 60) ? 1 : SPEEDS[nearestSpeed(duration/10)];
}

function clampWindow([from, to], { begin, end }) {
  const window = [Math.max(from, begin), Math.min(to, end)];
  return window[1] > window[0] ? window : null;
}

function clamp(x, lo, hi) {
  return Math.min(hi, Math.max(lo, x));
}
