// What <inference-lab> sets again in a frame that starts anew: a page of fakes, with the frame's side played by the test.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { ROOT } from '../../scripts/setup.mjs';

const LAB = 'https://lab.example';
const SOURCE = readFileSync(join(ROOT, 'static/embed.js'), 'utf8');

/** An element in a page, whose frame has said hello. */
function embedded() {
  const sent = [];
  let hear;
  let Lab;
  const contentWindow = { postMessage: (data) => sent.push(JSON.parse(JSON.stringify(data))) };
  class HTMLElement {
    title = '';
    attachShadow = () => ({ append() {} });
    hasAttribute = () => false;
    getAttribute = () => null;
    dispatchEvent() {}
  }
  runInNewContext(SOURCE, {
    HTMLElement, URL, CustomEvent, self: { origin: 'https://host.example' },
    CSSStyleSheet: class { replaceSync() {} },
    customElements: { get() {}, define: (_, made) => { Lab = made; } },
    document: { currentScript: { tagName: 'SCRIPT', src: `${LAB}/embed.js` }, createElement: () => ({ contentWindow, style: {}, getAttribute: () => null, remove() {} }) },
    addEventListener: (_, listener) => { hear = listener; },
    removeEventListener() {},
  });
  const lab = new Lab();
  const tell = (type, detail = {}, more = {}) => hear({ source: contentWindow, origin: LAB, data: { lab: 'inference-lab', v: 1, type, detail, ...more } });
  const start = () => {
    lab.connectedCallback();
    sent.length = 0;
    tell('hello');
  };
  start();
  return {
    lab,
    tell,
    /** -> what it sets, in its new frame */
    move() {
      lab.disconnectedCallback();
      start();
      return sent.filter(({ type }) => type === 'set').map(({ detail }) => detail);
    },
  };
}

test('a set that is refused takes no later one with it', () => {
  const { lab, tell, move } = embedded();
  lab.set({ SLOTS: 999 });
  lab.set({ QUEUE_LIMIT: 2 });
  tell('error', { code: 'set' }, { after: 1 });
  assert.deepEqual(move(), [{ constants: { QUEUE_LIMIT: 2 }, number: 2 }]);
  tell('error', { code: 'engine' }, { after: 2 });
  assert.deepEqual(move(), [{ constants: { QUEUE_LIMIT: 2 }, number: 2 }]);
  tell('error', { code: 'set' }, { after: 2 });
  assert.deepEqual(move(), []);
});

test('what a run has shown is in the address and not set again; what it does not know of is', () => {
  const { lab, tell, move } = embedded();
  lab.set({ SLOTS: 3 });
  lab.set({ SLOTS: 4, QUEUE_LIMIT: 2 });
  tell('run', { constants: {} }); // older than what is set
  assert.deepEqual(move(), [{ constants: { SLOTS: 4, QUEUE_LIMIT: 2 }, number: 2 }]);
  lab.set({ SLOTS: 5 });
  tell('run', { constants: { SLOTS: 4, QUEUE_LIMIT: 2 } }, { after: 2 });
  assert.deepEqual(move(), [{ constants: { SLOTS: 5 }, number: 3 }]);
});
