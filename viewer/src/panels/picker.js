// picker.js -- the searchable list of quantities that opens at a plot's "+".

import { $, make, setText } from './dom.js';
import { kindOf } from '../quantities.js';
import { unitOf } from './plots.js';

const MOST_SHOWN = 300; // more is for the search, not for scrolling

export function makePicker(onToggle) {
  const picker = {
    panel: $('picker'), search: $('picker-search'), list: $('picker-list'), note: $('picker-note'),
    plot: null, quantities: new Map(), found: [], focus: 0, onToggle,
  };
  picker.search.addEventListener('input', () => { picker.focus = 0; draw(picker); });
  picker.search.addEventListener('keydown', (e) => onKey(picker, e));
  document.addEventListener('pointerdown', (e) => {
    if (!picker.panel.hidden && !picker.panel.contains(e.target)) close(picker);
  });
  return {
    load: (quantities) => { picker.quantities = quantities; close(picker); },
    open: (plot, anchor) => open(picker, plot, anchor),
    close: () => close(picker),
    get isOpen() { return !picker.panel.hidden; },
  };
}

function open(picker, plot, anchor) {
  Object.assign(picker, { plot, focus: 0 });
  picker.panel.hidden = false;
  picker.search.value = '';
  draw(picker);
  place(picker.panel, anchor.getBoundingClientRect());
  picker.search.focus();
}

function close(picker) {
  picker.panel.hidden = true;
}

function place(panel, anchor) {
  const { offsetWidth: width, offsetHeight: height } = panel;
  panel.style.left = `${Math.max(10, Math.min(anchor.right - width, window.innerWidth - width - 10))}px`;
  panel.style.top = `${Math.max(10, Math.min(anchor.bottom + 4, window.innerHeight - height - 10))}px`;
}

// Every word must occur: "ball pos" finds bodies.ball.position.x.
export function matching(quantities, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...quantities.values()].filter((q) => q.name !== 'time' && words.every((w) => q.name.toLowerCase().includes(w)));
}

// A plot of gaps is most likely to get another gap.
function sameKindFirst(found, like) {
  if (!like) return found;
  const isLike = (q) => kindOf(q.name) === kindOf(like.name);
  return [...found.filter(isLike), ...found.filter((q) => !isLike(q))];
}

function draw(picker) {
  const found = sameKindFirst(matching(picker.quantities, picker.search.value), picker.plot?.curves[0]?.quantity);
  picker.found = found.slice(0, MOST_SHOWN);
  picker.list.replaceChildren(...picker.found.map((q, k) => option(picker, q, k)));
  const unit = picker.plot && unitOf(picker.plot);
  const more = found.length > MOST_SHOWN ? `${found.length - MOST_SHOWN} more: search for them. ` : '';
  const rule = unit === null ? '' : `This plot is in ${unit || 'no unit'}; other units open a new plot.`;
  setText(picker.note, found.length === 0 ? 'Nothing has such a name.' : more + rule);
}

function option(picker, quantity, k) {
  const { name, unit } = quantity;
  const isChosen = picker.plot !== null && picker.plot.curves.some((c) => c.quantity === quantity);
  const dataset = { testid: `pick:${name}` };
  const properties = { className: 'option', role: 'option', title: name, ariaSelected: String(isChosen), dataset };
  const element = make('div', properties, make('span', {}, name), make('span', { className: 'faint' }, unit || '–'));
  element.classList.toggle('chosen', isChosen);
  element.classList.toggle('focused', k === picker.focus);
  element.addEventListener('click', () => choose(picker, quantity));
  return element;
}

function choose(picker, quantity) {
  picker.plot = picker.onToggle(picker.plot, quantity.name);
  const { scrollTop } = picker.list;
  draw(picker);
  picker.list.scrollTop = scrollTop;
  picker.search.focus();
}

function onKey(picker, e) {
  const move = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (e.key === 'Escape') close(picker);
  else if (e.key === 'Enter' && picker.found[picker.focus]) choose(picker, picker.found[picker.focus]);
  else if (move) {
    picker.focus = Math.max(0, Math.min(picker.found.length - 1, picker.focus + move));
    [...picker.list.children].forEach((row, k) => row.classList.toggle('focused', k === picker.focus));
    picker.list.children[picker.focus]?.scrollIntoView({ block: 'nearest' });
  } else return;
  e.preventDefault();
  e.stopPropagation();
}
