// Module workers also for a page without an origin of its own (a sandboxed frame): it may not load one from ours, but may
// write one that imports ours. What it imports, and all that the worker fetches then, must be sent for any origin.

/** Stands in for the browser's `Worker`; throws as that does where there can be none at all. */
export function Worker(address, options) {
  try {
    return new globalThis.Worker(address, options);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const source = `import ${JSON.stringify(String(address))}`;
    return new globalThis.Worker(`data:text/javascript,${encodeURIComponent(source)}`, options);
  }
}
