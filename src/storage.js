// What outlives a visit: texts by name in the browser's storage where there is one, else in memory. Never throws:
// a blocked storage raises when it is touched, a full one when it is written.

export function createStorage(open = () => globalThis.localStorage) {
  const memory = new Map()
  const storage = opened(open)

  return {
    /** The text, or "". */
    read(name) {
      if (memory.has(name)) return memory.get(name)
      return attempt(() => storage?.getItem(name)) ?? ''
    },
    /** -> whether it outlives the visit. */
    write(name, text) {
      memory.set(name, text)
      if (!storage) return false
      return attempt(() => (storage.setItem(name, text), true)) ?? false
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
