// The page's part in running without a network: asks for the service worker, and says in <html data-offline> what came of it:
// "ready": this page's files are all kept · "failed": not installed, the browser tries again at the next visit · "refused": the
// browser allows none here (storage blocked, no https) · "sandboxed": a frame without an origin · "off": switched off, by the
// deployment or by this reader. Nothing here can harm the page: without it, it is a page that needs its server.
import { cacheOf } from './names.js';

const BASE = new URL(/* @vite-ignore */ '..', import.meta.url).href; // assets/ lies in the deployment's folder
const SWITCH = 'inference-lab/offline'; // the reader's own: "off", or ""

const TURN_SECONDS = 1; // before a worker that waits is told to take over

const say = (state) => { document.documentElement.dataset.offline = state; };
const isSandboxed = () => self.origin === 'null'; // even to name navigator.serviceWorker is an error there

/** Keep everything for a visit without a network. Called when a run has succeeded, so that no run ever waits for it. */
export async function keep(storage) {
  if (isSandboxed()) return say('sandboxed');
  if (storage.read(SWITCH) === 'off') return say('off');
  answerQuestions();
  await otherwise('refused', async () => {
    const registration = await navigator.serviceWorker.register(`${BASE}sw.js`, { scope: BASE, updateViaCache: 'none' });
    follow(registration);
    // The browser looks for a newer one too, but when it likes. Without a network this one stays.
    if (!registration.installing) await otherwise('failed', () => registration.update());
  });
}

/** The reader's switch, `?offline=off` and `?offline=on` in the address. */
export async function turn(value, storage) {
  storage.write(SWITCH, value === 'off' ? 'off' : '');
  if (value !== 'off' || isSandboxed()) return;
  await otherwise('refused', async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    await Promise.all(registrations.filter(({ scope }) => scope === BASE).map((registration) => registration.unregister()));
    await caches.delete(cacheOf(BASE));
    say('off');
  });
}

/** The service worker asks its pages which files they need, before it lets any go. */
export function answerQuestions() {
  if (isSandboxed() || !navigator.serviceWorker) return;
  navigator.serviceWorker.onmessage = ({ data, ports }) => {
    if (data?.asks === 'files') ports[0].postMessage(ownFiles());
  };
}

/** What this page named when it was loaded; all its other files are named in these. */
function ownFiles() {
  const named = document.querySelectorAll('script[src], link[rel="stylesheet"], link[rel="modulepreload"]');
  return [...named].map((element) => element.src || element.href).filter((address) => address.startsWith(BASE));
}

/** Without https there is no navigator.serviceWorker, with storage blocked no registration: neither is a fault of the page. */
async function otherwise(state, act) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    sayUnlessKnown(state);
  }
}

const sayUnlessKnown = (state) => document.documentElement.dataset.offline || say(state);

/** Asks whoever is or comes to be responsible for this page; a worker that is just being replaced may give no answer. */
function follow(registration) {
  const watch = (worker) => {
    const act = () => {
      if (worker.state === 'installed') hurry(worker);
      if (worker.state === 'activated') ask(worker);
      if (worker.state === 'redundant') sayUnlessKnown('failed');
    };
    worker.addEventListener('statechange', act);
    act();
  };
  const watchComing = () => {
    const worker = registration.installing ?? registration.waiting; // it may be further than the event that tells of it
    if (worker) watch(worker);
  };
  registration.addEventListener('updatefound', watchComing);
  navigator.serviceWorker.addEventListener('controllerchange', () => ask(navigator.serviceWorker.controller));
  watchComing();
  ask(navigator.serviceWorker.controller ?? registration.active);
}

/** An installed worker takes over by itself, but Chromium may leave it waiting for good if the one before was at work just then. */
function hurry(worker) {
  setTimeout(() => {
    if (worker.state !== 'installed') return;
    worker.postMessage({ asks: 'turn' });
    hurry(worker);
  }, TURN_SECONDS * 1000);
}

/** The answer is whether all of this page's files are kept, or "off". */
function ask(worker) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => data && say(data === 'off' ? 'off' : 'ready');
  worker?.postMessage({ asks: 'kept', files: ownFiles() }, [port2]);
}
