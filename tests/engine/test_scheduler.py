"""The rules of the scheduler alone: requests are put into the state that a test needs, no model runs."""
import pytest

from inference_lab.config import RequestSpec
from inference_lab.request import Request
from inference_lab.scheduler import Scheduler

from .builders import STATIC, WHOLE, Policy

fits_always, never_fits = lambda request: True, lambda request: False


def in_flight(id, prompt=4, order=0, ready=0, computed=0, generated=0):
    """A request of `prompt` tokens that has come as far as `computed` and `generated` say."""
    return Request(spec=RequestSpec(id=id, arrival=0, text="", max_new=99), order=order, tokens=[0] * (prompt + generated),
                   prompt_length=prompt, prefill_until=prompt, ready_us=ready, generator=None, computed=computed)


def decoding(id, prompt=4, order=0):
    return in_flight(id, prompt, order, computed=prompt, generated=1)


def scheduler(slots=2, budget=6, policy=None, waiting=(), running=()):
    s = Scheduler(policy or Policy(name="chunked", continuous=True, budget=budget), slots)
    for request in waiting:
        s.add(request)
    s.running += running
    return s


def tasks(s, now=0, more_to_come=False, fits=fits_always):
    return [(t.request.id, t.phase, t.tokens) for t in s.schedule(now, more_to_come, fits)]


def ids(requests):
    return [r.id for r in requests]


# ── Filling slots ────────────────────────────────────────────────────────────

def test_free_slots_go_to_the_ready_first_accepted_first():
    s = scheduler(slots=2, budget=99, waiting=[in_flight("B", order=1), in_flight("C", order=2), in_flight("A", order=0)])
    assert tasks(s) == [("A", "prefill", 4), ("B", "prefill", 4)]
    assert (ids(s.running), s.n_waiting, s.in_system) == (["A", "B"], 1, 3)


def test_a_request_that_is_still_prepared_waits():
    s = scheduler(waiting=[in_flight("A", ready=10), in_flight("B", ready=7, order=1)])
    assert tasks(s, now=6) == [] and s.next_ready() == 7
    assert tasks(s, now=7) == [("B", "prefill", 4)] and s.next_ready() == 10
    assert tasks(s, now=10) == [("B", "prefill", 4), ("A", "prefill", 2)] and s.next_ready() is None


def test_of_the_requests_that_are_ready_the_first_accepted_goes_first_even_if_it_was_ready_later():
    s = scheduler(slots=1, waiting=[in_flight("A", order=0, ready=10), in_flight("B", order=1, ready=7)])
    assert tasks(s, now=10) == [("A", "prefill", 4)]


def test_a_finished_request_leaves_its_slot():
    a, b = decoding("A"), in_flight("B", order=1)
    s = scheduler(slots=1, running=[a], waiting=[b])
    assert tasks(s) == [("A", "decode", 1)]
    s.finish(a)
    assert tasks(s) == [("B", "prefill", 4)] and s.in_system == 1


def test_nothing_to_do_is_no_task():
    s = scheduler()
    assert tasks(s) == [] and s.in_system == 0 and s.next_ready() is None


# ── The token budget ─────────────────────────────────────────────────────────

def test_a_prompt_of_nine_beside_one_decode_is_cut_into_five_and_four():
    # budget 6 - 1 decode = 5 a step; 9 = 5 + 4
    c = in_flight("C", prompt=9)
    s = scheduler(budget=6, running=[decoding("A"), c])
    assert tasks(s) == [("A", "decode", 1), ("C", "prefill", 5)]
    c.computed += 5
    assert tasks(s) == [("A", "decode", 1), ("C", "prefill", 4)]


def test_what_the_first_prompt_leaves_of_the_budget_goes_to_the_next():
    s = scheduler(slots=3, budget=8, running=[in_flight("A", 5), in_flight("B", 5), in_flight("C", 5)])
    assert tasks(s) == [("A", "prefill", 5), ("B", "prefill", 3)]                   # 8 = 5 + 3 + 0


def test_decodes_take_the_budget_first_whatever_their_place():
    s = scheduler(slots=3, budget=4, running=[in_flight("A", 9), decoding("B"), decoding("C")])
    assert tasks(s) == [("B", "decode", 1), ("C", "decode", 1), ("A", "prefill", 2)]


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_decodes_all_run_even_if_the_budget_is_smaller_and_prompts_then_get_nothing(budget):
    s = scheduler(slots=4, budget=budget, running=[decoding("A"), decoding("B"), decoding("C"), in_flight("D")])
    assert tasks(s) == [("A", "decode", 1), ("B", "decode", 1), ("C", "decode", 1)]


def test_without_a_budget_prompts_are_whole():
    s = scheduler(policy=WHOLE, running=[decoding("A"), in_flight("B", 500)])
    assert tasks(s) == [("A", "decode", 1), ("B", "prefill", 500)]


