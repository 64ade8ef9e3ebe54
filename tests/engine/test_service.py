"""What crosses to the page: JSON text in, JSON text out, nothing raised."""
import json

import pytest

from inference_lab.config import CONSTANTS
from inference_lab.service import Service


def ask(command, asked=None):
    return json.loads(Service().answer(command, json.dumps(asked or {})))


def test_a_run_gives_thirteen_reports_a_printout_and_a_verdict():
    ok = ask("run")["ok"]
    assert [r["number"] for r in ok["reports"]] == list(range(1, 14))
    assert ok["passed"] is True
    assert ok["transcript"].splitlines()[-1] == ok["verdict"]
    assert ok["constants"]["SLOTS"] == 2


def test_changed_constants_change_the_run():
    # With three slots C need not wait for A or B: its queue time is gone from panel 11.
    rows = ask("run", {"constants": {"SLOTS": 3}})["ok"]["reports"][10]["tables"][0]["rows"]
    assert [row for row in rows if row[0] == "C"][0][2] != "14550"


def test_the_same_question_gets_the_same_bytes():
    assert Service().answer("run", "{}") == Service().answer("run", "{}")


def test_all_figures_of_a_run_can_be_had():
    assert ask("figures", {"constants": {"FOLLOW": "B"}})["ok"]["follow"]["id"] == "B"


def test_vietnamese_crosses_as_it_is():
    assert "chờ chỗ chạy" in Service().answer("run", "{}")


def test_bad_constants_come_back_all_at_once_without_a_traceback():
    error = ask("run", {"constants": {"SLOTS": 0, "BLOCK_SIZE": "4", "SLOT": 1}})["error"]
    assert [e["constant"] for e in error["errors"]] == ["SLOTS", "BLOCK_SIZE", "SLOT"]
    assert error["constant"] == "SLOTS" and error["message"] == error["errors"][0]["message"]
    assert "traceback" not in error


@pytest.mark.parametrize("text", ['{"constants": {"SLOTS": NaN}}', '{"constants": {"QUALITY_GATE": 1e400}}', '{"constants": {"REQUESTS": [[]]}}'])
def test_values_that_json_cannot_say_are_quoted_in_the_error(text):
    error = json.loads(Service().answer("run", text))["error"]
    assert error["errors"] and "traceback" not in error


@pytest.mark.parametrize("command, text", [("run", "{"), ("nothing", "{}"), ("source", '{"block": 99}'), ("run", "[]")])
def test_a_fault_of_ours_comes_back_with_its_traceback(command, text):
    error = json.loads(Service().answer(command, text))["error"]
    assert error["errors"] == [] and "Traceback" in error["traceback"] and error["message"]


def test_a_blocks_source_comes_piece_by_piece():
    pieces = ask("source", {"block": 6})["ok"]
    assert [(file, name) for file, name, _, _ in pieces] == [("kv_cache.py", "KVPool")]
    assert pieces[0][3].startswith("class KVPool:")


def test_the_table_of_constants_is_whole():
    rows = ask("constants")["ok"]
    assert [r["name"] for r in rows] == list(CONSTANTS)
    slots = next(r for r in rows if r["name"] == "SLOTS")
    assert (slots["default"], slots["minimum"], slots["maximum"], slots["step"], slots["known_as"]) == (2, 1, 64, 1, "max_num_seqs")
    assert all(r["label"] and r["help"] and r["range"] for r in rows)


# ── What changed, and single figures ─────────────────────────────────────────

def run_with(service, constants, against=None):
    return json.loads(service.answer("run", json.dumps({"constants": constants, "against": against})))["ok"]


def name_of(ok):
    return {"key": ok["key"], "constants": ok["constants"]}


def test_a_result_s_key_depends_on_its_constants_alone():
    first, again, other = (run_with(Service(), c)["key"] for c in ({}, {"SLOTS": 2}, {"SLOTS": 3}))
    assert first == again != other


