"""Six exercises: the answer that the engine finds is right, and its neighbour is not; hints do not give it away."""
import re

import pytest

from inference_lab import Config, run
from inference_lab.config import CONSTANTS
from inference_lab.exercises import EXERCISES, Sweep, answer, check
from inference_lab.exercises.outcome import Outcome
from inference_lab.exercises.sweep import BASE, slider_values


@pytest.fixture(scope="module")
def sweeps():
    return {id: Sweep(e) for id, e in EXERCISES.items()}


def check_value(sweeps, id, value, choice=None):
    return check(sweeps[id], Config.of({EXERCISES[id].constant: value}), choice)


def test_one_exercise_for_each_of_the_six_constants():
    assert [e.constant for e in EXERCISES.values()] == ["SLOTS", "QUEUE_LIMIT", "TOKEN_BUDGET", "BLOCK_SIZE", "POOL_BLOCKS", "QUANT_BITS"]
    assert [e.id for e in EXERCISES.values()] == list(EXERCISES) == [e.constant.lower() for e in EXERCISES.values()]


@pytest.mark.parametrize("id, value, first_figure", [
    ("slots", 3, ["TTFT của C", "18.60 ms"]),
    ("queue_limit", 2, ["Kết quả của D", "được phục vụ"]),
    ("token_budget", 3, ["Khoảng đứng lâu nhất", "2.40 ms"]),
    ("block_size", 3, ["Chỗ thừa lúc cao điểm", "3"]),
    ("pool_blocks", 7, ["Preempt", "0"]),
    ("quant_bits", 7, ["Quyết định giữ nguyên", "39/40"])])
def test_the_answers(sweeps, id, value, first_figure):
    assert answer(sweeps[id])["values"] == [value] and answer(sweeps[id])["text"] == f"{EXERCISES[id].constant} = {value}"
    result = check_value(sweeps, id, value)
    assert result["met"] is True and result["sentence"].startswith("Đạt. ") and result["figures"][0] == first_figure
    assert result["lesson"] == EXERCISES[id].lesson


@pytest.mark.parametrize("id", EXERCISES)
def test_no_other_value_of_the_slider_meets_the_goal(sweeps, id):
    met = [v for v in slider_values(EXERCISES[id].constant) if check_value(sweeps, id, v)["met"]]
    assert met == answer(sweeps[id])["values"]


# Each goal once more, in other words, from whole runs.

def spare(r):
    return r.main.peak.blocks * r.config.BLOCK_SIZE - r.main.peak.tokens


def whole(r):
    return (not r.main.preemptions and all(s.finish_reason != "kv_exhausted" for s in r.main.served)
            and {s.id for s in r.main.served} == {"A", "B", "C"})


def ttft(r, id="C"):
    s = r.main.find(id)
    return s.token_times_us[0] - s.spec.arrival if s else 10**9


def worst_gap(r):
    return max(b - a for s in r.main.served for a, b in zip(s.token_times_us, s.token_times_us[1:]))


@pytest.mark.parametrize("id, best", [
    ("slots", lambda runs: min(runs, key=lambda v: ttft(runs[v]))),
    ("queue_limit", lambda runs: min(v for v in runs if "D" in {s.id for s in runs[v].main.served})),
    ("token_budget", lambda runs: max(v for v in runs if worst_gap(runs[v]) <= 2500)),
    ("block_size", lambda runs: min((v for v in runs if whole(runs[v])), key=lambda v: spare(runs[v]))),
    ("pool_blocks", lambda runs: min(v for v in runs if whole(runs[v]))),
    ("quant_bits", lambda runs: min(v for v in runs if sum(d.agrees for d in runs[v].decisions) >= 0.95 * len(runs[v].decisions)))])
def test_brute_force_over_whole_runs_finds_the_same(sweeps, id, best):
    name = EXERCISES[id].constant
    assert best({v: run(Config.of({name: v})) for v in slider_values(name)}) == sweeps[id].answer


# ── Checking what the learner ran ────────────────────────────────────────────

