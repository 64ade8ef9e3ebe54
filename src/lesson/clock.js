// One request of a run on the simulated clock: its five quantities, and the passes that made its tokens.
//
// In: the engine's figures (served, steps) as plain data, µs. Out: plain data. Draws nothing, and computes nothing that the engine
// has not: differences of its instants.

/** Where each quantity begins and ends. `from`: the instant a reader starts the clock of TTFT at, "arrival" or "start". */
export function quantities(served, arrival_us, from = 'arrival') {
  const times = served.token_times_us;
  const [first, last] = [times[0], times.at(-1)];
  const start = from === 'arrival' ? arrival_us : served.start_us;
  const n = times.length;
  const tpot = n > 1 ? (last - first) / (n - 1) : null;
  return {
    n,
    queue: { from: served.ready_us, to: served.start_us },
    ttft: { from: start, to: first },
    e2e: { from: arrival_us, to: last },
    tpot_us: tpot,
    ttft_us: first - start,
    queue_us: served.start_us - served.ready_us,
    e2e_us: last - arrival_us,
    sum_us: first - start + (n > 1 ? last - first : 0), // TTFT + (N - 1) × TPOT
    missing_us: start - arrival_us, // what that sum lacks of E2E when the clock starts late
  };
}

/** Tokens of all served requests for each second of the simulated clock, first arrival to last finish. */
export function throughput(served, arrivals_us) {
  if (served.length === 0) return null;
  const tokens = served.reduce((sum, { token_times_us }) => sum + token_times_us.length, 0);
  const span = Math.max(...served.map(({ finish_us }) => finish_us)) - Math.min(...served.map(({ id }) => arrivals_us[id]));
  return { tokens, span_us: span, per_second: (tokens * 1e6) / span };
}

/** The passes of one request, in order: [{ phase, tokens, from, to, emits }]; `emits` is the place of the token that comes of it, or null. */
export function passes(steps, served) {
  const times = served.token_times_us;
  return steps.flatMap(({ start_us, end_us, tasks }) =>
    tasks
      .filter(([id]) => id === served.id)
      .map(([, phase, tokens]) => ({ phase, tokens, from: start_us, to: end_us, emits: times.includes(end_us) ? times.indexOf(end_us) : null })));
}
