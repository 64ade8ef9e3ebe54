"""What changed between two results: strip, constants, panels."""
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference_lab import Config, run
from inference_lab.changes import MOST_ENTRIES, changed_cells, changed_checks, changed_constants, changed_rows, compare, paired, short
from inference_lab.reports.report import Check, table
from inference_lab.results import result_of

from .builders import examples

COURSE = Config().plain()["REQUESTS"]


def result(**changed):
    config = Config.of(changed)
    made = run(config)
    return result_of(made)


@pytest.fixture(scope="module")
def course():
    return result()


def strip_of(changes):
    return {row[0]: tuple(row[2:]) for row in changes["strip"]}


def panel(changes, number):
    return next((entries for n, entries in changes["panels"] if n == number), [])


# ── The strip ────────────────────────────────────────────────────────────────

def test_three_slots_in_the_strip(course):
    assert strip_of(compare(course, result(SLOTS=3))) == {
        "served": ("3/5", "4/5", "up", "better"),
        "refused_429": ("1", "0", "down", "better"),
        "refused_400": ("1", "1", "same", "neutral"),
        "ttft": ("22.00 ms", "18.60 ms", "down", "better"),
        "tpot": ("1.13 ms", "2.63 ms", "up", "worse"),
        "worst_gap": ("3.60 ms", "3.60 ms", "same", "neutral"),
        "throughput": ("681.8 token/s", "670.6 token/s", "down", "worse"),
        "peak_blocks": ("7/12 (58 %)", "10/12 (83 %)", "up", "neutral"),
        "preemptions": ("0", "0", "same", "neutral"),
        "agreement": ("40/40", "40/40", "same", "neutral")}


def test_a_figure_that_is_gone_and_comes_back_is_neither_better_nor_worse(course):
    refused = result(QUEUE_LIMIT=0)
    assert strip_of(compare(course, refused))["ttft"] == ("22.00 ms", "–", "gone", "neutral")
    assert strip_of(compare(refused, course))["ttft"] == ("–", "22.00 ms", "new", "neutral")


def test_latencies_of_two_different_requests_are_not_judged(course):
    strip = strip_of(compare(course, result(FOLLOW="A")))
    assert strip["ttft"] == ("22.00 ms", "3.40 ms", "down", "neutral") and strip["tpot"][3] == "neutral"


def test_the_same_result_changes_nothing(course):
    changes = compare(course, result())
    assert {row[4] for row in changes["strip"]} == {"same"}
    assert changes["panels"] == changes["panels_omitted"] == changes["constants"] == [] and len(changes["causes"]) == 1


# ── The constants ────────────────────────────────────────────────────────────

def constants(**changed):
    return changed_constants(Config(), Config.of(changed))


def test_constants_are_written_with_their_units():
    assert constants(SLOTS=3, COST_GATEWAY=250, QUALITY_GATE=0.9, FOLLOW="A", CORPUS=["xin chao model"], QUANT_BITS=4) == [
        ["SLOTS", "2 yêu cầu", "3 yêu cầu"], ["COST_GATEWAY", "200 µs", "250 µs"], ["QUANT_BITS", "8 bit", "4 bit"], ["QUALITY_GATE", "0.95", "0.9"],
        ["CORPUS", "5 câu", "1 câu"], ["FOLLOW", "C", "A"]]


def test_each_edited_field_of_a_request_has_a_row():
    edited = [dict(COURSE[0], text="xin", arrival=20), dict(COURSE[1], top_k=2), *COURSE[2:4], dict(id="F", arrival=5000, text="xin chao", max_new=3)]
    assert constants(REQUESTS=edited) == [
        ["REQUESTS", 'D: "xin chao token", đến 1500 µs', "–"],
        ["REQUESTS", "A: arrival 0 µs", "A: arrival 20 µs"],
        ["REQUESTS", 'A: text "xin chao model"', 'A: text "xin"'],
        ["REQUESTS", "B: top_k 4", "B: top_k 2"],
        ["REQUESTS", "–", 'F: "xin chao", đến 5000 µs']]


def test_requests_in_another_order():
    assert constants(REQUESTS=COURSE[::-1]) == [["REQUESTS", "thứ tự cũ", "thứ tự mới"]]


# ── The panels ───────────────────────────────────────────────────────────────

def test_panel_11_gives_c_s_parts_first(course):
    assert panel(compare(course, result(SLOTS=3)), 11)[:5] == [
        ["Con số chính", "TTFT C 22.00 ms", "TTFT C 18.60 ms"],
        ["TTFT tách làm ba phần · C · Chờ chỗ chạy", "14550", "8950"],
        ["TTFT tách làm ba phần · C · Prefill", "6800", "9000"],
        ["TTFT tách làm ba phần · C · TTFT", "22000", "18600"],
        ["TTFT tách làm ba phần · C · Phần lớn nhất", "chờ chỗ chạy", "prefill"]]


def test_panel_1_tells_one_change_of_many_rows_once(course):
    assert panel(compare(course, result(SLOTS=3)), 1) == [
        ["Con số chính", "3 nhận · 1 × 429", "4 nhận · 0 × 429"],
        ["Cổng xét từng yêu cầu theo thứ tự đến · D · Kết quả", "từ chối 429", "nhận"],
        ["Cổng xét từng yêu cầu theo thứ tự đến · 5 hàng · Giới hạn", "3", "4"],
        ["Mọi yêu cầu đều có kết cục · Được phục vụ", "3", "4"],
        ["Mọi yêu cầu đều có kết cục · Từ chối 429", "1", "0"]]


def test_a_row_that_came_or_went_is_named(course):
    changes = compare(course, result(SLOTS=3))
    assert panel(changes, 2) == [["Ngân sách độ dài · hàng chỉ có lần này", "–", "D"]]
    back = compare(result(SLOTS=3), course)
    assert panel(back, 2) == [["Ngân sách độ dài · hàng không còn", "D", "–"]]


