"""Why two runs differ: whole sentences, with figures that can be found in the two printouts."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference_lab import Config, run
from inference_lab.causes import SAME_CONFIGURATION, SAME_RESULTS, SCRIPT_DIFFERS, causes
from inference_lab.causes.endings import inside
from inference_lab.causes.pair import Pair
from inference_lab.gateway import GATEWAY
from inference_lab.metrics import metrics

from .builders import examples, request, small

COURSE = Config().plain()["REQUESTS"]


def why(before=None, **after):
    """Causes of going from the course's run (or one with `before` changed) to one with `after` changed."""
    return causes(run(Config.of(before or {})), run(Config.of(after)))


def edited(id, **changed):
    return [dict(r, **changed) if r["id"] == id else r for r in COURSE]


# ── The followed request's TTFT ──────────────────────────────────────────────

def test_three_slots_take_c_s_wait_for_a_slot_and_leave_one_for_tokens():
    # 22.00 = 0.65 + 14.55 + 6.80 before, 18.60 = 0.65 + 8.95 + 9.00 after
    assert why(SLOTS=3)[:4] == [
        "TTFT của C giảm 3.40 ms: chờ chỗ chạy giảm 5.60 ms, prefill tăng 2.20 ms.",
        "C giữ chỗ mà chưa được chạy trong 8.95 ms, vì A và B dùng hết ngân sách 6 token mỗi bước. "
        "Trước đó nó đợi 14.55 ms vì A và B giữ cả 2 chỗ chạy, tới khi B xong.",
        "Prefill của C dài hơn 2.20 ms: prompt 9 token chạy thành 3 đoạn [4, 4, 1] thay vì 2 đoạn [5, 4]; "
        "các bước ấy nạp thêm 1 token prompt của B (trước: không); "
        "3 bước chung với decode của yêu cầu khác, tổng 5 token (trước: 2 bước, 2 token).",
        "D được phục vụ: lúc được xét có 3 yêu cầu trong hệ, giới hạn nay là 3 + 1 (trước là 2 + 1)."]


def test_a_request_that_need_not_wait_any_more():
    # alone in the system, A starts as soon as it is ready: before, B held the one slot for 9 + 3 * 11 = 42 from 0 on
    before = small(request("B", 4, 4), request("A", 4, 1), SLOTS=1, FOLLOW="A", COST_PREFILL_PER_TOKEN=1000, COST_DECODE_FIXED=1000)
    after = small(request("B", 4, 4, arrival=10**6), request("A", 4, 1), SLOTS=1, FOLLOW="A", COST_PREFILL_PER_TOKEN=1000, COST_DECODE_FIXED=1000)
    first = causes(run(before), run(after))[0]
    assert first.startswith("TTFT của A giảm ") and ": không còn chờ chỗ chạy. Trước đó nó đợi " in first and "vì B giữ 1 chỗ chạy, tới khi B xong." in first


def test_a_smaller_budget_cuts_c_s_prompt_and_holds_up_b_which_c_waits_for():
    assert why(TOKEN_BUDGET=4)[:4] == [
        "TTFT của C tăng 2.10 ms: chờ chỗ chạy tăng 0.50 ms, prefill tăng 1.60 ms.",
        "Prefill của C dài hơn 1.60 ms: prompt 9 token chạy thành 3 đoạn [3, 3, 3] thay vì 2 đoạn [5, 4] (TOKEN_BUDGET 6 → 4); "
        "3 bước chung với decode của yêu cầu khác, tổng 3 token (trước: 2 bước, 2 token).",
        "C vẫn phải đợi B xong mới có chỗ: 15.05 ms thay vì 14.55 ms.",
        "B xong muộn hơn 0.50 ms: prompt 11 token chạy thành 4 đoạn [2, 3, 3, 3] thay vì 3 đoạn [5, 5, 1] (TOKEN_BUDGET 6 → 4); "
        "các bước ấy nạp thêm 2 token prompt của A (trước: không); dù nó bắt đầu sớm hơn 0.80 ms."]


def test_a_dearer_gateway_is_all_preparation():
    assert why(COST_GATEWAY=400)[:2] == [
        "TTFT của C tăng 0.20 ms, tất cả ở phần chuẩn bị đầu vào.",
        "Chuẩn bị đầu vào của C dài hơn 0.20 ms vì COST_GATEWAY 200 µs → 400 µs."]


