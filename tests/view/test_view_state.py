"""The state machine: each test is a story of presses and events, and what the page is and asks for afterwards."""

import state as states
from example import BAD_CONSTANT, CRASH, RUN, SOURCE, after

OK = {"ok": RUN}


READY, _ = after(("ready",))
DONE, _ = after(("press_run",), ("run_sent", 5), ("answer", 5, OK), start=READY)


def test_a_page_boots_and_is_ready():
    assert states.lab(states.START) == "booting"
    state, commands = after(("boot", (1, 4, "Pyodide", 10, 20)), ("ready",))
    assert states.lab(state) == "ready"
    assert commands == []
    assert state.boot is None


def test_chay_while_booting_runs_when_ready():
    state, commands = after(("press_run",))
    assert states.lab(state) == "booting" and commands == []
    state, commands = after(("ready",), start=state)
    assert commands[0] == ("run",)
    assert not state.wanted


def test_a_run_is_running_then_done():
    state, commands = after(("press_run",), ("run_sent", 7), start=READY)
    assert commands == [("run",)] and states.lab(state) == "running"
    state, commands = after(("answer", 7, OK), start=state)
    assert states.lab(state) == "done"
    assert commands == [("accepted", RUN["constants"]), ("printed", None), ("show", RUN, False)]
    assert state.score == (1, 2)


def test_the_latest_of_five_presses_wins():
    events = []
    for id in (11, 12, 13, 14, 15):
        events += [("press_run",), ("run_sent", id)]
    state, commands = after(*events, start=READY)
    assert commands == [("run",)] * 5
    state, commands = after(("answer", 13, OK), start=state)
    assert commands == [] and states.lab(state) == "running"
    state, commands = after(("answer", 15, OK), start=state)
    assert commands[-1] == ("show", RUN, False) and states.lab(state) == "done"


def test_dung_during_a_run_reboots_and_is_ready_again():
    state, commands = after(("press_run",), ("run_sent", 7), ("press_stop",), start=READY)
    assert commands == [("run",), ("stop",)]
    assert states.lab(state) == "booting"
    state, commands = after(("stopped",), ("answer", 7, OK), ("ready",), start=state)
    assert states.lab(state) == "ready" and commands == []


def test_dung_during_boot_forgets_the_press():
    state, commands = after(("press_run",), ("press_stop",), ("stopped",), ("ready",))
    assert commands == [("stop",)]
    assert states.lab(state) == "ready"


def test_dung_keeps_an_earlier_result_and_is_ready():
    state, _ = after(("press_run",), ("run_sent", 8), ("press_stop",), ("stopped",), ("ready",), start=DONE)
    assert states.lab(state) == "ready" and state.result == states.KEPT


def test_dung_at_rest_does_nothing():
    state, commands = after(("press_stop",), start=READY)
    assert commands == [] and states.lab(state) == "ready" and state.note == "nothing_to_stop"


def test_dung_ends_a_sweep_and_leaves_the_engine_alone():
    state, _ = after(("sweeping", True), start=READY)
    assert states.can_stop(state)
    state, commands = after(("press_stop",), start=state)
    assert commands == [("stop_sweep",)] and state.engine == states.READY and state.note == ""
    state, commands = after(("sweeping", True), ("press_run",), ("run_sent", 5), ("press_stop",), start=READY)
    assert commands[-1] == ("stop",)  # a run beside it: the worker ends, and the sweep with it


def test_dat_lai_clears_the_result():
    state, commands = after(("press_reset",), start=DONE)
    assert commands == [("clear",)] and states.lab(state) == "ready" and state.result == states.NONE


def test_dat_lai_during_a_run_ends_it():
    state, commands = after(("press_run",), ("run_sent", 8), ("press_reset",), start=DONE)
    assert commands == [("run",), ("stop",), ("clear",)] and states.lab(state) == "booting"
    state, commands = after(("answer", 8, OK), start=state)
    assert commands == []


def test_an_engine_error_keeps_the_last_good_result_as_old():
    state, commands = after(("press_run",), ("run_sent", 8), ("answer", 8, {"error": CRASH}), start=DONE)
    assert states.lab(state) == "error" and state.result == states.OLD
    assert state.problem[0] == "engine" and state.problem[3] == CRASH["traceback"]
    assert commands == [("run",), ("refused", []), ("cut_short",)]
    state, commands = after(("press_run",), ("run_sent", 9), ("answer", 9, OK), start=state)
    assert states.lab(state) == "done" and state.result == states.FRESH and state.problem is None


