"""The pictures' data: the same figures as in the trace and the reports, for every followed request and for runs too large to draw whole."""
import json

import numpy as np
import pytest

from inference_lab.config import Config
from inference_lab.errors import ConfigurationError
from inference_lab.lab import run
from inference_lab.metrics import metrics
from inference_lab.reports.pictures import PICTURES
from inference_lab.reports.pictures.calculator import calculated
from inference_lab.reports.pictures.window import MAX_REQUESTS, MAX_STEPS
from inference_lab.service import Service

KINDS = {"timeline", "bars", "heat", "tokens", "tables", "dots", "memory"}


@pytest.fixture(scope="module")
def course():
    return run(Config())


def drawn(result, block):
    return [p.plain() for p in PICTURES[block](result)]


def spans_of(track, label):
    row = [r["label"] for r in track["rows"]].index(label)
    return [(s["kind"], s["start"], s["end"]) for s in track["spans"] if s["row"] == row]


def at(line, instant):
    return next(value for start, end, value, _ in line["steps"] if start <= instant < end)


def test_the_gantt_tells_the_life_of_c(course):
    track = drawn(course, 3)[0]["data"]["tracks"][0]
    assert spans_of(track, "C") == [
        ("prep", 1000, 1650), ("waiting", 1650, 16200), ("prefill", 16200, 19800), ("prefill", 19800, 23000),
        ("decode", 23000, 24200), ("decode", 24200, 25300), ("decode", 25300, 26400)]
    first = {p["tip"].split(" · ")[0]: p["at"] for p in track["points"] if p["kind"] == "token"}
    assert first["C"] == 23000
    assert {p["sign"] for p in track["points"] if p["kind"] == "refused"} == {"400", "429"}
    assert [r["label"] for r in track["rows"] if r["strong"]] == ["C"]


def test_every_work_of_every_step_is_a_span_of_the_gantt(course):
    for picture, traces in ((drawn(course, 3)[0], course.traces[-1:]), (drawn(course, 12)[0], course.traces)):
        tracks = [t for t in picture["data"]["tracks"] if t["form"] == "rows"]
        for track, trace in zip(tracks, traces):
            spans = {(track["rows"][s["row"]]["label"], s["kind"], s["start"], s["end"]) for s in track["spans"]}
            assert {(w.id, w.phase, s.start_us, s.end_us) for s in trace.steps for w in s.work} == {s for s in spans if s[1] in ("prefill", "decode")}


def test_the_budget_of_each_step_is_the_steps_work(course):
    track = drawn(course, 3)[0]["data"]["tracks"][1]
    decode, prefill = ([step[2] for step in line["steps"]] for line in track["lines"])
    assert decode == [s.decode_tokens for s in course.main.steps] and prefill == [s.prefill_tokens for s in course.main.steps]


def test_seven_blocks_are_held_at_13_80_ms(course):
    rows, held = drawn(course, 6)[0]["data"]["tracks"]
    assert at(held["lines"][0], 13_800) == course.main.peak.blocks == 7
    assert at(held["lines"][0], 13_799) == 6
    assert sum(s["start"] <= 13_800 < s["end"] for s in rows["spans"]) == 7


def test_a_block_has_one_owner_at_a_time_and_the_order_of_owners_is_the_pools():
    for changed in ({}, dict(POOL_BLOCKS=6, SLOTS=4, QUEUE_LIMIT=4), dict(POOL_BLOCKS=2, BLOCK_SIZE=8)):
        main = run(Config.of(changed)).main
        for block, owners in main.block_owners.items():
            uses = sorted((u.from_us, u.until_us, u.id) for u in main.block_uses if u.block == block)
            assert all(a[1] <= b[0] for a, b in zip(uses, uses[1:]))
            assert [id for _, _, id in uses] == list(owners)


def test_block_tables_at_the_peak_show_the_slack(course):
    rows = drawn(course, 6)[1]["data"]["rows"]
    assert {r["label"]: [b for b, _ in r["blocks"]] for r in rows} == {id: list(t) for id, t in course.main.peak.tables.items()}
    assert sum(filled for r in rows for _, filled in r["blocks"]) == course.main.peak.tokens


