// The engine as the page sees it: requests out, answers and reports of life back. Owns the worker.
//
// `emit(kind, id, json)` gets: "boot", "ready", "failed" (id 0), "answer" (id of its request), "stopped" (id 0), "early" (id of a
// request: what of its answer is there already), and "printed" (id of a run whose script is printing).
// For each command the latest request wins: an answer to an older one is dropped, and while one runs at most one waits.
// A request made before the engine is ready waits for it. Nothing but strings crosses to the worker.
// An engine that rests has no worker ("resting"): `wake`, or the next request, gets it one.
import { Worker } from './any-worker.js';
import { listenForSilence } from './silence.js';

const WORKER_FILE = 'worker.js';
const FIRST_WORD_SECONDS = 10; // until the worker's script has loaded
const BOOT_SECONDS = 45; // the worker watches its own downloads; this is for a thread that died

export function createEngine(emit) {
  let worker = null;
  let silence = null;
  let ready = false;
  let resting = false;
  let started = false;
  let running = null; // the request that the worker has
  let lastId = 0;
  const latest = new Map(); // command -> id
  const waiting = new Map(); // command -> request

  /** Takes the worker that the page started before this script came (see vite.config.js), else makes one. */
  function start() {
    const early = globalThis.inferenceLabWorker;
    delete globalThis.inferenceLabWorker;
    ready = false;
    resting = false;
    started = true;
    try {
      worker = early?.worker ?? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    } catch (error) { // a frame without an origin of its own may not have workers
      fail(`Trình duyệt không cho mở luồng tính toán ở đây (${error.message}).`, 'Bạn vẫn đọc được các số tính sẵn. Muốn tự chạy, hãy mở cả lab trong một trang riêng.');
      return;
    }
    worker.onmessage = ({ data }) => {
      if (data.id === 0) hear(data.json);
      else if (!data.early) deliver(data.id, data.json);
      else if (running?.id === data.id && latest.get(running.command) === data.id) emit('early', data.id, data.json);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(`Không chạy được tệp ${WORKER_FILE}${event.message ? ` (${event.message})` : ''}.`);
    };
    silence = listenForSilence(FIRST_WORD_SECONDS, (seconds) => fail(`Luồng tính toán im lặng ${seconds} giây.`));
    // What it said before; after a failure there is no worker any more, and the bytes it still counted are nobody's.
    for (const event of early?.events ?? []) worker?.[`on${event.type}`]?.(event);
  }

  function end() {
    silence?.end();
    if (worker) {
      worker.onmessage = worker.onerror = null;
      worker.terminate();
    }
    worker = null;
    ready = false;
    running = null;
  }

  function forgetRequests() {
    waiting.clear();
    latest.clear();
  }

  const HEAR = {
    boot: (json) => {
      silence.heard(BOOT_SECONDS);
      emit('boot', 0, json);
    },
    ready: (json) => {
      silence.end();
      ready = true;
      emit('ready', 0, json);
      sendNext();
    },
    failed: (json) => {
      end();
      emit('failed', 0, json);
    },
    printed: (json) => {
      const { id } = JSON.parse(json).printed;
      if (running?.id === id && latest.get(running.command) === id) emit('printed', id, json);
    },
    retired: replace,
    // The interpreter died under a request: say so as its answer, and have another one.
    fatal: (json) => {
      const { message } = JSON.parse(json).fatal;
      const failed = running;
      end();
      start();
      if (failed && latest.get(failed.command) === failed.id) emit('answer', failed.id, fatalAnswer(message));
    },
  };

  /** An interpreter that a script has spoilt answers nothing more: a clean one gets the request that this one did not take. */
  function replace() {
    const unanswered = running;
    end();
    if (unanswered && latest.get(unanswered.command) === unanswered.id) waiting.set(unanswered.command, unanswered);
    start();
  }

  function hear(json) {
    const [kind] = Object.keys(JSON.parse(json));
    HEAR[kind](json);
  }

  function deliver(id, json) {
    const { command } = running;
    running = null;
    sendNext();
    if (latest.get(command) === id) emit('answer', id, json);
  }

  function sendNext() {
    if (!ready || running || waiting.size === 0) return;
    const [[command, request]] = waiting;
    waiting.delete(command);
    running = request;
    worker.postMessage(request);
  }

  function fail(message, advice = 'Hãy kiểm tra mạng rồi bấm «Thử lại».') {
    end();
    emit('failed', 0, JSON.stringify({ failed: { file: WORKER_FILE, message: `${message} ${advice}` } }));
  }

  return {
    start,

    request(command, json) {
      const request = { id: ++lastId, command, json };
      latest.set(command, request.id);
      waiting.set(command, request);
      if (resting) start();
      sendNext();
      return request.id;
    },

    /** Give the worker back, unless it has something to do; before `start`: there is none yet. */
    rest() {
      if (resting || running || waiting.size > 0 || (started && !worker)) return;
      end();
      resting = true;
      emit('resting', 0, '{}');
    },

    wake() {
      if (resting) start();
    },

    stop() {
      end();
      forgetRequests();
      emit('stopped', 0, '{}');
      start();
    },

    retry() {
      end();
      start();
    },
  };
}

const fatalAnswer = (reason) =>
  JSON.stringify({
    error: {
      constant: null,
      message: 'Trình thông dịch Python đã dừng giữa chừng. Một trình thông dịch mới đang khởi động; hãy bấm Chạy lại.',
      traceback: reason,
      errors: [],
    },
  });
