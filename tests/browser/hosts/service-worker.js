// The service worker of a course page: sees what its page asks for.
addEventListener('fetch', () => {})