def test_panels_of_blocks_that_did_not_change_are_left_out(course):
    # quantization and its gate only
    assert [number for number, _ in compare(course, result(QUANT_BITS=4))["panels"]] == [9, 13]


def test_a_long_panel_is_cut_and_says_by_how_much(course):
    changes = compare(course, result(SLOTS=3))
    omitted = dict(changes["panels_omitted"])
    assert omitted and all(n > 0 for n in omitted.values())
    assert all((len(entries) == MOST_ENTRIES) >= (number in omitted) for number, entries in changes["panels"])
    assert all(len(entries) <= MOST_ENTRIES for _, entries in changes["panels"])


def test_another_followed_request_is_not_compared_token_by_token(course):
    changes = compare(course, result(FOLLOW="A"))
    assert [number for number, _ in changes["panels"]] == [2, 4, 5, 8, 11]
    assert all(entries == [entries[0]] and entries[0][0] == "Con số chính" for _, entries in changes["panels"])


# By hand: tables and reports of a few cells.

def two(old_rows, new_rows, columns=("Yêu cầu", ">Số", "Chữ"), **marked):
    return table("Bảng", columns, old_rows), table("Bảng", columns, new_rows, **marked)


def test_cells_are_named_by_caption_row_and_column():
    assert changed_cells(*two([("A", 1, "x"), ("B", 2, "y")], [("A", 1, "z"), ("B", 3, "y")]), followed="C") == [
        (3, ["Bảng · B · Số", "2", "3"]), (1, ["Bảng · A · Chữ", "x", "z"])]


def test_the_followed_request_s_row_ranks_first_and_a_marked_row_before_other_numbers():
    ranks = changed_cells(*two([("A", 1, "x"), ("B", 2, "x"), ("C", 5, "x")], [("A", 2, "x"), ("B", 4, "x"), ("C", 6, "x")], marked=(2,)), followed="B")
    assert [(rank, what) for rank, (what, _, _) in ranks] == [(3, "Bảng · A · Số"), (0, "Bảng · B · Số"), (2, "Bảng · C · Số")]


def test_rows_with_the_same_head_are_told_apart():
    assert changed_cells(*two([("A", 1, ""), ("A", 2, "")], [("A", 1, ""), ("A", 9, "")]), followed="") == [(3, ["Bảng · A (2) · Số", "2", "9"])]
    assert changed_rows(*two([("A", 1, "")], [("A", 1, ""), ("A", 2, "")])) == [["Bảng · hàng chỉ có lần này", "–", "A (2)"]]


def test_rows_of_moments_are_told_apart_by_place():
    old, new = two([("1.00 ms", 5, ""), ("2.00 ms", 6, "")], [("1.50 ms", 5, ""), ("2.00 ms", 7, "")], columns=(">Lúc", ">Số", "Chữ"))
    assert changed_cells(old, new, followed="") == [(3, ["Bảng · hàng 2 · Số", "6", "7"])] and changed_rows(old, new) == []


def test_a_column_that_only_one_table_has_is_left_out():
    old, new = table("Bảng", ["Yêu cầu", ">Số"], [("A", 1)]), table("Bảng", ["Yêu cầu", ">Preempt", ">Số"], [("A", 0, 2)])
    assert changed_cells(old, new, followed="") == [(3, ["Bảng · Số", "1", "2"])]


def test_tables_pair_by_caption_and_then_by_place():
    a, b, b2, c = (table(caption, ["x", "y"], [("A", 1)]) for caption in ("A", "Token / 6", "Token / 8", "C"))
    assert paired((a, b), (b2, a), same_request=True) == [(b, b2), (a, a)]
    assert paired((a, b), (b2, a), same_request=False) == [(a, a)]
    assert paired((a,), (a, c), same_request=True) == [(a, a)]


def test_a_caption_is_cut_before_its_explanation():
    assert [short(c) for c in ("Từng bước: p là prefill", "TTFT tách làm ba phần (µs mô phỏng)", "Trả block, theo thứ tự kết thúc", "Từng prompt")] == [
        "Từng bước", "TTFT tách làm ba phần", "Trả block", "Từng prompt"]


def test_a_check_whose_verdict_changed_is_told():
    assert changed_checks([Check("Đồng hồ chỉ tiến", True, ""), Check("Cũ", True, "")], [Check("Đồng hồ chỉ tiến", False, ""), Check("Mới", False, "")]) == [
        ["Kiểm tra: Đồng hồ chỉ tiến", "đạt", "không đạt"]]


# ── Any two results ──────────────────────────────────────────────────────────

CHANGES = st.fixed_dictionaries({}, optional={
    "SLOTS": st.integers(1, 5), "QUEUE_LIMIT": st.integers(0, 5), "TOKEN_BUDGET": st.integers(1, 14), "POOL_BLOCKS": st.integers(1, 14),
    "SEED": st.integers(0, 50), "N_MERGES": st.integers(0, 12), "QUANT_BITS": st.integers(2, 8), "FOLLOW": st.sampled_from("ABCDE")})


@examples(25)
@given(CHANGES, CHANGES)
def test_every_entry_says_two_different_things_and_all_of_it_is_plain(one, other):
    before, after = result(**one), result(**other)
    changes = compare(before, after)
    json.dumps(changes, allow_nan=False)
    for number, entries in changes["panels"]:
        assert 1 <= number <= 13 and entries
        for what, old, new in entries:
            assert old != new and all(isinstance(text, str) and text for text in (what, old, new))
    for _, _, old, new, way, _ in changes["strip"]:
        assert way == "same" or old != new or way in ("up", "down")