def test_the_three_parts_of_each_ttft_add_up(course):
    for bar in drawn(course, 11)[0]["data"]["groups"][0]["rows"]:
        assert sum(p["value"] for p in bar["parts"]) == metrics(course.main.find(bar["label"])).ttft_us
    assert [p["value"] for p in drawn(course, 11)[0]["data"]["groups"][0]["rows"][2]["parts"]] == [650, 14550, 6800]


def test_attention_of_the_whole_prompt_is_causal_and_each_row_sums_to_one(course):
    heat = drawn(course, 5)[0]["data"]["matrices"]
    assert len(heat) == 2
    for h, one in enumerate(heat):
        assert len(one["values"]) == 9
        for i, line in enumerate(one["values"]):
            assert [v is None for v in line] == [j > i for j in range(9)]
            assert abs(sum(v for v in line if v is not None) - 1) < 0.01         # three digits each
        np.testing.assert_allclose(one["values"][-1], course.main.followed.prefill_attention[h], atol=5e-4)


def test_keys_of_the_prompt_are_those_of_a_pass_without_a_cache(course):
    from inference_lab.model import forward
    whole = forward(course.weights, [course.served_followed.prompt_ids])
    np.testing.assert_allclose(course.main.followed.prompt_keys, whole.keys[0], atol=1e-12)
    np.testing.assert_allclose(course.main.followed.prompt_values, whole.values[0], atol=1e-12)
    assert drawn(course, 4)[0]["data"]["matrices"][0]["breaks"] == [5]


def test_positions_grow_to_the_totals_of_the_proof():
    for changed in ({}, dict(POOL_BLOCKS=6, SLOTS=4, QUEUE_LIMIT=4)):
        result = run(Config.of(changed))
        recomputed, cached = (line["steps"][-1][2] for line in drawn(result, 7)[0]["data"]["tracks"][0]["lines"])
        assert (cached, recomputed) == (result.main.proof.positions_cached, result.main.proof.positions_recomputed)


def test_each_token_of_the_followed_request_has_its_choice(course):
    frames = drawn(course, 8)[0]["data"]["frames"]
    assert [s.token for s in course.main.followed.samples] == list(course.served_followed.output_ids)
    assert len(frames) == 4
    for frame in frames:
        assert sum(p["value"] for p in frame["groups"][1]["rows"][0]["parts"]) == pytest.approx(1)


def test_no_weights_error_exceeds_half_a_scale(course):
    for frame in drawn(course, 9)[1]["data"]["frames"]:
        assert all(abs(v) <= 1 for line in frame["matrices"][2]["values"] for v in line)


def test_the_tightest_margin_is_marked(course):
    rows = [r for g in drawn(course, 13)[0]["data"]["groups"] for r in g["rows"]]
    (tightest,) = [r for r in rows if r["strong"]]
    assert (round(tightest["a"], 4), round(tightest["b"], 4)) == (0.0304, 0.0326) and len(rows) == 40


def test_merges_lead_from_letters_to_the_tokens(course):
    data = drawn(course, 2)[0]["data"]
    for word, stages in zip("ban hoc model".split(), data["words"]):
        assert stages[0][0] == [*word, "</w>"]
    assert [t for stages in data["words"] for t in stages[-1][0]] == [t for t, _ in data["tokens"][1:]]


CONFIGURATIONS = [
    *(dict(FOLLOW=id) for id in "ABDE"), dict(POOL_BLOCKS=6, SLOTS=4, QUEUE_LIMIT=4), dict(POOL_BLOCKS=1, BLOCK_SIZE=8), dict(N_HEADS=1, D_HEAD=8), dict(QUANT_BITS=2),
    dict(REQUESTS=[dict(id="C", text="ban", max_new=1, arrival=0)]), dict(REQUESTS=[dict(id="C", text="ban", max_new=400, arrival=0)]),
    dict(REQUESTS=[dict(id="C", text="xin chào 🙂", max_new=4, arrival=0)])]


