// The page's address and history, for the view: text in, text out. What stands in an address is link.js's.
import { hasState, readLink, writeLink } from './link.js'

/** The part of an address that a configuration stands in; a fragment without one is a place on the page. */
const written = () => location.search + (hasState(location.hash) ? location.hash : '')

/** What the address says, as link.js reads it, and `query`: the part that says it. JSON text. */
export const read = () => JSON.stringify({ ...readLink(location.search, location.hash), query: written() })

function addressOf(json) {
  const { query, fragment } = writeLink(JSON.parse(json), location.search, location.hash.slice(1))
  return location.pathname + (query && `?${query}`) + (fragment && `#${fragment}`)
}

let known = written()

/** What each entry of the history holds beside its address. */
const state = () => ({ own: globalThis.inferenceLab.own })

/** Let the address say this; `push` makes an entry in the history. -> the part that says it; "" where a frame may not change its address. */
export function show(json, push) {
  const address = addressOf(json)
  if (address !== location.pathname + location.search + location.hash) {
    const entry = push && window.parent === window; // a frame's steps would be steps of the page around it
    try {
      history[entry ? 'pushState' : 'replaceState'](state(), '', address)
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      return ''
    }
  }
  known = written()
  return known
}

/** The address of the whole lab with this configuration. */
export function whole(json) {
  const { query, fragment } = writeLink(JSON.parse(json))
  return location.pathname + (query && `?${query}`) + (fragment && `#${fragment}`)
}

/** Put the link on the clipboard; rejects when that is not allowed. */
export function copy(json) {
  if (!navigator.clipboard) return Promise.reject(new Error('no clipboard'))
  return navigator.clipboard.writeText(location.origin + addressOf(json))
}

/** Back and forward between configurations. A step to a place on the page is none, and does not cost the fragment its script. */
export function onBack(changed) {
  addEventListener('popstate', () => {
    if (history.state?.own === undefined) history.replaceState(state(), '') // an entry that a link within the page made
    if (written() === known) return
    if (location.hash && !hasState(location.hash) && known.startsWith(`${location.search}#`)) {
      history.replaceState(state(), '', location.pathname + known)
      return
    }
    known = written()
    changed()
  })
}