def test_a_first_run_has_nothing_to_be_compared_with():
    ok = run_with(Service(), {})
    assert ok["changes"] is None and ok["changes_missing"] is None and ok["headlines"][3][2] == "22.00 ms"


def test_a_run_against_the_one_before_says_what_changed():
    service = Service()
    ok = run_with(service, {"SLOTS": 3}, name_of(run_with(service, {})))
    assert ["served", "Được phục vụ", "3/5", "4/5", "up", "better"] in ok["changes"]["strip"]


def test_a_baseline_that_is_gone_is_run_again():
    before = name_of(run_with(Service(), {}))
    service = Service()
    assert run_with(service, {"SLOTS": 3}, before)["changes"] == run_with(service, {"SLOTS": 3}, before)["changes"] is not None


def test_a_baseline_that_went_through_a_browser_is_the_same_one():
    before = name_of(run_with(Service(), {}))
    before["constants"]["REQUESTS"] = [{key: int(value) if value in (0, 1) else value for key, value in request.items()} for request in before["constants"]["REQUESTS"]]
    assert '"top_p": 1,' in json.dumps(before)  # JavaScript writes 1.0 so
    assert run_with(Service(), {"SLOTS": 3}, before)["changes"] == run_with(Service(), {"SLOTS": 3}, name_of(run_with(Service(), {})))["changes"] is not None


def test_a_baseline_made_by_a_script_that_is_gone_is_not_made_up():
    ok = run_with(Service(), {"SLOTS": 3}, {"key": "0" * 16, "constants": {}})
    assert ok["changes"] is None and "script" in ok["changes_missing"]


def test_a_baseline_whose_constants_make_no_sense_does_not_stop_the_run():
    ok = run_with(Service(), {"SLOTS": 3}, {"key": "0" * 16, "constants": {"SLOTS": 0, "GONE": 1}})
    assert ok["changes"] is None and "không hợp lệ" in ok["changes_missing"] and ok["passed"] is True


def test_a_service_keeps_the_last_results_and_no_more():
    service = Service()
    for slots in range(1, 9):
        run_with(service, {"SLOTS": slots})
    assert [r.run.config.SLOTS for r in service.results.by_key.values()] == [5, 6, 7, 8]


def test_a_pinned_baseline_stays_as_long_as_it_is_used():
    service = Service()
    pinned = name_of(run_with(service, {}))
    for slots in range(3, 9):
        run_with(service, {"SLOTS": slots}, pinned)
    assert pinned["key"] in service.results.by_key


def test_of_a_kept_result_only_the_main_trace_stays():
    service = Service()
    ok = run_with(service, {})
    assert "static" in ok["transcript"]
    assert [t.policy.name for t in service.results.find(ok["key"]).run.traces] == ["chunked"]


def test_two_services_share_nothing():
    one, other = Service(), Service()
    run_with(one, {})
    assert not other.results.by_key


def test_one_point_of_a_sweep():
    assert ask("measure", {"constants": {"SLOTS": 3}, "metrics": ["ttft", "agreement"]})["ok"] == {"values": [18.6, 100.0], "texts": ["18.60 ms", "40/40"]}


def test_the_figures_of_a_sweep_can_be_listed():
    assert ask("metrics")["ok"][0] == ["served", "Được phục vụ", "yêu cầu", "higher"]


def test_predictions_are_asked_before_a_run_and_answered_by_it():
    asked, ok = ask("predictions", {"constants": {"SLOTS": 3}})["ok"], ask("run", {"constants": {"SLOTS": 3}})["ok"]
    assert [q["id"] for q in asked] == [question for question, _, _ in ok["truths"]] == ["refused", "wait", "part", "peak"]


