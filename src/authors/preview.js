// A real `<inference-lab>` in the page, as the author's own page will have it, and what arrives from it.
//
// In: a box, attributes [[name, text]], the address of embed.js. Out: the element, kept as long as it can be; its events through
// `heard(type, detail)`. embed.js is loaded as any host would load it, so what works here works there.
import { el } from '../lesson/dom.js';

const EVENTS = ['ready', 'run', 'predict', 'exercise', 'error'];

export function createPreview(box, script, heard) {
  const room = el('div', { className: 'preview-room' });
  box.append(room);
  const loaded = new Promise((resolve, reject) => {
    document.head.append(el('script', { type: 'module', src: script, onload: resolve, onerror: () => reject(new Error(script)) }));
  });
  let shown = '';
  let frame = null;

  /** Whether the frame is in a sandbox is settled when it is made, so that needs another element. */
  function show(attributes) {
    const text = JSON.stringify(attributes);
    if (text === shown) return;
    shown = text;
    const sandboxed = attributes.some(([name]) => name === 'sandbox');
    if (frame === null || frame.hasAttribute('sandbox') !== sandboxed) {
      frame?.remove();
      frame = document.createElement('inference-lab');
      for (const type of EVENTS) frame.addEventListener(`inference-lab-${type}`, ({ detail }) => heard(type, detail));
      give(frame, attributes);
      room.append(frame);
    } else give(frame, attributes);
  }

  return {
    loaded,
    show,
    run: () => frame.run(),
    width: (name) => { room.dataset.width = name; },
  };
}

function give(frame, attributes) {
  const wanted = new Map(attributes);
  for (const name of frame.getAttributeNames()) if (!wanted.has(name)) frame.removeAttribute(name);
  for (const [name, text] of wanted) if (frame.getAttribute(name) !== text) frame.setAttribute(name, text);
}