@pytest.mark.parametrize("changed", CONFIGURATIONS, ids=str)
def test_every_picture_of_every_run_is_named_and_plain(changed):
    result = run(Config.of(changed))
    for block in range(1, 14):
        for picture in drawn(result, block):
            assert picture["kind"] in KINDS and picture["name"] and len(picture["alt"]) > 20
            text = json.dumps(picture, allow_nan=False)
            assert "None" not in text and "NaN" not in text


def test_a_run_too_large_to_draw_is_cut_around_the_followed_request_and_says_so():
    course = [r for r in Config().plain()["REQUESTS"] if r["id"] != "E"]
    crowd = [dict(course[i % 4], id=f"{course[i % 4]['id']}{i}", arrival=i, seed=i) for i in range(300)]
    result = run(Config.of(dict(REQUESTS=crowd, FOLLOW="A200", SLOTS=8, QUEUE_LIMIT=1000, POOL_BLOCKS=64)))
    assert len(result.main.steps) > MAX_STEPS
    picture = drawn(result, 3)[0]
    gantt, budget = picture["data"]["tracks"]
    assert len(gantt["rows"]) == MAX_REQUESTS and len(budget["lines"][0]["steps"]) == MAX_STEPS
    assert [r["label"] for r in gantt["rows"] if r["strong"]] == ["A200"] and spans_of(gantt, "A200")
    assert f"{MAX_STEPS}/{len(result.main.steps)} bước" in picture["note"] and f"{MAX_REQUESTS}/300 yêu cầu" in picture["note"]
    for block in range(1, 14):
        assert len(json.dumps(drawn(result, block))) < 200_000


def test_the_service_draws_only_the_asked_blocks_and_makes_a_forgotten_result_anew():
    service = Service()
    result = json.loads(service.answer("run", "{}"))["ok"]
    asked = json.dumps(dict(key=result["key"], constants=result["constants"], blocks=[3, 11]))
    first = json.loads(service.answer("picture", asked))["ok"]
    assert [n for n, _ in first["pictures"]] == [3, 11]
    assert json.loads(Service().answer("picture", asked))["ok"] == first
    other = json.loads(service.answer("picture", json.dumps(dict(key="of a script", constants={}, blocks=[3]))))
    assert "Bấm Chạy" in other["error"]["message"] or "bấm Chạy" in other["error"]["message"]


def test_the_calculator_gives_the_courses_example_and_refuses_by_name():
    asked = dict(layers=32, kv_heads=8, d_head=128, bytes_per_element=2, context=4096, hbm_gib=80, weight_gib=16)
    assert "0.50 GiB" in calculated(asked)["text"] and "128 chuỗi" in calculated(asked)["text"]
    assert "không chạy được" in calculated(asked | dict(weight_gib=90))["text"]
    with pytest.raises(ConfigurationError, match="Số lớp = 0: cần số nguyên từ 1"):
        calculated(asked | dict(layers=0))


def test_the_first_token_of_c_comes_after_the_three_parts_of_its_ttft_and_each_choice_lists_what_the_filter_left(course):
    choices, clock = drawn(course, 8)
    assert spans_of(clock["data"]["tracks"][0], "C") == [("prep", 1000, 1650), ("waiting", 1650, 16200), ("prefill", 16200, 23000)]
    first = [row for row in choices["table"]["rows"] if row[0] == "1"]
    assert [row[1] for row in first] == ["'d'", "'<eos>'", "'n</w>'", "'l'", "'o'"]
    assert abs(sum(float(row[3]) for row in first) - 1) < 0.003
    assert [row[1] for row in choices["table"]["rows"] if row[4] == "được chọn"] == ["'o'", "'n</w>'", "'o'", "'<eos>'"]


def test_when_nobody_is_served_there_are_no_means_to_draw():
    nobody = run(Config.of(dict(REQUESTS=[dict(r, max_new=90) for r in Config().plain()["REQUESTS"]])))
    assert [p["kind"] for p in drawn(nobody, 12)] == ["timeline"]
