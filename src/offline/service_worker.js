// Lets the lab run without a network. Built by scripts/offline.mjs, which fills in KEPT: [{ url, revision, integrity }], everything
// of this deployment; `revision` is null where the name holds a hash.
//
// - Installed whole or not at all, and each file only if it has the sum that the build wrote down.
// - A page comes from the network, so that a new deployment is seen at once; without an answer, from this deployment.
// - A hashed file comes from the cache, of whatever deployment: its name says which one. So pages of an older deployment that are
//   still open keep their files, until no page asks for them any more.
// - It takes over as soon as it is installed; a page that sees it wait all the same says { asks: 'turn' }.
// - A page asks { asks: 'kept', files } and hears whether all of them are kept; it is asked { asks: 'files' } and answers with its own.
import * as navigationPreload from 'workbox-navigation-preload';
import { PrecacheController } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkOnly } from 'workbox-strategies';
import { cacheOf, isHashed } from './names.js';

const NETWORK_SECONDS = 3; // what a reader waits for a page before the one that is kept is shown
const ANSWER_SECONDS = 5; // a page that says nothing in this time is taken to need its files

const BASE = new URL('.', self.location.href).href;
const CACHE = cacheOf(BASE);
const kept = new PrecacheController({ cacheName: CACHE });
kept.addToCacheList(KEPT);
const files = new Set(kept.getCachedURLs());

// Two workers of two deployments change the cache in turn.
const alone = (act) => navigator.locks.request(CACHE, act);

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(alone(() => kept.install(event)).catch(async (error) => {
    if (!self.registration.active) await caches.delete(CACHE); // half an installation is of no use to anybody
    throw error;
  }));
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
navigationPreload.enable();

/** The path of an address within this deployment, or null. */
const within = (url) => (url.href.startsWith(BASE) ? url.pathname.slice(new URL(BASE).pathname.length) : null);

/** The address of the kept file that a path stands for, by the customs of hosts: a folder's index.html, a name without .html. */
function keptAt(path) {
  return [path, `${path}.html`, `${path}index.html`].map((name) => BASE + name).find((address) => files.has(address)) ?? null;
}

const isStable = (path) => path !== null && !isHashed(path) && keptAt(path) !== null;

registerRoute(({ url }) => isHashed(within(url) ?? ''), new CacheFirst({
  cacheName: CACHE,
  matchOptions: { ignoreVary: true },
  plugins: [{ cacheWillUpdate: () => null }], // nothing comes into the cache but by an installation
}));

registerRoute(({ url }) => isStable(within(url)), new NetworkOnly({
  networkTimeoutSeconds: NETWORK_SECONDS,
  plugins: [{
    fetchDidSucceed: ({ response }) => {
      if (response.status >= 500) throw new Error(`the server answers ${response.status}`);
      return response;
    },
    handlerDidError: async ({ request }) => {
      const response = await kept.matchPrecache(keptAt(within(new URL(request.url))));
      return request.mode === 'navigate' && response ? withoutNetwork(response) : response;
    },
  }],
}));

/** The kept page, saying of itself that it came without a network. */
async function withoutNetwork(response) {
  const headers = new Headers(response.headers);
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  return new Response((await response.text()).replace('<html', '<html data-network="none"'), { headers });
}

const holds = (addresses) => addresses.every((address) => files.has(address));

self.addEventListener('message', (event) => {
  if (event.data?.asks === 'turn') return self.skipWaiting();
  if (event.data?.asks !== 'kept') return;
  event.ports[0].postMessage(holds(event.data.files));
  event.waitUntil(tidy(event));
});

/** Once every open page lives from this deployment's files, those of older ones go. */
async function tidy(event) {
  const clients = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const pages = clients.filter(({ url }) => isStable(within(new URL(url))));
  const answers = await Promise.all(pages.map(filesOf));
  if (!answers.every((answer) => answer && holds(answer)) || !await caches.has(CACHE)) return;
  // A newer deployment that is being installed has its files in the same cache.
  await alone(async () => self.registration.installing || self.registration.waiting || kept.activate(event));
}

function filesOf(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(null), ANSWER_SECONDS * 1000);
    page.postMessage({ asks: 'files' }, [port2]);
  });
}
