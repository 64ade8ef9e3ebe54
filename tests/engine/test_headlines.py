"""The headline figures: the course's as literals, and a measurement that agrees with a whole run."""
import pytest

from inference_lab import Config, run
from inference_lab.headlines import HEADLINES, headlines, measure, metrics_to_choose

from .builders import request, small

CHANGES = [{}, {"SLOTS": 3}, {"POOL_BLOCKS": 6}, {"POOL_BLOCKS": 1}, {"QUANT_BITS": 3}, {"FOLLOW": "D"}, {"SLOTS": 3, "TOKEN_BUDGET": 4, "SEED": 65}]


def texts(config):
    return {f.id: f.text for f in headlines(run(config))}


def test_the_course_s_run_in_ten_figures():
    assert [f.plain() for f in headlines(run(Config.of()))] == [
        ["served", "Được phục vụ", "3/5", 3, "yêu cầu", "higher"],
        ["refused_429", "Từ chối 429", "1", 1, "yêu cầu", "lower"],
        ["refused_400", "Từ chối 400", "1", 1, "yêu cầu", "lower"],
        ["ttft", "TTFT của C", "22.00 ms", 22.0, "ms", "lower"],
        ["tpot", "TPOT của C", "1.13 ms", 1.1333333333, "ms", "lower"],
        ["worst_gap", "Khoảng đứng lâu nhất", "3.60 ms", 3.6, "ms", "lower"],
        ["throughput", "Throughput", "681.8 token/s", 681.8181818182, "token/s", "higher"],
        ["peak_blocks", "Block KV lúc cao điểm", "7/12 (58 %)", 7, "block", ""],
        ["preemptions", "Số lần preempt", "0", 0, "lần", "lower"],
        ["agreement", "Độ đồng thuận của bản nén", "40/40", 100.0, "%", "higher"]]


@pytest.mark.parametrize("changed", CHANGES, ids=str)
def test_measuring_gives_the_figures_of_the_whole_run(changed):
    config = Config.of(changed)
    assert measure(config, list(HEADLINES)) == headlines(run(config))


def test_a_figure_measured_alone_is_the_same_as_among_others():
    config = Config.of({"SLOTS": 4})
    assert [measure(config, [id])[0] for id in HEADLINES] == list(measure(config, list(HEADLINES)))


def test_figures_come_in_the_order_asked_for():
    assert [f.id for f in measure(Config.of(), ["agreement", "served", "ttft"])] == ["agreement", "served", "ttft"]


def test_an_unknown_figure_is_a_fault_of_the_caller():
    with pytest.raises(KeyError, match="speed"):
        measure(Config.of(), ["speed"])


def test_what_is_undefined_has_no_value_and_is_shown_as_a_dash():
    nobody = {f.id: (f.value, f.text) for f in headlines(run(small(request("A", text="?"))))}
    assert [nobody[id] for id in ("ttft", "tpot", "worst_gap", "throughput", "agreement")] == [(None, "–")] * 5
    assert [nobody[id] for id in ("served", "refused_400", "peak_blocks")] == [(0, "0/1"), (1, "1"), (0, "0/16 (0 %)")]


def test_an_answer_of_one_token_has_a_ttft_and_no_tpot():
    figures = texts(small(request("A", 4, 1)))
    assert (figures["ttft"], figures["tpot"], figures["worst_gap"]) == ("0.01 ms", "–", "0.00 ms")


def test_a_sweep_chooses_among_all_figures_whoever_is_followed():
    offered = metrics_to_choose()
    assert [row[0] for row in offered] == list(HEADLINES)
    assert ["ttft", "TTFT của yêu cầu theo dõi", "ms", "lower"] in offered