def test_a_value_that_does_not_meet_the_goal_is_told_what_happened(sweeps):
    assert check_value(sweeps, "queue_limit", 1)["sentence"] == "Chưa đạt. Với QUEUE_LIMIT = 1, D nhận 429."
    assert check_value(sweeps, "token_budget", 4)["sentence"] == "Chưa đạt. Với TOKEN_BUDGET = 4, khoảng đứng lâu nhất là 2.80 ms."
    assert check_value(sweeps, "pool_blocks", 6)["sentence"] == "Chưa đạt. Với POOL_BLOCKS = 6, B bị preempt 1 lần."
    assert check_value(sweeps, "pool_blocks", 3)["sentence"] == "Chưa đạt. Với POOL_BLOCKS = 3, câu trả lời của A và B bị cắt vì hết block."
    assert check_value(sweeps, "slots", 1)["sentence"] == "Chưa đạt. Với SLOTS = 1, C nhận 429."


def test_a_value_that_is_good_but_not_the_best_is_told_so(sweeps):
    result = check_value(sweeps, "queue_limit", 5)
    assert result["met"] is False and result["lesson"] is None
    assert result["sentence"] == "Chưa hẳn. Với QUEUE_LIMIT = 5, D được phục vụ. Nhưng còn giá trị nhỏ hơn cũng đủ."


def test_a_value_beyond_the_slider_is_run_too(sweeps):
    assert check_value(sweeps, "pool_blocks", 300)["sentence"].startswith("Chưa hẳn. Với POOL_BLOCKS = 300, không ai bị preempt")


def test_other_constants_must_be_as_they_were(sweeps):
    result = check(sweeps["slots"], Config.of({"SLOTS": 3, "TOKEN_BUDGET": 12, "SEED": 1}), None)
    assert result["met"] is False and result["figures"] == []
    assert result["sentence"] == "Bài này chỉ đổi SLOTS, nhưng lần chạy của bạn còn đổi SEED, TOKEN_BUDGET. Hãy đặt lại các hằng số đó rồi chạy lại."


@pytest.mark.parametrize("id, right", [("slots", "turns"), ("queue_limit", "same"), ("token_budget", "longer"), ("block_size", "longer"),
                                       ("pool_blocks", "same"), ("quant_bits", "less")])
def test_predictions_are_checked(sweeps, id, right):
    assert answer(sweeps[id])["prediction"][0] == right
    for choice, _ in EXERCISES[id].choices:
        assert check_value(sweeps, id, sweeps[id].answer, choice)["prediction_right"] is (choice == right)
    assert check_value(sweeps, id, sweeps[id].answer)["prediction_right"] is None


# ── Texts ────────────────────────────────────────────────────────────────────

@pytest.mark.parametrize("id", EXERCISES)
def test_three_hints_of_which_the_first_two_do_not_hold_the_answer(sweeps, id):
    hints = EXERCISES[id].hints
    assert len(set(hints)) == 3
    for hint in (*hints[:2], EXERCISES[id].task):
        assert str(sweeps[id].answer) not in re.findall(r"\d+", re.sub(r"[Kk]hối \d+", "", hint))


def from_the_default(id, way):
    """The values that a learner goes through from the default in steps of `way`, and what each leads to."""
    sweep, start = Sweep(EXERCISES[id]), getattr(BASE, EXERCISES[id].constant)
    return [(v, sweep.outcomes[v]) for v in slider_values(EXERCISES[id].constant)[::way] if (v - start) * way >= 0]


def before_the_first(steps, spoils):
    """The value just before the first one that `spoils`."""
    return next(a for (a, x), (b, y) in zip(steps, steps[1:]) if spoils(x, y))


