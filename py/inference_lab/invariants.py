"""The laws of the engine, numbered, in one place. Each raises InvariantError when broken.

`check_step` runs after every step of every run (its cost is a few sums); `check_trace` runs over a finished trace;
law 8 is checked where the engine settles a step, law 9 in block 12 of every run and over random configurations in the
tests, law 10 in the tests of the runtime.

1. free + used = all blocks, and no block has two owners.            A block handed out twice would mix two users' text.
2. submitted = arrivals to come + refused + waiting + running + served.   Nobody is lost or answered twice.
3. Prefill tokens of a step stay within what decodes leave of the budget.  The bound on how long a decode can be held up.
4. The clock never goes back, and a step with work takes time.       Otherwise no latency means anything.
5. A running request's cache holds exactly its computed tokens.      The next position is taken from it.
6. E2E ≥ TTFT ≥ 0, and token times never decrease.
7. At the end every block is free.                                   A leak is a server that dies after a week.
8. A request that worked in a step is not preempted in it.           Its token would be counted and then computed again.
9. Tokens do not depend on policy, chunking, block size, preemption or batch.   Else no schedule could be compared.
10. The same configuration gives the same bytes, on CPython and in Pyodide.     Else a learner could not check a figure.
"""
from .errors import InvariantError


def broken(law, detail):
    """-> the error to raise. Only a broken law has its detail written: the laws hold in each of thousands of steps."""
    return InvariantError(f"invariant {law} broken: {detail}")


def check_step(engine):
    pool, scheduler = engine.pool, engine.scheduler
    held = [block for table in pool.tables.values() for block in table]
    if not len(held) + len(pool.free) == len({*held, *pool.free}) == pool.n_blocks:
        raise broken(1, f"held {pool.tables}, free {sorted(pool.free)}, of {pool.n_blocks}")
    counted = len(engine.arrivals) + len(engine.refused) + scheduler.in_system + len(engine.served)
    if counted != len(engine.config.REQUESTS):
        raise broken(2, f"{counted} of {len(engine.config.REQUESTS)} requests accounted for")
    for request in scheduler.running:
        stored = pool.lengths.get(request.id, 0)
        if stored != request.computed:
            raise broken(5, f"{request.id}: {stored} stored, {request.computed} computed")
    if engine.steps:
        step, budget = engine.steps[-1], engine.policy.budget
        left = None if budget is None else max(0, budget - step.decode_tokens)
        if left is not None and step.prefill_tokens > left:
            raise broken(3, f"{step.prefill_tokens} prefill tokens, {left} allowed")
        if not step.start_us < step.end_us <= engine.now:
            raise broken(4, f"step {step.start_us} to {step.end_us}, clock {engine.now}")


def check_trace(trace, config):
    if trace.free_at_end != config.POOL_BLOCKS:
        raise broken(7, f"{trace.free_at_end} of {config.POOL_BLOCKS} blocks free at the end")
    if len(trace.served) + len(trace.refused) != len(config.REQUESTS):
        raise broken(2, "a request was lost")
    for earlier, later in zip(trace.steps, trace.steps[1:]):
        if earlier.end_us > later.start_us:
            raise broken(4, f"a step starts at {later.start_us}, before {earlier.end_us}")
    for served in trace.served:
        times = served.token_times_us
        if not served.spec.arrival <= served.ready_us <= served.start_us < times[0]:
            raise broken(6, f"{served.id}: {served}")
        if any(a > b for a, b in zip(times, times[1:])):
            raise broken(6, f"{served.id}: token times {times}")
