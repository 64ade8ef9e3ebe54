// Notice that something which should report has gone silent.
//
// Silence is `seconds` of the clock in which this thread was also free for some turns of its own timer. A thread that
// was busy (compiling WebAssembly, importing NumPy) takes those turns only after what had arrived meanwhile, and so
// a slow machine is never taken for a stalled download.

const TURN_MS = 500;
const FREE_TURNS = 3;

/** Calls `onSilence(seconds)` once, after `seconds` without `heard()`. */
export function listenForSilence(seconds, onSilence) {
  let allowed = seconds;
  let turns = 0;
  let since = performance.now();
  const timer = setInterval(() => {
    turns += 1;
    if (turns < FREE_TURNS || performance.now() - since < allowed * 1000) return;
    clearInterval(timer);
    onSilence(allowed);
  }, TURN_MS);
  return {
    heard(nextSeconds = allowed) {
      turns = 0;
      since = performance.now();
      allowed = nextSeconds;
    },
    end() {
      clearInterval(timer);
    },
  };
}