def test_fewer_merges_make_the_prompt_longer():
    assert "Chuẩn bị đầu vào của C dài hơn 0.15 ms vì prompt dài 12 token thay vì 9 (N_MERGES 10 → 5)." in why(N_MERGES=5)


# ── Who is served ────────────────────────────────────────────────────────────

def test_d_is_served_with_one_more_place_in_the_queue():
    assert why(QUEUE_LIMIT=2)[0] == "D được phục vụ: lúc được xét có 3 yêu cầu trong hệ, giới hạn nay là 2 + 2 (trước là 2 + 1)."


def test_a_followed_request_that_is_refused_comes_first():
    sentences = why(QUEUE_LIMIT=0)
    assert sentences[:2] == [
        "C bị từ chối (429): lúc được xét có 2 yêu cầu trong hệ, giới hạn nay là 2 + 0 (trước là 2 + 1).",
        "E bị từ chối ngay ở cổng (429): lúc được xét có 2 yêu cầu trong hệ, giới hạn nay là 2 + 0 (trước là 2 + 1). "
        "Trước đó nó qua cổng rồi nhận 400: 8 + 30 = 38 > 24."]
    assert not any("TTFT của C" in s for s in sentences)


def test_a_refused_request_that_is_followed_now_is_told_with_its_reason_once():
    refused = "C bị từ chối (429): lúc được xét có 2 yêu cầu trong hệ, giới hạn nay là 2 + 0 (trước là 2 + 1)."
    assert why(dict(FOLLOW="A"), QUEUE_LIMIT=0)[:2] == ["Bạn theo dõi C thay vì A: C không được phục vụ, nên không có TTFT và TPOT.", refused]
    before = "Bạn theo dõi D thay vì C: D nhận 429, vì đã có 3 yêu cầu, chạm giới hạn 2 + 1, nên không có TTFT và TPOT. Lịch chạy không đổi."
    assert why(FOLLOW="D") == [before]


def test_a_request_that_gets_in_takes_another_one_s_place():
    assert why(MAX_CONTEXT=40)[:2] == [
        "C bị từ chối (429): lúc được xét có 3 yêu cầu trong hệ thay vì 2 (thêm E), giới hạn 2 + 1.",
        "E được phục vụ: 8 + 30 = 38, không vượt MAX_CONTEXT = 40 (trước nhận 400: 8 + 30 = 38 > 24)."]


def test_requests_that_come_and_go():
    added = why(REQUESTS=[*COURSE, dict(id="F", arrival=5000, text="xin chao", max_new=3)], QUEUE_LIMIT=3)
    assert "F là yêu cầu mới: được phục vụ, TTFT 30.00 ms." in added
    assert "Không còn yêu cầu D (trước: nhận 429, vì đã có 3 yêu cầu, chạm giới hạn 2 + 1)." in why(REQUESTS=COURSE[:-1])


def test_a_character_that_no_token_holds():
    assert why(REQUESTS=edited("C", text="ban ? hoc"))[0] == "C bị chặn 400: có ký tự ngoài từ vựng: '?' (trước được phục vụ)."


def test_many_changed_endings_are_counted():
    crowd = [request(f"R{i:02}") for i in range(9)]
    sentences = causes(run(small(*crowd)), run(small(*crowd, QUEUE_LIMIT=0)))
    assert "Còn 4 yêu cầu nữa đổi kết cục; khối 1 kể từng yêu cầu." in sentences and sum("bị từ chối (429)" in s for s in sentences) == 3


@pytest.mark.parametrize("changed", [{}, {"SLOTS": 3}, {"POOL_BLOCKS": 5, "QUEUE_LIMIT": 4}, {"MAX_CONTEXT": 40}], ids=str)
def test_whom_the_gateway_counted_is_as_many_as_it_counted(changed):
    trace = run(Config.of(changed)).main
    for a in trace.admissions:
        if a.stage == GATEWAY:
            assert len(inside(trace, a)) == a.in_system


# ── Between tokens, memory ───────────────────────────────────────────────────

