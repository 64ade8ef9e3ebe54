"""The measuring module: amounts of work counted by hand, a decoder whose cache changes nothing, a clock of our own."""
import json

import numpy as np
import pytest

from inference_lab import machine
from inference_lab.__main__ import main
from inference_lab.machine import Decoder, Shape, choose_size, conclude, plan, rate, time_of
from inference_lab.machine_report import record, text, unsteady

SMALL = Shape(layers=2, width=4, heads=2, hidden=6, vocabulary=10)


class TestWork:
    def test_parameters_by_hand(self):
        # a layer: W_Q, W_K, W_V, W_O of 4·4, and three of 4·6: 64 + 72 = 136; two layers and a head of 4·10
        assert SMALL.layer_parameters == 136
        assert SMALL.parameters == 2 * 136 + 40 == 312
        assert SMALL.weight_bytes == 1248

    def test_flops_of_a_prefill_of_three_tokens_by_hand(self):
        # 2·3·(2·136) = 1632; scores and mixing 2·2·3·3·4 = 144 in each of two layers; the head for one token 2·4·10 = 80
        assert SMALL.flops(3, 0) == 1632 + 288 + 80

    def test_flops_and_bytes_of_a_decode_after_five_tokens_by_hand(self):
        # 2·272 = 544; 2·2·1·6·4 = 96 in each of two layers; head 80. Bytes: weights, and 2·5·4 numbers of four bytes in two layers
        assert SMALL.flops(1, 5) == 544 + 192 + 80
        assert SMALL.bytes_read(1, 5) == 1248 + 2 * 5 * 4 * 2 * 4

    def test_weights_that_a_decoder_holds_are_those_counted(self):
        decoder = Decoder(SMALL, 8)
        held = sum(m.nbytes for layer in decoder.layers for m in layer.values()) + decoder.head.nbytes
        assert held == SMALL.weight_bytes

    @pytest.mark.parametrize("size", machine.SIZES)
    def test_heads_divide_the_width(self, size):
        assert machine.SIZES[size].width % machine.SIZES[size].heads == 0


class TestDecoder:
    def test_decoding_with_a_cache_equals_prefilling_everything(self):
        ids = [3, 1, 4, 1, 5, 9]
        whole, stepwise = Decoder(SMALL, 8), Decoder(SMALL, 8)
        stepwise.forward(ids[:2])
        for token in ids[2:]:
            logits = stepwise.forward([token])
        np.testing.assert_allclose(logits, whole.forward(ids), atol=1e-5)

    def test_a_token_does_not_see_those_after_it(self):
        first, second = Decoder(SMALL, 8), Decoder(SMALL, 8)
        first.forward([1, 2, 3])
        second.forward([1, 2, 7])
        np.testing.assert_array_equal(first.keys[:, :, :2], second.keys[:, :, :2])
        assert not np.allclose(first.keys[1, :, 2], second.keys[1, :, 2])


