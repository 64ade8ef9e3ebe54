// The LMS as the launch page sees it: SCORM 1.2's API object, wherever the LMS has put it, behind five calls.
//
// Out: null where there is no LMS; else { read(name) -> text, write(name, value), keep(), finish() }, and `troubled(call, code)` is called
// when the LMS refuses one. A value that an LMS need not know (interactions) is written with `offer`, whose refusal is none.

const DEEPEST = 12; // frames up; an LMS stands in the second or third

/** In the frames above this page, then in those above its opener. A frame of another origin hides what is above it. */
function findApi(from) {
  return inFrames(from) ?? (from.top.opener ? inFrames(from.top.opener) : null);
}

function inFrames(from) {
  let frame = from;
  for (let i = 0; i < DEEPEST; i += 1) {
    const api = attempt(() => frame.API);
    if (api) return api;
    if (frame.parent === frame) break;
    frame = frame.parent;
  }
  return null;
}

export function connect(troubled, from = window) {
  const api = attempt(() => findApi(from));
  if (!api) return null;
  /** What the LMS throws is told as its refusal: the lab runs whatever the LMS does. */
  const tell = (name, args, code) => troubled([name, ...args].filter(Boolean).join(' '), code);
  const ask = (name, ...args) => {
    try {
      return String(api[name](...args) ?? '');
    } catch (error) {
      tell(name, args, String(error));
      return null;
    }
  };
  const call = (name, ...args) => {
    const answer = ask(name, ...args);
    if (answer !== null && answer !== 'true') tell(name, args, ask('LMSGetLastError'));
    return answer === 'true';
  };
  if (!call('LMSInitialize', '')) return null;
  return {
    read: (name) => ask('LMSGetValue', name) ?? '',
    write: (name, value) => call('LMSSetValue', name, String(value)),
    offer: (name, value) => ask('LMSSetValue', name, String(value)),
    keep: () => call('LMSCommit', ''),
    finish: () => call('LMSFinish', ''),
  };
}

/** null where another origin's frame is in between. */
function attempt(look) {
  try {
    return look() ?? null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
