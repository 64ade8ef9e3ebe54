"""The replay's data: states at instants that can be worked out on paper, and counts that must agree with the telemetry."""
import json
from bisect import bisect_right

import pytest

from inference_lab.config import Config
from inference_lab.lab import run
from inference_lab.replay import replay
from inference_lab.service import Service


@pytest.fixture(scope="module")
def course():
    return replay(run(Config()))


def crowd(n=100, **changed):
    texts = ("xin chao model", "model hoc token", "ban hoc model")
    requests = [dict(id=f"R{i:02}", arrival=i * 1500, text=texts[i % 3], max_new=4 + i % 9, seed=i) for i in range(n)]
    return run(Config.of(dict(REQUESTS=requests, FOLLOW="R05", QUEUE_LIMIT=97) | changed))


def at(data, us):
    return bisect_right(data["instants"], us) - 1


def place(data, id, us):
    """(place, slot or code) of a request at a time, None before it came."""
    stays = next(stays for name, _, stays, _ in data["requests"] if name == id)
    stay = [stay for stay in stays if stay[0] <= at(data, us)][-1:]
    return tuple(stay[0][1:3]) if stay else None


def places(data, us):
    return {id: place(data, id, us) for id in "ABCDE"}


def test_at_16_20_ms_b_is_done_and_c_starts(course):
    assert places(course, 16199)["C"] == ("waiting", "")
    assert places(course, 16200) == {"A": ("decode", 0), "B": ("done", ""), "C": ("prefill", 1), "D": ("refused", "429"), "E": ("refused", "400")}
    i = at(course, 16200)
    assert course["times"][i] == "16.20 ms" and course["told"][i] == "B xong. C vào chỗ chạy. Bước 8: A decode 1, C prefill 5 (6/6 token)."
    assert course["ways"][i] == [(3, ["L2-1", "L2-3"]), (1, ["L2-4", "L2-5", "L2-6", "L1-4"])]
    assert course["emitted"][i] == [(0, "l")]
    assert course["cells"][course["lit"][i]] == ["L1-4", "L2-1", "L2-3", "L2-4", "L2-5", "L2-6", "L2-7"]


def test_at_13_80_ms_seven_blocks_are_in_use(course):
    i = at(course, 13800)
    assert course["blocks"][i] == 7 and course["blocks"][i - 1] == 6
    held = {block: course["requests"][r][0] for block, r, start, until in course["uses"] if start <= i < until}
    assert held == {0: "A", 1: "A", 5: "A", 2: "B", 3: "B", 4: "B", 6: "B"}


def test_whoever_arrives_during_a_step_is_at_the_gateway_until_it_ends(course):
    assert places(course, 2000) == {"A": ("prefill", 0), "B": ("waiting", ""), "C": ("gateway", ""), "D": ("gateway", ""), "E": ("refused", "400")}
    [stay] = [stay for stay in course["requests"][3][2] if stay[1] == "gateway"]
    assert stay[3] == "C ở cổng: engine đang bận một bước, cổng xét C lúc 3.40 ms."


def test_moves_of_one_instant_join_to_one_way(course):
    assert course["ways"][at(course, 500)][0] == (0, ["L1-3", "L2-1", "L2-3"])


def test_a_preempted_request_goes_back_to_the_queue_and_says_why():
    data = replay(run(Config.of({"POOL_BLOCKS": 5})))
    assert place(data, "B", 10599) == ("prefill", 1) and place(data, "B", 10600) == ("waiting", "") and place(data, "B", 18300) == ("prefill", 0)
    stay = [stay for stay in data["requests"][1][2] if stay[0] == at(data, 10600)][-1]
    assert stay[3].startswith("B bị preempt: bể hết block trống, A cần thêm block") and stay[4] == stay[0] + 1
    assert (1, ["L2-3", "L2-1"]) in data["ways"][at(data, 10600)]


