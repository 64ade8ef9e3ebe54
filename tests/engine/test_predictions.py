"""Questions before a run, and their answers after it."""
import pytest

from inference_lab import Config, run
from inference_lab.predictions import questions, truths

from .builders import request, small


def choices(config):
    return {q["id"]: [choice for choice, _ in q["choices"]] for q in questions(config)}


def answers(config):
    return {question: (choice, sentence) for question, choice, sentence in truths(run(config))}


def test_four_questions_about_the_course_s_run():
    asked = questions(Config.of())
    assert [(q["id"], q["text"]) for q in asked] == [
        ("refused", "Ai bị từ chối, và vì sao?"),
        ("wait", "C có phải chờ chỗ chạy lâu không? (TTFT: thời gian từ lúc đến tới token đầu tiên.)"),
        ("part", "Phần nào lớn nhất trong TTFT của C?"),
        ("peak", "Lúc cao điểm, bao nhiêu trong 12 block KV được dùng?")]
    assert asked[0]["choices"] == [
        ["nobody", "Không ai bị từ chối"],
        ["E:400", "E nhận 400 (yêu cầu không hợp lệ)"],
        ["C:429 D:429", "C nhận 429 (hệ thống đã đầy), D nhận 429 (hệ thống đã đầy)"],
        ["D:400 E:429", "D nhận 400 (yêu cầu không hợp lệ), E nhận 429 (hệ thống đã đầy)"],
        ["D:429 E:400", "D nhận 429 (hệ thống đã đầy), E nhận 400 (yêu cầu không hợp lệ)"]]
    assert [text for _, text in asked[3]["choices"]] == ["Từ 0 đến 3 block", "Từ 4 đến 6 block", "Từ 7 đến 9 block", "Từ 10 đến 12 block"]


def test_the_answers_of_the_course_s_run():
    # 650 + 14550 + 6800 = 22000; 14550 / 22000 = 66 %; 7 of 12 blocks
    assert answers(Config.of()) == {
        "refused": ("D:429 E:400", "E nhận 400 vì prompt và max_new quá dài: 8 + 30 = 38 > 24; D nhận 429 vì đã có 3 yêu cầu, chạm giới hạn 2 + 1."),
        "wait": ("most", "C chờ chỗ chạy 14.55 ms mô phỏng, bằng 66 % của TTFT 22.00 ms."),
        "part": ("queue_us", "TTFT của C = chuẩn bị 0.65 ms + chờ 14.55 ms + prefill 6.80 ms = 22.00 ms mô phỏng. Phần lớn nhất: chờ chỗ chạy."),
        "peak": ("quarter_3", "Lúc cao điểm dùng 7/12 (58 %) block.")}


@pytest.mark.parametrize("changed", [
    {}, {"SLOTS": 1}, {"SLOTS": 3}, {"SLOTS": 8, "MAX_CONTEXT": 40}, {"POOL_BLOCKS": 1}, {"POOL_BLOCKS": 2}, {"POOL_BLOCKS": 3}, {"POOL_BLOCKS": 6},
    {"FOLLOW": "D"}, {"FOLLOW": "E"}, {"QUEUE_LIMIT": 0}, {"TOKEN_BUDGET": 1}, {"BLOCK_SIZE": 1},
    {"REQUESTS": [dict(id="A", arrival=0, text="xin chao", max_new=2)], "FOLLOW": "A"},
    {"REQUESTS": [dict(id=f"R{i}", arrival=i, text="xin chao", max_new=2) for i in range(12)], "FOLLOW": "R0"},
    {"REQUESTS": [dict(id=f"R{i}", arrival=i, text="xin chao", max_new=2) for i in range(60)], "FOLLOW": "R0"}], ids=lambda c: str(c)[:40])
def test_the_right_choice_is_always_among_four_or_five_that_differ(changed):
    config = Config.of(changed)
    offered = choices(config)
    for question, (right, sentence) in answers(config).items():
        assert right in offered[question] and sentence.endswith(".")
        assert len(set(offered[question])) == len(offered[question]) >= 2
        assert len(offered[question]) <= 5


def test_the_right_choice_does_not_always_stand_in_the_same_place():
    places = set()
    for changed in ({}, {"SLOTS": 1}, {"SLOTS": 3}, {"SLOTS": 8, "MAX_CONTEXT": 40}):
        config = Config.of(changed)
        places.add(choices(config)["refused"].index(answers(config)["refused"][0]))
    assert len(places) > 2


def test_nobody_refused():
    assert answers(small(request("A"), request("B")))["refused"] == ("nobody", "Không ai bị từ chối: cả 2 yêu cầu đều được phục vụ.")


def test_a_followed_request_that_is_refused_neither_waits_nor_has_a_largest_part():
    answered = answers(Config.of({"FOLLOW": "E"}))
    assert answered["wait"] == ("not_served", "E bị từ chối nên không chờ.")
    assert answered["part"] == ("not_served", "E bị từ chối nên không có TTFT.")


def test_a_request_that_need_not_wait_hardly_waits():
    # alone: ready at 0, its first step starts at 0
    choice, sentence = answers(small(request("A", 4, 1)))["wait"]
    assert choice == "hardly" and "bằng 0 % của TTFT 0.01 ms" in sentence


def test_many_refusals_are_counted():
    crowd = [request(f"R{i:02}", arrival=i) for i in range(20)]
    right, sentence = answers(small(*crowd, SLOTS=1, QUEUE_LIMIT=0))["refused"]
    assert right == "429×19" and sentence.endswith("; và 15 yêu cầu nữa bị từ chối.")


def test_of_a_crowd_it_is_asked_which_codes_there_are():
    crowd = small(*[request(f"R{i:02}", arrival=i) for i in range(51)], SLOTS=1, QUEUE_LIMIT=0)
    assert choices(crowd)["refused"] == ["nobody", "429", "400", "429 400"] and answers(crowd)["refused"][0] == "429"


def test_a_tiny_pool_is_not_asked_about_in_empty_ranges():
    assert questions(Config.of({"POOL_BLOCKS": 1}))[3]["choices"] == [["quarter_1", "0 block"], ["quarter_4", "1 block"]]
    assert questions(Config.of({"POOL_BLOCKS": 6}))[3]["choices"] == [
        ["quarter_1", "Từ 0 đến 1 block"], ["quarter_2", "Từ 2 đến 3 block"], ["quarter_3", "4 block"], ["quarter_4", "Từ 5 đến 6 block"]]
