"""The serving loop: steps, clock and tokens of whole runs, small ones on paper and the course's as literals."""
import numpy as np
import pytest

from inference_lab import Config
from inference_lab.engine import Engine
from inference_lab.model import make_weights
from inference_lab.tokenizer import EOS, Tokenizer

from .builders import STATIC, VARIED, WHOLE, A, chunked, ending, engine_for, finished, outputs_of, serve, serve_steadily, small, steps_of, request
from .slow_model import SlowModel


# ── One request on paper ─────────────────────────────────────────────────────

def test_one_request_goes_through_gateway_prefill_and_decode():
    # ready 7 + 100 + 4 * 20 = 187; prefill 5 + 4 = 9 -> 196; each decode 10 + 1 = 11 -> 207, 218
    trace = serve_steadily(small(request("A", prompt=4, max_new=3, arrival=7), COST_GATEWAY=100, COST_TOKENIZE_PER_TOKEN=20))
    assert steps_of(trace) == [(187, 196, "A:prefill:4"), (196, 207, "A:decode:1"), (207, 218, "A:decode:1")]
    served = trace.find("A")
    assert (served.ready_us, served.start_us, served.finish_us, served.token_times_us) == (187, 187, 218, (196, 207, 218))
    assert (served.prompt_ids, served.output_ids, served.finish_reason) == ((0, 4, 4, 4), (A, A, A), "max_new_tokens")
    assert (served.computed, served.preemptions, served.blocks) == (6, 0, (0, 1))       # the last token is never computed: 4 + 2


def test_an_answer_of_one_token_needs_no_decode():
    trace = serve_steadily(small(request("A", prompt=4, max_new=1)))
    assert steps_of(trace) == [(0, 9, "A:prefill:4")]
    assert trace.find("A").token_times_us == (9,)


def test_an_answer_ends_at_eos_and_says_so():
    config = small(request("A", max_new=5))
    assert outputs_of(serve(config, weights=ending(config))) == {"A": ((EOS,), "eos")}


def test_an_eos_in_the_last_allowed_place_is_still_an_eos():
    config = small(request("A", max_new=1))
    assert outputs_of(serve(config, weights=ending(config))) == {"A": ((EOS,), "eos")}


def test_an_empty_prompt_is_served_beside_a_healthy_one():
    # 1 + 4 tokens: prefill 5 + 5 = 10; both decode: 10 + 2 = 12
    trace = serve_steadily(small(request("A", text="", max_new=2), request("B", prompt=4, max_new=2)))
    assert steps_of(trace) == [(0, 10, "A:prefill:1 B:prefill:4"), (10, 22, "A:decode:1 B:decode:1")]
    assert trace.find("A").prompt_ids == (0,)


def test_prompt_and_answer_that_fill_the_context_exactly_are_served_to_the_end():
    trace = serve_steadily(small(request("A", prompt=5, max_new=3), request("B", prompt=5, max_new=4), MAX_CONTEXT=8))
    assert outputs_of(trace) == {"A": ((A, A, A), "max_new_tokens")}
    assert [(r.id, r.code, r.cause) for r in trace.refused] == [("B", "400", "context")]


# ── Several requests on paper ────────────────────────────────────────────────

def test_a_step_costs_its_prefill_part_and_its_decode_part():
    # 0: 4 tokens of prefill 5 + 4 = 9. 9: C has come; two decodes 10 + 2 and, of budget 4, two tokens of C: 5 + 2 -> 19.
    # 28: 12 and the last token of C: 5 + 1 -> 18. 46: three decodes 10 + 3 = 13.
    trace = serve_steadily(small(request("A", 2, 4), request("B", 2, 4), request("C", 3, 2, arrival=1), SLOTS=3, TOKEN_BUDGET=4))
    assert steps_of(trace) == [
        (0, 9, "A:prefill:2 B:prefill:2"), (9, 28, "A:decode:1 B:decode:1 C:prefill:2"),
        (28, 46, "A:decode:1 B:decode:1 C:prefill:1"), (46, 59, "A:decode:1 B:decode:1 C:decode:1")]
    assert trace.find("C").start_us == 9 and trace.find("C").token_times_us == (46, 59)


def test_with_a_budget_of_one_prompts_wait_for_every_decode():
    trace = serve_steadily(small(request("A", 2, 3), request("B", 2, 1), TOKEN_BUDGET=1))
    assert steps_of(trace) == [
        (0, 6, "A:prefill:1"), (6, 12, "A:prefill:1"), (12, 23, "A:decode:1"), (23, 34, "A:decode:1"), (34, 40, "B:prefill:1"), (40, 46, "B:prefill:1")]


