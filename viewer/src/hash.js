// hash.js -- the time in the address (#t=0.44), so that a link to a file and an instant can be passed on.

const QUIET = 300; // ms; browsers refuse more than about 200 changes of the address in 30 s

export function timeInHash() {
  const match = /[#&]t=([^&]+)/.exec(location.hash);
  const t = match ? Number(match[1]) : NaN;
  return Number.isFinite(t) ? t : null;
}

export function makeHash(onTime) {
  let timer = 0;
  window.addEventListener('hashchange', () => { const t = timeInHash(); if (t !== null) onTime(t); });
  return {
    keep(t) {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState(null, '', `#t=${Number(t.toFixed(9))}`), QUIET);
    },
  };
}