def test_the_longest_gap_is_put_down_to_a_step():
    assert ("Khoảng đứng lâu nhất tăng 2.40 ms: A đứng 6.00 ms vì bước 2 còn nạp 11 token prompt của B. "
            "Trước đó A đứng 3.60 ms vì bước 2 còn nạp 5 token prompt của B.") in why(TOKEN_BUDGET=12)
    assert ("Khoảng đứng lâu nhất tăng 1.00 ms: A đứng 4.60 ms vì bước 2 còn nạp 5 token prompt của B. "
            "Trước đó cũng vậy, 3.60 ms; chỉ thời gian mỗi bước khác (COST_DECODE_FIXED 1000 µs → 2000 µs).") in why(COST_DECODE_FIXED=2000)
    assert any(s.startswith("Khoảng đứng lâu nhất") and s.endswith(" Thời gian mỗi bước cũng khác: COST_PREFILL_FIXED 500 µs → 900 µs.")
               for s in why(TOKEN_BUDGET=12, COST_PREFILL_FIXED=900))


def test_chunks_of_other_sizes_that_cost_the_same_are_no_cause():
    """9 tokens in [6, 3] cost what they do in [5, 4]: 2 × 0.50 ms + 9 × 0.40 ms."""
    assert "Prefill của C ngắn hơn 2.20 ms: không còn bước nào chung với decode của yêu cầu khác (trước: 2 bước)." in why(SEED=11)


def test_c_s_tokens_come_slower_when_d_s_prompt_is_prefilled_between_them():
    assert "TPOT của C tăng 1.67 ms. Khi nó decode: các bước ấy nạp thêm 10 token prompt của D (trước: không)." in why(QUEUE_LIMIT=2)


def test_a_small_pool_preempts_and_a_large_one_does_not():
    smaller = why(POOL_BLOCKS=6)
    assert ("B bị preempt 1 lần, vì nó cần thêm block mà không còn block trống: bể chỉ có 6 block × 4 token. "
            "Mỗi lần như vậy phải tính lại từ đầu (trước: không ai bị preempt).") == smaller[1]   # before the longer tale of the wait
    assert smaller[2].startswith("C đợi 13.25 ms vì A và B giữ cả 2 chỗ chạy, rồi đợi 4.40 ms dù có chỗ trống,")
    assert "Token sinh ra không đổi; chỉ thời gian đổi." in smaller
    assert ("Không còn ai bị preempt: lúc cao điểm dùng 7 block, bể có 12 (trước: 1 lần, bể có 6 block × 4 token)."
            ) in why({"POOL_BLOCKS": 6})


def test_who_yields_to_whom():
    assert any(s.startswith("B bị preempt 1 lần, nhường block cho A; C bị preempt 1 lần, nhường block cho B: bể chỉ có 5 block") for s in why(POOL_BLOCKS=5))


def test_an_answer_that_the_pool_cuts_short():
    sentences = why(POOL_BLOCKS=2)
    assert "Câu trả lời của A bị cắt sau 3 token: một mình nó đã cần nhiều hơn 2 block của cả bể." in sentences
    assert "Ngoài chỗ bị cắt vì hết block, token sinh ra không đổi." in sentences
    assert "Câu trả lời của A không còn bị cắt: bể 12 block × 4 token đủ chứa." in why({"POOL_BLOCKS": 2})


def test_the_peak_is_told_by_who_held_blocks():
    assert ("Lúc cao điểm dùng 4 block, trước là 7 (BLOCK_SIZE 4 → 8): A giữ 2, B giữ 2. Trước: A giữ 3, B giữ 4.") in why(BLOCK_SIZE=8)


# ── Tokens, throughput, quality ──────────────────────────────────────────────

def test_tokens_that_change_are_put_down_to_what_was_edited():
    assert "Token của B đổi từ token thứ 2, vì top_k 4 → 2." in why(REQUESTS=edited("B", top_k=2))
    assert "B có 3 token thay vì 4, vì max_new 7 → 3." in why(REQUESTS=edited("B", max_new=3))
    assert "Token của A, B và C đổi: SEED 7 → 8 cho bộ trọng số khác." in why(SEED=8)
    assert "Token của A, B và C đổi: N_MERGES 10 → 5 cho cách tách token khác." in why(N_MERGES=5)


def test_throughput_is_tokens_over_time():
    # 18 / 0.0264 = 681.8; 18 / 0.0229 = 786.0
    assert "Throughput tăng từ 681.8 lên 786.0 token/s: 18 token trong 22.90 ms, trước là 18 token trong 26.40 ms." in why(TOKEN_BUDGET=12)


