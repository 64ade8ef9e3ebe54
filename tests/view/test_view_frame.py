"""The page in a frame: an engine that rests, values computed before, what a host may set, what it is told."""

import json

import chrome
import frame_report
import learn_exercises
import state as states
import words
import work as works
import work_arrivals as arrivals
from example import CRASH, RUN, after
from example_controls import TABLE
from work_events import step

OK = {"ok": RUN}
FAILED = ("failed", "worker.js", "Không có luồng.")


def work_after(*events):
    work = works.START
    for event in events:
        work = step(work, event, TABLE)
    return work


def sent(constants, work=works.START):
    """The work after a host's wish, and what it is told."""
    events, troubles = arrivals.sent(work, TABLE, constants)
    for event in events:
        work = step(work, event, TABLE)
    return work, troubles


READY, _ = after(("ready",))
DONE, _ = after(("press_run",), ("run_sent", 5), ("answer", 5, OK), start=READY)


# An engine that rests


def test_a_frame_out_of_view_has_no_engine_and_says_so():
    state, commands = after(("rested",))
    assert states.lab(state) == "booting" and commands == []
    shown = chrome.of(state)
    assert shown["engine"] == "resting" and shown["status"] == words.RESTING
    assert not states.can_stop(state)


def test_a_press_wakes_it_and_runs_when_it_is_ready():
    state, commands = after(("rested",), ("press_run",))
    assert commands == [("wake",)] and state.wanted
    assert chrome.of(state)["status"] == words.BOOTING_WANTED
    _, commands = after(("boot", (1, 4, "Pyodide", 10, 20)), ("ready",), start=state)
    assert commands == [("run",)]


def test_a_press_while_it_boots_is_not_lost_when_it_leaves_the_view():
    state, commands = after(("boot", (1, 4, "Pyodide", 10, 20)), ("press_run",), ("rested",))
    assert commands == [("wake",)] and state.wanted


def test_its_last_result_stays_and_is_fresh():
    state, _ = after(("rested",), start=DONE)
    assert states.lab(state) == "done" and state.result == "fresh"
    assert chrome.of(state)["status"] == words.done(*state.score)
    state, _ = after(("boot", (1, 4, "Pyodide", 10, 20)), start=state)
    assert states.lab(state) == "booting" and state.result == "fresh"
    state, _ = after(("ready",), start=state)
    assert states.lab(state) == "done"


def test_a_moved_control_runs_nothing_while_it_rests():
    assert after(("rested",), ("press_live", "SLOTS#1"), start=DONE)[1] == []


# Values computed before


PREPARED, _ = after(FAILED, ("prepared", '{"constants": {}'))


def test_prepared_values_are_no_run():
    shown = chrome.of(PREPARED)
    assert (shown["lab"], shown["result"], shown["prepared"]) == ("error", "prepared", "same")
    assert words.KEPT_ADVICE not in shown["alert"]


def test_prepared_values_are_those_of_the_defaults():
    assert chrome.of(PREPARED, False, "stale")["prepared"] == "other"
    assert chrome.of(PREPARED, False, "stale")["result"] == "prepared"
    assert chrome.of(DONE, False, "stale")["prepared"] == ""


def test_a_run_replaces_them_and_a_failed_one_does_not_make_them_a_run():
    ready, commands = after(("press_retry",), ("boot", (1, 4, "Pyodide", 10, 20)), ("ready",), start=PREPARED)
    assert commands == [("retry",)] and ready.result == "prepared"
    assert chrome.of(ready)["status"] == words.READY
    running, _ = after(("press_run",), ("run_sent", 7), start=ready)
    assert after(("answer", 7, OK), start=running)[0].result == "fresh"
    assert after(("answer", 7, {"error": CRASH}), start=running)[0].result == "prepared"
    assert after(("stopped",), start=running)[0].result == "prepared"
    assert after(FAILED, start=running)[0].result == "prepared"
    assert after(("refuse", ("SLOTS",)), start=ready)[0].result == "prepared"


# What a host may set


def test_a_host_sets_what_a_learner_could_type():
    work, troubles = sent([["SLOTS", "3"], ["QUALITY_GATE", "0.5"], ["FOLLOW", "A"], ["CORPUS", ["xin chao", "token"]]])
    assert troubles == []
    assert works.run_text(work, TABLE) == '{"constants": {"SLOTS": 3, "QUALITY_GATE": 0.5, "CORPUS": ["xin chao", "token"], "FOLLOW": "A"}'


