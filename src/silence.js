// Notice that something which should report has gone silent.
//
// Silence is counted in ticks of a timer of this very thread. A thread that is busy (compiling WebAssembly, importing
// NumPy) lets no tick through and so is never taken for a stalled download, however slow the machine.

const TICK_MS = 1000;

/** Calls `onSilence` once, after `limit` ticks without `heard()`. */
export function listenForSilence(limit, onSilence) {
  let ticks = 0;
  let allowed = limit;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks < allowed) return;
    clearInterval(timer);
    onSilence(allowed);
  }, TICK_MS);
  return {
    heard(nextLimit = allowed) {
      ticks = 0;
      allowed = nextLimit;
    },
    end() {
      clearInterval(timer);
    },
  };
}