def test_four_bits_change_seven_decisions():
    assert why(QUANT_BITS=4) == [
        "Độ đồng thuận giảm từ 40/40 xuống 33/40: 4 bit làm trọng số lệch tới 0.1000 (8 bit: 0.0056). "
        "Trong các quyết định bị đổi, sát nhất là prompt D, bước 1: bản gốc chỉ hơn token nhì 0.0551 điểm, mà logits lệch tới 0.4872.",
        "Vì thế cổng chất lượng nay KHÔNG ĐẠT ngưỡng 95 % (trước: ĐẠT)."]
    one, = why({"SEED": 14}, SEED=14, QUANT_BITS=5)
    assert one.endswith("bản gốc hơn token nhì 0.6351 điểm; logits lệch tới 0.4056, và hai token lệch ngược chiều nhau.")


# ── Nothing much ─────────────────────────────────────────────────────────────

def test_the_same_configuration():
    assert why() == [SAME_CONFIGURATION]


def test_only_another_request_is_followed():
    assert why(FOLLOW="A") == ["Bạn theo dõi A thay vì C: TTFT và TPOT ở dải con số là của hai yêu cầu khác nhau. Lịch chạy không đổi."]
    assert why(FOLLOW="D") == ["Bạn theo dõi D thay vì C: D nhận 429, vì đã có 3 yêu cầu, chạm giới hạn 2 + 1, nên không có TTFT và TPOT. Lịch chạy không đổi."]


@pytest.mark.parametrize("before, after, sentence", [
    ({"QUEUE_LIMIT": 5}, {"QUEUE_LIMIT": 6},
     "QUEUE_LIMIT 5 → 6 không đổi lịch chạy và không đổi token nào: lúc có yêu cầu tới, trong hệ nhiều nhất là 3, chưa chạm giới hạn 2 + 5."),
    ({"SLOTS": 4}, {"SLOTS": 5}, "SLOTS 4 → 5 không đổi lịch chạy và không đổi token nào: nhiều nhất chỉ có 4 yêu cầu chạy cùng lúc."),
    ({"TOKEN_BUDGET": 20}, {"TOKEN_BUDGET": 30}, "TOKEN_BUDGET 20 → 30 không đổi lịch chạy và không đổi token nào: bước nhiều việc nhất chỉ có 12 token."),
    ({}, {"POOL_BLOCKS": 20}, "POOL_BLOCKS 12 → 20 không đổi lịch chạy và không đổi token nào: lúc cao điểm chỉ dùng 7 block."),
    ({}, {"MAX_CONTEXT": 25}, "MAX_CONTEXT 24 → 25 không đổi lịch chạy và không đổi token nào: yêu cầu dài nhất cần tới 38 token, vượt cả hai mức."),
    ({}, {"TTFT_SLO": 3000},
     "TTFT_SLO chỉ là ngưỡng để đánh dấu, không đổi cách engine chạy: 3/3 yêu cầu vượt 3.00 ms (trước: 2/3 vượt 8.00 ms)."),
    ({}, {"QUALITY_GATE": 1}, "QUALITY_GATE chỉ là ngưỡng để xét, không đổi bản nén: nay ĐẠT ngưỡng 100 % (trước: ĐẠT ngưỡng 95 %).")], ids=str)
def test_a_constant_that_changed_nothing_is_told_with_its_slack(before, after, sentence):
    assert why(before, **after) == [sentence]


def test_nobody_served_in_either():
    assert causes(run(small(request("A", text="?"))), run(small(request("A", text="?"), SLOTS=3))) == [
        "SLOTS 2 → 3 không đổi lịch chạy và không đổi token nào: nhiều nhất chỉ có 0 yêu cầu chạy cùng lúc."]


def test_nobody_served_any_more():
    assert "Không yêu cầu nào được phục vụ, nên không có throughput." in why(POOL_BLOCKS=1)


# ── What a script put in ─────────────────────────────────────────────────────

def dear_decode(config, prefill_tokens, decode_tokens):
    return 500 * bool(prefill_tokens) + 400 * prefill_tokens + 2000 * bool(decode_tokens) + 100 * decode_tokens


def last_token(logits, params, generator):
    return len(logits) - 1


class LastComeFirstServed:
    def pick(self, waiting):
        return waiting[-1]


class NewestFirst:
    def share(self, running, budget):
        work = {r.id: 1 for r in running if r.phase == "decode"}
        left = budget - len(work)
        for r in running[::-1]:
            if r.phase == "prefill" and left > 0:
                work[r.id] = min(left, r.uncomputed)
                left -= work[r.id]
        return work


