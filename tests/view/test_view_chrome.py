"""What stands around the panels in each state, and the figures written there."""

import chrome
import figures
import state as states
import words
from example import CRASH, RUN


def shown(*events):
    state = states.START
    for event in events:
        state, _ = states.step(state, event)
    return chrome.of(state)


RAN = (("ready",), ("press_run",), ("run_sent", 5))


def test_boot_shows_step_and_bytes():
    page = shown(("boot", (2, 4, "NumPy", 1500000, 3000000)))
    assert page["lab"] == "booting" and page["can_stop"]
    assert page["progress"] == 0.375  # half of 1/2 of the bytes, half of 1/4 of the steps
    assert page["progress_text"] == "Bước 2/4 · NumPy · 1.5\u202fMB / 3.0\u202fMB"


def test_a_press_during_boot_is_answered():
    assert shown(("press_run",))["status"] == words.BOOTING_WANTED


def test_ready_running_done():
    assert shown(("ready",))["status"] == words.READY
    assert chrome.of(states.step(states.START, ("ready",))[0], guess=False)["status"] == words.READY_WITHOUT_GUESS
    assert shown(*RAN)["status"] == words.RUNNING
    done = shown(*RAN, ("answer", 5, {"ok": RUN}))
    assert done["lab"] == "done" and done["status"] == "Đã chạy xong: 1/2 khối không đạt."
    assert done["can_reset"] and not done["can_stop"] and done["alert"] == ""


def test_an_error_fills_the_alert_and_marks_the_result():
    page = shown(*RAN, ("answer", 5, {"ok": RUN}), ("press_run",), ("run_sent", 6), ("answer", 6, {"error": CRASH}))
    assert page["lab"] == "error" and page["result"] == "old" and not page["retry"]
    assert CRASH["message"] in page["alert"] and words.KEPT_ADVICE in page["alert"]


def test_a_failed_file_offers_thu_lai():
    page = shown(("failed", "pyodide.asm.wasm", "Tải không được."))
    assert page["retry"] and "pyodide.asm.wasm" in page["alert"] and not page["can_stop"]


def test_stop_is_answered():
    assert shown(*RAN, ("press_stop",))["status"] == words.RESTARTING
    assert shown(("ready",), ("press_stop",))["status"] == words.NOTHING_TO_STOP


def test_bytes_are_written_the_same_everywhere():
    assert figures.bytes_text(0) == "0\u202fbyte"
    assert figures.bytes_text(999) == "999\u202fbyte"
    assert figures.bytes_text(1000) == "1.0\u202fkB"
    assert figures.bytes_text(1249999) == "1.2\u202fMB"
    assert figures.bytes_text(1250000) == "1.3\u202fMB"
    assert figures.bytes_text(12345678) == "12.3\u202fMB"


def test_progress_grows_from_nothing_towards_all():
    assert figures.progress(1, 4, 0, 0) == 0.0
    assert figures.progress(0, 0, 0, 0) == 0.0
    assert figures.progress(1, 4, 10, 10) == 0.5
    assert figures.progress(4, 4, 10, 10) == 0.875
    assert figures.progress(4, 4, 99, 10) == 0.875


def test_the_page_is_not_done_while_panels_are_being_filled():
    state = states.but(states.START, engine=states.READY, result=states.FRESH, score=(13, 13))
    assert chrome.of(state)["lab"] == states.DONE
    assert chrome.of(state, True)["lab"] == states.RUNNING
    assert chrome.of(state, True)["status"] == words.RUNNING
    assert chrome.of(states.START, True)["lab"] == states.BOOTING
