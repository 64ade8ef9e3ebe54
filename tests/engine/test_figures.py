"""The figures of a run: the course's as literals, and what a run with little to show says."""
import json
import math

import pytest

from inference_lab import Config, run
from inference_lab.figures import figures

from .builders import request, small


@pytest.fixture(scope="module")
def course():
    return figures(run(Config.of()))


def served(figures, id):
    return next(s for s in figures["served"] if s["id"] == id)


def near(value, within=1e-9):
    return pytest.approx(value, abs=within, rel=0)


# ── The course's run ─────────────────────────────────────────────────────────

def test_requests_a_b_and_c_are_served_e_is_400_and_d_is_429(course):
    assert [s["id"] for s in course["served"]] == ["A", "B", "C"]
    assert course["rejected"] == [dict(id="E", code="400", cause="context"), dict(id="D", code="429", cause="capacity")]
    assert [(a["id"], a["stage"], a["code"]) for a in course["gateway"]] == [
        ("A", "gateway", "OK"), ("A", "input", "OK"), ("B", "gateway", "OK"), ("B", "input", "OK"), ("E", "gateway", "OK"), ("E", "input", "400"),
        ("C", "gateway", "OK"), ("C", "input", "OK"), ("D", "gateway", "429")]


def test_c_waits_22_ms_for_its_first_token(course):
    # 650 = 200 at the gateway + 9 tokens of 50; 14550 in the queue; 6800 = 3600 + 3200 in two chunks
    c = served(course, "C")
    assert (c["prep_us"], c["queue_us"], c["prefill_us"], c["ttft_us"]) == (650, 14550, 6800, 22000) and 650 + 14550 + 6800 == 22000
    assert (c["ready_us"], c["start_us"], c["finish_us"], c["token_times_us"]) == (1650, 16200, 26400, [23000, 24200, 25300, 26400])
    assert c["tpot_us"] == near(3400 / 3) and (c["e2e_us"], c["max_gap_us"]) == (25400, 1200)


def test_c_s_prompt_has_nine_tokens_and_its_answer_four(course):
    c = served(course, "C")
    assert c["prompt_tokens"] == ["<bos>", "b", "a", "n</w>", "h", "o", "c", "</w>", "model</w>"]
    assert c["prompt_ids"] == [0, 4, 3, 16, 8, 17, 5, 2, 14]
    assert (c["output_ids"], c["output_text"], c["finish_reason"]) == ([17, 16, 17, 1], "on o", "eos")


def test_a_and_b_have_their_latencies(course):
    a, b = served(course, "A"), served(course, "B")
    assert (a["prep_us"], a["queue_us"], a["prefill_us"], a["ttft_us"], a["e2e_us"], a["max_gap_us"]) == (500, 0, 2900, 3400, 24200, 3600)
    assert a["tpot_us"] == near(20800 / 9) and (a["n_tokens"], a["output_text"], a["finish_reason"]) == (10, "l" * 10, "max_new_tokens")
    assert (b["prep_us"], b["queue_us"], b["prefill_us"], b["ttft_us"], b["tpot_us"], b["max_gap_us"]) == (750, 2650, 9200, 12600, 1200.0, 1200)
    assert (b["output_ids"], b["output_text"], b["finish_reason"]) == ([8, 9, 17, 1], "hhao", "eos")


def test_twelve_steps_of_which_the_fourth_finishes_b_s_prompt(course):
    assert len(course["steps"]) == 12
    assert course["steps"][3] == dict(start_us=10600, end_us=12600, waiting=1, running=2, tasks=[["A", "decode", 1], ["B", "prefill", 1]],
                                      decode_tokens=1, prefill_tokens=1, preempted=[], kv_blocks_used=6)


def test_seven_of_twelve_blocks_are_the_most_in_use_and_three_have_two_owners(course):
    kv = course["kv"]
    assert (kv["peak_blocks"], kv["peak_tokens"], kv["free_at_end"]) == (7, 24, 12)
    assert kv["peak_tables"] == {"A": [0, 1, 5], "B": [2, 3, 4, 6]}
    assert kv["released"] == [["B", [2, 3, 4, 6]], ["A", [0, 1, 5, 2]], ["C", [3, 4, 6]]]
    assert kv["owners"] == {"0": ["A"], "1": ["A"], "2": ["B", "A"], "3": ["B", "C"], "4": ["B", "C"], "5": ["A"], "6": ["B", "C"]}
    assert course["preemptions"] == []


def test_41_positions_with_a_cache_197_without_and_the_same_numbers(course):
    checks = course["checks"]
    assert (checks["positions_cached"], checks["positions_recomputed"], checks["positions_compared"]) == (41, 197, 41)
    assert checks["max_logit_difference"] < 1e-9 and checks["max_kv_difference"] < 1e-9


