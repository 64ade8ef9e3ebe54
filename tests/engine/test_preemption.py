"""When the pool runs out: preemption by recompute, with four-token blocks and every block number on paper.

Costs: a prefill 5 + 1 a token, a decode 10 + 1 a sequence.
"""
import pytest

from inference_lab.metrics import metrics

from .builders import STATIC, VARIED, WHOLE, A, finished, outputs_of, request, serve, serve_steadily, small, steps_of


def two_in_three_blocks(**changed):
    """A and B have four tokens each and three blocks are there. A: 8 tokens to come, B: 4."""
    return small(request("A", 4, 8), request("B", 4, 4), **(dict(POOL_BLOCKS=3) | changed))


def test_the_newest_request_goes_when_it_finds_no_block_itself():
    # 13: A takes block 2 for its fifth token, B finds none and gives block 1 back. Five tokens of B need two blocks, and
    # A holds 0, 2 and, from 57 on, 1. At 90 A is done: B computes 4 + 1 tokens again, 5 + 5 = 10.
    trace = serve_steadily(two_in_three_blocks())
    assert steps_of(trace) == [
        (0, 13, "A:prefill:4 B:prefill:4"), (13, 24, "A:decode:1"), (24, 35, "A:decode:1"), (35, 46, "A:decode:1"), (46, 57, "A:decode:1"),
        (57, 68, "A:decode:1"), (68, 79, "A:decode:1"), (79, 90, "A:decode:1"), (90, 100, "B:prefill:5"), (100, 111, "B:decode:1"), (111, 122, "B:decode:1")]
    [preemption] = trace.preemptions
    assert (preemption.at_us, preemption.id, preemption.for_id, preemption.blocks, preemption.tokens) == (13, "B", "B", (1,), 4)
    assert [s.preempted for s in trace.steps] == [(), ("B",)] + [()] * 9
    assert trace.block_owners == {0: ("A", "B"), 1: ("B", "A", "B"), 2: ("A",)}
    assert [(s.id, s.blocks) for s in trace.by_finish] == [("A", (0, 2, 1)), ("B", (0, 1))]
    assert [s.kv_blocks_used for s in trace.steps] == [2, 2, 2, 2, 2, 3, 3, 0, 2, 2, 0]


def test_an_older_request_takes_the_block_of_the_newest():
    # two blocks: A [0] full, B [1] with three of four slots taken. A's fifth token takes block 1.
    trace = serve_steadily(small(request("A", 4, 5), request("B", 3, 3), POOL_BLOCKS=2))
    assert steps_of(trace) == [
        (0, 12, "A:prefill:4 B:prefill:3"), (12, 23, "A:decode:1"), (23, 34, "A:decode:1"), (34, 45, "A:decode:1"), (45, 56, "A:decode:1"),
        (56, 65, "B:prefill:4"), (65, 76, "B:decode:1")]
    [preemption] = trace.preemptions
    assert (preemption.at_us, preemption.id, preemption.for_id, preemption.blocks, preemption.tokens) == (12, "B", "A", (1,), 3)
    assert trace.block_owners == {0: ("A", "B"), 1: ("B", "A", "B")}


def test_of_three_the_newest_gives_all_its_blocks_and_the_second_takes_one_too():
    # six blocks: [0 3] [1 4] [2 5], all full at 69. A takes block 2 of C; B then takes block 5.
    trace = serve_steadily(small(request("A", 4, 9), request("B", 4, 9), request("C", 4, 9), POOL_BLOCKS=6, SLOTS=3, TOKEN_BUDGET=12))
    [preemption] = trace.preemptions
    assert (preemption.at_us, preemption.id, preemption.for_id, preemption.blocks, preemption.tokens) == (69, "C", "A", (2, 5), 8)
    assert steps_of(trace)[5] == (69, 81, "A:decode:1 B:decode:1")
    assert steps_of(trace)[9] == (117, 131, "C:prefill:9")      # 4 + 5 tokens again, when A and B are done
    assert trace.block_owners == {0: ("A", "C"), 1: ("B", "C"), 2: ("C", "A", "C"), 3: ("A",), 4: ("B",), 5: ("C", "B")}


def test_ttft_stays_and_the_gap_shows():
    # B's first token at 13; the second after 77 of waiting and 10 of recomputing
    b = serve_steadily(two_in_three_blocks()).find("B")
    assert b.token_times_us == (13, 100, 111, 122) and b.preemptions == 1
    m = metrics(b)
    assert (m.ttft_us, m.prep_us + m.queue_us + m.prefill_us, m.max_gap_us) == (13, 13, 87)
    roomy = metrics(serve_steadily(two_in_three_blocks(POOL_BLOCKS=16)).find("B"))
    assert (roomy.ttft_us, roomy.max_gap_us) == (13, 12)


