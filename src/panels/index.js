// The panels of a result: their trees and the printout stay here, in JavaScript; the view says when what is shown where. For it to
// read them, and to touch elements one by one, would hold up many frames.
//
// In: answers of runs, by `take`, their pictures perhaps before them, by `prepare`; then presses of the view. Out: the panels' elements, and the data of their pictures for
// src/pictures. Knows no figure and puts no sentence together.
import { fill, forget } from './patch.js';

const NUMBERS = Array.from({ length: 13 }, (_, i) => i + 1);

const panelOf = (number) => document.getElementById(`block-${number}`);
const isOpen = (number) => panelOf(number).open;
const printout = () => document.getElementById('transcript');

/** `load`: the module of pictures, when one is first wanted. `isRunning`: whether a run is under way. */
export function createPanels(load, isRunning) {
  let brought = null; // by the latest answer: { key, constants, transcript, panels: number -> { headline, verdict, body, pictures } }; a body is JSON text
  let shown = null; // what of that is in the page, or will be once a panel is opened
  let early = { id: 0, pictures: new Map() }; // of a run whose answer is on its way: number -> pictures
  const bodies = new Map(); // number -> the body that stands
  const resting = new Map(); // element -> what it held before any result
  const behind = new Set(); // numbers of panels whose body shows an older result, or none
  let turn = false; // the pictures': what the view shows of this result before them is there
  const inView = new Set(); // numbers
  let pictures = null; // the module
  let loading = null;

  const isInView = (number) => inView.has(number);
  const views = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inView[isIntersecting ? 'add' : 'delete'](Number(target.id.slice(6)));
  });

  function put(element, trees) {
    if (!resting.has(element)) resting.set(element, [...element.childNodes]);
    fill(element, trees);
  }

  function fillBody(number) {
    behind.delete(number);
    const { body } = shown.panels.get(number);
    if (bodies.get(number) === body) return;
    bodies.set(number, body);
    put(panelOf(number).querySelector('.panel-result'), JSON.parse(body));
  }

  function draw() {
    if (!shown || !NUMBERS.some(isOpen)) return;
    if (pictures) pictures.show(shown, isInView, () => turn, isRunning);
    else loading ??= load().then((module) => {
      pictures = module;
      draw();
    }, () => {
      loading = null; // the next panel that opens tries again
    });
  }

  function fillRest() {
    for (const number of behind) fillBody(number);
  }
  addEventListener('beforeprint', fillRest); // paper has the closed ones too

  return {
    fillRest,

    /** The pictures of run `id` came before its answer: what fits into this slice is drawn, and shown with the answer. */
    prepare(id, json) {
      early = { id, pictures: new Map(JSON.parse(json).pictures) };
      pictures?.drawAhead(early.pictures);
    },

    /** The answer of run `id` without what stays here. -> JSON text */
    take(id, json) {
      const body = JSON.parse(json);
      if (!body.ok?.panels) return json;
      const { panels, transcript, ...rest } = body.ok;
      const drawn = early.id === id ? early.pictures : new Map();
      brought = {
        key: rest.key, constants: rest.constants, transcript,
        panels: new Map(panels.map(([number, headline, verdict, body, pictures]) => [number, { headline, verdict, body, pictures: pictures ?? drawn.get(number) }])),
      };
      return JSON.stringify({ ok: rest });
    },

    /** Numbers of the open panels, as JSON text. From the first run on it is known which are in view. */
    open() {
      for (const number of NUMBERS) views.observe(panelOf(number));
      return JSON.stringify(NUMBERS.filter(isOpen));
    },

    /** The latest answer's summaries and the open panels in view; other open ones with `fillOpen`, closed ones when they are opened, or with `fillRest`. */
    show() {
      shown = brought;
      turn = false;
      document.getElementById('panels').dataset.key = shown.key;
      for (const [number, { headline, verdict }] of shown.panels) {
        const panel = panelOf(number);
        put(panel.querySelector('.panel-figure'), headline);
        put(panel.querySelector('.panel-verdict'), verdict);
        behind.add(number);
      }
      for (const number of NUMBERS) if (isOpen(number) && isInView(number)) fillBody(number);
      draw();
    },

    /** One more of the open panels. -> its number, 0 when there is none any more */
    fillOpen() {
      const number = NUMBERS.find((one) => isOpen(one) && behind.has(one)) ?? 0;
      if (number) fillBody(number);
      return number;
    },

    /** Whether a panel is open and shows this result. */
    isFilled: (number) => isOpen(number) && !behind.has(number),

    /** From now on, as many as fit into this slice at once. */
    drawPictures() {
      turn = true;
      pictures?.drawSlice();
    },

    showPrintout() {
      printout().textContent = shown.transcript;
    },

    /** A panel was opened. */
    opened(number) {
      if (behind.has(number)) fillBody(number);
      draw();
    },

    clear() {
      shown = null;
      behind.clear();
      pictures?.clear();
      for (const [element, nodes] of resting) {
        element.replaceChildren(...nodes);
        forget(element);
      }
      bodies.clear();
      delete document.getElementById('panels').dataset.key;
      printout().textContent = '';
    },
  };
}