def test_a_cost_of_the_script_s_own_is_named_and_no_constant_blamed():
    sentences = causes(run(Config()), run(Config(), cost=dear_decode))
    assert sentences[:3] == [SCRIPT_DIFFERS, "Script dùng cost riêng; trước đó mọi phần đều là của lab.",
                             "TTFT của C tăng 8.00 ms: chờ chỗ chạy tăng 6.00 ms, prefill tăng 2.00 ms."]
    assert "Prefill của C dài hơn 2.00 ms: thời gian mỗi bước do hàm cost của script tính." in sentences
    both = causes(run(Config(), cost=dear_decode), run(Config.of({"COST_DECODE_FIXED": 2000}), cost=dear_decode))
    assert both == ["COST_DECODE_FIXED 1000 µs → 2000 µs không đổi lịch chạy và không đổi token nào."]


def test_a_cost_of_the_script_s_own_that_ran_both_times_is_no_difference():
    sentences = causes(run(Config(), cost=dear_decode), run(Config.of({"TOKEN_BUDGET": 12}), cost=dear_decode))
    [gap] = [s for s in sentences if s.startswith("Khoảng đứng lâu nhất")]  # 2.5 + 11 × 0.4 + 0.1 = 7.00 ms; 2.5 + 5 × 0.4 + 0.1 = 4.60 ms
    assert gap == ("Khoảng đứng lâu nhất tăng 2.40 ms: A đứng 7.00 ms vì bước 2 còn nạp 11 token prompt của B. "
                   "Trước đó A đứng 4.60 ms vì bước 2 còn nạp 5 token prompt của B.")


def test_tokens_that_the_script_chose():
    sentences = causes(run(Config()), run(Config(), sample=last_token))
    assert "Token của A đổi từ token thứ 1, vì script chọn token bằng hàm sample riêng." in sentences


def test_a_scheduler_of_the_script_s_own_decides_who_goes_first():
    sentences = causes(run(Config.of({"SLOTS": 3})), run(Config.of({"SLOTS": 3, "FOLLOW": "B"}), scheduler=NewestFirst()))
    assert "Script dùng scheduler riêng; trước đó mọi phần đều là của lab." in sentences
    assert any("giữ chỗ mà chưa được giao việc trong" in s and "vì bộ lập lịch của script cho" in s for s in sentences)


def test_the_same_script_twice():
    assert causes(run(Config(), scheduler=LastComeFirstServed()), run(Config(), scheduler=LastComeFirstServed())) == [SAME_RESULTS]


# ── Any two runs ─────────────────────────────────────────────────────────────

CHANGES = st.fixed_dictionaries({}, optional={
    "SLOTS": st.integers(1, 5), "QUEUE_LIMIT": st.integers(0, 5), "TOKEN_BUDGET": st.integers(1, 14), "BLOCK_SIZE": st.integers(1, 8),
    "POOL_BLOCKS": st.integers(1, 14), "SEED": st.integers(0, 50), "N_MERGES": st.integers(0, 12), "QUANT_BITS": st.integers(2, 8),
    "FOLLOW": st.sampled_from("ABCDE"), "MAX_CONTEXT": st.integers(8, 40), "COST_GATEWAY": st.integers(0, 3000),
    "REQUESTS": st.lists(st.sampled_from(COURSE), min_size=1, unique_by=lambda r: r["id"])})


@examples(60)
@given(CHANGES, CHANGES)
def test_any_two_runs_get_whole_sentences(one, other):
    for changed in (one, other):
        if "REQUESTS" in changed:
            changed["FOLLOW"] = changed["REQUESTS"][0]["id"]
    before, after = run(Config.of(one)), run(Config.of(other))
    sentences = causes(before, after)
    assert sentences and all(s.endswith(".") and "None" not in s and "  " not in s and "()" not in s for s in sentences)
    assert len(set(sentences)) == len(sentences)
    pair = Pair(before, after)
    if pair.followed:
        id, (a, b) = after.config.FOLLOW, map(metrics, pair.followed)
        for field, starts in (("ttft_us", f"TTFT của {id} {'tăng' if b.ttft_us > a.ttft_us else 'giảm'}"), ("tpot_us", f"TPOT của {id} "),
                              ("prefill_us", f"Prefill của {id} {'dài' if b.prefill_us > a.prefill_us else 'ngắn'} hơn")):
            both = None not in (getattr(a, field), getattr(b, field))
            assert any(s.startswith(starts) for s in sentences) == (both and getattr(a, field) != getattr(b, field)), field