def test_the_clock_jumps_over_a_time_without_requests():
    trace = serve_steadily(small(request("A", 4, 2), request("B", 2, 2, arrival=1000)))
    assert steps_of(trace) == [(0, 9, "A:prefill:4"), (9, 20, "A:decode:1"), (1000, 1007, "B:prefill:2"), (1007, 1018, "B:decode:1")]
    assert trace.find("B").blocks == (0,)                       # A gave it back


def test_requests_of_one_instant_are_taken_in_their_order_and_the_queue_counts():
    # two slots, one place to wait: the fourth is refused; C starts when A and B are done
    trace = serve_steadily(small(*[request(id, 2, 2) for id in "ABCD"], SLOTS=2, QUEUE_LIMIT=1))
    assert [(a.id, a.stage, a.code) for a in trace.admissions] == [
        ("A", "gateway", "OK"), ("A", "input", "OK"), ("B", "gateway", "OK"), ("B", "input", "OK"),
        ("C", "gateway", "OK"), ("C", "input", "OK"), ("D", "gateway", "429")]
    assert steps_of(trace) == [(0, 9, "A:prefill:2 B:prefill:2"), (9, 21, "A:decode:1 B:decode:1"), (21, 28, "C:prefill:2"), (28, 39, "C:decode:1")]
    assert [(s.waiting, s.running) for s in trace.steps] == [(1, 2), (1, 2), (0, 1), (0, 1)]


def test_requests_are_taken_by_arrival_whatever_their_place_in_the_list():
    trace = serve_steadily(small(request("A", 2, 1, arrival=50), request("B", 2, 1, arrival=0)))
    assert finished(trace) == ["B", "A"] and [s.id for s in trace.served] == ["A", "B"]


def test_without_a_queue_a_busy_slot_means_429_and_a_free_one_does_not():
    # A runs from 0 to 9 and to 20; B arrives at 5, C at 20
    trace = serve_steadily(small(request("A", 4, 2), request("B", 4, 1, arrival=5), request("C", 4, 1, arrival=20), SLOTS=1, QUEUE_LIMIT=0))
    assert [(r.id, r.code, r.cause) for r in trace.refused] == [("B", "429", "capacity")]
    assert finished(trace) == ["A", "C"]


def test_a_request_is_judged_when_the_step_that_runs_at_its_arrival_ends():
    trace = serve_steadily(small(request("A", 4, 1), request("B", 4, 1, arrival=5)))
    assert [(a.id, a.judged_us) for a in trace.admissions if a.stage == "gateway"] == [("A", 0), ("B", 9)]


def test_the_last_request_may_be_refused_while_nothing_runs():
    trace = serve_steadily(small(request("A", 2, 1), request("B", text="?", arrival=500)))
    assert finished(trace) == ["A"] and [(r.id, r.cause) for r in trace.refused] == [("B", "vocabulary")]
    assert len(trace.steps) == 1


@pytest.mark.parametrize("policy", [STATIC, WHOLE, None], ids=["static", "continuous", "chunked"])
def test_a_run_that_serves_nobody_has_no_steps(policy):
    trace = serve_steadily(small(request("A", text="?"), request("B", text="!", arrival=5)), policy)
    assert (trace.steps, trace.served, trace.block_owners, trace.peak.blocks, trace.free_at_end) == ((), (), {}, 0, 16)
    assert (trace.proof.positions, trace.proof.max_logit_difference) == (0, 0.0)


def test_static_batching_leaves_a_slot_empty_that_continuous_batching_fills():
    requests = request("A", 4, 2), request("B", 4, 4), request("C", 4, 1)
    assert steps_of(serve_steadily(small(*requests), STATIC)) == [
        (0, 13, "A:prefill:4 B:prefill:4"), (13, 25, "A:decode:1 B:decode:1"), (25, 36, "B:decode:1"), (36, 47, "B:decode:1"), (47, 56, "C:prefill:4")]
    # A is done at 25: one decode 11 and C's prefill 9 -> 45
    assert steps_of(serve_steadily(small(*requests), WHOLE)) == [
        (0, 13, "A:prefill:4 B:prefill:4"), (13, 25, "A:decode:1 B:decode:1"), (25, 45, "B:decode:1 C:prefill:4"), (45, 56, "B:decode:1")]


def test_a_static_group_waits_for_its_second_member_and_the_last_one_goes_alone():
    trace = serve_steadily(small(request("A", 4, 2), request("B", 4, 2, arrival=100), request("C", 4, 1, arrival=1000)), STATIC)
    assert steps_of(trace) == [(100, 113, "A:prefill:4 B:prefill:4"), (113, 125, "A:decode:1 B:decode:1"), (1000, 1009, "C:prefill:4")]