def test_an_error_without_a_result_leaves_nothing_old():
    state, _ = after(("press_run",), ("run_sent", 8), ("answer", 8, {"error": CRASH}), start=READY)
    assert state.result == states.NONE


def test_a_bad_constant_is_named_with_value_and_range():
    state, _ = after(("press_run",), ("run_sent", 8), ("answer", 8, {"error": BAD_CONSTANT}), start=READY)
    kind, where, messages, _ = state.problem
    assert kind == "input" and where == "SLOTS"
    assert messages == ("SLOTS phải từ 1 trở lên. (0; 1 đến 8)",)


def test_a_failed_file_is_an_error_until_thu_lai():
    state, commands = after(("press_run",), ("failed", "numpy.whl", "Tải không được."))
    assert states.lab(state) == "error"
    assert state.problem == ("file", "numpy.whl", ("Tải không được.",), "")
    state, commands = after(("press_retry",), start=state)
    assert commands == [("retry",)] and states.lab(state) == "booting"
    state, commands = after(("ready",), start=state)
    assert commands[0] == ("run",)


def test_chay_after_a_failed_file_tries_again_and_runs():
    state, commands = after(("failed", "numpy.whl", "Tải không được."), ("press_run",), ("ready",))
    assert commands == [("retry",), ("run",)]


def test_a_worker_that_dies_in_a_run_is_said_and_boots_again():
    state, _ = after(("press_run",), ("run_sent", 8), ("stopped",), start=DONE)
    assert states.lab(state) == "error" and state.result == states.OLD and state.problem[0] == "crash"
    state, commands = after(("ready",), ("press_run",), start=state)
    assert commands == [("run",)]


def test_sources_are_asked_one_after_the_other():
    state, commands = after(("open_source", 1), ("source_sent", 20), ("open_source", 6), ("open_source", 6), start=READY)
    assert commands == [("ask_source", 1)]
    state, commands = after(("answer", 20, {"ok": SOURCE}), start=state)
    assert commands == [("show_source", 1, SOURCE), ("ask_source", 6)]


def test_a_source_opened_while_booting_or_before_dung_is_asked_when_ready():
    state, commands = after(("open_source", 3))
    assert commands == []
    state, commands = after(("ready",), start=state)
    assert ("ask_source", 3) in commands
    state, commands = after(("source_sent", 21), ("press_run",), ("run_sent", 22), ("press_stop",), ("ready",), start=state)
    assert commands[-1] == ("ask_source", 3)


def test_a_step_never_changes_the_state_it_was_given():
    before = tuple(READY)
    states.step(READY, ("press_run",))
    assert tuple(READY) == before


# What the learner set comes first, and live runs


BASE = {"key": "k1", "constants": {"SLOTS": 2}}
KEYED = {"ok": dict(RUN, **BASE)}
SHOWN, _ = after(("press_run",), ("run_sent", 5, "{}"), ("answer", 5, KEYED), start=READY)


def test_nothing_runs_before_the_settings_are_read():
    state, commands = after(("opening",), ("press_run",), ("ready",))
    assert commands == [] and states.lab(state) == "booting"
    state, commands = after(("opened",), start=state)
    assert commands == [("run",)] and not state.wanted
    state, commands = after(("opening",), ("press_run",), ("opened",))
    assert commands == [] and state.wanted


def test_a_live_run_waits_for_nothing_and_is_shown_as_such():
    state, commands = after(("press_live", "SLOTS#1"), ("run_sent", 6, "{3}"), start=SHOWN)
    assert commands == [("run",)] and states.lab(state) == "running" and state.quiet
    assert state.shown == "{}" and state.asked == "{3}"
    state, commands = after(("answer", 6, KEYED), start=state)
    assert commands[-1][0] == "show" and commands[-1][2] is True and state.shown == "{3}"


def test_a_live_run_does_not_start_while_booting():
    assert after(("press_live", ""))[1] == []
    assert after(("ready",), ("opening",), ("press_live", ""))[1] == []


def test_only_the_latest_of_live_runs_is_shown():
    state, _ = after(("press_live", "S#1"), ("run_sent", 6, "a"), ("press_live", "S#1"), ("run_sent", 7, "b"), start=SHOWN)
    state, commands = after(("answer", 6, KEYED), start=state)
    assert commands == [] and states.lab(state) == "running" and state.shown == "{}"
    state, commands = after(("answer", 7, KEYED), start=state)
    assert commands[-1][0] == "show" and state.shown == "b"