def test_half_a_prompt_goes_on_where_it_stopped():
    s = scheduler(policy=WHOLE, running=[in_flight("A", prompt=9, computed=7)])
    assert tasks(s) == [("A", "prefill", 2)]


# ── Static batching ──────────────────────────────────────────────────────────

def test_a_static_group_starts_when_it_is_full():
    s = scheduler(policy=STATIC, waiting=[in_flight("A")])
    assert tasks(s, more_to_come=True) == []
    s.add(in_flight("B", order=1))
    assert tasks(s, more_to_come=True) == [("A", "prefill", 4), ("B", "prefill", 4)]


def test_a_static_group_starts_short_when_nobody_else_comes():
    s = scheduler(policy=STATIC, waiting=[in_flight("A"), in_flight("B", order=1, ready=9)])
    assert tasks(s) == []                                       # B is on its way
    assert tasks(s, now=9) == [("A", "prefill", 4), ("B", "prefill", 4)]
    assert tasks(scheduler(policy=STATIC, waiting=[in_flight("A")])) == [("A", "prefill", 4)]


def test_a_static_group_lets_nobody_in_until_its_last_member_is_done():
    a, b, c = decoding("A"), decoding("B", order=1), in_flight("C", order=2)
    s = scheduler(policy=STATIC, running=[a, b], waiting=[c])
    s.finish(a)
    assert tasks(s) == [("B", "decode", 1)]
    s.finish(b)
    assert tasks(s) == [("C", "prefill", 4)]


# ── Returned requests ────────────────────────────────────────────────────────

def test_the_newest_running_request_is_sent_back_and_forgets_its_cache_but_not_its_tokens():
    a, b = decoding("A", order=0), in_flight("B", prompt=4, order=1, computed=6, generated=3)
    s = scheduler(running=[a, b])
    assert s.send_back_newest() is b
    assert ids(s.running) == ["A"] and s.n_waiting == 1
    assert (b.computed, len(b.tokens), b.uncomputed, b.phase, b.preemptions) == (0, 7, 7, "prefill", 1)


def test_a_request_that_had_computed_nothing_is_not_counted_as_preempted():
    b = in_flight("B")
    scheduler(running=[decoding("A"), b]).send_back_newest()
    assert b.preemptions == 0


def test_a_returned_request_recomputes_prompt_and_tokens_as_one_prompt():
    b = in_flight("B", prompt=4, computed=6, generated=3)       # 4 + 3 = 7 tokens again
    s = scheduler(budget=5, running=[b])
    s.send_back_newest()
    assert tasks(s) == [("B", "prefill", 5)]
    b.computed = 5
    assert tasks(s) == [("B", "prefill", 2)]
    b.computed = 7
    b.tokens.append(0)
    assert tasks(s) == [("B", "decode", 1)]


def test_a_returned_request_stands_at_the_head_of_the_queue():
    b = decoding("B", order=7)
    s = scheduler(slots=1, waiting=[in_flight("A", order=1)], running=[b])
    s.schedule(0, False, fits_always)                           # A is ready and waits
    s.send_back_newest()
    assert tasks(s) == [("B", "prefill", 5)] and s.n_waiting == 1


def test_of_two_returned_requests_the_first_accepted_stands_first():
    a, b = decoding("A", order=0), decoding("B", order=1)
    s = scheduler(slots=1, running=[a, b])
    s.send_back_newest()
    s.send_back_newest()
    assert tasks(s) == [("A", "prefill", 5)]


def test_nobody_overtakes_a_returned_request_that_does_not_fit():
    b = decoding("B", order=0)
    s = scheduler(slots=3, waiting=[in_flight("C", order=1)], running=[b])
    s.send_back_newest()
    assert tasks(s, fits=never_fits) == [] and s.n_waiting == 2
    assert tasks(s, fits=fits_always) == [("B", "prefill", 5), ("C", "prefill", 1)]         # budget 6 = 5 + 1


def test_the_pool_is_asked_about_returned_requests_only():
    s = scheduler(waiting=[in_flight("A")])
    assert tasks(s, fits=never_fits) == [("A", "prefill", 4)]


def test_a_returned_request_that_loses_its_new_slot_before_it_worked_stays_at_the_head():
    b = decoding("B", order=7)
    s = scheduler(slots=1, running=[b])
    s.send_back_newest()
    assert tasks(s) == [("B", "prefill", 5)]                    # it has its slot again, and loses it before it computes
    s.send_back_newest()
    s.add(in_flight("A", order=1))
    assert b.returned and b.preemptions == 1
    assert tasks(s) == [("B", "prefill", 5)]                    # before A, who was accepted earlier