# ── The course's run ─────────────────────────────────────────────────────────

def course_run(policy, **changed):
    config = Config.of(changed)
    tokenizer = Tokenizer.learn(config.CORPUS, config.N_MERGES)
    return Engine(config, policy or chunked(config), tokenizer, make_weights(config, 22)).run()


def test_the_course_s_run_takes_twelve_steps():
    # prefill 500 + 400 a token, decode 1000 + 100 a sequence: A's 6 tokens cost 2900; 1100 + 2500 = 3600; 1100 + 900 = 2000
    trace = course_run(None)
    assert steps_of(trace) == [
        (500, 3400, "A:prefill:6"),
        (3400, 7000, "A:decode:1 B:prefill:5"),
        (7000, 10600, "A:decode:1 B:prefill:5"),
        (10600, 12600, "A:decode:1 B:prefill:1"),
        (12600, 13800, "A:decode:1 B:decode:1"),
        (13800, 15000, "A:decode:1 B:decode:1"),
        (15000, 16200, "A:decode:1 B:decode:1"),
        (16200, 19800, "A:decode:1 C:prefill:5"),
        (19800, 23000, "A:decode:1 C:prefill:4"),
        (23000, 24200, "A:decode:1 C:decode:1"),
        (24200, 25300, "C:decode:1"),
        (25300, 26400, "C:decode:1")]
    assert [s.waiting for s in trace.steps] == [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    assert [s.running for s in trace.steps] == [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1]
    assert ["".join(s.holders) for s in trace.steps] == ["A", *["AB"] * 6, *["AC"] * 3, "C", "C"]
    assert [s.kv_blocks_used for s in trace.steps] == [2, 4, 5, 6, 6, 7, 3, 6, 7, 3, 3, 0]


def test_a_request_can_hold_a_slot_without_work():
    # a budget of 4 goes to A's prompt for two steps; B has its slot from the first on
    trace = serve_steadily(small(request("A", 8, 1), request("B", 4, 1), TOKEN_BUDGET=4))
    assert [(s.holders, [w.id for w in s.work]) for s in trace.steps] == [(("A", "B"), ["A"]), (("A", "B"), ["A"]), (("B",), ["B"])]


def test_the_course_s_run_without_chunks_takes_ten_steps():
    # B's 11 tokens at once: 1100 + 500 + 4400 = 6000, in which A waits for its second token
    assert steps_of(course_run(WHOLE)) == [
        (500, 3400, "A:prefill:6"), (3400, 9400, "A:decode:1 B:prefill:11"),
        (9400, 10600, "A:decode:1 B:decode:1"), (10600, 11800, "A:decode:1 B:decode:1"), (11800, 13000, "A:decode:1 B:decode:1"),
        (13000, 18200, "A:decode:1 C:prefill:9"),
        (18200, 19400, "A:decode:1 C:decode:1"), (19400, 20600, "A:decode:1 C:decode:1"), (20600, 21800, "A:decode:1 C:decode:1"),
        (21800, 22900, "A:decode:1")]


def test_the_course_s_run_in_static_groups_takes_fourteen_steps():
    # A waits for B: both are ready at 750. C waits until A has all its ten tokens.
    assert steps_of(course_run(STATIC)) == [
        (750, 8050, "A:prefill:6 B:prefill:11"),
        (8050, 9250, "A:decode:1 B:decode:1"), (9250, 10450, "A:decode:1 B:decode:1"), (10450, 11650, "A:decode:1 B:decode:1"),
        *[(t, t + 1100, "A:decode:1") for t in (11650, 12750, 13850, 14950, 16050, 17150)],
        (18250, 22350, "C:prefill:9"), (22350, 23450, "C:decode:1"), (23450, 24550, "C:decode:1"), (24550, 25650, "C:decode:1")]


# ── Tokens ───────────────────────────────────────────────────────────────────

def test_greedy_answers_agree_with_the_slow_model():
    requests = [request("A", 3, 4, seed=1), request("B", 1, 5), request("C", 6, 3, arrival=2)]
    config = small(*requests, SEED=VARIED, BLOCK_SIZE=2, TOKEN_BUDGET=3)
    engine = engine_for(config)
    slow, trace = SlowModel(engine.weights), engine.run()
    for r, prompt in zip(requests, (3, 1, 6)):
        assert list(trace.find(r["id"]).output_ids) == slow.greedy([0] + [4] * (prompt - 1), r["max_new"])


def test_a_request_s_own_seed_and_nothing_else_decides_what_is_drawn():
    hot = dict(temperature=1.5, max_new=12, prompt=3)
    config = small(request("A", seed=1, **hot), request("B", seed=1, **hot), request("C", seed=2, **hot, arrival=9), SLOTS=3, SEED=VARIED)
    outputs = outputs_of(serve(config))
    assert outputs["A"] == outputs["B"] != outputs["C"]


def test_every_slot_count_block_size_and_budget_gives_the_same_tokens():
    expected = {"A": ((12,) * 10, "max_new_tokens"), "B": ((8, 9, 17, 1), "eos"), "C": ((17, 16, 17, 1), "eos")}
    for changed in (dict(SLOTS=1, QUEUE_LIMIT=2), dict(BLOCK_SIZE=1, POOL_BLOCKS=40), dict(BLOCK_SIZE=7), dict(TOKEN_BUDGET=1), dict(TOKEN_BUDGET=500)):
        outputs = outputs_of(course_run(None, **changed))
        assert {id: outputs[id] for id in expected} == expected, changed


# ── The proof and the followed request ───────────────────────────────────────

def test_the_proof_covers_every_position_that_was_computed():
    # A: 4 + 2 = 6 positions, B: 2 + 0; recomputing: prompts 4 + 2, then decodes at length 5 and 6
    proof = serve_steadily(small(request("A", 4, 3), request("B", 2, 1))).proof
    assert (proof.positions, proof.positions_cached, proof.positions_recomputed) == (8, 8, 4 + 2 + 5 + 6)


def test_the_course_s_cache_equals_recomputation():
    proof = course_run(None).proof
    assert (proof.positions, proof.positions_cached, proof.positions_recomputed) == (41, 41, 197)
    assert 0 < proof.max_logit_difference < 1e-13 and proof.max_kv_difference < 1e-14


def test_the_proof_notices_a_cache_that_was_tampered_with():
    engine = engine_for(small(request("A", 4, 3)))
    write = engine.pool.write
    def spoiled(sequence, keys, values):
        return write(sequence, keys, values + 1e-6)
    engine.pool.write = spoiled
    proof = engine.run().proof
    assert proof.max_kv_difference > 1e-7 and proof.max_logit_difference > 1e-9


def test_the_followed_request_s_attention_is_that_of_the_slow_model():
    config = small(request("A", 5, 3), request("B", 9, 2), FOLLOW="B", TOKEN_BUDGET=4, SEED=VARIED)
    engine = engine_for(config)
    slow, trace = SlowModel(engine.weights), engine.run()
    ids = [0] + [4] * 8
    first = trace.find("B").output_ids[0]
    np.testing.assert_allclose(trace.followed.prefill_attention, slow.last(ids)[1], atol=1e-12)
    np.testing.assert_allclose(trace.followed.first_logits, slow.last(ids)[0], atol=1e-12)
    assert trace.followed.first_sample.token == first != EOS
    assert trace.followed.decode_token == first
    np.testing.assert_allclose(trace.followed.decode_attention, slow.last(ids + [first])[1], atol=1e-12)


def test_a_followed_request_that_ends_after_one_token_has_no_decode():
    followed = serve_steadily(small(request("A", 5, 1))).followed
    assert followed.first_sample.token == A and followed.prefill_attention.shape == (2, 5)
    assert followed.decode_token is None and followed.decode_attention is None


def test_a_followed_request_that_is_refused_leaves_nothing():
    followed = serve_steadily(small(request("A", text="?"), request("B"))).followed
    assert (followed.first_logits, followed.first_sample, followed.prefill_attention, followed.decode_token, followed.decode_attention) == (None,) * 5


def test_a_token_of_the_pool_costs_keys_and_values_of_every_head():
    trace = serve_steadily(small(request("A")))
    assert trace.bytes_per_token == 2 * 2 * 4 * 8               # K and V, heads, d_head, eight bytes each
    assert trace.pool_bytes == 16 * 4 * 128                     # blocks, slots


def test_a_trace_finds_what_happened_to_a_request():
    trace = serve_steadily(small(request("A", 4, 2), request("B", 4, 1), request("C", text="?")))
    assert trace.find("A").id == "A" and trace.find("C") is None
    assert trace.refusal("C").code == "400" and trace.refusal("A") is None
    assert [(s.id, s.blocks) for s in trace.by_finish] == [("B", (1,)), ("A", (0, 1))]


def test_an_engine_leaves_its_configuration_and_weights_as_they_were():
    config = small(request("A", 3, 4, temperature=1.0), request("B", 4, 4))
    engine = engine_for(config)
    before = engine.weights.w_k.copy(), config.plain()
    first, second = engine.run(), engine_for(config).run()
    assert (engine.weights.w_k == before[0]).all() and config.plain() == before[1]
    assert outputs_of(first) == outputs_of(second) and first.steps == second.steps
