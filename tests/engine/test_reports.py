"""The 13 reports: the course's figures stand where a learner looks for them, and no configuration leaves one empty."""
import inspect
import json

import pytest

from inference_lab import Config, run
from inference_lab.reports import BLOCKS, build_reports
from inference_lab.reports.report import MAX_ROWS, NUMBER, TEXT, Check, table
from inference_lab.sources import source_of


def reports_of(**changed):
    return build_reports(run(Config.of(changed)))


@pytest.fixture(scope="module")
def course():
    return reports_of()


def text_of(report):
    """Everything that a report says, in one string."""
    rows = [" | ".join(row) for t in report.tables for row in t.rows]
    checks = [f"{c.what} {c.detail}" for c in report.checks]
    return "\n".join([report.headline, report.idea, *report.observations, *rows, *checks, report.conclusion, *report.limits])


# Block -> what the course's text asks a learner to find there.
COURSE_FIGURES = {
    1: ["D | 1.50 ms | 3.40 ms | 3 | 3 | từ chối 429", "5 = 3 + 2", "3 nhận · 1 × 429"],
    2: ["22 token", "8 + 30 = 38 > 24", "8 | model</w> | 14", "0.65 ms", "1 | n</w>", "10 | ha"],
    3: ["12 bước", "[5, 4]", "14.55 ms", "2, 3, 4, 8, 9", "8 | 16.20 ms | 19.80 ms | 0 | 2 | A:d:1 C:p:5 | 6"],
    4: ["(2, 9, 4)", "23.00 ms − 1.00 ms = 22.00 ms", "1 | 6 | d | 3.17", "22 điểm số"],
    5: ["8 | model</w> | 0.121 | 0.097", "tổng | 1.000000 | 1.000000", "head 0 nhìn vị trí 3", "head 1 nhìn vị trí 5", "≤ 1e-9"],
    6: ["7/12 (58 %)", "28 chỗ token", "24 token", "B | 2, 3, 4, 6 | 14", "2 | B → A", "12/12 block trống", "cần 48 chỗ"],
    7: ["41 so với 197", "vị trí 9", "0.306", "C | 9 | 4 | 12"],
    8: ["17 | o | 0.112 | 0.145", "6 | d | 0.260 | 0.336", "25.30 ms | 17 | o", "C | gặp <eos> | 4/8 | 'on o'", "A | đủ max_new | 10/10"],
    9: ["3264 → 1192 byte", "816 phần tử", "2.74 lần", "0.0056", "0.0061", "0.0385"],
    10: ["128 byte", "6144 byte", "7936 byte", "3584 byte", "536870912 byte = 0.50 GiB", "64 GiB | 128", "72 GiB | 144"],
    11: ["0.65 ms + 14.55 ms + 6.80 ms = 22.00 ms", "C | 650 | 14550 | 6800 | 22000 | chờ chỗ chạy | vượt", "6 | 1200 µs | 1 | 2 | 2 | 0 | 7/12 (58 %)"],
    12: ["25.65 ms | 701.8 | 12.48 ms | 21.35 ms | 1.14 ms | 1.20 ms", "22.90 ms | 786.0 | 10.00 ms | 17.20 ms | 1.52 ms | 6.00 ms",
         "26.40 ms | 681.8 | 12.67 ms | 22.00 ms | 1.55 ms | 3.60 ms", "C | 22.00 ms | 1.13 ms | 25.40 ms | 4", "3/3 yêu cầu"],
    13: ["40/40", "100.0 %", "0.0304", "0.0326", "B | 8/8 | 0.1317", "ĐẠT"],
}


@pytest.mark.parametrize("number", COURSE_FIGURES)
def test_a_learner_finds_the_courses_figures(course, number):
    text = text_of(course[number - 1])
    assert [figure for figure in COURSE_FIGURES[number] if figure not in text] == []


def test_there_are_thirteen_in_order_and_all_pass(course):
    assert [r.number for r in course] == list(range(1, 14))
    assert [r.id for r in course] == [f"block-{n}" for n in range(1, 14)]
    assert all(r.checks and r.passed for r in course)


def test_each_row_has_a_cell_for_each_column(course):
    for report in course:
        for t in report.tables:
            assert {kind for _, kind in t.columns} <= {TEXT, NUMBER}
            assert all(len(row) == len(t.columns) for row in t.rows), (report.name, t.caption)


def test_the_followed_requests_rows_are_marked(course):
    decisions = course[0].tables[0]
    assert [decisions.rows[i][0] for i in decisions.marked] == ["C"]
    assert [row[0] for row in decisions.rows] == ["A", "B", "E", "C", "D"]


