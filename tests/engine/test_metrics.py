"""Latencies are differences of instants; what is undefined is None."""
from types import SimpleNamespace

import pytest

from inference_lab.config import RequestSpec
from inference_lab.metrics import mean, metrics, summary
from inference_lab.trace import Served


def served(times, id="A", arrival=0, ready=1, start=2, order=0):
    return Served(spec=RequestSpec(id=id, arrival=arrival, text="", max_new=99), prompt_ids=(0,), output_ids=(3,) * len(times),
                  finish_reason="max_new_tokens", ready_us=ready, start_us=start, finish_us=times[-1], finish_order=order,
                  token_times_us=tuple(times), preemptions=0, computed=len(times), blocks=(0,))


def summary_of(*requests):
    return summary(SimpleNamespace(served=requests))


def test_tokens_at_5_6_and_7_give_a_ttft_of_5_and_gaps_of_1():
    m = metrics(served([5, 6, 7]))
    assert (m.ttft_us, m.tpot_us, m.max_gap_us, m.e2e_us, m.n_tokens) == (5, 1.0, 1, 7, 3)


def test_the_three_parts_of_ttft_add_up():
    # arrived 10, ready 13, started 20, first token 31: 3 + 7 + 11 = 21
    m = metrics(served([31, 40], arrival=10, ready=13, start=20))
    assert (m.prep_us, m.queue_us, m.prefill_us, m.ttft_us) == (3, 7, 11, 21)
    assert (m.e2e_us, m.tpot_us) == (30, 9.0)


def test_tpot_is_the_mean_gap_and_the_longest_is_kept():
    # gaps 1, 10, 4
    m = metrics(served([5, 6, 16, 20]))
    assert (m.tpot_us, m.max_gap_us) == (5.0, 10)


def test_one_token_has_no_tpot():
    m = metrics(served([5]))
    assert (m.ttft_us, m.e2e_us, m.tpot_us, m.max_gap_us, m.n_tokens) == (5, 5, None, 0, 1)


def test_a_summary_takes_all_served_requests_together():
    # span: from 0 to 30; 3 + 2 tokens in 30 µs; TTFT 5 and 30 - 10 - ... = 14; TPOT 1 and 6
    s = summary_of(served([5, 6, 7]), served([24, 30], id="B", arrival=10, ready=11, start=12))
    assert (s.tokens, s.span_us, s.mean_ttft_us, s.max_ttft_us, s.mean_tpot_us, s.worst_gap_us) == (5, 30, (5 + 14) / 2, 14, 3.5, 6)
    assert s.throughput == pytest.approx(5 / 30e-6)


def test_the_span_starts_with_the_earliest_arrival_and_ends_with_the_last_finish():
    s = summary_of(served([50, 90], arrival=40, ready=41, start=42), served([60], id="B", arrival=20, ready=21, start=22))
    assert s.span_us == 90 - 20


def test_requests_of_one_token_are_left_out_of_the_mean_tpot():
    assert summary_of(served([5]), served([5, 9], id="B")).mean_tpot_us == 4.0


def test_answers_of_one_token_only_have_no_mean_tpot():
    s = summary_of(served([5]), served([8], id="B"))
    assert (s.tokens, s.mean_tpot_us, s.worst_gap_us, s.mean_ttft_us) == (2, None, 0, 6.5)


def test_nobody_served_leaves_everything_undefined():
    s = summary_of()
    assert s.tokens == 0
    assert (s.span_us, s.throughput, s.mean_ttft_us, s.max_ttft_us, s.mean_tpot_us, s.worst_gap_us) == (None,) * 6


def test_the_mean_of_nothing_is_undefined():
    assert mean([]) is None and mean([1, 2]) == 1.5
