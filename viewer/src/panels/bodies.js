// bodies.js -- list of bodies: colour, mass, where it is now; hide it or follow it.

import { plainUnit, withUnit } from '../format.js';
import { positionAt, speedAt } from '../tracks.js';
import { make, setText } from './dom.js';

export function makeBodyList(panel, { onFollow, onHide }) {
  let rows = [];
  function load(tracks, colours) {
    rows = tracks.map((track, i) => makeRow(track, colours[i], i, onFollow, onHide));
    panel.replaceChildren(rows.length > 0 ? table(rows) : make('p', { className: 'empty' }, 'This model has no bodies.'));
  }
  // Only while it can be seen: with a thousand bodies this is a thousand texts.
  function setTime(at) {
    if (panel.hidden || at.i < 0) return;
    for (const { track, where, speed } of rows) if (track.isMoving) show(track, where, speed, at);
  }
  return { load, setTime };
}

function table(rows) {
  const heading = (text) => make('th', { className: 'number' }, text);
  const numbers = ['Mass', 'Position (x, y, z) [m]', 'Speed', ''].map(heading);
  const head = make('tr', {}, make('th', {}, 'Body'), ...numbers);
  return make('table', { dataset: { testid: 'body-list' } }, head, ...rows.map((r) => r.row));
}

function makeRow(track, colour, index, onFollow, onHide) {
  const { body, isMoving } = track;
  const swatch = make('i', { className: 'swatch' });
  swatch.style.background = colour;
  const where = make('td', { className: 'number' }, isMoving ? '' : coordinates(body.position ?? [0, 0, 0]));
  const speed = make('td', { className: 'number' }, isMoving ? '' : 'fixed');
  const follow = make('button', { title: `The camera follows ${body.name}` }, 'Follow');
  follow.addEventListener('click', () => onFollow(index));
  const hide = make('button', { ariaPressed: 'false', title: `Hide ${body.name}` }, 'Hide');
  hide.addEventListener('click', () => {
    const isHidden = hide.ariaPressed !== 'true';
    hide.ariaPressed = String(isHidden);
    onHide(index, isHidden);
  });
  const buttons = make('td', { className: 'number' }, ...(isMoving ? [follow, ' '] : []), hide);
  const mass = make('td', { className: 'number' }, body.mass > 0 ? plainUnit(body.mass, 'kg') : '');
  return { track, where, speed, row: make('tr', {}, make('td', {}, swatch, body.name), mass, where, speed, buttons) };
}

function show(track, where, speed, at) {
  setText(where, coordinates(positionAt(track, at)));
  setText(speed, withUnit(speedAt(track, at), 'm/s', 4));
}

function coordinates(p) {
  return p.map((c) => c.toFixed(4).replace('-', '−')).join(', ');
}
