// What a slider costs, measured inside the page. Both functions run there and use nothing from outside.

/** Before the page's scripts: notes when answers of the worker arrive, by the browser's own time of the message. */
export function noteAnswers() {
  globalThis.answers = new Map(); // id of a request -> when its answer came
  globalThis.lastRun = 0; // id of the latest run that was sent
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function postMessage(message, ...rest) {
    if (message?.command === 'run') globalThis.lastRun = message.id;
    if (!this.noted) {
      this.addEventListener('message', ({ data, timeStamp }) => {
        if (data.id && !data.early) globalThis.answers.set(data.id, timeStamp);
        globalThis.dispatchEvent(new Event('noted')); // the page has seen the message before
      });
    }
    this.noted = true;
    return send.call(this, message, ...rest);
  };
}

/**
 * `script`: prints the times of runs of the yardstick. `four`: numbers of panels to open. -> { yardstick, four, fourAnew, fourDrags, all, … }
 *
 * A step is { whole, drawn }: from the slider's event, and from the worker's answer, to the frame after the last picture of the
 * last open panel was drawn, whether it is in view or not. Pictures that are drawn before the answer count in `whole` only. (The browser itself lays out and paints pictures when they come into view.)
 * Steps of TOKEN_BUDGET leave some panels as they were; «anew» changes SEED, and with it every panel. A drag moves the slider in a
 * second, with each frame: through its range, where most answers are overtaken, or through its first values, where each is shown. Its figures are the
 * longest time between two frames until all is drawn, and what the longest of the browser's long animation frames did.
 */
export async function measureSlider({ script, steps, four }) {
  const lab = document.documentElement;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const panels = [...document.querySelectorAll('.panel')];

  const answered = (command, body) =>
    new Promise((resolve) => {
      const id = inferenceLab.request(command, JSON.stringify(body));
      inferenceLab.listen((kind, of, json) => kind === 'answer' && of === id && resolve(JSON.parse(json)));
    });

  /** Whether every open panel shows the result that the page shows, pictures too. */
  function isDrawn() {
    const { key } = document.getElementById('panels').dataset;
    return lab.dataset.lab === 'done' && panels.every((panel) => !panel.open || panel.querySelector(`.pictures[data-key="${key}"]:not(.is-old)`));
  }

  /** Resolves in the task after the frame in which all is drawn. */
  const drawnAfter = (id) =>
    new Promise((resolve) => {
      const look = () => {
        if (globalThis.lastRun === id || !globalThis.answers.has(globalThis.lastRun) || !isDrawn()) return;
        observer.disconnect();
        globalThis.removeEventListener('noted', look);
        requestAnimationFrame(() => setTimeout(resolve));
      };
      const observer = new MutationObserver(look);
      globalThis.addEventListener('noted', look);
      observer.observe(lab, { subtree: true, attributes: true, attributeFilter: ['data-lab', 'data-key', 'class'] });
    });

  function move(name, value) {
    const slider = document.querySelector(`[data-slider="${name}"]`);
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }

  async function step(name, value) {
    const done = drawnAfter(globalThis.lastRun);
    const began = performance.now();
    move(name, value);
    document.querySelector(`[data-slider="${name}"]`).dispatchEvent(new Event('change', { bubbles: true }));
    await done;
    const ended = performance.now();
    await pause(400); // a hand that rests
    return { whole: ended - began, drawn: ended - globalThis.answers.get(globalThis.lastRun) };
  }

  const longFrames = [];
  new PerformanceObserver((list) => longFrames.push(...list.getEntries())).observe({ type: 'long-animation-frame' });

  /** A long animation frame in words: its scripts, then the rest of it. */
  function said({ startTime, duration, styleAndLayoutStart, scripts }) {
    const parts = scripts.map((one) => `${one.invoker} ${Math.round(one.duration)}`);
    if (styleAndLayoutStart) parts.push(`styles, layout, paint ${Math.round(startTime + duration - styleAndLayoutStart)}`);
    return parts.join(', ');
  }

  async function drag(high) {
    const low = 1;
    let longest = 0;
    longFrames.length = 0;
    let last = await frame();
    const began = last;
    let value = 0;
    for (let now = await frame(); now - began < 1000 || !globalThis.answers.has(globalThis.lastRun) || !isDrawn(); now = await frame()) {
      longest = Math.max(longest, now - last);
      last = now;
      const next = Math.min(high, low + Math.floor(((high - low + 1) * (now - began)) / 1000));
      if (next !== value) move('TOKEN_BUDGET', next);
      value = next;
    }
    document.querySelector('[data-slider="TOKEN_BUDGET"]').dispatchEvent(new Event('change', { bubbles: true }));
    await pause(800);
    const [worst] = longFrames.toSorted((a, b) => b.duration - a.duration);
    return { longest, what: worst ? said(worst) : '' };
  }

  const yardstick = (await answered('run', { script })).ok.printed.trim().split('\n').map(Number);
  await answered('measure', { metrics: ['ttft'] }); // what a script is followed by is not the slider's
  const found = { yardstick };
  for (const [name, numbers] of [['four', four], ['all', panels.map((_, i) => i + 1)]]) {
    for (const number of numbers) panels[number - 1].open = true;
    while (!isDrawn()) await frame();
    await pause(500);
    found[`${name}Drags`] = [await drag(24), await drag(24), await drag(9), await drag(9)];
    found[name] = [];
    for (let i = 0; i < steps; i += 1) found[name].push(await step('TOKEN_BUDGET', 4 + ((i * 3) % 13)));
    found[`${name}Anew`] = [];
    for (let i = 0; i < 6; i += 1) found[`${name}Anew`].push(await step('SEED', i % 2 ? 7 : 10 + i));
  }
  return found;
}
