"""Guesses before a run, and what stands beside them after it."""

import learn_predict
import render
import words_learn as words
from example_learn import QUESTIONS, TRUTHS

GUESSES = {"refused": "nobody", "wait": "most"}


def said(guesses, truths):
    return [(id, kind, render.to_html(*nodes)) for id, kind, nodes in learn_predict.outcomes(QUESTIONS, guesses, truths)]


def test_before_a_run_nothing_is_said():
    assert said(GUESSES, None) == [("refused", "none", ""), ("wait", "none", "")]
    assert learn_predict.summary(QUESTIONS, GUESSES, None) == "đã đoán 2/2"
    assert learn_predict.summary(QUESTIONS, {}, None) == ""


def test_after_it_each_guess_stands_beside_the_truth():
    wrong, right = said(GUESSES, TRUTHS)
    assert wrong[1] == "wrong" and "Lần chạy cho thấy: D nhận 429, E nhận 400." in wrong[2] and "vì đã có 3 yêu cầu" in wrong[2]
    assert right == ("wait", "right", "<p><b>✓ Đúng.</b> C chờ 14.55\u00a0ms mô phỏng.</p>")
    assert learn_predict.summary(QUESTIONS, GUESSES, TRUTHS) == "đúng 1/2 câu đã đoán"


def test_a_question_without_a_guess_gets_its_truth_all_the_same():
    assert said({"wait": "most"}, TRUTHS)[0][1] == "unguessed"
    assert words.NOT_GUESSED in said({}, TRUTHS)[0][2]
    assert learn_predict.summary(QUESTIONS, {}, TRUTHS) == ""


def test_a_guess_that_is_no_choice_any_more_does_not_count():
    old = {"refused": "E:400"}
    assert said(old, TRUTHS)[0][1] == "unguessed"
    assert learn_predict.guessed(QUESTIONS, old) == 0
    assert "checked" not in render.to_html(*learn_predict.questions(QUESTIONS, old))


def test_a_guess_is_shown_as_chosen():
    page = render.to_html(*learn_predict.questions(QUESTIONS, GUESSES))
    assert page.count("checked") == 2 and page.count('type="radio"') == 4 and "<code>C</code>" in page


def test_a_right_choice_that_is_not_offered_is_told_by_the_sentence():
    _, kind, html = said({"wait": "most"}, [["wait", "some", "C chờ 1.00 ms."]])[1]
    assert kind == "wrong" and "<b>✕ Chưa đúng.</b> C chờ 1.00\u00a0ms." in html
