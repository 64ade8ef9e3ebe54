"""Why each request got what it got: noted when it was decided, told in one sentence.

Costs of the small runs: a prefill 5 + 1 a token, a decode 10 + 1 a sequence.
"""
from inference_lab.config import Config
from inference_lab.lab import run
from inference_lab.reports.reasons import names, told, told_behind
from inference_lab.trace import BUDGET, CUT, GROUP_FILLS, GROUP_RUNS, OWN_SHARE, PASSED_OVER, POOL, PREEMPTED, PUT_OFF, SLOTS, Reason

from .builders import STATIC, request, serve_steadily, small


def told_of(config, trace):
    """[(µs, kind, sentence)] in the order of the decisions."""
    return [(r.at_us, r.kind, told(r, config)) for r in trace.reasons]


def two_in_three_blocks(*more, **changed):
    return small(request("A", 4, 8), request("B", 4, 4), *more, **(dict(POOL_BLOCKS=3) | changed))


def test_the_course_s_run():
    made = run(Config())
    assert told_of(made.config, made.main) == [
        (3400, SLOTS, "C chờ: hai chỗ chạy đang do A và B giữ."),
        (3400, CUT, "B chỉ được 5 token: ngân sách 6, A đã dùng 1."),
        (7000, CUT, "B chỉ được 5 token: ngân sách 6, A đã dùng 1."),
        (16200, CUT, "C chỉ được 5 token: ngân sách 6, A đã dùng 1.")]
    assert told_of(made.config, made.traces[0]) == [
        (500, GROUP_FILLS, "A chờ: static gom đủ 2 yêu cầu rồi mới chạy, hiện có 1."),
        (8050, SLOTS, "C chờ: hai chỗ chạy đang do A và B giữ."),
        (11650, GROUP_RUNS, "C chờ: static chạy xong cả nhóm rồi mới nhận nhóm sau, A chưa xong.")]


def test_a_full_pool_preempts_the_newest_and_holds_back_the_queue():
    # 13: A takes block 2, B finds none and gives block 1 back. B's five tokens need two blocks: one is free until 57, none after.
    config = two_in_three_blocks()
    assert told_of(config, serve_steadily(config)) == [
        (13, PREEMPTED, "B bị preempt: bể hết block trống, B cần thêm block và B vào sau cùng. B trả 1 block; 4 token phải tính lại."),
        *[(at, POOL, "B chờ ở đầu hàng: B cần 2 block cho 5 token, bể chỉ còn 1 block trống.") for at in (24, 35, 46, 57)],
        *[(at, POOL, "B chờ ở đầu hàng: B cần 2 block cho 5 token, bể không còn block trống nào.") for at in (68, 79)]]


def test_an_older_request_takes_the_block_of_the_newest():
    config = small(request("A", 4, 5), request("B", 3, 3), POOL_BLOCKS=2)
    assert told_of(config, serve_steadily(config))[0] == (
        12, PREEMPTED, "B bị preempt: bể hết block trống, A cần thêm block mà B vào sau cùng. B trả 1 block; 3 token phải tính lại.")


def test_who_never_had_its_slot_was_put_off_and_who_stands_behind_is_told_of_the_head():
    config = small(request("A", 4, 6), request("B", 4, 4), request("C", 2, 2, arrival=13), POOL_BLOCKS=3, SLOTS=3)
    reasons = serve_steadily(config).reasons
    assert [(r.kind, r.id) for r in reasons if r.at_us == 13] == [(PUT_OFF, "C"), (PREEMPTED, "B")]
    [off] = [r for r in reasons if r.kind == PUT_OFF]
    assert told(off, config) == "C chưa vào được chỗ chạy: bể hết block trống, B cần thêm block mà C vào sau cùng."
    waits = next(r for r in reasons if r.kind == POOL)
    assert told_behind(waits, config).format("C") == "C chờ sau B, và không ai được vượt: B cần 2 block cho 5 token, bể chỉ còn 1 block trống."


def test_a_budget_that_decodes_use_up_leaves_a_prompt_without_a_token():
    # A and B decode with a budget of 2 when C, who arrived at 9, gets the third slot at 10.
    config = small(request("A", 1, 4), request("B", 1, 4), request("C", 3, 1, arrival=6), SLOTS=3, TOKEN_BUDGET=2)
    assert told_of(config, serve_steadily(config))[:1] == [(7, BUDGET, "C giữ chỗ mà chưa được token nào: ngân sách 2, A đã dùng 1, B đã dùng 1.")]


def test_a_prompt_longer_than_the_whole_budget_is_cut_by_nobody():
    config = small(request("A", 9, 1))
    assert told_of(config, serve_steadily(config)) == [(0, CUT, "A chỉ được 8 token: ngân sách 8, prompt còn 9 token.")]


class ShortestFirst:
    """The free slot to the shortest prompt; in a step one prompt alone, or else the decodes."""

    def pick(self, waiting):
        return min(waiting, key=lambda request: request.prompt_tokens)

    def share(self, running, budget):
        prompts = [r for r in running if r.phase == "prefill"]
        return [(prompts[0], min(3, prompts[0].uncomputed))] if prompts else [(r, 1) for r in running]


def test_a_learner_s_scheduler_is_named_as_the_reason():
    requests = [dict(id=id, arrival=0, text=text, max_new=3, seed=1) for id, text in (("A", "xin chao model"), ("B", "ban"), ("C", "xin chao ban"))]
    made = run(Config.of(dict(REQUESTS=requests, FOLLOW="A", SLOTS=1, COST_TOKENIZE_PER_TOKEN=0)), scheduler=ShortestFirst)
    assert told_of(made.config, made.main) == [
        (200, PASSED_OVER, "A đứng trước nhưng chưa được chỗ: scheduler của bạn chọn B."),
        (200, SLOTS, "A chờ: chỗ chạy duy nhất đang do B giữ."),
        (200, OWN_SHARE, "B được 3/4 token: scheduler của bạn chia như vậy."),
        (5000, OWN_SHARE, "A được 3/6 token: scheduler của bạn chia như vậy.")]
    share = Reason(0, OWN_SHARE, "B", got=3, wanted=9, used=(("A", 1),))
    none = Reason(0, OWN_SHARE, "B", got=0, wanted=9, used=(("A", 1), ("C", 1)))
    assert told(share, made.config) == "B được 3/9 token: scheduler của bạn chia như vậy."
    assert told(none, made.config) == "B giữ chỗ mà không được token nào: scheduler của bạn giao việc cho A và C."


def test_the_head_of_the_queue_is_told_again_only_when_something_changed():
    config = small(request("A", 2, 9), request("B", 2, 2), request("C", 2, 2), SLOTS=1)
    assert [(r.at_us, r.id, r.others) for r in serve_steadily(config).reasons] == [(0, "B", ("A",)), (95, "C", ("B",))]


def test_static_names_the_slots_only_while_all_are_held():
    config = small(request("A", 2, 2), request("B", 2, 4), request("C", 2, 2))
    assert [(r.kind, r.others) for r in serve_steadily(config, STATIC).reasons] == [(SLOTS, ("A", "B")), (GROUP_RUNS, ("B",))]


def test_names():
    assert [names(ids) for ids in ("A", "AB", "ABCD", "ABCDEF")] == ["A", "A và B", "A, B, C và D", "A, B, C và 3 yêu cầu nữa"]
