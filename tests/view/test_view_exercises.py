"""How far a learner is in an exercise, and what is shown of it."""

import learn_exercises as exercises
import render
import words_learn as words
from example_learn import ANSWER, EXERCISE, MET, VERDICT

HINTS = EXERCISE["hints"]


def html(nodes):
    return render.to_html(*nodes)


def test_new_then_begun_then_tried_then_solved():
    progress = exercises.START
    assert exercises.state_text(progress) == "chưa làm"
    progress = exercises.guessed(progress, "falls")
    assert (exercises.state(progress), exercises.state_text(progress)) == ("tried", "đang làm")
    progress = exercises.checked(progress, '{"SLOTS": 4}', False)
    assert exercises.state_text(progress) == "đã thử 1 lần"
    progress = exercises.checked(progress, '{"SLOTS": 3}', True)
    assert (exercises.state(progress), exercises.state_text(progress)) == ("solved", "✓ xong")
    assert exercises.checked(progress, '{"SLOTS": 5}', False).solved


def test_the_same_configuration_is_one_attempt():
    progress = exercises.checked(exercises.checked(exercises.START, "{}", False), "{}", False)
    assert exercises.state_text(progress) == "đã thử 1 lần"


def test_the_answer_opens_after_a_try_or_after_all_hints():
    progress = exercises.START
    for shown in (1, 2):
        progress = exercises.hinted(progress, HINTS)
        assert progress.hints == shown and not exercises.may_answer(progress, HINTS)
    progress = exercises.hinted(exercises.hinted(progress, HINTS), HINTS)
    assert progress.hints == 3 and exercises.may_answer(progress, HINTS)
    assert exercises.may_answer(exercises.checked(exercises.START, "{}", False), HINTS)


def test_progress_survives_being_kept():
    progress = exercises.hinted(exercises.checked(exercises.guessed(exercises.START, "falls"), "{}", True), HINTS)
    assert exercises.of_plain(exercises.plain(progress)) == progress
    for broken in (None, [], {"a": 1}, ["", "x", 1, True, True], [1, 2]):
        assert exercises.of_plain(broken) == exercises.START


def test_a_fold_shows_state_task_choices_and_only_the_hints_asked_for():
    progress = exercises.hinted(exercises.guessed(exercises.START, "turns"), HINTS)
    page = html([exercises.exercise(1, EXERCISE, progress)])
    assert "1 · <code>SLOTS</code> · Thêm chỗ chạy" in page and "đang làm" in page
    assert page.count("<input") == 2 and page.count("checked") == 1
    assert "Xem khối 11." in page and "Thử 3." not in page and "Gợi ý 2/3" in page


def test_a_run_that_misses_the_goal_keeps_the_prediction_open():
    page = html(exercises.verdict(VERDICT, True))
    assert "Chưa đạt." in page and "22.00 ms" in page
    assert words.PREDICTED_RIGHT not in page and words.LESSON not in page


def test_a_run_that_meets_it_says_how_the_prediction_was_and_the_lesson():
    assert words.PREDICTED_WRONG in html(exercises.verdict(MET, True)) and "Chỗ chạy chia nhau" in html(exercises.verdict(MET, True))
    assert words.PREDICTED_WRONG not in html(exercises.verdict(MET, False))


def test_the_answer_brings_value_reason_prediction_and_table():
    page = html(exercises.answer(ANSWER))
    assert "<b>SLOTS = 3</b>. TTFT của C là 18.60\u00a0ms." in page and "Giảm, rồi tăng." in page
    assert 'class="followed"' in page and "Đáp án: SLOTS từ 1 đến 8" in page


def test_the_score_counts_what_is_solved():
    solved = exercises.checked(exercises.START, "{}", True)
    assert exercises.score([solved, exercises.START, solved]) == "2/3 bài xong."