class FakeClock:
    """Moves only when work is done."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def work(self, *seconds):
        queue = list(seconds)

        def run():
            self.now += queue.pop(0) if len(queue) > 1 else queue[0]
        return run


class TestTimes:
    def test_median_and_spread_of_long_work_leave_the_warm_up_out(self):
        clock = FakeClock()
        assert time_of(clock.work(9, 1, 5, 2, 4, 3), clock=clock) == dict(median=3, low=1, high=5, repeats=5)

    def test_short_work_is_repeated_until_the_clock_can_tell(self):
        clock = FakeClock()
        spread = time_of(clock.work(0.001), repeats=2, least=0.02, clock=clock)
        assert spread["median"] == pytest.approx(0.001)
        assert clock.now == pytest.approx(0.001 * (1 + 2 * 21))

    def test_a_rate_is_slowest_where_the_time_was_longest(self):
        assert rate(12, dict(median=3, low=2, high=4, repeats=5)) == dict(median=4, low=3, high=6, repeats=5)


class TestPlan:
    def test_a_fast_machine_takes_every_prompt_of_the_largest_size(self):
        assert choose_size(1e15, 1e14) == "large"
        assert plan("large", 1e15, 1e14).left_out == ()

    def test_a_slow_machine_gets_the_smallest_size_and_is_told_what_is_left_out(self):
        assert choose_size(1e8, 1e9) == "tiny"
        one = plan("tiny", 2e8, 1e9)
        assert one.prompts == (16, 64) and one.left_out == (256, 1024)
        assert one.points[-2:] == ("prefill 64", "decode")

    def test_weights_that_would_stay_in_the_last_cache_ask_for_a_larger_size(self):
        # tiny has 15 MB of weights, small 81: 4 GFLOP/s takes all prompts of tiny, and of small those up to 256
        assert choose_size(6e9, 1e10) == "tiny" == choose_size(6e9, 1e10, cache=14 << 20)
        assert choose_size(6e9, 1e10, cache=32 << 20) == "small"
        assert plan("small", 6e9, 1e10).left_out == (1024,)

    def test_a_machine_too_slow_for_the_larger_size_keeps_the_one_that_it_can_measure(self):
        assert choose_size(1e9, 1e10, cache=32 << 20) == "tiny"

    def test_what_is_planned_stays_within_the_budget(self):
        for flops in (1e8, 1e9, 1e10, 1e11):
            one = plan(choose_size(flops, 1e10), flops, 1e10)
            assert one.seconds <= machine.BUDGET_S or len(one.prompts) == 0


class TestLastCache:
    def test_the_largest_that_linux_tells_of(self, tmp_path):
        for index, size in enumerate(["48K", "2048K", "32M"]):
            (tmp_path / f"index{index}").mkdir()
            (tmp_path / f"index{index}" / "size").write_text(size + "\n")
        assert machine.last_cache_bytes(tmp_path) == 32 << 20

    def test_elsewhere_it_is_not_known(self, tmp_path):
        assert machine.last_cache_bytes(tmp_path / "none") is None

    def test_what_is_streamed_exceeds_it_within_reason(self):
        assert [machine.stream_bytes(cache) for cache in (None, 8 << 20, 96 << 20, 1 << 30)] == [64 << 20, 64 << 20, 192 << 20, 512 << 20]


class TestMemory:
    def test_two_sizes_never_stand_side_by_side(self, monkeypatch):
        built = []
        monkeypatch.setattr(machine, "Decoder", lambda shape, capacity: built.append(machine.decoder_of.cache_info().currsize))
        machine.decoder_of.cache_clear()
        machine.decoder_of("tiny"), machine.decoder_of("small"), machine.decoder_of("small")
        machine.decoder_of.cache_clear()
        assert built == [0, 0]

    @pytest.mark.parametrize("arguments, said", [
        (["--size", "large"], "Cỡ lớn cần chừng 2533 MB bộ nhớ trống, mà máy không có đủ. Hãy chọn cỡ vừa."),
        (["--size", "tiny"], "Cỡ rất nhỏ cần chừng 30 MB bộ nhớ trống, mà máy không có đủ. Hãy đóng bớt chương trình khác rồi đo lại.")])
    def test_a_decoder_that_does_not_fit_is_said_with_a_remedy(self, monkeypatch, capsys, arguments, said):
        def take(point, size):
            if point not in machine.CEILINGS:
                raise MemoryError
            return dict(median=1e14, low=1e14, high=1e14, repeats=5)
        monkeypatch.setattr("inference_lab.machine_service.take", take)
        assert main(["measure", *arguments]) == 2
        assert capsys.readouterr().err.splitlines()[-1] == f"Lỗi: {said}"

    def test_a_ceiling_that_does_not_fit_is_said_without_a_size(self, monkeypatch, capsys):
        def take(point, size):
            raise MemoryError
        monkeypatch.setattr("inference_lab.machine_service.take", take)
        monkeypatch.setattr("inference_lab.machine_service.last_cache_bytes", lambda: None)
        assert main(["measure"]) == 2
        assert "point = 'matmul_float32': cần chừng 67 MB bộ nhớ trống." in capsys.readouterr().err


class TestOverrun:
    TAKEN = {"prefill 16": dict(median=0.1, low=0.1, high=0.1, repeats=5), "prefill 64": dict(median=1.0, low=1.0, high=1.0, repeats=5)}

    def test_a_longer_prompt_is_left_out_when_the_one_before_it_says_that_the_minute_will_not_do(self):
        # 256 tokens take four times what 64 took: six passes of 4 s
        assert not machine.overruns("prefill 256", self.TAKEN, 35)
        assert machine.overruns("prefill 256", self.TAKEN, 37)

    def test_decode_ceilings_and_the_shortest_prompt_are_always_taken(self):
        for point in ("decode", "copy"):
            assert not machine.overruns(point, self.TAKEN, 1000)
        assert not machine.overruns("prefill 16", {}, 1000)


class TestConclusion:
    @pytest.fixture
    def result(self):
        def exact(value):
            return dict(median=value, low=value, high=value, repeats=5)
        shape = machine.SIZES["tiny"]
        peak, read = 1e10, 1e9
        return conclude("tiny", {
            "matmul_float32": exact(peak), "read": exact(read),
            "prefill 64": exact(2 * shape.flops(64, 0) / peak),                        # half the ceiling of computing
            "decode": exact(4 * shape.bytes_read(1, 67.5) / read)})                    # a quarter of the ceiling of reading

    def test_shares_of_the_ceilings(self, result):
        assert result["prefill"][0]["compute_share"] == pytest.approx(0.5)
        assert result["decode"]["bandwidth_share"] == pytest.approx(0.25)
        assert result["prefill"][0]["bound"] == "compute" and result["decode"]["bound"] == "bandwidth"

    def test_balance_point_and_ratios(self, result):
        assert result["balance_flop_per_byte"] == pytest.approx(10)
        # measured is twice as slow as predicted in prefill, four times in decode
        assert result["measured_ratio"] == pytest.approx(2 * result["predicted_ratio"])

    def test_more_than_a_whole_ceiling_means_that_the_ceiling_is_wrong(self, result):
        assert result["wrong_ceilings"] == []
        exact = dict(median=1e-6, low=1e-6, high=1e-6, repeats=5)
        rates = dict(median=1e9, low=1e9, high=1e9, repeats=5)
        assert conclude("tiny", {"matmul_float32": rates, "read": rates, "prefill 16": exact, "decode": exact})["wrong_ceilings"] == [
            "compute", "bandwidth", "compute", "bandwidth"]


class TestRecord:
    """What is printed follows from the spreads alone; the command line is given ready ones here."""

    @pytest.fixture
    def quick(self, monkeypatch):
        shape = machine.SIZES["tiny"]
        rates = {"matmul_float32": 40e9, "matmul_float64": 20e9, "read": 10e9, "write": 8e9, "copy": 16e9}
        seconds = {f"prefill {n}": 2 * shape.flops(n, 0) / 40e9 for n in machine.PROMPTS} | {"decode": 0.003}

        def ready(point, size, **taking):
            value = (rates | seconds)[point]
            return dict(median=value, low=value, high=value, repeats=5)
        monkeypatch.setattr("inference_lab.__main__.taken_point", ready)

    def test_json_can_be_read_back_and_names_its_kind(self, quick, capsys):
        assert main(["measure", "--size", "tiny", "--json"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert (made["kind"], made["version"], made["size"]) == ("inference-lab/machine", 1, "tiny")
        assert made["result"]["balance_flop_per_byte"] == pytest.approx(4)
        assert [p["tokens"] for p in made["result"]["prefill"]] == [16, 64, 256, 1024]
        assert [p["compute_share"] for p in made["result"]["prefill"]] == pytest.approx([0.5] * 4)

    def test_text_says_ttft_tpot_and_both_ratios(self, quick, capsys):
        main(["measure", "--size", "tiny"])
        out = capsys.readouterr().out
        shape = machine.SIZES["tiny"]
        ttft = 2 * shape.flops(1024, 0) / 40e9
        assert f"TTFT của prompt 1024 token: {ttft * 1000:.2f} ms. TPOT: 3.00 ms." in out
        assert f"Prefill nhanh hơn decode {1024 / ttft * 0.003:.1f} lần" in out
        assert "Điểm cân bằng: 4.0 FLOP/byte." in out

    def test_every_time_is_said_with_its_spread(self, quick, capsys):
        main(["measure", "--size", "tiny"])
        assert "decode 3.00 [3.00, 3.00] 333.3" in " ".join(capsys.readouterr().out.split())

    def test_one_sample_twice_as_long_as_another_is_said(self, quick, capsys):
        made = record("tiny", {"matmul_float32": dict(median=40e9, low=15e9, high=40e9, repeats=5), "read": dict(median=1e9, low=1e9, high=1e9, repeats=5),
                               "prefill 16": dict(median=1, low=0.4, high=1, repeats=5), "decode": dict(median=1, low=0.5, high=1, repeats=5)})
        assert unsteady(made) == ["matmul_float32", "prefill 16"]
        assert "ở nhân ma trận float32, prefill 16, lượt chậm nhất lâu hơn 2 lần" in text(made)

    @pytest.mark.parametrize("cache, said", [
        (None, "không biết cỡ; nếu nó chứa được cả trọng số thì decode đọc từ đó, không từ bộ nhớ"), (8 << 20, "8.4 MB, nhỏ hơn trọng số"), (32 << 20, "33.6 MB, chứa được cả trọng số: decode đọc từ đó, không từ bộ nhớ")])
    def test_weights_are_laid_beside_the_last_cache(self, quick, monkeypatch, capsys, cache, said):
        monkeypatch.setattr("inference_lab.machine_report.last_cache_bytes", lambda: cache)
        main(["measure", "--size", "tiny"])
        assert f"Bộ nhớ đệm cuối: {said}\n" in capsys.readouterr().out

    @pytest.mark.parametrize("size, flops, remedy", [("large", 2e8, "Hãy chọn --size medium, hoặc thêm --whole."), ("tiny", 1e7, "Hãy thêm --whole.")])
    def test_a_size_too_slow_for_a_minute_is_refused_with_the_next_smaller_one(self, monkeypatch, capsys, size, flops, remedy):
        monkeypatch.setattr("inference_lab.__main__.taken_point", lambda point, size: dict(median=flops, low=flops, high=flops, repeats=5))
        assert main(["measure", "--size", size]) == 2
        assert capsys.readouterr().err.splitlines()[-1] == f"Lỗi: --size {size}: cỡ này đo lâu hơn 60 giây trên máy này. {remedy}"

    def test_progress_goes_beside_the_result(self, quick, capsys):
        main(["measure", "--size", "tiny", "--json"])
        err = capsys.readouterr().err.splitlines()
        assert err[0] == "· matmul_float32" and err[-1] == "· decode"