def test_the_defaults_set_are_nothing_set():
    work, troubles = sent([["SLOTS", "2"], ["FOLLOW", "C"], ["CORPUS", ["xin chao", "ban hoc"]]], work_after(("typed", "SLOTS", "5")))
    assert troubles == [] and not works.is_set(work)


def test_one_bad_value_and_nothing_is_set():
    before = work_after(("typed", "SLOTS", "5"))
    work, troubles = sent([["SLOTS", "3"], ["COST", "9e9"], ["NOPE", "1"], ["D_MODEL", "7"], ["CORPUS", "xin chao"]], before)
    assert work == before
    assert len(troubles) == 4
    assert "COST" in troubles[0] and "0 đến 1 000 000" in troubles[0]
    assert "NOPE" in troubles[1] and "D_MODEL" in troubles[2] and "CORPUS" in troubles[3]


def test_requests_come_with_the_engines_own_defaults():
    rows = [{"id": "X", "arrival": "0", "text": "xin chao", "max_new": "5"}, {"id": "Y", "arrival": "10", "text": "ban hoc", "max_new": "3", "temperature": "0.8"}]
    work, troubles = sent([["FOLLOW", "Y"], ["REQUESTS", rows]])
    assert troubles == []
    assert work.requests == (("X", "0", "xin chao", "5", "0", "0", "1", "0"), ("Y", "10", "ban hoc", "3", "0.8", "0", "1", "0"))
    assert works.follow_of(work, TABLE) == "Y"
    work, _ = sent([["REQUESTS", rows]])
    assert works.follow_of(work, TABLE) == "X"  # the followed one is not among them


def test_bad_requests_and_a_follower_of_nobody_are_refused():
    assert "max_new" in sent([["REQUESTS", [{"id": "X", "arrival": "0", "text": "a"}]]])[1][0]
    assert "FOLLOW = «Z»" in sent([["FOLLOW", "Z"]])[1][0]
    assert sent([["REQUESTS", []]])[1] and sent([["REQUESTS", "A"]])[1] and sent([["SLOTS", ["3"]]])[1]


def test_what_a_script_computes_is_the_scripts():
    work = work_after(("script_brought", "SLOTS = 1 + 1", {"values": {}, "computed": ["SLOTS"], "missing": [], "errors": []}))
    assert "script" in sent([["SLOTS", "3"]], work)[1][0]


# What a host is told


RESULT = {
    "constants": {"SLOTS": 3, "QUALITY_GATE": 0.95, "FOLLOW": "C", "CORPUS": ["xin chao", "ban hoc"]},
    "headlines": [["ttft", "TTFT của C", "22.00 ms", 22.0, "ms", "lower"], ["tpot", "TPOT của C", "–", None, "ms", "lower"]],
    "passed": True,
}


def test_a_run_is_told_with_what_differs_as_it_was_typed():
    told = json.loads(frame_report.run(RESULT, '{"constants": {"SLOTS": 3, "COST": 250}', True, TABLE))
    assert told["constants"] == {"SLOTS": 3, "COST": 250}
    assert told["verdict"] == "PASS" and told["live"] is True
    assert told["headlines"][0] == {"id": "ttft", "label": "TTFT của C", "text": "22.00 ms", "value": 22.0}
    assert told["headlines"][1]["value"] is None


def test_a_scripts_run_is_told_by_what_it_ran_with():
    result = dict(RESULT)
    result.update({"printed": "x\n", "passed": False})
    told = json.loads(frame_report.run(result, '{"constants": {}, "script": "SLOTS = 3"', False, TABLE))
    assert told["constants"] == {"SLOTS": 3}
    assert told["verdict"] == "FAIL" and told["live"] is False


def test_a_problem_is_told_as_the_page_says_it():
    told = frame_report.problem(("file", "worker.js", ("Không có luồng.",), ""))
    assert told == {"code": "file", "message": "Không tải được worker.js. Không có luồng."}


def test_an_exercise_is_told_by_its_constant():
    assert frame_report.exercise("SLOTS", True, 2, ["SLOTS"], 6) == {"id": "SLOTS", "correct": True, "attempts": 2, "solved": ["SLOTS"], "of": 6}


def test_the_panels_that_an_exercise_names():
    one = {"task": "Xem khối 3 và khối 11.", "question": "Gì?", "hints": ["Khối 6 ghi từng block.", "Đọc khối 3."]}
    assert learn_exercises.blocks(one) == [3, 6, 11]