def test_all_runs_of_one_gesture_are_compared_with_the_result_before_it():
    second = {"ok": dict(RUN, key="k2", constants={"SLOTS": 3})}
    state, _ = after(("press_live", "S#1"), ("run_sent", 6), ("answer", 6, second), start=SHOWN)
    assert state.against == BASE
    state, _ = after(("press_live", "S#1"), start=state)
    assert state.against == BASE
    state, _ = after(("press_live", "S#2"), start=state)
    assert state.against == {"key": "k2", "constants": {"SLOTS": 3}}


def test_chay_on_the_values_of_a_live_run_is_compared_with_the_result_before_that():
    second = {"ok": dict(RUN, key="k2", constants={"SLOTS": 3})}
    live, _ = after(("press_live", ""), ("run_sent", 6, "{3}"), ("answer", 6, second), start=SHOWN)  # as the field was left, on the way to Chạy
    pressed, _ = after(("press_run",), start=live)
    assert states.baseline(pressed, "{3}") == BASE
    assert states.baseline(pressed, "{4}") == {"key": "k2", "constants": {"SLOTS": 3}}
    state, _ = after(("run_sent", 7, "{3}"), ("answer", 7, second), ("press_run",), start=pressed)
    assert states.baseline(state, "{3}") == {"key": "k2", "constants": {"SLOTS": 3}}  # once more: with itself
    state, _ = after(("press_run",), ("run_sent", 7, "{3}"), ("answer", 7, second), ("press_live", "S#1"), start=live)
    assert states.baseline(state, "{5}") == {"key": "k2", "constants": {"SLOTS": 3}}


def test_what_the_engine_refuses_in_a_live_run_is_said_at_the_field_only():
    state, commands = after(("press_live", "S#1"), ("run_sent", 6), ("answer", 6, {"error": BAD_CONSTANT}), start=SHOWN)
    assert state.problem is None and state.result == states.OLD and states.lab(state) == "ready"
    assert commands == [("run",), ("refused", BAD_CONSTANT["errors"])]
    state, _ = after(("press_run",), ("run_sent", 7), ("answer", 7, {"error": BAD_CONSTANT}), start=state)
    assert states.lab(state) == "error" and state.problem[0] == "input"


def test_chay_over_a_field_without_a_value_is_refused_and_ends_the_run_under_way():
    state, _ = after(("press_live", "S#1"), ("run_sent", 6), ("refuse", ("SLOTS: cần một số.",)), start=SHOWN)
    assert states.lab(state) == "error" and state.result == states.OLD and state.problem[2] == ("SLOTS: cần một số.",)
    assert after(("answer", 6, KEYED), start=state)[1] == []
    state, _ = after(("settle",), start=state)
    assert state.problem is None and state.result == states.FRESH  # of the values that it was run with; whether those are set, the fields know


def test_a_mended_field_does_not_hide_a_fault_of_the_engine():
    state, _ = after(("press_run",), ("run_sent", 8), ("answer", 8, {"error": CRASH}), ("settle",), start=READY)
    assert state.problem[0] == "engine"


def test_a_script_that_leaves_no_run_keeps_the_last_result_as_an_old_one():
    left = {"ok": dict(RUN, reports=None, printed="xin chao", note="Script không để lại run.")}
    state, commands = after(("press_run",), ("run_sent", 6), ("answer", 6, left), start=SHOWN)
    assert ("printed", "xin chao") in commands and commands[-1] == ("ran_without", "Script không để lại run.")
    assert state.result == states.OLD and states.lab(state) == "ready" and state.shown == SHOWN.shown
    state, _ = after(("press_run",), ("run_sent", 7), ("answer", 7, left), start=READY)
    assert state.result == states.NONE and states.lab(state) == "ready"


def test_an_error_of_a_script_has_its_line_and_what_it_printed():
    error = {"kind": "script", "line": 5, "message": "Dòng 5: tên x chưa có.", "traceback": "Traceback", "printed": "a\n", "errors": [], "constant": None}
    state, commands = after(("press_run",), ("run_sent", 6), ("answer", 6, {"error": error}), start=SHOWN)
    assert state.problem == ("script", "5", ("Dòng 5: tên x chưa có.",), "Traceback") and state.result == states.OLD
    assert commands[-2:] == [("printed", "a\n"), ("script_failed", 5, "Dòng 5: tên x chưa có.")]
    state, commands = after(("press_run",), ("run_sent", 6), ("answer", 6, {"error": dict(error, line=None)}), start=READY)
    assert state.problem[1] == "" and commands[-1] == ("script_failed", None, "Dòng 5: tên x chưa có.")