def test_c_s_first_token_is_drawn_from_five(course):
    follow = course["follow"]
    assert (follow["id"], follow["first_token"]) == ("C", 17)
    assert [follow["first_logits"][i] for i in (1, 6, 17)] == [near(2.7417380973), near(3.1705941340), near(2.4987408424)]
    assert [follow["probabilities"][i] for i in (0, 1, 6, 17)] == [0, near(0.1518224423), near(0.2595064976), near(0.1120522328)]
    kept = {i: p for i, p in enumerate(follow["filtered"]) if p}
    assert kept == {1: near(0.1967150434), 6: near(0.3362403552), 12: near(0.1517479968), 16: near(0.1701114824), 17: near(0.1451851222)}
    assert 1 - kept[17] <= follow["draw"] < 1                   # token 17 has the last stretch


def test_c_s_attention_sums_to_one_in_both_heads(course):
    prefill, decode = course["follow"]["attention_last_prefill"], course["follow"]["first_decode"]
    assert [len(row) for row in prefill] == [9, 9] and [len(row) for row in decode["attention"]] == [10, 10]
    assert (decode["token"], decode["position"]) == (17, 9)
    assert prefill[0][0] == near(0.1087488476) and prefill[1][5] == near(0.1811500621) and decode["attention"][1][9] == near(0.4960557638)
    for row in (*prefill, *decode["attention"]):
        assert sum(row) == near(1)


def test_int8_takes_1192_of_3264_bytes(course):
    q = course["quantization"]
    assert (q["elements"], q["scales"], q["fp32_bytes"], q["quantized_bytes"]) == (816, 94, 3264, 1192)
    assert (q["max_weight_error"], q["half_scale"], q["max_logit_error"]) == (near(0.0055612746), near(0.0060748084), near(0.0385117907))


def test_all_forty_decisions_survive_int8_the_closest_by_0_0304(course):
    gate = course["gate"]
    assert (gate["decisions"], gate["agreed"], gate["agreement"]) == (40, 40, 1.0)
    closest = min(gate["rows"], key=lambda row: row["margin"])
    assert (closest["request"], closest["step"], closest["token"], closest["margin"]) == ("B", 5, 12, near(0.0303698467))
    assert [row["request"] for row in gate["rows"]] == list("AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDDEEEEEEEE")


def test_memory_of_the_lab_and_of_the_example(course):
    assert course["memory"] == dict(bytes_per_token=128, pool_bytes=6144, weight_bytes=7936, example_sequence_bytes=536_870_912)


@pytest.mark.parametrize("place, name, steps, span, throughput, mean_ttft, max_ttft, mean_tpot, worst_gap", [
    (0, "static", 14, 25650, 701.7543859649, 12483.3333333333, 21350, 1144.4444444444, 1200),
    (1, "continuous", 10, 22900, 786.0262008734, 10000.0, 17200, 1522.2222222222, 6000),
    (2, "chunked", 12, 26400, 681.8181818182, 12666.6666666667, 22000, 1548.1481481481, 3600)])
def test_three_policies_differ_in_time(course, place, name, steps, span, throughput, mean_ttft, max_ttft, mean_tpot, worst_gap):
    p = course["policies"][place]
    assert (p["name"], p["steps"], p["span_us"], p["tokens"]) == (name, steps, span, 18)
    assert (p["throughput_tok_s"], p["mean_ttft_us"], p["mean_tpot_us"]) == (near(throughput, 1e-6), near(mean_ttft, 1e-6), near(mean_tpot, 1e-6))
    assert (p["max_ttft_us"], p["worst_gap_us"]) == (max_ttft, worst_gap)


def test_three_policies_give_the_same_tokens_and_refusals(course):
    for p in course["policies"]:
        assert p["output_ids"] == {"A": [12] * 10, "B": [8, 9, 17, 1], "C": [17, 16, 17, 1]}
        assert p["rejected"] == [["E", "400"], ["D", "429"]]


def test_the_tokenizer_s_merges_and_tokens(course):
    assert course["bpe"]["merges"] == ["n</w>", "xi", "xin</w>", "od", "ode", "odel", "odel</w>", "o</w>", "model</w>", "ha"]
    assert len(course["bpe"]["vocabulary"]) == 22


# ── As text ──────────────────────────────────────────────────────────────────

def test_figures_are_plain_json_and_come_back_as_they_were(course):
    assert json.loads(json.dumps(course, allow_nan=False)) == course


def test_the_same_configuration_gives_the_same_bytes(course):
    again = figures(run(Config.of(course["constants"])))
    assert json.dumps(again, ensure_ascii=False, allow_nan=False) == json.dumps(course, ensure_ascii=False, allow_nan=False)


