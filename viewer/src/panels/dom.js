// dom.js -- the few helpers every panel needs.

export const $ = (id) => document.getElementById(id);

// make('td', { className: 'number' }, 'text', child, ...)
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const { dataset, ...rest } = properties;
  Object.assign(element, rest);
  Object.assign(element.dataset, dataset);
  element.append(...children);
  return element;
}

// Writing the same text again would still make the browser lay the page out.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function saveFile(name, blob) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
