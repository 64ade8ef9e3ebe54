"""Where the time of one request went, on runs small enough to follow on paper."""
from hypothesis import given
from hypothesis import strategies as st

from inference_lab import Config, run
from inference_lab.attribution import Stretch, decode_stretch, freed_by, longest_gap, prefill_stretch, waits
from inference_lab.metrics import metrics

from .builders import request, serve_steadily, small


def kinds(trace, config, id):
    return [(w.kind, w.us, "".join(w.others)) for w in waits(trace, config, trace.find(id))]


def course(**changed):
    config = Config.of(changed)
    return run(config).main, config


def test_c_waits_for_a_slot_that_a_and_b_hold_until_b_ends():
    # ready at 1650, in step 1, which ends at 3400; from then on A and B hold both slots until 16200
    trace, config = course()
    assert kinds(trace, config, "C") == [("slot", 14550, "AB")]
    assert freed_by(trace, trace.find("C")) == ("B", "finished")


def test_with_a_third_slot_c_has_one_at_3400_and_no_tokens_until_10600():
    trace, config = course(SLOTS=3)
    assert kinds(trace, config, "C") == [("budget", 8950, "AB")] and 10600 - 1650 == 8950


def test_a_request_that_becomes_ready_within_a_step_waits_for_its_end():
    # B is ready at 750, step 1 ends at 3400, and a slot is free
    trace, config = course()
    assert kinds(trace, config, "B") == [("step", 2650, "")] and kinds(trace, config, "A") == []


def test_a_newcomer_behind_a_preempted_request_waits_for_blocks():
    # C is ready at 20, in the step from 13 to 24. B lost its blocks at 13 and stands before it: until 90 a slot is free
    config = small(request("A", 4, 8), request("B", 4, 4), request("C", 2, 2, arrival=20), POOL_BLOCKS=3)
    trace = serve_steadily(config)
    assert kinds(trace, config, "C") == [("pool", 70, "A")] and trace.find("C").start_us == 90


def test_c_s_prompt_runs_in_two_steps_in_which_a_decodes():
    trace, _ = course()
    assert prefill_stretch(trace, trace.find("C")) == Stretch(
        chunks=(5, 4), decode_steps=2, decode_beside=2, prefill_steps=0, prefill_beside=0, prefill_others=(), idle_us=0, preemptions=0)
    assert decode_stretch(trace, trace.find("A")) == Stretch(
        chunks=(), decode_steps=4, decode_beside=4, prefill_steps=5, prefill_beside=20, prefill_others=("B", "C"), idle_us=0, preemptions=0)


def test_a_preempted_request_stands_idle_and_prefills_again():
    trace, _ = course(POOL_BLOCKS=6)
    b = decode_stretch(trace, trace.find("B"))
    assert b.preemptions == 1 and b.idle_us > 0 and sum(b.chunks) == 11 + 2         # its prompt and the two tokens it had


def test_the_longest_gap_is_a_s_while_b_s_prompt_is_prefilled():
    served, start, end = longest_gap(course()[0])
    assert (served.id, start, end) == ("A", 3400, 7000)
    assert longest_gap(serve_steadily(small(request("A", 4, 1)))) is None


@given(st.fixed_dictionaries({}, optional={
    "SLOTS": st.integers(1, 5), "QUEUE_LIMIT": st.integers(0, 5), "TOKEN_BUDGET": st.integers(1, 14), "BLOCK_SIZE": st.integers(1, 8),
    "POOL_BLOCKS": st.integers(1, 14), "SEED": st.integers(0, 50), "COST_GATEWAY": st.integers(0, 3000)}))
def test_the_waits_of_every_request_add_up_to_its_queue_time(changed):
    trace, config = course(**changed)
    for served in trace.served:
        assert sum(w.us for w in waits(trace, config, served)) == metrics(served).queue_us
        assert all(w.us > 0 for w in waits(trace, config, served))
        assert sum(prefill_stretch(trace, served).chunks) >= len(served.prompt_ids)