def test_a_request_preempted_before_its_first_token_counts_the_wait_as_prefill():
    # B enters at 68 when A is done, with C; at 98 B's ninth token takes C's block: C had two of its tokens computed and one answered
    trace = serve_steadily(small(request("A", 4, 6), request("B", 7, 4), request("C", 2, 2, arrival=3), POOL_BLOCKS=3, SLOTS=3))
    assert [(p.at_us, p.id, p.for_id, p.blocks, p.tokens) for p in trace.preemptions] == [(13, "B", "B", (1,), 4), (98, "C", "B", (2,), 2)]
    b = trace.find("B")                                         # 4 of its 7 prompt tokens were computed by 13 and lost
    assert (b.start_us, b.token_times_us[0]) == (0, 81)
    m = metrics(b)
    assert (m.prep_us, m.queue_us, m.prefill_us, m.ttft_us) == (0, 0, 81, 81)
    assert trace.find("C").token_times_us == (98, 128)


@pytest.mark.parametrize("policy", [STATIC, WHOLE, None], ids=["static", "continuous", "chunked"])
def test_preemption_does_not_disturb_a_token(policy):
    requests = [request(id, prompt, 9, temperature=t, top_k=3 if t else 0, seed=i) for i, (id, prompt, t) in
                enumerate([("A", 5, 0), ("B", 3, 1.5), ("C", 6, 0.7), ("D", 2, 1.0)])]
    tight, roomy = (serve(small(*requests, SLOTS=4, POOL_BLOCKS=blocks, SEED=VARIED), policy) for blocks in (5, 40))
    assert len(tight.preemptions) >= 2 and not roomy.preemptions
    assert outputs_of(tight) == outputs_of(roomy)
    assert tight.proof.max_logit_difference < 1e-12 and tight.free_at_end == 5


def test_recomputed_positions_are_counted_again():
    # A: 4 + 7; B: 4, then 5 again, then 2. Recomputing would take: prompts 4 + 4 + 5; A's decodes 5..11, B's 6 and 7.
    proof = serve_steadily(two_in_three_blocks()).proof
    assert proof.positions_cached == 4 + 7 + 4 + 5 + 2
    assert proof.positions_recomputed == 4 + 4 + 5 + sum(range(5, 12)) + 6 + 7
    assert proof.positions == 11 + 7                            # what the caches held at the end


# ── Who may come in ──────────────────────────────────────────────────────────

def test_nobody_is_let_in_during_a_step_that_preempted():
    # at 13 a third slot is free and C is ready; B is preempted in that step: C waits, behind B
    trace = serve_steadily(small(request("A", 4, 6), request("B", 4, 4), request("C", 2, 2, arrival=13), POOL_BLOCKS=3, SLOTS=3))
    assert [(s, e, w) for s, e, w in steps_of(trace) if s in (13, 24, 68)] == [
        (13, 24, "A:decode:1"), (24, 35, "A:decode:1"), (68, 80, "B:prefill:5 C:prefill:2")]
    assert trace.find("C").start_us == 68
    assert [s.holders for s in trace.steps if s.start_us in (13, 24, 68)] == [("A", "B"), ("A",), ("B", "C")]      # C was put off: it had none
    assert [p.id for p in trace.preemptions] == ["B"] and trace.find("C").preemptions == 0


def test_a_newcomer_does_not_overtake_a_preempted_request_though_a_slot_and_a_block_are_free():
    # from 24 to 57 block 1 is free and C would fit into it; B, which needs two, stands before it
    trace = serve_steadily(small(request("A", 4, 8), request("B", 4, 4), request("C", 2, 2, arrival=20), POOL_BLOCKS=3))
    assert trace.find("C").start_us == 90
    assert [(s.waiting, s.running) for s in trace.steps[2:8]] == [(2, 1)] * 6


def test_requests_keep_their_order_when_a_newcomer_is_put_off_and_an_older_one_preempted_in_one_step():
    # 12: C is let in, A needs a block: C goes first (it holds none), then B. At 56 B and C come back in this order.
    trace = serve_steadily(small(request("A", 4, 5), request("B", 3, 3), request("C", 2, 2, arrival=12), POOL_BLOCKS=2, SLOTS=3))
    assert steps_of(trace)[1] == (12, 23, "A:decode:1") and steps_of(trace)[5] == (56, 67, "B:prefill:4 C:prefill:2")
    assert [(p.at_us, p.id, p.for_id) for p in trace.preemptions] == [(12, "B", "A"), (67, "C", "B")]
    assert finished(trace) == ["A", "B", "C"]


def test_a_preempted_request_stands_before_a_newcomer_that_was_put_off_earlier():
    # B is accepted first but ready last (5 tokens at 5; A and C, three tokens from 1 on, at 4). 15: B gets a slot, finds no
    # block and is put off. 27: A's fifth token takes C's block. 38: A is done; C, which was running, goes before B.
    trace = serve_steadily(small(request("B", 5, 1), request("A", 3, 3, arrival=1), request("C", 3, 4, arrival=1),
                                 POOL_BLOCKS=2, SLOTS=3, COST_TOKENIZE_PER_TOKEN=1))
    assert [(p.at_us, p.id, p.for_id) for p in trace.preemptions] == [(27, "C", "A")]
    assert steps_of(trace)[:4] == [(4, 15, "A:prefill:3 C:prefill:3"), (15, 27, "A:decode:1 C:decode:1"), (27, 38, "A:decode:1"), (38, 48, "C:prefill:5")]
    assert finished(trace) == ["A", "C", "B"]


