// viewtools.js -- the buttons over the 3-D view and the "Display" panel.

import { plainUnit } from './format.js';
import { $, make } from './panels/dom.js';

// Sliders for forces are logarithmic, ten steps per decade.
const forceOf = (slider) => 10**(Number(slider.value)/10);
const sliderOf = (force) => Math.round(10*Math.log10(force));

export function makeViewTools(view, player, onChange) {
  const { options } = view;
  const toggles = { forces: 'showForces', pressure: 'showPressure', normals: 'showNormals', joints: 'showJoints', trails: 'showTrails', labels: 'showLabels' };
  const tools = {
    toggle(name) {
      const key = toggles[name];
      options[key] = !options[key];
      $(`toggle-${name}`).ariaPressed = String(options[key]);
      onChange();
    },
    toggleBox(id) {
      $(id).checked = !$(id).checked;
      $(id).dispatchEvent(new Event('change'));
    },
    load: (results, tracks) => loadTools(view, results, tracks),
    follow(index) {
      $('follow').value = String(index);
      view.setFollow(index);
    },
    followNext() {
      const choices = [...$('follow').options].map((o) => Number(o.value));
      tools.follow(choices[(choices.indexOf(Number($('follow').value)) + 1) % choices.length]);
    },
  };
  for (const name of Object.keys(toggles)) $(`toggle-${name}`).addEventListener('click', () => tools.toggle(name));
  $('fit').addEventListener('click', (e) => e.shiftKey ? view.fitNow(player.state.time) : view.fitRun());
  $('look').addEventListener('change', () => { view.lookAlong($('look').value); $('look').value = ''; });
  $('follow').addEventListener('change', () => view.setFollow(Number($('follow').value)));
  bindDisplay(options, onChange);
  return tools;
}

function bindDisplay(options, onChange) {
  const panel = $('display');
  const button = $('toggle-display');
  const show = (isShown) => { panel.hidden = !isShown; button.ariaExpanded = String(isShown); };
  button.addEventListener('click', () => show(panel.hidden));
  document.addEventListener('pointerdown', (e) => { if (!panel.contains(e.target) && !button.contains(e.target)) show(false); });
  const read = () => { readDisplay(options); onChange(); };
  $('arrow-fixed').addEventListener('input', () => { $('arrow-length').value = 'fixed'; read(); });
  $('arrow-threshold').addEventListener('input', read);
  for (const id of ['arrow-length', 'arrow-parts', 'pressure-scale', 'gaps-shown', 'force-values', 'see-through', 'stand-ins', 'shadows']) {
    $(id).addEventListener('change', read);
  }
}

function readDisplay(options) {
  const threshold = $('arrow-threshold');
  Object.assign(options, {
    length: $('arrow-length').value,
    fixed: forceOf($('arrow-fixed')),
    threshold: threshold.value === threshold.min ? 0 : forceOf(threshold),
    parts: $('arrow-parts').value,
    pressureScale: $('pressure-scale').value,
    mostGaps: $('gaps-shown').value === 'all' ? Infinity : Number($('gaps-shown').value),
    showValues: $('force-values').checked,
    isSeeThrough: $('see-through').checked,
    showShadows: $('shadows').checked,
    showStandIns: $('stand-ins').checked,
  });
  $('arrow-fixed-text').textContent = plainUnit(options.fixed, 'N', 3);
  $('arrow-threshold-text').textContent = plainUnit(options.threshold, 'N', 3);
}

function loadTools(view, results, tracks) {
  const option = (track, i) => make('option', { value: String(i) }, `Follow ${track.body.name}`);
  const moving = tracks.flatMap((track, i) => track.isMoving ? [option(track, i)] : []);
  $('follow').replaceChildren(make('option', { value: '-1' }, 'Follow: none'), ...moving);
  $('toggle-joints').hidden = results.head.joints.length + results.head.springs.length === 0;
  $('toggle-pressure').hidden = $('pressure-scale').parentElement.hidden = !results.patches.some(Boolean);
  $('toggle-normals').hidden = results.head.pairCount === 0;
  $('stand-ins').parentElement.hidden = !results.head.bodies.some((body) => body.shapes.some((shape) => shape.stands_for !== undefined));
  const largest = view.model?.largestForce;
  $('arrow-fixed').value = largest > 0 ? sliderOf(largest) : 0;
  readDisplay(view.options);
}
