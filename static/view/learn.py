"""The parts that compare, sweep, ask and exercise, brought to life once the engine is ready.

In: the page. Out: parts in `page.parts`, and what of the constants' changes they are told. `Desk` is all that they know of
the page: the constants as they are set, the pinned result, what is kept across reloads, and questions to the engine.
"""

import json

import js

import learn_strip
from dom import by_id
from dom_exercises import Exercises
from dom_learn import Changes
from dom_predict import Predictions
from dom_sweep import SweepFold

AGAIN_MS = 500


class Desk:
    def __init__(self, page):
        self.page = page
        self.controls = page.controls

    def constants(self):
        """{name: value} of what differs from the default and is good."""
        return {name: json.loads(text) for name, text in self.controls.values()}

    def without_value(self):
        """Names of the constants whose field holds no value."""
        return self.controls.without_value()

    def is_stale(self):
        """Whether the shown result is of other constants than are set."""
        return bool(self.controls.is_stale())

    def has_script(self):
        return self.controls.work.script is not None

    def changed(self, constants):
        """[(name, value as text)] of a run's constants that differ from the default."""
        return learn_strip.changed(constants, self.controls.table)

    def table(self):
        """The page's table of constants, with defaults as text."""
        return self.controls.table

    def pinned(self):
        """{"key", "constants", "name"} of the result that others are compared with, or None."""
        return self.controls.work.pinned

    def pin(self, result):
        self.controls.hear("pin", result)

    def kept(self, name):
        return self.controls.kept(name)

    def keep(self, name, data):
        self.controls.keep(name, data)

    def ask(self, command, body, then):
        self.page.ask(command, body, then)

    def report(self, kind, detail):
        """For a page that frames this one."""
        self.page.tell("for_host", kind, detail)

    def drop(self, command):
        self.page.drop(command)

    def sweeping(self, on):
        """Dừng ends a sweep, too."""
        self.page.dispatch("sweeping", on)


def start(page):
    desk = Desk(page)
    parts = [Changes(desk), Predictions(desk)] + ([] if page.exercising else [Exercises(desk)])
    def said():
        return page.controls.values(), desk.is_stale()

    seen = [said()]

    def told(work):
        now = said()
        if now != seen[0]:  # a guess that is kept changes no constant
            seen[0] = now
            for part in parts:
                if hasattr(part, "constants_changed"):
                    part.constants_changed()

    def declared(body):
        """The engine's table of constants: a sweep needs their ranges."""
        if body is None:  # the worker ended before it answered
            js.setTimeout(lambda: desk.ask("constants", {}, declared), AGAIN_MS)
            return
        add(SweepFold(desk, by_id("changes"), body["ok"]))

    def add(part):
        if part not in parts:
            parts.append(part)
        page.parts.append(part)
        if page.result:
            part.shown(page.result)

    for part in list(parts):
        add(part)
    page.controls.watchers.append(told)
    desk.ask("constants", {}, declared)
