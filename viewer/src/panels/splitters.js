// splitters.js -- bars between panels: drag, or arrow keys. The size is a CSS variable, measured from the far edge.

const KEY_STEP = 24; // px
const SMALLEST = 60; // px

export function bindSplitters() {
  for (const bar of document.querySelectorAll('.splitter')) bind(bar);
}

function bind(bar) {
  const isVertical = bar.classList.contains('vertical');
  const far = () => { const box = bar.parentElement.getBoundingClientRect(); return isVertical ? box.right : box.bottom; };
  const room = () => isVertical ? bar.parentElement.clientWidth - 200 : bar.parentElement.clientHeight - 80;
  const set = (size) => {
    const pixels = Math.round(Math.max(SMALLEST, Math.min(room(), size)));
    document.documentElement.style.setProperty(bar.dataset.variable, `${pixels}px`);
  };
  const drag = (e) => { if (bar.hasPointerCapture(e.pointerId)) set(far() - (isVertical ? e.clientX : e.clientY)); };
  bar.addEventListener('pointerdown', (e) => { bar.setPointerCapture(e.pointerId); bar.classList.add('dragging'); });
  bar.addEventListener('pointermove', drag);
  bar.addEventListener('pointerup', () => bar.classList.remove('dragging'));
  bar.addEventListener('keydown', (e) => {
    const step = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1 }[e.key];
    if (!step || !matches(e.key, isVertical)) return;
    set(far() - edge(bar, isVertical) + step*KEY_STEP);
    e.preventDefault();
    e.stopPropagation();
  });
}

function matches(key, isVertical) {
  return isVertical === (key === 'ArrowLeft' || key === 'ArrowRight');
}

function edge(bar, isVertical) {
  const box = bar.getBoundingClientRect();
  return isVertical ? box.right : box.bottom;
}