def test_a_preempted_request_counts_as_one_in_the_system():
    # one slot and one place: A and B are in; B is preempted and waits at 24: C is refused
    trace = serve_steadily(two_in_three_blocks(REQUESTS=[request("A", 4, 8), request("B", 4, 4), request("C", 2, 1, arrival=20)], QUEUE_LIMIT=0))
    assert [(r.id, r.code) for r in trace.refused] == [("C", "429")]


# ── Alone and still no block ─────────────────────────────────────────────────

def test_a_request_that_is_alone_ends_with_what_the_pool_could_hold():
    # two blocks hold 8 tokens: prompt 4 and four of the answer; the fifth token is known but cannot be computed
    trace = serve_steadily(small(request("A", 4, 10), POOL_BLOCKS=2))
    a = trace.find("A")
    assert (a.output_ids, a.finish_reason, a.computed, a.blocks) == ((A,) * 5, "kv_exhausted", 8, (0, 1))
    assert a.token_times_us == (9, 20, 31, 42, 53) and a.finish_us == 53
    assert len(trace.steps) == 5 and trace.free_at_end == 2 and trace.preemptions == ()


def test_an_answer_that_needs_exactly_the_whole_pool_is_complete():
    # 4 + 5 - 1 = 8 positions in two blocks
    assert outputs_of(serve_steadily(small(request("A", 4, 5), POOL_BLOCKS=2))) == {"A": ((A,) * 5, "max_new_tokens")}


def test_the_next_request_is_served_after_one_that_exhausted_the_pool():
    trace = serve_steadily(small(request("A", 4, 10), request("B", 4, 2), POOL_BLOCKS=2, SLOTS=1))
    assert steps_of(trace)[5:] == [(53, 62, "B:prefill:4"), (62, 73, "B:decode:1")]
    assert trace.find("B").finish_reason == "max_new_tokens"


def test_a_newcomer_without_blocks_does_not_save_a_request_that_fills_the_pool():
    # at 53 C gets the free slot, but holds no block that A could take: A ends, C starts at the same instant
    trace = serve_steadily(small(request("A", 4, 10), request("C", 2, 1, arrival=53), POOL_BLOCKS=2))
    assert trace.find("A").finish_reason == "kv_exhausted"
    assert steps_of(trace)[5:] == [(53, 60, "C:prefill:2")] and trace.preemptions == ()


def test_two_requests_that_each_need_the_whole_pool_are_served_one_after_the_other():
    trace = serve_steadily(small(request("A", 4, 5), request("B", 4, 5), POOL_BLOCKS=2))
    assert outputs_of(trace) == {id: ((A,) * 5, "max_new_tokens") for id in "AB"}
    assert [p.id for p in trace.preemptions] == ["B"]


# ── A prompt that can never fit ──────────────────────────────────────────────

def test_a_prompt_that_can_never_fit_is_refused_and_one_token_less_is_served():
    trace = serve_steadily(small(request("A", 9, 1), request("B", 8, 1), POOL_BLOCKS=2))
    assert [(r.id, r.code, r.cause) for r in trace.refused] == [("A", "400", "pool")]
    assert outputs_of(trace) == {"B": ((A,), "max_new_tokens")}


def test_in_a_pool_of_one_block_of_one_token_only_an_empty_prompt_is_served():
    trace = serve_steadily(small(request("A", 1, 3), request("B", 2, 1), POOL_BLOCKS=1, BLOCK_SIZE=1))
    assert outputs_of(trace) == {"A": ((A,), "kv_exhausted")}
    assert [(r.id, r.cause) for r in trace.refused] == [("B", "pool")]


# ── The followed request ─────────────────────────────────────────────────────

def test_what_is_kept_of_a_followed_request_survives_its_preemption():
    # B is preempted after its first token; its first decode feeds the second one, at position 5
    tight, roomy = (serve(two_in_three_blocks(FOLLOW="B", POOL_BLOCKS=blocks, SEED=VARIED)) for blocks in (3, 16))
    assert tight.preemptions and tight.find("B").output_ids == roomy.find("B").output_ids
    assert tight.followed.first_sample.draw is None and tight.followed.first_sample.token == tight.find("B").output_ids[0]
    assert (tight.followed.prefill_attention == roomy.followed.prefill_attention).all()
    assert tight.followed.decode_token == tight.find("B").output_ids[1] and tight.followed.decode_attention.shape == (2, 6)
    assert roomy.followed.decode_token == roomy.find("B").output_ids[0] and roomy.followed.decode_attention.shape == (2, 5)
