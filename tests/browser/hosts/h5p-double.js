// Does what H5P's own h5p-resizer.js does in a host (h5p/h5p-php-library, js/h5p-resizer.js, which is GPL and on no registry):
// it finds the iframe that a message came from, in the document only, answers `hello`, lays it low on `prepareResize`, and
// takes the height from `resize`. `h5pSteps` tells what it was asked.
globalThis.h5pSteps = []
{
  const frameOf = (source) => [...document.getElementsByTagName('iframe')].find(({ contentWindow }) => contentWindow === source)
  const ACTIONS = {
    hello(frame, data, answer) {
      frame.style.width = '100%'
      addEventListener('resize', () => answer('resize'))
      answer('hello')
    },
    prepareResize(frame, { scrollHeight, clientHeight }, answer) {
      if (frame.clientHeight === scrollHeight && scrollHeight === clientHeight) return
      frame.style.height = `${clientHeight}px`
      answer('resizePrepared')
    },
    resize(frame, { scrollHeight }) {
      frame.style.height = `${scrollHeight}px`
    },
  }
  addEventListener('message', ({ source, origin, data }) => {
    if (data.context !== 'h5p') return
    const frame = frameOf(source)
    if (!frame || !Object.hasOwn(ACTIONS, data.action)) return
    h5pSteps.push(data.action)
    ACTIONS[data.action](frame, data, (action) => source.postMessage({ action, context: 'h5p' }, origin))
  })
}
