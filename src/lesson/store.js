// A small place for what a reader did, in this browser only. Where storage is blocked or full, it lasts as long as the page.
export const keyOf = (name) => `inference-lab:${name}`;

/** Every key of this browser's storage; none where it is blocked. */
export function storedKeys() {
  try {
    return Object.keys(localStorage);
  } catch { // blocked
    return [];
  }
}

export function createStore(name, key = keyOf(name)) {
  let memory = null;
  return {
    /** What was written last, or null. */
    read() {
      try {
        return JSON.parse(localStorage.getItem(key)) ?? memory;
      } catch { // blocked, or not what we wrote
        return memory;
      }
    },
    write(value) {
      memory = value;
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch { /* blocked or full: memory holds it */ }
    },
  };
}
