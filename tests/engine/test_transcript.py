"""The printout: its order, its last line, and that the last line can say FAIL."""
from dataclasses import replace

import pytest

from inference_lab import Config, run
from inference_lab.reports import build_reports
from inference_lab.reports.report import Check, table
from inference_lab.reports.trees import bare, rich
from inference_lab.transcript import table_lines, transcript, verdict


@pytest.fixture(scope="module")
def course():
    result = run(Config.of({}))
    return result, build_reports(result)


def test_the_blocks_stand_in_order_between_header_and_summary(course):
    text = transcript(*course)
    heads = [line for line in text.splitlines() if line.startswith("[")]
    assert [line.split(" ·")[0] for line in heads] == [f"[{n}" for n in range(1, 14)]
    assert heads[0].startswith("[1 · Gateway & admission]")
    assert text.index("CẤU HÌNH") < text.index("[1 ·") < text.index("[13 ·") < text.index("TỔNG KẾT")


def test_the_last_line_is_the_verdict(course):
    last = transcript(*course).splitlines()[-1]
    assert last == verdict(course[1])
    assert last.startswith("PASS: ")


def test_the_summary_takes_the_followed_ttft_apart(course):
    assert "TTFT 22.00 ms = chuẩn bị 0.65 ms + chờ chỗ chạy 14.55 ms + prefill 6.80 ms" in transcript(*course)


def test_one_failed_check_turns_the_verdict_and_is_named(course):
    result, reports = course
    broken = replace(reports[5], checks=(*reports[5].checks, Check("Không rò rỉ block", False, "còn 11/12")))
    line = verdict([*reports[:5], broken, *reports[6:]])
    assert line.startswith("FAIL: 1/")
    assert "[6 · KV state manager] Không rò rỉ block (còn 11/12)" in line


def test_a_corrupted_pool_would_be_noticed(course):
    """The proof compares what the pool holds with a recomputation: a wrong value in it must turn the verdict."""
    result, _ = course
    spoiled = replace(result.main, proof=replace(result.main.proof, max_kv_difference=1e-6))
    reports = build_reports(replace(result, traces=(*result.traces[:2], spoiled)))
    assert not reports[5].passed
    assert verdict(reports).startswith("FAIL: ")


def test_backticks_are_for_the_page_only(course):
    assert "`" not in transcript(*course)


def test_a_learners_own_backticks_stay_as_they_were_written():
    """Of a refused text, of one that is served, and of the tokens that are learnt from it."""
    requests = [dict(id="A", arrival=0, text="`é`", max_new=3), dict(id="B", arrival=0, text="a `ban` `", max_new=3)]
    result = run(Config.of({"REQUESTS": requests, "FOLLOW": "A", "CORPUS": ["a `ban` `", "ban `"]}))
    refused = build_reports(result)[1]
    assert 'A: "`é`" không tách được, vì có ký tự ngoài từ vựng: \'é\'' in transcript(result)
    assert ["p", {}, *rich(refused.observations[1])][2].startswith('A: "`é`" không')
    result = run(Config.of({"REQUESTS": requests, "FOLLOW": "B", "CORPUS": ["a `ban` `", "ban `"]}))
    reports = build_reports(result)
    tokens = reports[1].tables[0].rows
    assert 'B: "a `ban` `" thành' in transcript(result, reports) and "``" not in transcript(result, reports)
    assert "".join(bare(token) for _, token, _ in tokens) == "<bos>a</w>`ban`</w>`</w>"


def test_numbers_stand_to_the_right():
    lines = list(table_lines(table("Bảng", ["Tên", ">Số"], [("a", 5), ("bb", 123)])))
    assert lines == ["Bảng:", "  Tên   Số", "  a      5", "  bb   123"]


def test_columns_are_as_wide_as_what_is_read():
    lines = list(table_lines(table("Bảng `x`", ["Tên", ">Số"], [("``a``", 5), ("bb", 123)])))
    assert lines == ["Bảng x:", "  Tên   Số", "  `a`    5", "  bb   123"]


def test_a_refused_followed_request_has_a_summary_too():
    result = run(Config.of({"FOLLOW": "D"}))
    assert "Yêu cầu D bị từ chối với mã 429" in transcript(result, build_reports(result))
