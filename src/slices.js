// Long work in slices, so that the browser has its frames: at most one slice between two of them, whoever works.
//
// `left()` says how much of this frame's slice is left; `afterFrame()` resolves when another one begins. Knows nothing of the work.

const SLICE_MS = 14; // beside it a frame has its events, styles, layout and paint
const AT_REST_MS = 32; // a hand that moves nothing waits for the result: fewer frames show it sooner, and none takes 50 ms longer than it should
const MOVED_MS = 150; // so long after it moved a control that it has not let go, a hand is not at rest
const UNSEEN_MS = 100; // where nothing is drawn, since nobody sees it, slices follow one another all the same

const { port1, port2 } = new MessageChannel(); // a task of its own, without the wait that timers have

let began = 0; // when this frame's slice did; 0 before its first work
let next = null; // promise of the next frame
let moved = -MOVED_MS; // when a control was, that is still held
let repeats = false; // a key that is held moves it

addEventListener('input', () => { moved = performance.now(); }, true);
addEventListener('change', () => { moved = -MOVED_MS; }, true);
addEventListener('keydown', ({ repeat }) => { repeats = repeat; }, true);
addEventListener('keyup', () => { repeats = false; }, true);

/** Milliseconds; none or less: it is time to stop. The slice begins with the first question after a frame. `moving`: how long it may be while a control is moved. */
export function left(moving = SLICE_MS) {
  if (!began) {
    began = performance.now();
    afterFrame();
  }
  const now = performance.now();
  return began + (repeats || now - moved < MOVED_MS ? moving : AT_REST_MS) - now;
}

/** Resolves in a task of its own after the next frame. */
export function afterFrame() {
  next ??= new Promise((resolve) => {
    const drawn = () => port2.postMessage(null);
    const frame = requestAnimationFrame(drawn);
    const unseen = setTimeout(drawn, UNSEEN_MS);
    port1.onmessage = () => {
      cancelAnimationFrame(frame);
      clearTimeout(unseen);
      port1.onmessage = null;
      began = 0;
      next = null;
      resolve();
    };
  });
  return next;
}