@pytest.mark.parametrize("changed", [{}, {"POOL_BLOCKS": 5}, {"SLOTS": 1}, {"TOKEN_BUDGET": 1}, {"QUEUE_LIMIT": 0}, {"COST_GATEWAY": 5000}], ids=str)
def test_counts_are_those_of_the_telemetry(changed):
    made = run(Config.of(changed))
    data = replay(made)
    for step in made.main.steps:
        i = at(data, step.start_us)
        lost = len(step.preempted)
        assert (data["waiting"][i], data["running"][i]) == (step.waiting + lost, step.running - lost)
        assert data["blocks"][at(data, step.end_us - 1)] >= 0 and data["step"][i] == made.main.steps.index(step) + 1
    assert (data["waiting"][-1], data["running"][-1], data["blocks"][-1]) == (0, 0, 0)
    assert max(data["blocks"]) == made.main.peak.blocks


def test_every_served_request_ends_at_streaming_with_all_its_tokens():
    made = crowd(SLOTS=4, POOL_BLOCKS=12)
    assert made.main.preemptions
    data = replay(made)
    for id, _, stays, tokens in data["requests"]:
        served = made.main.find(id)
        assert [text for _, text in tokens] == [made.tokenizer.vocabulary[t] for t in served.output_ids]
        assert stays[-1][1] == "done" and data["instants"][stays[-1][0]] == served.finish_us
        slots = [stay[2] for stay in stays if stay[1] in ("prefill", "decode")]
        assert slots and all(0 <= slot < 4 for slot in slots)


def test_nobody_shares_a_slot():
    data = replay(crowd(SLOTS=4, POOL_BLOCKS=12))
    for i in range(len(data["instants"])):
        held = []
        for _, _, stays, _ in data["requests"]:
            now = [stay for stay in stays if stay[0] <= i][-1:]
            held += [stay[2] for stay in now if stay[1] in ("prefill", "decode")]
        assert len(held) == len(set(held)) == data["running"][i]


def test_a_hundred_requests_stay_small():
    assert len(json.dumps(replay(crowd(SLOTS=2)), ensure_ascii=False)) < 250_000


def test_of_a_long_run_the_steps_around_the_followed_request_are_told(monkeypatch):
    made = crowd(SLOTS=4, POOL_BLOCKS=12, FOLLOW="R50")
    whole = replay(made)
    monkeypatch.setattr("inference_lab.replay.MOST_STEPS", 20)
    part = replay(made)
    assert len(part["steps"]) == 20 and len(part["requests"]) < len(whole["requests"])
    assert part["told"][0].startswith(f"Phát lại 20/{len(made.main.steps)} bước, quanh lúc R50 bắt đầu.")
    ids = [id for id, *_ in whole["requests"]]
    for i, us in enumerate(part["instants"][1:-1], 1):                    # the same states at the same times, but for numbers of slots
        k = whole["instants"].index(us)
        for name in ("waiting", "running", "blocks", "times"):
            assert part[name][i] == whole[name][k]
        assert part["told"][i] == whole["told"][k]
        for id, *_ in part["requests"]:
            mine, all_ = place(part, id, us), place(whole, id, us)
            assert (mine and mine[0]) == (all_ and all_[0]), (id, us)
        assert {part["requests"][r][0] for r, _ in part["ways"][i]} == {ids[r] for r, _ in whole["ways"][k]}


def test_a_run_in_which_all_are_refused_has_a_replay():
    data = replay(run(Config.of({"MAX_CONTEXT": 4})))
    assert data["steps"] == [] and {stays[-1][1] for _, _, stays, _ in data["requests"]} == {"refused"}


def test_the_worker_gives_a_result_s_replay_by_its_key_and_makes_a_lost_one_anew():
    service = Service()
    ok = json.loads(service.answer("run", "{}"))["ok"]
    asked = json.dumps({"key": ok["key"], "constants": ok["constants"]})
    first = json.loads(service.answer("replay", asked))["ok"]
    assert first["key"] == ok["key"] and first["follow"] == "C" and len(first["instants"]) == 17
    assert json.loads(Service().answer("replay", asked))["ok"] == first
    gone = json.loads(Service().answer("replay", json.dumps({"key": "0", "constants": ok["constants"]})))
    assert gone["error"]["message"].startswith("Kết quả này do một script tạo ra")