def test_the_figures_hold_the_configuration_that_gives_them(course):
    assert Config.of(course["constants"]) == Config.of()


# ── Runs with little to show ─────────────────────────────────────────────────

def small_figures(*requests, **changed):
    result = figures(run(small(*requests, **changed)))
    json.dumps(result, allow_nan=False)
    return result


def test_a_followed_request_that_is_refused_has_no_figures_of_its_own():
    follow = small_figures(request("A", text="?"), request("B"))["follow"]
    assert follow == dict(id="A", first_logits=None, probabilities=None, filtered=None, first_token=None, draw=None,
                          attention_last_prefill=None, first_decode=None)


def test_a_followed_request_of_one_token_has_no_decode():
    f = small_figures(request("A", 4, 1))
    assert f["follow"]["first_decode"] is None and len(f["follow"]["attention_last_prefill"][0]) == 4
    assert (f["served"][0]["tpot_us"], f["served"][0]["max_gap_us"]) == (None, 0)


def test_the_first_decode_stands_at_the_position_that_its_attention_ends_with():
    # B is preempted between its first token and its first decode: it comes back with 4 + 1 tokens, so the decode is at position 5
    f = small_figures(request("A", 4, 8), request("B", 4, 4), POOL_BLOCKS=3, FOLLOW="B", SEED=29)
    assert [p["id"] for p in f["preemptions"]] == ["B"]
    decode = f["follow"]["first_decode"]
    assert decode["token"] == served(f, "B")["output_ids"][1]
    assert decode["position"] == 5 and len(decode["attention"][0]) == 6


def test_nobody_served_leaves_means_undefined():
    f = small_figures(request("A", text="?"), request("B", 9, 1), POOL_BLOCKS=2)
    assert f["served"] == f["steps"] == [] and [r["cause"] for r in f["rejected"]] == ["vocabulary", "pool"]
    for p in f["policies"]:
        assert (p["tokens"], p["span_us"], p["throughput_tok_s"], p["mean_ttft_us"], p["mean_tpot_us"], p["worst_gap_us"]) == (0, None, None, None, None, None)


def test_no_prompt_that_can_be_tokenized_leaves_the_gate_without_decisions():
    f = small_figures(request("A", text="xin chào 😀"))
    assert f["gate"] == dict(decisions=0, agreed=0, agreement=None, rows=[])
    assert f["quantization"]["max_logit_error"] is None


def test_answers_of_one_token_only_have_no_mean_tpot():
    f = small_figures(request("A", 4, 1), request("B", 2, 1))
    assert all(p["mean_tpot_us"] is None and p["worst_gap_us"] == 0 for p in f["policies"])


def test_preemptions_and_the_reason_kv_exhausted_are_among_the_figures():
    f = small_figures(request("A", 4, 8), request("B", 4, 4), POOL_BLOCKS=2, SEED=29)
    assert f["preemptions"] and f["preemptions"][0].keys() == {"at_us", "id", "for_id", "blocks", "tokens"}
    assert "kv_exhausted" in {s["finish_reason"] for s in f["served"]}
    assert sum(s["preemptions"] for s in f["served"]) == len(f["preemptions"])


def test_a_text_of_known_letters_that_was_in_no_sentence_is_served():
    f = figures(run(Config.of({"REQUESTS": [dict(id="A", arrival=0, text="xi ode", max_new=2)], "FOLLOW": "A"})))
    assert [s["id"] for s in f["served"]] == ["A"]


def test_figures_of_a_text_with_half_a_surrogate_pair_can_be_written():
    # JavaScript cuts an emoji in two at a length limit; "\ud83d" alone has no UTF-8
    f = small_figures(request("A", text="\ud83d"))
    assert f["rejected"][0]["cause"] == "vocabulary"
    json.dumps(f, ensure_ascii=False).encode("utf-8")


def test_a_prompt_that_is_too_long_to_serve_still_goes_through_the_gate():
    # 200 words make 201 tokens with <bos>: refused with 400, judged by the gate as in the course's script
    f = figures(run(Config.of({"REQUESTS": [dict(id="A", text="xin", max_new=2, arrival=0), dict(id="B", text="xin " * 200, max_new=2, arrival=0)], "FOLLOW": "A"})))
    assert [r["cause"] for r in f["rejected"]] == ["context"] and f["gate"]["decisions"] == 16


# ── Rounding ─────────────────────────────────────────────────────────────────

def test_no_figure_has_more_than_ten_decimals(course):
    def numbers(value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            for v in value:
                yield from numbers(v)
        elif isinstance(value, float):
            yield value
    floats = list(numbers(course))
    assert len(floats) > 200 and all(round(v, 10) == v for v in floats)
    assert not any(v == 0 and math.copysign(1, v) < 0 for v in floats)
