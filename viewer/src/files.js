// files.js -- where the bytes come from: embedded in the page, dropped on it, or chosen.

import { bytesOf } from './meshes.js';
import { $ } from './panels/dom.js';

// The page is a template: `carom view` puts base64 in place of a token that begins with '@', which base64 never does.
export function embeddedBytes() {
  const element = $('carom-results');
  const text = element.textContent.trim();
  element.textContent = ''; // a large run should not stay in memory twice
  return text === '' || text.startsWith('@') ? null : bytesOf(text);
}

export function bindFiles(onBytes) {
  const read = async (file) => { if (file) onBytes(new Uint8Array(await file.arrayBuffer()), file.name); };
  const input = $('file-input');
  input.addEventListener('change', () => { read(input.files[0]); input.value = ''; });
  for (const id of ['open-file', 'landing-open']) $(id).addEventListener('click', () => input.click());
  bindDrop(read);
}

function bindDrop(read) {
  const hint = $('drop-hint');
  document.addEventListener('dragover', (e) => { e.preventDefault(); hint.hidden = false; });
  document.addEventListener('dragleave', (e) => { if (!e.relatedTarget) hint.hidden = true; });
  document.addEventListener('drop', (e) => {
    e.preventDefault();
    hint.hidden = true;
    read(e.dataTransfer.files[0]);
  });
}
