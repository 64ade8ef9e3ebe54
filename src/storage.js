// What outlives a visit: texts by name in the browser's storage where there is one, else in memory. Never throws:
// a blocked storage raises when it is touched, a full one when it is written. All tabs share what is stored; each also keeps what
// it wrote itself, so that its reload brings its own text back, whatever another tab has stored meanwhile.

export function createStorage(open = () => globalThis.localStorage, openOwn = () => globalThis.sessionStorage) {
  const memory = new Map()
  const [storage, ofTab] = [opened(open), opened(openOwn)]

  return {
    /** The text, or "". */
    read(name) {
      if (memory.has(name)) return memory.get(name)
      return attempt(() => storage?.getItem(name)) ?? ''
    },
    /** What this tab wrote last, before a reload too; "" if it has not. */
    own: (name) => memory.get(name) ?? attempt(() => ofTab?.getItem(name)) ?? '',
    /** -> whether it outlives the visit. */
    write(name, text) {
      memory.set(name, text)
      if (!attempt(() => (ofTab?.setItem(name, text), true))) attempt(() => ofTab?.removeItem(name)) // an older text would win after a reload
      if (!storage) return false
      return attempt(() => (storage.setItem(name, text), true)) ?? false
    },
    /** changed(text): another tab has stored it under this name. */
    listen(name, changed) {
      addEventListener('storage', ({ key, newValue, storageArea }) => storageArea === storage && key === name && newValue && changed(newValue))
    },
  }
}

const opened = (open) => attempt(open) ?? null

function attempt(act) {
  try {
    return act()
  } catch (error) {
    if (error instanceof DOMException) return undefined // blocked, or full
    throw error
  }
}
