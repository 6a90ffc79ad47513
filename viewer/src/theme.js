// theme.js -- auto (as the system says), light or dark.

const CHOICES = ['auto', 'light', 'dark'];

export function makeTheme(button, onChange) {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  let choice = 'auto';
  function apply() {
    document.documentElement.dataset.theme = choice === 'auto' ? (system.matches ? 'dark' : 'light') : choice;
    button.textContent = `Theme: ${choice}`;
    onChange();
  }
  function next() {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    apply();
  }
  system.addEventListener('change', apply);
  button.addEventListener('click', next);
  return { apply, next };
}
