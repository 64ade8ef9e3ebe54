// A course page that uses a plain <iframe> and speaks to it by messages alone, as docs/embedding.md says.
globalThis.heard = []
globalThis.say = (type, detail = {}) => {
  const frame = document.querySelector('iframe')
  frame.contentWindow.postMessage({ lab: 'inference-lab', v: 1, type, detail }, new URL(frame.src).origin)
}
addEventListener('message', ({ source, origin, data }) => {
  const frame = document.querySelector('iframe')
  if (source !== frame.contentWindow || origin !== new URL(frame.src).origin || data?.lab !== 'inference-lab') return
  heard.push({ type: data.type, detail: data.detail })
})
