// The service worker of a course page: takes over at once, and sees what its page asks for.
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', () => {})
