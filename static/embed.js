// <inference-lab>: the lab, or one part of it, in somebody else's page. Types: embed.d.ts. How to use it: docs/embedding.md.
//
// In: attributes; run(), set({…}), open(n). Out: DOM events inference-lab-ready, -run, -predict, -exercise, -error.
// The element holds one iframe while it is in a document. It knows nothing of what the lab shows, and touches nothing of
// the page around it: no global, no style, no history entry.
(() => {
  const LAB = 'inference-lab';
  if (customElements.get(LAB)) return; // loaded twice, perhaps in two versions: the first one stays

  const BASE = new URL('.', ownAddress());
  const IN_ADDRESS = ['view', 'block', 'exercise', 'set', 'hide', 'follow', 'autorun', 'theme'];
  const EVENTS = ['ready', 'run', 'predict', 'exercise', 'error'];
  // Pixels until the lab says its own height, on a narrow column, on one of NARROW and more, and on one of WIDE and more; npm run thumbnails measures them
  const RESERVED = { lab: [2110, 2020, 3180], diagram: [1090, 1160, 1240], block: [610, 410, 380], exercise: [820, 670, 650] };
  const [NARROW, WIDE] = [560, 1000];
  const TITLES = { block: 'khối', exercise: 'bài tập', diagram: 'sơ đồ' };
  const REQUEST = ['id', 'arrival', 'text', 'max_new', 'temperature', 'top_k', 'top_p', 'seed'];

  /** A module has no currentScript, and import.meta cannot be said in a classic script: there the stack names this file. */
  function ownAddress() {
    const { currentScript } = document;
    if (currentScript?.tagName === 'SCRIPT' && currentScript.src) return currentScript.src;
    const [, found] = /(\w[\w+.-]*:\/\/.+?)(?::\d+){1,2}\)?$/m.exec(new Error().stack) ?? [];
    return found ?? [...document.scripts].find(({ src }) => /\/embed\.js(\?|$)/.test(src)).src;
  }

  /** Constants as a run tells them -> as the lab's address says them */
  function inAddress({ FOLLOW, CORPUS, REQUESTS, ...numbers }) {
    const cell = (value) => String(value ?? '').replace(/[%~!]/g, (sign) => ({ '%': '%p', '~': '%f', '!': '%i' })[sign]);
    return {
      v: 1,
      set: Object.entries(numbers).map((pair) => pair.join(':')).join(','),
      follow: FOLLOW,
      corpus: CORPUS?.map(cell).join('!'),
      requests: REQUESTS?.map((one) => REQUEST.map((name) => cell(one[name])).join('~')).join('!'),
    };
  }

  customElements.define(LAB, class extends HTMLElement {
    static observedAttributes = [...IN_ADDRESS, 'sandbox', 'height'];

    #root = this.attachShadow({ mode: 'open' });
    #frame = null;
    #said = 0; // the height that the lab said last
    #alive = false; // its script has said hello
    #asked = false; // and will once more, because we did
    #changed = null; // attributes that a reload is due for
    #seen = null; // constants of the run shown last: what was set here outlives being moved
    #sets = 0; // how often the host has set constants
    #unseen = new Map(); // number of a set -> its constants, until a run shows them: an event names the last set that it knows of
    #waiting = new Map(); // other commands, until there is somebody to hear them

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(':host { display: block } :host([hidden]) { display: none }');
      this.#root.adoptedStyleSheets = [sheet];
    }

    connectedCallback() {
      addEventListener('message', this.#hear);
      if (!this.#frame) this.#build();
    }

    connectedMoveCallback() {} // moveBefore(): the frame lives on

    disconnectedCallback() {
      removeEventListener('message', this.#hear);
      this.#end();
    }

    attributeChangedCallback(name, before, now) {
      if (before === now) return;
      if (name === 'set' || name === 'follow') this.#seen = null;
      if (name === 'set') this.#unseen.clear();
      if (!this.#frame) return;
      if (name === 'height') return this.#size();
      if (!this.#changed) queueMicrotask(() => this.#rebuild());
      (this.#changed ??= new Set()).add(name);
    }

    run() {
      this.#command('run', {});
    }

    set(constants) {
      const plain = JSON.parse(JSON.stringify(constants));
      this.#sets += 1;
      this.#unseen.set(this.#sets, plain);
      if (this.#alive) this.#sendSet(plain);
    }

    open(block) {
      this.#command('open', { block });
    }

    #build() {
      const { view = 'lab' } = this.#attributes();
      const frame = document.createElement('iframe');
      const sandbox = this.getAttribute('sandbox');
      if (sandbox !== null) frame.setAttribute('sandbox', sandbox || 'allow-scripts');
      if (globalThis.crossOriginIsolated) frame.credentialless = true;
      frame.allow = 'clipboard-write';
      frame.loading = this.getAttribute('loading') === 'eager' ? 'eager' : 'lazy';
      frame.title = this.title || ['Inference Lab:', TITLES[view], this.getAttribute(view)].filter(Boolean).join(' ');
      frame.style.cssText = 'display: block; width: 100%; border: 0';
      frame.onload = () => {
        this.#asked = true;
        this.#send('hello'); // now it knows whom to tell, whatever the referrer policy
      };
      frame.src = this.#address();
      this.#frame = frame;
      this.#size();
      this.#root.append(frame);
    }

    /** Another iframe, not another address in this one, which would be a step in the host's history. */
    #rebuild() {
      const changed = this.#changed;
      this.#changed = null;
      if (!this.#frame) return;
      if (['view', 'block', 'exercise'].some((name) => changed.has(name))) this.#said = 0;
      this.#end();
      this.#build();
    }

    #end() {
      this.#frame?.remove();
      this.#frame = null;
      this.#alive = this.#asked = false;
    }

    #attributes() {
      const given = IN_ADDRESS.filter((name) => this.hasAttribute(name)).map((name) => [name, this.getAttribute(name)]);
      return Object.fromEntries(given);
    }

    #address() {
      const given = this.#attributes();
      if (given.autorun === '') given.autorun = '1';
      if (this.#seen) Object.assign(given, inAddress(this.#seen));
      const address = new URL(BASE);
      for (const [name, value] of Object.entries(given)) if (value) address.searchParams.set(name, value);
      return address.href;
    }

    #size() {
      const own = parseFloat(/^\s*[\d.]+(px)?\s*$/.exec(this.getAttribute('height'))); // 100% is no number of pixels
      const reserved = RESERVED[this.getAttribute('view')] ?? RESERVED.lab;
      const width = this.clientWidth;
      const height = own > 0 ? own : this.#said || reserved[(width >= NARROW) + (width >= WIDE)];
      this.#frame.style.height = `${height}px`;
    }

    /** Without allow-same-origin the frame's origin is opaque; so it is where the host itself is in such a frame. */
    get #opaque() {
      const sandbox = this.#frame.getAttribute('sandbox');
      return self.origin === 'null' || (sandbox !== null && !/\ballow-same-origin\b/i.test(sandbox));
    }

    #command(type, detail) {
      if (this.#alive) this.#send(type, detail);
      else this.#waiting.set(type, detail);
    }

    #sendSet(constants) {
      this.#send('set', { constants, number: this.#sets });
    }

    #send(type, detail = {}) {
      this.#frame.contentWindow.postMessage({ lab: LAB, v: 1, type, detail }, this.#opaque ? '*' : BASE.origin);
    }

    #hear = ({ source, origin, data }) => {
      if (!source || source !== this.#frame?.contentWindow) return;
      if (origin !== (this.#opaque ? 'null' : BASE.origin)) return;
      if (data?.lab !== LAB || data.v !== 1) return;
      const { type, detail } = data;
      if (type === 'hello') this.#greeted();
      else if (type === 'height' && detail?.height > 0) {
        this.#said = Math.round(detail.height);
        this.#size();
      } else if (EVENTS.includes(type)) {
        if (type === 'run') this.#seen = detail.constants;
        if (type === 'run' || (type === 'error' && detail.code === 'set')) this.#settled(data.after); // what was refused is not set again either
        this.dispatchEvent(new CustomEvent(`${LAB}-${type}`, { detail, bubbles: true, composed: true }));
      }
    };

    #settled(last) {
      for (const number of this.#unseen.keys()) if (number <= last) this.#unseen.delete(number);
    }

    #greeted() {
      if (this.#asked) {
        this.#asked = false;
        if (this.#alive) return;
      }
      this.#alive = true;
      if (this.#unseen.size) this.#sendSet(Object.assign({}, ...this.#unseen.values()));
      for (const [type, detail] of this.#waiting) this.#send(type, detail);
      this.#waiting.clear();
    }
  });
})();
