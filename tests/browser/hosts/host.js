// The script of a course page that embeds the lab. It keeps what it hears, and counts its own listeners, so that a test may ask.
// Loaded before embed.js; a file of its own, since some hosts allow no inline script.
globalThis.heard = [] // { type, id, detail } of the element's events
globalThis.messages = [] // { from, data } of every message, whoever sent it
globalThis.violations = [] // of the page's Content-Security-Policy
globalThis.listeners = new Map() // type -> how many listeners of other scripts the window has

for (const type of ['ready', 'run', 'predict', 'exercise', 'error']) {
  addEventListener(`inference-lab-${type}`, ({ target, detail }) => heard.push({ type, id: target.id, detail }))
}
addEventListener('message', ({ source, data }) => messages.push({ from: source, data }))
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => violations.push(`${violatedDirective} ${blockedURI}`))

for (const [name, step] of [['addEventListener', 1], ['removeEventListener', -1]]) {
  const native = globalThis[name]
  globalThis[name] = function (type, ...rest) {
    listeners.set(type, (listeners.get(type) ?? 0) + step)
    return native.call(this ?? globalThis, type, ...rest)
  }
}
