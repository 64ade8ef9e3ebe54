// Talks to the page that frames the lab, where there is one: what the view reports goes out, commands come in.
//
// In: the host's commands, checked for source, origin and shape (messages.js); what the view reports; the height of the content.
// Out: messages to the host, and to whoever `listens`, one { type, detail } after another: "set", "run", "open".
// Details go to one origin only, that of the host: known from the browser, guessed from the referrer, or learnt from a
// valid hello. To anybody (`*`) go nothing but hello and height. The H5P resizer's messages are spoken beside ours.
import { followHeight } from './height.js';
import { message, readCommand, together } from './messages.js';

const H5P = 'h5p';
const PAUSE_MS = 100; // between two times of the same thing: a host may send thousands of messages

export function createHost(view) {
  const host = window.parent;
  const framed = host !== window;
  const sure = framed ? known(location.ancestorOrigins?.[0]) : null; // the browser says so
  let origin = sure ?? (framed ? known(originOf(document.referrer)) : null);
  let ready = null; // detail of the latest ready
  let height = 0;
  let resizer = false; // H5P's script is in the host, and no embed.js
  let ours = false; // embed.js is
  let listener = null;
  let done = 0; // number that the host gave to the last set that was done
  const waiting = new Map(); // type -> detail of commands until somebody listens, and for a pause after the last ones

  const send = (type, detail, target = origin, more = {}) => target && host.postMessage({ ...message(type, detail), ...more }, target);
  const sendH5p = (action, data = {}) => host.postMessage({ context: H5P, action, ...data }, '*');

  const tellReady = () => send('ready', ready, origin, { after: done });

  function tellHeight() {
    send('height', { height }, '*');
    if (ours) return;
    if (resizer) sendH5p('prepareResize', { scrollHeight: height, clientHeight: height });
    else sendH5p('hello'); // its script may have come after the first
  }

  const greet = seldom(() => {
    send('hello', {}, '*');
    if (height) send('height', { height }, '*');
    if (ready) tellReady();
  });

  function heard(event) {
    if (event.source !== host) return;
    if (event.data?.context === H5P) {
      hearH5p(event.data.action);
      return;
    }
    const command = readCommand(event.data);
    if (!command) return;
    if (command.type === 'hello') {
      if (sure && event.origin !== sure) return;
      ours = true;
      origin = known(event.origin) ?? origin;
      greet();
    } else if (event.origin === origin) {
      take(command);
    }
  }

  const greetH5p = seldom(() => height && tellHeight());
  const resizeByH5p = seldom(() => sendH5p('resize', { scrollHeight: height }));

  function hearH5p(action) {
    if (action === 'hello') {
      resizer = true;
      greetH5p();
    } else if (action === 'resizePrepared' && resizer && !ours) {
      resizeByH5p();
    } else if (action === 'resize' && resizer) {
      follow.again();
    }
  }

  /** Of many commands in one go the last of each kind counts; constants are set before a run. */
  function take({ type, detail }) {
    const before = waiting.get(type);
    waiting.set(type, type === 'set' && before ? together(before, detail) : detail);
    handSoon();
  }

  function hand() {
    if (!listener) return;
    const all = ['set', 'open', 'run'].filter((type) => waiting.has(type)).map((type) => [type, waiting.get(type)]);
    waiting.clear();
    for (const [type, { number, ...detail }] of all) {
      done = number ?? done;
      listener(type, detail);
    }
  }
  const handSoon = seldom(hand);

  let follow = { again() {} };
  if (framed) {
    addEventListener('message', heard);
    addEventListener('pagehide', hand); // what is set is kept, however soon the frame loads anew
    send('hello', {}, '*');
    sendH5p('hello');
    follow = followHeight((pixels) => {
      height = pixels;
      tellHeight();
    });
  }

  return {
    framed,
    /** The view says what has happened: "run", "predict", "exercise", "error". `past`: a run of other values than those that are set by now. */
    report: (type, detail, past = false) => void (framed && send(type, detail, origin, past ? {} : { after: done })),
    /** Chạy works now. */
    ready() {
      if (ready) return;
      ready = { view: view.view, ...(view.block && { block: view.block }), ...(view.exercise && { exercise: view.exercise }) };
      if (framed) tellReady();
    },
    listen(callback) {
      listener = callback;
      hand();
    },
  };
}

/** At once, and then at most once in a pause, however often it is asked for. */
function seldom(act) {
  let last = -PAUSE_MS;
  let timer = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      last = performance.now();
      act();
    }, last + PAUSE_MS - performance.now());
  };
}

/** An origin that a message can be sent to, or null: that of a sandboxed page is "null". */
const known = (origin) => (origin && origin !== 'null' ? origin : null);

function originOf(address) {
  try {
    return new URL(address).origin;
  } catch {
    return null; // no referrer
  }
}
