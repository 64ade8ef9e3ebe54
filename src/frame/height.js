// The height of the page's content in whole pixels, told when it changes.
//
// In: the document. Out: `tell(height)`, at most FEW times for one change however long it goes on, never at rest. The content's
// height never depends on the frame's (static/styles/frame.css), so telling it cannot change it again.
// While the frame is as high as its content, `<html data-fits>` keeps a scrollbar from coming and going in between.

const PAUSES_MS = [0, 120, 250, 500, 1000]; // before the first, second, … message of one change
const REST_MS = 1200; // without a change: what comes then is another one

export function followHeight(tell) {
  const root = document.documentElement;
  let told = 0;
  let messages = 0; // of this change
  let timer = null;
  let rest = null;

  function measure() {
    timer = null;
    const height = Math.ceil(document.body.getBoundingClientRect().height - 0.01); // a hair over a whole pixel is none
    if (height === told || height === 0) return;
    told = height;
    messages += 1;
    clearTimeout(rest);
    rest = setTimeout(() => {
      messages = 0;
      fit();
    }, REST_MS);
    tell(height);
  }

  /** One waits at a time, and measures when its turn comes. */
  function changed() {
    timer ??= setTimeout(measure, PAUSES_MS[Math.min(messages, PAUSES_MS.length - 1)]);
  }

  const fit = () => root.toggleAttribute('data-fits', told > 0 && window.innerHeight >= told);

  const observer = new ResizeObserver(changed);
  const begin = () => {
    observer.observe(document.body);
    measure(); // a frame out of view is not laid out by itself: its observer may be silent for long
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
  addEventListener('load', changed, { once: true });
  addEventListener('resize', fit);

  return { again: changed };
}
