// Long work in slices, so that the browser has its frames: at most one slice between two of them, whoever works.
//
// `left()` says how much of this frame's slice is left; `afterFrame()` resolves when another one begins. Knows nothing of the work.

const SLICE_MS = 14; // beside it a frame has its events, styles, layout and paint
const UNSEEN_MS = 100; // where nothing is drawn, since nobody sees it, slices follow one another all the same

const { port1, port2 } = new MessageChannel(); // a task of its own, without the wait that timers have

let began = 0; // when this frame's slice did; 0 before its first work
let next = null; // promise of the next frame

/** Milliseconds; none or less: it is time to stop. The slice begins with the first question after a frame. `whole`: how long it may be. */
export function left(whole = SLICE_MS) {
  if (!began) {
    began = performance.now();
    afterFrame();
  }
  return began + whole - performance.now();
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
