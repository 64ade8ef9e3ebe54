"""Each numbered law is noticed when it is broken: a healthy state is spoiled by hand."""
from dataclasses import replace

import pytest

from inference_lab.errors import InvariantError
from inference_lab.invariants import check_step, check_trace
from inference_lab.trace import Work

from .builders import STATIC, WHOLE, engine_for, request, serve, small, steady

REQUESTS = [request("A", 5, 4), request("B", 3, 4), request("C", 6, 3, arrival=20), request("D", text="?")]
CONFIG = small(*REQUESTS, TOKEN_BUDGET=7)


def broken(law):
    return pytest.raises(InvariantError, match=f"invariant {law} broken")


def engine_after(n_steps):
    """A healthy engine in the middle of its run: after two steps A holds blocks 0 and 1, B holds 2, C is to come, D is refused."""
    engine = engine_for(CONFIG, weights=steady(CONFIG))
    while len(engine.steps) < n_steps:
        engine.let_in()
        engine.step(engine.scheduler.schedule(engine.now, bool(engine.arrivals), lambda r: True))
    check_step(engine)
    return engine


@pytest.fixture
def engine():
    engine = engine_after(2)
    assert engine.pool.tables == {"A": [0, 1], "B": [2]} and len(engine.refused) == 1 and len(engine.arrivals) == 1
    return engine


@pytest.fixture
def trace():
    trace = serve(CONFIG, weights=steady(CONFIG))
    check_trace(trace, CONFIG)
    assert len(trace.served) == 3 and len(trace.steps) > 4
    return trace


def spoil_served(trace, **changed):
    return replace(trace, served=(replace(trace.served[0], **changed), *trace.served[1:]))


# ── After a step ─────────────────────────────────────────────────────────────

def test_law_1_a_lost_block(engine):
    engine.pool.free.pop()
    with broken(1):
        check_step(engine)


def test_law_1_a_block_with_two_owners(engine):
    engine.pool.tables["B"] = [0]
    with broken(1):
        check_step(engine)


def test_law_1_a_block_that_is_held_and_free(engine):
    engine.pool.free[-1] = 0                                    # the counts still add up
    with broken(1):
        check_step(engine)


def test_law_1_a_block_that_is_free_twice(engine):
    engine.pool.free[-1] = engine.pool.free[0]
    with broken(1):
        check_step(engine)


@pytest.mark.parametrize("forget", [
    lambda e: e.arrivals.pop(), lambda e: e.refused.pop(), lambda e: e.scheduler.running.pop(), lambda e: e.served.append(None),
], ids=["an arrival", "a refusal", "a running request", "served twice"])
def test_law_2_a_request_that_is_lost_or_answered_twice(engine, forget):
    forget(engine)
    with broken(2):
        check_step(engine)


def test_law_3_a_step_over_its_budget(engine):
    # budget 7, two decodes leave 5
    work = (Work("A", "decode", 1), Work("B", "decode", 1), Work("C", "prefill", 5))
    engine.steps[-1] = replace(engine.steps[-1], work=work)
    check_step(engine)
    engine.steps[-1] = replace(engine.steps[-1], work=work[:-1] + (Work("C", "prefill", 6),))
    with broken(3):
        check_step(engine)


def test_law_3_does_not_hold_without_a_budget():
    engine = engine_for(small(request("A", 60, 2)), WHOLE)
    assert engine.run().steps[0].prefill_tokens == 60


def test_law_4_a_step_that_takes_no_time(engine):
    engine.steps[-1] = replace(engine.steps[-1], start_us=engine.now)
    with broken(4):
        check_step(engine)


def test_law_4_a_clock_that_went_back(engine):
    engine.now -= 1
    with broken(4):
        check_step(engine)


def test_law_5_a_cache_that_does_not_hold_what_was_computed(engine):
    engine.scheduler.running[0].computed += 1
    with broken(5):
        check_step(engine)


# ── After a run ──────────────────────────────────────────────────────────────

def test_law_2_a_request_missing_in_the_trace(trace):
    with broken(2):
        check_trace(replace(trace, served=trace.served[1:]), CONFIG)
    with broken(2):
        check_trace(replace(trace, refused=()), CONFIG)


def test_law_4_steps_out_of_order(trace):
    with broken(4):
        check_trace(replace(trace, steps=trace.steps[::-1]), CONFIG)


def test_law_6_a_first_token_before_its_step(trace):
    with broken(6):
        check_trace(spoil_served(trace, start_us=trace.served[0].token_times_us[0]), CONFIG)


def test_law_6_a_start_before_the_prompt_was_ready(trace):
    with broken(6):
        check_trace(spoil_served(trace, ready_us=trace.served[0].start_us + 1), CONFIG)


def test_law_6_an_arrival_after_it_was_ready(trace):
    first = trace.served[0]
    with broken(6):
        check_trace(spoil_served(trace, spec=replace(first.spec, arrival=first.ready_us + 1)), CONFIG)


def test_law_6_token_times_that_go_back(trace):
    times = trace.served[0].token_times_us
    with broken(6):
        check_trace(spoil_served(trace, token_times_us=(times[0], times[2], times[1], *times[3:])), CONFIG)


def test_law_7_a_block_that_was_never_given_back(trace):
    with broken(7):
        check_trace(replace(trace, free_at_end=trace.free_at_end - 1), CONFIG)


# ── Where they are checked ───────────────────────────────────────────────────

def test_every_step_of_a_run_is_checked(monkeypatch):
    engine = engine_for(CONFIG, weights=steady(CONFIG))
    release = engine.pool.release
    def leaky(sequence):
        blocks = release(sequence)
        engine.pool.free.remove(blocks[0])
        return blocks
    monkeypatch.setattr(engine.pool, "release", leaky)
    with broken(1):
        engine.run()


@pytest.mark.parametrize("policy", [STATIC, WHOLE, None], ids=["static", "continuous", "chunked"])
@pytest.mark.parametrize("changed", [
    {}, dict(POOL_BLOCKS=3), dict(POOL_BLOCKS=2, QUEUE_LIMIT=0), dict(SLOTS=4, TOKEN_BUDGET=1), dict(BLOCK_SIZE=1, POOL_BLOCKS=8)], ids=repr)
def test_healthy_runs_break_no_law(policy, changed):
    config = small(*REQUESTS, **changed)
    check_trace(serve(config, policy), config)


def test_an_engine_that_cannot_go_on_says_so_and_does_not_hang(monkeypatch):
    engine = engine_for(CONFIG)
    monkeypatch.setattr(engine.scheduler, "_fill_slots", lambda room, fits: None)
    with pytest.raises(InvariantError, match="nothing can run"):
        engine.run()
