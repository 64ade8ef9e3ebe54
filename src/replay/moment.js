// A run's replay as the engine gives it (py/inference_lab/replay.py), read at one instant. Pure: data in, plain values out.
// An instant is known by its number; the state of an instant holds until the next one.

/** Of a sorted list of rows, the index of the last whose first entry is at most `i`; −1 if there is none. */
export function lastAt(rows, i) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle][0] <= i) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The instant whose state holds at a time in µs. */
export const instantAt = (data, us) => Math.max(0, lastAt(data.instants.map((one) => [one]), us));

/** Where a request is: { place, detail, told, known } or null before it came. `detail`: its slot, or the code of its refusal. */
export function stayAt(data, request, i) {
  const stays = data.requests[request][2];
  const at = lastAt(stays, i);
  if (at < 0) return null;
  const [since, place, detail, told, known] = stays[at];
  return { since, place, detail, told, known };
}

/** Why a request has what it has: the scheduler's sentence where it decided, else the one of the place where it is. */
export function why(data, request, i) {
  const stay = stayAt(data, request, i);
  if (!stay) return `${data.requests[request][0]} chưa đến: nó đến lúc ${data.times[data.requests[request][2][0][0]]}.`;
  if (stay.place === 'waiting' && data.decided[i] >= stay.known) {
    const at = lastAt(data.queue, data.decided[i]);
    if (at >= 0) {
      const [, head, ofHead, ofOthers] = data.queue[at];
      return head === request ? ofHead : ofOthers.replace('{}', data.requests[request][0]);
    }
  }
  if ((stay.place === 'prefill' || stay.place === 'decode') && data.step[i]) {
    const row = data.steps[data.step[i] - 1][1].find(([one]) => one === request);
    if (row) return row[3];
  }
  return stay.told;
}

/** The texts of the tokens that a request was given by now. */
export function answer(data, request, i) {
  const tokens = data.requests[request][3];
  return tokens.slice(0, lastAt(tokens, i) + 1).map(([, text]) => text);
}

const IN_SYSTEM = new Set(['gateway', 'tokenizing', 'waiting', 'prefill', 'decode']);

/**
 * Who is drawn, and in which cell: [{ request, cell, place, detail }] in the order of slots, then of arrival at the place.
 * A request that ends or is refused is drawn for that instant alone.
 */
export function crowd(data, i) {
  const cells = new Map(data.places);
  const there = [];
  data.requests.forEach((_, request) => {
    const stay = stayAt(data, request, i);
    if (!stay) return;
    if (IN_SYSTEM.has(stay.place)) there.push({ request, cell: cells.get(stay.place), ...stay });
    else if (stay.since === i) there.push({ request, cell: stay.place === 'done' ? cells.get('done') : stay.detail === '429' ? 'L1-1' : 'L1-3', ...stay });
  });
  const slot = (one) => (one.place === 'prefill' || one.place === 'decode' ? one.detail : 0);
  return there.sort((a, b) => slot(a) - slot(b) || a.since - b.since || a.request - b.request);
}

/** Which block is held by whom: Map block -> request. */
export function holders(data, i) {
  return new Map(data.uses.filter(([, , from, until]) => from <= i && i < until).map(([block, request]) => [block, request]));
}

/** Arrows along which the work of a step goes, when one begins at this instant. */
export function flows(data, i) {
  if (!data.step[i] || data.decided[i] !== i) return [];
  const phases = new Set(data.steps[data.step[i] - 1][1].map(([, phase]) => phase));
  return data.working.flatMap(([phase, ways]) => (phases.has(phase) ? ways.map((way) => ({ phase, way })) : []));
}

/** In one line: how many wait, run and how many blocks are held. */
export const figures = (data, i) => `chờ ${data.waiting[i]} · chạy ${data.running[i]}/${data.slots} · ${data.blocks[i]}/${data.pool} block`;

/** Who stands where, for those who do not see the diagram. */
export function spoken(data, i) {
  const names = (places) => crowd(data, i).filter(({ place }) => places.includes(place)).map(({ request }) => data.requests[request][0]).join(', ');
  const parts = [['Chạy', names(['prefill', 'decode'])], ['Chờ', names(['waiting', 'tokenizing'])], ['Ở cổng', names(['gateway'])]];
  return parts.filter(([, who]) => who).map(([what, who]) => `${what}: ${who}.`).join(' ');
}

const LONGEST_GAP = 3; // seconds, at speed 1
const USUAL = [400, 2000]; // µs between instants at which a simulated millisecond takes a second

/** When each instant is shown, in seconds at speed 1. A run of very short or very long steps is played by the step. */
export function schedule(instants) {
  const mean = (instants.at(-1) - instants[0]) / Math.max(1, instants.length - 1);
  const pace = mean >= USUAL[0] && mean <= USUAL[1] ? 1000 : Math.max(1, mean);
  let at = 0;
  return instants.map((us, i) => (at += i ? Math.min(LONGEST_GAP, (us - instants[i - 1]) / pace) : 0));
}
