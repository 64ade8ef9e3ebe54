"""Predict first, in the page: the questions in their fold, guesses as they are chosen, outcomes as results come.

In: questions and truths of the engine, presses. Out: changes of the fold; guesses, to be kept.
What is shown is decided in learn_predict.
"""

import js

import frame_report
import learn_predict
import render
from dom import by_id, every

html = render.to_html

KEPT = "predict"
CALM_MS = 500  # after the last change of a constant, before the questions are asked for anew


class Predictions:
    """A part of the page."""

    def __init__(self, desk):
        self.desk = desk
        self.section = by_id("predict")
        self.asked = None   # the questions as they stand
        self.truths = None  # of the shown result
        self.timer = None
        self.section.addEventListener("change", self.chosen)
        self.section.addEventListener("toggle", self.toggled, True)
        if self.guesses() or by_id("predict-fold").open:
            self.ask()

    # A part of the page

    def shown(self, result):
        self.truths = result.get("truths")
        self.ask_soon()
        self.say()

    def cleared(self):
        self.truths = None
        self.ask_soon()
        self.say()

    def constants_changed(self):
        self.ask_soon()

    # Questions

    def toggled(self, event):
        if event.target.id == "predict-fold" and event.target.open:
            self.ask()

    def ask_soon(self):
        """Not at each move of a slider, and not at all while nobody sees the questions."""
        if self.timer is not None:
            js.clearTimeout(self.timer)
        self.timer = js.setTimeout(self.ask, CALM_MS) if by_id("predict-fold").open else None

    def ask(self):
        self.timer = None
        self.desk.ask("predictions", {"constants": self.desk.constants()}, self.heard)

    def heard(self, body):
        """Constants that contradict each other have no questions: those that stand stay."""
        if body and "ok" in body and body["ok"] != self.asked:
            self.asked = body["ok"]
            self.write()
        self.say()

    def kept_elsewhere(self):
        """In another tab the learner guessed."""
        if self.asked is not None:
            self.write()
            self.say()

    def write(self):
        place = self.section.querySelector(".questions")
        focused = place.querySelector(":focus")
        place.innerHTML = html(*learn_predict.questions(self.asked, self.guesses()))
        if focused:  # the choice that has its place in the same question now
            (place.querySelector('[name="' + focused.name + '"]:checked') or place.querySelector('[name="' + focused.name + '"]')).focus()

    def guesses(self):
        return self.desk.kept(KEPT) or {}

    def chosen(self, event):
        question = event.target.closest("[data-question]")
        if question:
            guesses = dict(self.guesses())
            guesses[question.dataset.question] = event.target.value
            self.desk.keep(KEPT, guesses)
            self.say()

    def say(self):
        """The outcomes are those of the shown result: while other constants wait for a run, the questions are about that."""
        if self.asked is None:
            return
        guesses, truths = self.guesses(), None if self.desk.is_stale() else self.truths
        self.section.querySelector(".predict-score").textContent = learn_predict.summary(self.asked, guesses, truths)
        for id, kind, nodes in learn_predict.outcomes(self.asked, guesses, truths):
            for place in every('[data-question="' + id + '"] .outcome', self.section):
                text = html(*nodes)
                if place.innerHTML != text:
                    place.innerHTML = text
                place.className = "outcome is-" + kind
        answered = learn_predict.guessed(self.asked, guesses)
        if answered:
            matching = learn_predict.matching(self.asked, guesses, truths)
            self.desk.report("predict", frame_report.predict(answered, len(self.asked), matching))
