// The configuration in an address: `?v=1&set=SLOTS:3,QUEUE_LIMIT:2&follow=A&corpus=…&requests=…&script=…`.
//
// In: plain data of what differs from the default; an address's query and fragment. Out: the query and fragment with that in it; what
// they say, as plain data. Nothing of it is believed: names, values and the script are judged by whoever gets them.
// Knows nothing of the page or of the constants. Parameters that are not of this file stay as they are.
//
// A short script goes into the query; a longer one, which a server might refuse, into the fragment, which no server sees.
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate'

const VERSION = '1'
const OURS = ['v', 'set', 'follow', 'corpus', 'requests', 'script']
const LONGEST_ADDRESS = 450_000 // characters that are read at all: more than the longest script takes
const LONGEST_CONSTANTS = 20_000 // characters of all but the script: some hundred requests, half a second of the view's time
const LONGEST_SCRIPT = 300_000 // bytes of a script, unpacked: the editor takes 100,000 characters
const LONGEST_QUERY = 4_000 // characters of a packed script that a server takes without a word
const PIECE = 512 // packed bytes at a time: a bomb is noticed before it has grown

const FIELD = '~' // between the cells of a request
const ITEM = '!' // between requests, and between sentences

/** Plain data { set: [[name, text]], corpus, requests: [[texts]], follow, script } -> { query, fragment }, each "" or without its mark. */
export function writeLink(state, query = '', fragment = '') {
  const params = others(query)
  const parts = []
  const packed = state.script === undefined ? '' : pack(state.script)
  if (state.set?.length) parts.push(['set', state.set.map(([name, text]) => `${name}:${text}`).join(',')])
  if (state.follow !== undefined) parts.push(['follow', state.follow])
  if (state.corpus) parts.push(['corpus', state.corpus.map(escape).join(ITEM)])
  if (state.requests) parts.push(['requests', state.requests.map((cells) => cells.map(escape).join(FIELD)).join(ITEM)])
  if (packed && packed.length <= LONGEST_QUERY) parts.push(['script', packed])
  const inFragment = packed.length > LONGEST_QUERY
  if (parts.length || inFragment) parts.unshift(['v', VERSION])
  const written = [...params, ...parts.map(([name, text]) => `${name}=${encode(text)}`)].join('&')
  return { query: written, fragment: inFragment ? `script=${packed}` : hasState(fragment) ? '' : fragment }
}

/** -> { trouble: "" | "later" | "long" | "broken", state, unknown: names of `set` that are no names }. Never throws. */
export function readLink(query, fragment = '') {
  const empty = { trouble: '', state: {}, unknown: [] }
  const [search, hash] = [bare(query), bare(fragment)]
  if (search.length + hash.length > LONGEST_ADDRESS) return { ...empty, trouble: 'long' }
  const params = new Map([...entries(hasState(hash) ? hash : ''), ...entries(search)].filter(([name]) => OURS.includes(name)))
  if (params.size === 0) return empty
  if ([...params].some(([name, text]) => name !== 'script' && text.length > LONGEST_CONSTANTS)) return { ...empty, trouble: 'long' }
  const version = params.get('v') ?? VERSION
  if (version !== VERSION) return { ...empty, trouble: /^[0-9]{1,9}$/.test(version) && Number(version) > Number(VERSION) ? 'later' : 'broken' }
  try {
    return { ...empty, ...parse(params) }
  } catch (error) {
    if (error instanceof Unreadable) return { ...empty, trouble: error.trouble }
    throw error
  }
}

/** Whether an address says anything of a configuration; cheap, and no judgement. */
export const hasState = (text) => /(^|[?#&])(v|set|follow|corpus|requests|script)=/.test(text)

class Unreadable extends Error {
  constructor(trouble) {
    super(trouble)
    this.trouble = trouble
  }
}

function parse(params) {
  const state = {}
  const unknown = []
  if (params.has('set')) {
    state.set = []
    for (const pair of params.get('set').split(',').filter(Boolean)) {
      const [, name, text] = /^([A-Z][A-Z0-9_]{0,40}):(.{0,400})$/su.exec(pair) ?? []
      if (name) state.set.push([name, text])
      else unknown.push(pair.slice(0, 40))
    }
  }
  if (params.has('follow')) state.follow = params.get('follow')
  if (params.has('corpus')) state.corpus = params.get('corpus').split(ITEM).map(unescape)
  if (params.has('requests')) {
    state.requests = params.get('requests').split(ITEM).map((item) => item.split(FIELD).map(unescape))
    if (state.requests.some((cells) => cells.length !== 8)) throw new Unreadable('broken')
  }
  if (params.has('script')) state.script = unpack(params.get('script'))
  return { state, unknown }
}

const bare = (text) => text.replace(/^[?#]/, '')

const entries = (text) => [...new URLSearchParams(text)]

const others = (query) =>
  bare(query)
    .split('&')
    .filter((part) => part && !OURS.includes(part.split('=')[0]))

/** As URLSearchParams would write it, but with the marks of this file left readable. */
const encode = (text) => encodeURIComponent(text).replace(/%20/g, '+').replace(/%3A/g, ':').replace(/%2C/g, ',')

const escape = (text) => text.replace(/[%~!]/g, (sign) => ({ '%': '%p', '~': '%f', '!': '%i' })[sign])
const unescape = (text) => text.replace(/%[pfi]/g, (mark) => ({ '%p': '%', '%f': '~', '%i': '!' })[mark])

const pack = (text) => btoa(strFromU8(deflateSync(strToU8(text), { level: 9 }), true)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')

/** Unpacks piece by piece, and stops when more comes out than a script may hold. */
function unpack(packed) {
  if (!/^[A-Za-z0-9_-]+$/.test(packed)) throw new Unreadable('broken')
  const pieces = []
  let size = 0
  let ended = false
  const inflate = new Inflate((piece, final) => {
    size += piece.length
    if (size > LONGEST_SCRIPT) throw new Unreadable('long')
    pieces.push(piece.slice())
    ended = final
  })
  try {
    const bytes = strToU8(atob(packed.replace(/-/g, '+').replace(/_/g, '/')), true)
    for (let at = 0; at < bytes.length; at += PIECE) inflate.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('broken')
  }
  if (!ended) throw new Unreadable('broken')
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole)
  } catch {
    throw new Unreadable('broken') // bytes that are no text
  }
}
