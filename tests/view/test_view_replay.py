"""The replay's transport, and the folds of proofs, without a page. Runs on both interpreters."""

import proofs
import render
import replay
import trees
import words_replay as words

OPEN = replay.but(replay.START, count=5)


def after(state, *presses):
    """The index and the last command after several presses."""
    command = ""
    for press in presses:
        state, command = replay.pressed(state, press)
    return state.index, command, state.playing


def test_nothing_is_asked_for_before_the_first_press_and_then_once():
    state, command = replay.pressed(replay.START, "toggle")
    assert command == "open" and state.wanted == "toggle" and not state.playing
    state, command = replay.pressed(state, "forward")
    assert command == "" and state.wanted == "forward"


def test_what_was_pressed_happens_when_the_instants_have_come():
    state, _ = replay.pressed(replay.START, "toggle")
    state, command = replay.opened(state, 5)
    assert (state.count, state.index, state.playing, command, state.wanted, state.used) == (5, 0, True, "play", "", True)
    state, _ = replay.pressed(replay.START, "forward")
    state, command = replay.opened(state, 5)
    assert (state.index, command) == (0, "show")  # the first step leads to the first instant
    state, command = replay.opened(replay.START, 5)
    assert (state.index, state.playing, command) == (0, False, "show")


def test_a_later_run_is_opened_where_the_one_before_stood_and_rests():
    state = replay.closed(replay.but(OPEN, index=4, playing=True, speed=4, used=True))
    assert (state.count, state.playing, state.speed, state.used) == (0, False, 4, True)
    state, command = replay.opened(state, 3, 7)
    assert (state.index, command, state.playing) == (2, "show", False)


def test_steps_stop_at_both_ends_and_only_a_step_forward_is_seen_moving():
    assert after(OPEN, "forward") == (1, "glide", False)
    assert after(OPEN, "forward", "back") == (0, "show", False)
    assert after(OPEN, "back") == (0, "show", False)
    assert after(OPEN, "last") == (4, "show", False)
    assert after(OPEN, "last", "forward") == (4, "show", False)
    assert after(OPEN, "last", "first") == (0, "show", False)


def test_play_pauses_and_starts_anew_at_the_end():
    assert after(OPEN, "toggle") == (0, "play", True)
    assert after(OPEN, "toggle", "toggle") == (0, "pause", False)
    assert after(OPEN, "last", "toggle") == (0, "play", True)
    assert after(OPEN, "toggle", "forward") == (1, "glide", False)


def test_it_ends_by_itself_at_the_last_instant():
    playing = replay.but(OPEN, playing=True)
    assert replay.reached(playing, 3).playing
    assert not replay.reached(playing, 4).playing and replay.reached(playing, 4).index == 4


def test_the_slider_shows_and_pauses_and_asks_first_where_nothing_is_known():
    state, command = replay.scrubbed(replay.but(OPEN, playing=True), 3)
    assert (state.index, state.playing, command) == (3, False, "show")
    assert replay.scrubbed(OPEN, 99)[0].index == 4
    assert replay.scrubbed(replay.START, 0)[1] == "open"


def test_another_speed_goes_on_from_here_while_it_plays():
    assert replay.sped(OPEN, 4)[1] == "" and replay.sped(OPEN, 4)[0].speed == 4
    assert replay.sped(replay.but(OPEN, playing=True), 0.25)[1] == "play"
    assert [replay.speed_text(one) for one in replay.SPEEDS] == ["0.25×", "0.5×", "1×", "2×", "4×"]


def test_keys():
    assert [replay.key(name, False, False) for name in (" ", "ArrowRight", "ArrowLeft", "Home", "End", "a")] == ["toggle", "forward", "back", "first", "last", ""]
    assert replay.key(" ", True, False) == "" and replay.key("ArrowRight", True, False) == "forward"
    assert replay.key("ArrowRight", False, True) == ""


def test_what_happened_and_why_are_not_said_twice():
    assert replay.sentence("B xong.", "C chờ.") == "B xong. C chờ."
    assert replay.sentence("B xong. C nhận 429: đầy.", "C nhận 429: đầy.") == "B xong. C nhận 429: đầy."
    assert replay.sentence("", "C chờ.") == "C chờ."


def test_the_slider_says_simulated_time():
    assert words.value_text("16.20 ms", 8) == "16.20 ms mô phỏng, bước 8"
    assert words.value_text("26.40 ms", 0) == "26.40 ms mô phỏng"


ANSWER = {"id": "cached", "left": "qua cache", "right": "tính lại", "note": "", "largest": "41 cặp giá trị, lệch nhiều nhất 1.8e-15, ở C vị trí 10.", "passed": True,
          "table": {"caption": "Hai vế, từng cặp", "columns": [["Yêu cầu", "text"], ["Chênh lệch", "number"]], "rows": [["C", "0"], ["C", "1.8e-15"]], "marked": [1], "omitted": 0}}


def test_a_panel_has_a_fold_for_each_of_its_claims():
    assert [fold[1]["data-proof"] for fold in trees.folds(6)] == ["paged", "preempted"]
    assert trees.folds(1) == []


def test_both_sides_show_the_verdict_and_mark_the_largest_difference():
    html = render.to_html(*proofs.both_sides(ANSWER, 5))
    assert "✓ Hai vế bằng nhau.</b> 41 cặp giá trị" in html and html.count('class="followed"') == 1
    wrong = dict(ANSWER)
    wrong["passed"] = False
    assert words.DISPROVED in render.to_html(*proofs.both_sides(wrong, 5))


def test_where_there_is_nothing_to_compare_it_says_why():
    nothing = {"id": "preempted", "left": "", "right": "", "note": "Không preempt ai.", "largest": "", "passed": None, "table": None}
    assert render.to_html(*proofs.both_sides(nothing, 6)) == "<p>Không preempt ai.</p>"
