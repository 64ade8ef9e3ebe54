"""The six exercises in the page: folds, guesses, hints, verdicts of real runs, answers.

In: exercises, verdicts and answers of the engine, results, presses. Out: changes of the section; progress, to be kept.
What is shown is decided in learn_exercises. A verdict is asked for by a press, and by itself after a run while an exercise
is open and not solved: one after another, since the engine answers only the latest question of a kind.
"""

import json

import js

import frame_report
import learn_exercises as exercises
import render
import words_learn as words
from dom import by_id, every, go_to

html = render.to_html

KEPT = "exercises"
LEISURE_MS = 1000  # after the engine is ready, before the texts are asked for: Chạy comes first
CALM_MS = 500  # after the last run of a gesture, before its verdict is asked for


class Exercises:
    """A part of the page."""

    def __init__(self, desk, texts=None):
        """texts: the exercises, where they are known before the engine is there."""
        self.desk = desk
        self.section = by_id("exercises")
        self.all = []
        self.result = None
        self.waiting = []    # ids of exercises whose verdict is still to be asked for
        self.asking = False  # the engine has been asked for one
        self.timer = None
        self.section.addEventListener("change", self.chosen)
        self.section.addEventListener("click", self.clicked)
        if texts:
            self.heard({"ok": texts})
        else:
            js.setTimeout(self.begin, LEISURE_MS)

    def begin(self):
        self.desk.ask("exercises", {}, self.heard)

    def heard(self, body):
        if body is None:  # the worker ended; the next one is asked anew
            js.setTimeout(self.begin, LEISURE_MS)
            return
        if "error" in body:
            self.section.querySelector(".exercise-list").innerHTML = html(render.el("p", {}, body["error"]["message"]))
            return
        self.all = body["ok"]
        folds = [exercises.exercise(i + 1, one, self.progress(one["id"])) for i, one in enumerate(self.all)]
        self.section.querySelector(".exercise-list").innerHTML = html(*folds)
        self.say_score()
        if js.location.hash.startswith("#" + exercises.ANCHOR):  # asked for before it was there
            go_to(js.location.hash[1:])

    # Progress

    def progress(self, id):
        return exercises.of_plain((self.desk.kept(KEPT) or {}).get(id))

    def keep(self, id, progress):
        """Keep it, and bring what depends on it up to date."""
        all_kept = dict(self.desk.kept(KEPT) or {})
        all_kept[id] = exercises.plain(progress)
        self.desk.keep(KEPT, all_kept)
        self.show_progress(id)
        self.say_score()

    def kept_elsewhere(self):
        """In another tab the learner went on."""
        for one in self.all:
            self.show_progress(one["id"])
        self.say_score()

    def show_progress(self, id):
        one, fold, progress = self.exercise(id), self.fold(id), self.progress(id)
        fold.dataset.state = exercises.state(progress)
        fold.querySelector(".exercise-state").textContent = exercises.state_text(progress)
        fold.querySelector(".hints").innerHTML = html(*exercises.hints(one, progress))
        for choice in every("input", fold):
            choice.checked = choice.value == progress.guess
        button = fold.querySelector("[data-hint]")
        button.textContent = words.hint_button(progress.hints, len(one["hints"]))
        allow(button, progress.hints < len(one["hints"]))

    def say_score(self):
        self.section.querySelector(".exercises-score").textContent = exercises.score([self.progress(one["id"]) for one in self.all])

    def exercise(self, id):
        return [one for one in self.all if one["id"] == id][0]

    def fold(self, id):
        return self.section.querySelector('[data-exercise="' + id + '"]')

    # Presses

    def chosen(self, event):
        fold = event.target.closest("[data-exercise]")
        if fold:
            id = fold.dataset.exercise
            self.keep(id, exercises.guessed(self.progress(id), event.target.value))

    def clicked(self, event):
        button = event.target.closest("button")
        if not button:
            return
        for name, act in (("check", self.check), ("hint", self.hint), ("answer", self.answer)):
            if button.hasAttribute("data-" + name):
                act(button.getAttribute("data-" + name))

    def hint(self, id):
        self.keep(id, exercises.hinted(self.progress(id), self.exercise(id)["hints"]))

    def answer(self, id):
        progress = self.progress(id)
        if not exercises.may_answer(progress, self.exercise(id)["hints"]):
            self.say(id, words.ANSWER_LATER)
            return

        def heard(body):
            if body is None or "error" in body:
                self.say(id, body["error"]["message"] if body else words.NO_VERDICT)
                return
            self.fold(id).querySelector(".exercise-answer").innerHTML = html(*exercises.answer(body["ok"]))
            self.keep(id, exercises.answered(self.progress(id)))

        self.desk.ask("exercise_answer", {"id": id}, heard)

    # Verdicts

    def check(self, id):
        """A press: whatever keeps the shown run from being judged is said."""
        trouble = self.trouble()
        if trouble:
            self.say(id, trouble)
        else:
            self.say(id, words.CHECKING)
            self.ask([id])

    def trouble(self):
        """Why the shown run cannot be judged, "" when it can."""
        if self.result is None:
            return words.NO_RUN
        if self.result.get("printed") is not None:
            return words.SCRIPT_RUN
        return words.OLD_RUN if self.desk.is_stale() else ""

    def shown(self, result):
        self.result = result if result.get("headlines") else None
        if self.timer is not None:
            js.clearTimeout(self.timer)
        self.timer = js.setTimeout(self.check_open, CALM_MS)

    def cleared(self):
        self.result = None
        self.waiting = []

    def check_open(self):
        """By itself: the exercises that are open, not solved, and whose constant this run has changed."""
        self.timer = None
        if self.trouble():
            return
        changed = [name for name, _ in self.desk.changed(self.result["constants"])]
        self.ask([
            one["id"] for one in self.all
            if self.fold(one["id"]).open and one["constant"] in changed and not self.progress(one["id"]).solved
        ])

    def ask(self, ids):
        """One question at a time; those that wait are asked about the result that is shown when their turn comes."""
        self.waiting = ids + [id for id in self.waiting if id not in ids]
        if not self.asking:
            self.ask_next()

    def ask_next(self):
        self.asking = bool(self.waiting) and self.result is not None
        if not self.asking:
            return
        id, self.waiting = self.waiting[0], self.waiting[1:]
        constants = self.result["constants"]
        body = {"id": id, "answer": self.progress(id).guess or None, "constants": constants}
        self.desk.ask("exercise_check", body, lambda answer: self.judged(id, constants, answer))

    def judged(self, id, constants, body):
        if body is None:
            self.asking, self.waiting = False, []
            self.say(id, words.NO_VERDICT)
            return
        if self.result is not None and self.result["constants"] != constants:
            self.waiting.append(id)  # the answer is about a run that is not shown any more
        elif "error" in body:
            self.say(id, body["error"]["message"])
        elif self.result is not None:
            found = body["ok"]
            progress = self.progress(id)
            self.keep(id, exercises.checked(progress, json.dumps(self.desk.changed(constants)), found["met"]))
            self.fold(id).querySelector(".exercise-result").innerHTML = html(*exercises.verdict(found, bool(progress.guess)))
            self.report_attempt(id, found["met"])
        self.ask_next()

    def report_attempt(self, id, met):
        solved = [one["constant"] for one in self.all if self.progress(one["id"]).solved]
        attempts = len(self.progress(id).tried)
        self.desk.report("exercise", frame_report.exercise(self.exercise(id)["constant"], met, attempts, solved, len(self.all)))

    def say(self, id, sentence):
        self.fold(id).querySelector(".exercise-result").innerHTML = html(render.el("p", {}, sentence))


def allow(button, value):
    button.setAttribute("aria-disabled", "false" if value else "true")
