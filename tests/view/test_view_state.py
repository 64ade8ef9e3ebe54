"""The state machine: each test is a story of presses and events, and what the page is and asks for afterwards."""

import state as states
from example import BAD_CONSTANT, CONSTANTS, CRASH, RUN, SOURCE

OK = {"ok": RUN}


def after(*events, start=states.START):
    """The state after these events, and all commands on the way."""
    state, commands = start, []
    for event in events:
        state, more = states.step(state, event)
        commands += more
    return state, commands


READY, _ = after(("ready",), ("constants_sent", 1), ("answer", 1, {"ok": CONSTANTS}))
DONE, _ = after(("press_run",), ("run_sent", 5), ("answer", 5, OK), start=READY)


def test_a_page_boots_and_is_ready():
    assert states.lab(states.START) == "booting"
    state, commands = after(("boot", (1, 4, "Pyodide", 10, 20)), ("ready",))
    assert states.lab(state) == "ready"
    assert commands == [("ask_constants",)]
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
    assert commands == [("show", RUN)]
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
    assert commands == [("show", RUN)] and states.lab(state) == "done"


def test_dung_during_a_run_reboots_and_is_ready_again():
    state, commands = after(("press_run",), ("run_sent", 7), ("press_stop",), start=READY)
    assert commands == [("run",), ("stop",)]
    assert states.lab(state) == "booting"
    state, commands = after(("stopped",), ("answer", 7, OK), ("ready",), start=state)
    assert states.lab(state) == "ready" and commands == []


def test_dung_during_boot_forgets_the_press():
    state, commands = after(("press_run",), ("press_stop",), ("stopped",), ("ready",))
    assert commands == [("stop",), ("ask_constants",)]
    assert states.lab(state) == "ready"


def test_dung_keeps_an_earlier_result_and_is_ready():
    state, _ = after(("press_run",), ("run_sent", 8), ("press_stop",), ("stopped",), ("ready",), start=DONE)
    assert states.lab(state) == "ready" and state.result == states.KEPT


def test_dung_at_rest_does_nothing():
    state, commands = after(("press_stop",), start=READY)
    assert commands == [] and states.lab(state) == "ready" and state.note == "nothing_to_stop"


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
    assert commands == [("run",)]
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
    assert commands == [("retry",), ("run",), ("ask_constants",)]


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


def test_constants_are_shown_once():
    state, commands = after(("ready",), ("constants_sent", 4), ("answer", 4, {"ok": CONSTANTS}), ("press_run",), ("run_sent", 5), ("press_stop",), ("ready",))
    assert commands.count(("ask_constants",)) == 1
    assert commands.count(("show_constants", CONSTANTS)) == 1


def test_a_step_never_changes_the_state_it_was_given():
    before = tuple(READY)
    states.step(READY, ("press_run",))
    assert tuple(READY) == before