CONFIGURATIONS = {
    "the followed request is refused at the gateway": dict(FOLLOW="D"),
    "the followed request is refused at input preparation": dict(FOLLOW="E"),
    "the followed request ends after one token": dict(REQUESTS=[dict(id="C", text="ban", max_new=1, arrival=0)]),
    "nothing is served": dict(REQUESTS=[dict(id="C", text="ban", max_new=400, arrival=0)]),
    "nothing can be tokenized": dict(REQUESTS=[dict(id="C", text="xin chào 🙂", max_new=4, arrival=0)]),
    "the pool runs out": dict(POOL_BLOCKS=6, SLOTS=4, QUEUE_LIMIT=4),
    "one block only": dict(POOL_BLOCKS=1, BLOCK_SIZE=8),
    "no queue": dict(QUEUE_LIMIT=0),
    "one head": dict(N_HEADS=1, D_HEAD=8),
    "four heads": dict(N_HEADS=4, D_HEAD=2),
    "two bits": dict(QUANT_BITS=2),
}


@pytest.mark.parametrize("changed", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_no_configuration_leaves_a_report_empty_or_failing(changed):
    for report in reports_of(**changed):
        assert report.headline and report.observations and report.checks and report.conclusion and report.limits
        assert report.passed, (report.name, report.checks)
        assert "None" not in text_of(report) and "nan" not in text_of(report)
        json.dumps(report.plain(), allow_nan=False)


def test_a_refused_request_is_named_with_its_code_where_it_has_nothing_to_show():
    for number in (4, 5, 7, 8):
        assert any("D bị từ chối với mã 429" in line for line in reports_of(FOLLOW="D")[number - 1].observations)


def test_preemptions_show_in_panels_3_6_and_11():
    reports = reports_of(POOL_BLOCKS=6, SLOTS=4, QUEUE_LIMIT=4)
    for number in (3, 6, 11):
        assert "preempt" in text_of(reports[number - 1])


def test_a_failed_check_fails_its_report(course):
    report = course[0]
    broken = type(report)(**{f: getattr(report, f) for f in report.__slots__ if f != "checks"}, checks=(Check("x", False, "1 ≠ 2"),))
    assert report.passed and not broken.passed
    assert broken.plain()["passed"] is False


def test_a_long_table_is_cut_and_says_how_much_is_missing():
    made = []
    t = table("n", [">n"], range(MAX_ROWS + 7), lambda n: made.append(n) or (n,), marked=(0, MAX_ROWS + 1))
    assert (len(t.rows), t.omitted, t.marked) == (MAX_ROWS, 7, (0,))
    assert len(made) == MAX_ROWS                     # rows that nobody sees are not made


def test_each_report_names_sources_that_exist():
    for block in BLOCKS:
        for name in block.SOURCES:
            file, _, first, text = source_of(name)
            assert file.endswith(".py") and first >= 1 and text.startswith(("def ", "class ", "@"))


def test_a_source_is_the_text_of_that_very_function():
    from inference_lab.gateway import admit
    assert source_of("gateway.admit")[3] == inspect.getsource(admit).rstrip()


# ── Sentences that must hold in unusual runs ─────────────────────────────────

def request(id, text, max_new, arrival=0):
    return dict(id=id, text=text, max_new=max_new, arrival=arrival)


def test_a_token_that_came_out_of_a_recomputation_is_counted_as_such():
    # two blocks: C is preempted after its first token and prefills 2 + 1 tokens again, which gives its second one
    reports = reports_of(POOL_BLOCKS=2, SLOTS=2, QUEUE_LIMIT=3, REQUESTS=[request("A", "xin", 5), request("C", "xin", 4)])
    line = reports[6].observations[0]
    assert line.startswith("C sinh 4 token: 1 token từ prefill, ") and "tính lại sau preempt" in line
    counts = [int(word) for word in line.replace("C sinh 4", "").split() if word.isdigit()]
    assert sum(counts[:3]) == 4                              # prefill + recomputed + decode steps
    assert "tính lại sau preempt" in text_of(reports[2])


def test_paging_is_not_said_to_need_less_where_it_needs_more():
    # one block of 64 for each of two sequences: 128 places, against 2 x 24 = 48 contiguous ones
    text = text_of(reports_of(BLOCK_SIZE=64)[5])
    assert "cần 48 chỗ token; phân trang lúc cao điểm cần 128: một block 64 token là quá lớn" in text


def test_the_gates_threshold_is_shown_as_it_is():
    assert "Ngưỡng giả định của cổng là 87.5 %" in text_of(reports_of(QUALITY_GATE=0.875)[12])


def test_without_a_decision_the_gate_concludes_nothing():
    report = reports_of(REQUESTS=[request("C", "日本", 4)])[12]
    assert "không nên đưa vào chạy" not in report.conclusion and report.conclusion.endswith("Không có gì để kết luận.")


def test_a_refused_request_is_not_said_to_be_ready():
    assert "sẵn sàng sau" not in text_of(reports_of(FOLLOW="D")[1])


def test_tables_without_rows_are_left_out():
    for report in reports_of(REQUESTS=[request("C", "日本", 4)], N_MERGES=0):
        assert all(t.rows for t in report.tables)


def test_a_text_that_cannot_be_printed_is_shown_on_one_line():
    text = text_of(reports_of(REQUESTS=[request("C", "xin\nPASS: \u202e", 4)])[1])
    assert "xin\\nPASS: \\u202e" in text