def test_exercises_cross_as_plain_data():
    service = Service()
    exercises = json.loads(service.answer("exercises", "{}"))["ok"]
    assert [e["id"] for e in exercises] == ["slots", "queue_limit", "token_budget", "block_size", "pool_blocks", "quant_bits"]
    assert exercises[0].keys() == {"id", "constant", "title", "task", "goal", "question", "choices", "unit", "hints", "base"}
    checked = json.loads(service.answer("exercise_check", '{"id": "quant_bits", "answer": "half", "constants": {"QUANT_BITS": 7}}'))["ok"]
    assert (checked["met"], checked["prediction_right"]) == (True, False)
    told = json.loads(service.answer("exercise_answer", '{"id": "quant_bits"}'))["ok"]
    assert told["values"] == [7] and told["table"]["marked"] == [5]


def test_an_exercise_refuses_constants_that_make_no_sense_like_a_run_does():
    assert ask("exercise_check", {"id": "slots", "answer": None, "constants": {"SLOTS": 0}})["error"]["constant"] == "SLOTS"


class TestMachine:
    SLOW = {"flops_per_s": 2e8, "bytes_per_s": 1e9}

    def plan(self, **asked):
        return ask("machine_plan", {"size": None, "whole": False, **self.SLOW, **asked})["ok"]

    def test_a_slow_machine_gets_the_smallest_size_and_hears_what_the_rest_would_take(self):
        made = self.plan()
        assert (made["size"], made["smaller"], made["prompts"], made["left_out"]) == ("tiny", None, [16, 64], [256, 1024])
        assert made["seconds"] <= made["budget_s"] < made["whole_s"]

    def test_nothing_is_left_out_once_the_reader_agreed(self):
        made = self.plan(whole=True)
        assert made["left_out"] == [] and made["seconds"] == made["whole_s"] and "prefill 1024" in made["points"]

    def test_a_size_too_large_for_a_minute_has_no_prompt_and_a_smaller_one_beside_it(self):
        made = self.plan(size="large")
        assert (made["prompts"], made["smaller"]) == ([], "medium")

    def test_one_point_is_a_spread(self):
        made = ask("machine_point", {"point": "prefill 16", "size": "tiny"})["ok"]
        assert 0 < made["low"] <= made["median"] <= made["high"] and made["repeats"] >= 5

    def test_a_point_that_would_end_after_the_minute_is_null(self):
        taken = {"prefill 16": dict(median=1.0, low=1.0, high=1.0, repeats=5)}
        assert ask("machine_point", {"point": "prefill 64", "size": "tiny", "taken": taken, "elapsed_s": 40})["ok"] is None

    @pytest.mark.parametrize("asked", [{"point": "sleep", "size": None}, {"point": "decode", "size": "huge"}, {"point": "decode", "size": None}])
    def test_what_is_no_point_or_size_is_refused_with_what_there_is(self, asked):
        error = ask("machine_point", asked)["error"]
        assert error["constant"] in ("point", "size") and ("prefill 16" in error["message"] or "tiny" in error["message"])

    def test_too_little_memory_is_said_with_a_smaller_size_as_the_remedy(self, monkeypatch):
        def no_memory(name, size):
            raise MemoryError
        monkeypatch.setattr("inference_lab.machine_service.take", no_memory)
        error = ask("machine_point", {"point": "decode", "size": "large"})["error"]
        assert error["constant"] == "size" and "Hãy chọn cỡ vừa." in error["message"]


def test_a_script_that_prints_in_its_own_way_leaves_later_printouts_alone():
    script = """import sys
import inference_lab as lab
module = sys.modules["inference_lab.transcript"]
module.align = lambda cells, kind: ["XXX" for _ in cells]
run = lab.run(lab.Config.of({"SLOTS": 3}))
print(module.transcript(run))
"""
    service, clean = Service(), json.dumps({"constants": {"SLOTS": 3}})
    assert "XXX" in json.loads(service.answer("run", json.dumps({"script": script})))["ok"]["printed"]
    for _ in range(2):
        assert json.loads(service.answer("run", clean))["ok"]["transcript"] == json.loads(Service().answer("run", clean))["ok"]["transcript"]
