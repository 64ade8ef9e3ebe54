// Served as sw.js, it ends what a deployment's service worker began: for every reader, at the next visit.
import { cacheOf } from './names.js';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  const cache = cacheOf(new URL('.', self.location.href).href);
  event.waitUntil(Promise.all([caches.delete(cache), self.registration.unregister()]));
});
// A page that registered this while it was already going has it stay: then it goes again.
self.addEventListener('message', (event) => {
  if (event.data?.asks !== 'kept') return;
  event.ports[0].postMessage('off');
  event.waitUntil(self.registration.unregister());
});
