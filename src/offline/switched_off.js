// Served as sw.js, it ends what a deployment's service worker began: for every reader, at the next visit.
import { cacheOf } from './names.js';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  const cache = cacheOf(new URL('.', self.location.href).href);
  event.waitUntil(Promise.all([caches.delete(cache), self.registration.unregister()]));
});
self.addEventListener('message', ({ data, ports }) => {
  if (data?.asks === 'kept') ports[0].postMessage('off');
});
