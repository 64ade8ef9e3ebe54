// Served as sw.js, it ends what a deployment's service worker began: for every reader, at the next visit.
import { cacheOf } from './names.js';

const leave = () => Promise.all([caches.delete(cacheOf(new URL('.', self.location.href).href)), self.registration.unregister()]);

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));

// A page that asks for sw.js while this one is leaving makes it stay: so it leaves once more.
self.addEventListener('message', (event) => {
  if (event.data?.asks === 'turn') return self.skipWaiting();
  if (event.data?.asks !== 'kept') return;
  event.waitUntil(leave().then(() => event.ports[0].postMessage('off')));
});