@pytest.mark.parametrize("id, recipe", [
    ("slots", lambda: before_the_first(from_the_default("slots", +1), lambda x, y: y.followed_ttft_us > x.followed_ttft_us)),
    ("queue_limit", lambda: next(v for v, o in from_the_default("queue_limit", +1) if o.trace.find("D"))),
    ("token_budget", lambda: next(v for v, o in from_the_default("token_budget", -1) if o.worst_gap_us <= 2500)),
    ("block_size", lambda: before_the_first(from_the_default("block_size", -1), lambda x, y: y.trace.preemptions)),
    ("pool_blocks", lambda: from_the_default("pool_blocks", +1)[0][1].trace.peak.blocks),
    ("quant_bits", lambda: before_the_first(from_the_default("quant_bits", -1), lambda x, y: not y.passes_gate))])
def test_the_third_hint_followed_to_the_letter_leads_to_the_answer(sweeps, id, recipe):
    assert recipe() == sweeps[id].answer


def test_the_explanation_gives_figures_of_the_answer_and_of_its_neighbour(sweeps):
    assert answer(sweeps["queue_limit"])["explanation"] == (
        "Với QUEUE_LIMIT = 1, hệ thống chứa 3 yêu cầu và D đến lúc đầy. Với QUEUE_LIMIT = 2, hệ thống chứa 4 yêu cầu nên D có chỗ đợi. "
        "Đổi lại, TTFT của D là 29.90 ms, trong đó 22.00 ms là chờ. TTFT của C vẫn là 22.00 ms, vì D đứng sau trong hàng.")
    assert "2.40 ms; với 4 thì đã là 2.80 ms" in answer(sweeps["token_budget"])["explanation"]
    assert "từ 22.00 ms lên 25.60 ms" in answer(sweeps["token_budget"])["explanation"]
    assert "9 block chứa 24 token: thừa 3 chỗ. Với 4 thì thừa 4 chỗ." in answer(sweeps["block_size"])["explanation"]
    assert "18.60 ms, mặc định là 22.00 ms" in answer(sweeps["slots"])["explanation"]
    assert "7 bit giữ 39/40 quyết định (97.5 %)" in answer(sweeps["quant_bits"])["explanation"]
    assert "thời gian chạy từ 26.40 ms thành 34.50 ms" in answer(sweeps["pool_blocks"])["explanation"]


def test_the_table_goes_through_the_whole_slider_and_marks_the_answer(sweeps):
    for id, sweep in sweeps.items():
        t, values = answer(sweep)["table"], list(slider_values(EXERCISES[id].constant))
        assert t["caption"] == f"{EXERCISES[id].constant} từ {values[0]} đến {values[-1]}"
        assert [t["rows"][i][0] for i in t["marked"]] == [str(sweep.answer)]
        assert sum(int(last) - int(first) + 1 for first, _, last in (r[0].partition("–") if "–" in r[0] else (r[0], "", r[0]) for r in t["rows"])) == len(values)
        assert all(len(r) == len(t["columns"]) for r in t["rows"])


def test_texts_are_plain_and_whole():
    for e in EXERCISES.values():
        p = e.plain()
        assert all(p[key] for key in ("title", "task", "goal", "question", "choices", "hints")) and p["unit"] == CONSTANTS[e.constant].unit
        assert p["question"].endswith("?") and e.lesson.endswith(".") and all(h.endswith((".", "?")) for h in e.hints)


# ── When this engine has no answer ───────────────────────────────────────────

class NothingHolds(Sweep):
    """Every value of the slider led to a run in which nobody was served."""

    def __init__(self, exercise):
        self.exercise = exercise
        refused_all = exercise.observe(Config.of({"POOL_BLOCKS": 1}))
        self.outcomes = {v: Outcome(config=BASE, trace=refused_all.trace) for v in slider_values(exercise.constant)}


@pytest.mark.parametrize("id", [id for id in EXERCISES if id != "quant_bits"])
def test_a_goal_that_nothing_meets_is_said_to_have_no_answer(id):
    sweep = NothingHolds(EXERCISES[id])
    told = answer(sweep)
    assert (told["values"], told["prediction"]) == ([], None) and "Không giá trị nào" in told["text"] and told["table"]["marked"] == ()
    result = check(sweep, Config.of(), "same")
    assert result["met"] is False and result["prediction_right"] is None
