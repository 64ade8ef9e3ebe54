"""The parts around a comparison, in the page: the strip under the bar, what changed and why, the marks on the panels.

In: results, as the page's parts get them, and presses. Out: changes of the document; questions and wishes to the page.
Loads after the buttons work. What is shown is decided in learn_strip, what is said in words_learn.
"""

import js

import learn_strip
import render
import words_learn as words
from dom import by_id, document, every, fill, mark_page, write

el = render.el
html = render.to_html
engine = js.inferenceLab

NARROW = "(max-width: 74.99rem)"


def made(tag, attributes, *children):
    """A new element of the document."""
    box = document.createElement("div")
    box.innerHTML = html(el(tag, attributes, *children))
    return box.firstElementChild


class Changes:
    """A part of the page: it compares each result with the baseline that the engine compared it with."""

    def __init__(self, desk):
        self.desk = desk
        self.result = None
        self.changes = None
        self.figures = {}          # id -> ((headline, change), its tree), as they stand in the strip
        self.first_changed = ""    # id of a figure
        self.compared = ""         # name of the baseline that `changes` is about, "" for the run before
        self.asked_against = self.name()  # that of the latest run that was sent
        self.said = None
        self.lists = {}            # block -> (rows, how many were left out), of the panels that carry a mark
        self.listed = {}           # blocks whose list stands in the panel
        self.section = by_id("changes")
        self.section.innerHTML = html(*skeleton())
        self.reasons = self.section.querySelector(".reasons")
        self.strip = made("section", {"class": "strip", "id": "strip", "aria-label": words.STRIP, "hidden": ""}, *strip_skeleton())
        document.querySelector(".bar-line").after(self.strip)
        self.section.addEventListener("click", self.clicked)
        self.strip.addEventListener("click", self.clicked)
        by_id("panels").addEventListener("toggle", self.opened, True)  # toggle does not bubble

    def clicked(self, event):
        if event.target.closest("[data-pin]"):
            self.pin()

    def pin(self):
        """Keep this result as the one that later results are compared with, or let it go.

        What stands on the page keeps the name of the baseline that it was compared with, until there is another result.
        """
        if self.desk.pinned():
            self.desk.pin(None)
        else:
            constants = self.result["constants"]
            name = learn_strip.baseline_name(constants, self.desk.table())
            if self.result.get("printed") is not None:
                name = words.of_script(name)
            self.desk.pin({"key": self.result["key"], "constants": constants, "name": name})
            self.show(None, words.PINNED)
        self.say_baseline()

    def name(self):
        """Of the pinned result, "" when there is none."""
        pinned = self.desk.pinned()
        return pinned.get("name") or "" if pinned else ""

    # A part of the page

    def run_sent(self):
        """The pin may change while it runs; the latest run wins, so its baseline is the one that counts."""
        self.asked_against = self.name()

    def shown(self, result):
        if not result.get("headlines"):  # a script that left no run
            self.cleared()
            return
        self.result = result
        self.compared = self.asked_against
        self.show(result.get("changes"), result.get("changes_missing") or words.FIRST_RUN)
        self.say_baseline()
        self.strip.hidden = False
        self.section.hidden = False
        mark_page("strip", "shown")
        self.bring_into_view()

    def show(self, changes, otherwise):
        """otherwise: the sentence when there is nothing to compare with."""
        self.changes = changes
        self.show_figures(learn_strip.strip(self.result["headlines"], changes))
        self.strip.classList.toggle("has-changes", learn_strip.differs(changes))
        fill(self.reasons, learn_strip.reasons(changes, otherwise))
        self.mark(learn_strip.panel_marks(changes))

    def show_figures(self, pairs):
        """A figure that is as it was is left alone: a live run touches little."""
        before = self.figures
        self.figures = {}
        for headline, change in pairs:
            id, said = headline[0], (headline, change)
            self.figures[id] = before[id] if id in before and before[id][0] == said else (said, learn_strip.figure(headline, change))
        fill(self.strip.querySelector("dl"), [self.figures[headline[0]][1] for headline, _ in pairs])

    def bring_into_view(self):
        """A narrow screen shows some of the figures: the first that changed is among them, until the learner scrolls to another."""
        figures = self.strip.querySelector("dl")
        changed = figures.querySelector(".is-changed")
        first = changed.dataset.figure if changed else ""
        if first != self.first_changed and changed and js.window.matchMedia(NARROW).matches:
            start = changed.offsetLeft
            least = start + changed.offsetWidth - figures.clientWidth
            if not least <= figures.scrollLeft <= start:
                figures.scrollLeft = max(0, least)
        self.first_changed = first

    def cleared(self):
        self.result = None
        self.mark([])
        self.strip.hidden = True
        self.section.hidden = True
        document.documentElement.removeAttribute("data-strip")

    def baseline(self):
        return words.against(self.compared) if self.changes else ""

    def say_baseline(self):
        said = (self.baseline(), words.UNPIN if self.desk.pinned() else words.PIN)
        if said == self.said:
            return
        self.said = said
        for place in every(".baseline"):
            place.textContent = said[0]
        for button in every("[data-pin]"):
            button.textContent = said[1]

    def mark(self, marks):
        """The mark on each panel's summary and the list in it; whatever has none loses what it had.

        A panel gets its list when it shows this result, a closed one when it is opened: a live run does not write what nobody sees.
        """
        lists = {block: (rows, omitted) for block, _, rows, omitted in marks}
        for block in self.lists:
            if block not in lists:
                write(self.panel_part(block, ".panel-mark"), "")
                fill(self.panel_part(block, ".panel-changes"), [])
        for block, mark, _, _ in marks:
            if not self.panel_part(block, ".panel-mark"):
                self.panel_part(block, ".panel-figure").before(made("span", {"class": "panel-mark"}))
                self.panel_part(block, ".panel-result").before(made("div", {"class": "panel-changes"}))
            write(self.panel_part(block, ".panel-mark"), mark)
        self.lists = lists
        self.listed = {}
        for block in lists:
            if engine.panels.isFilled(block):
                self.list_changes(block)

    def filled(self, block):
        if block in self.lists:
            self.list_changes(block)

    def opened(self, event):
        panel = event.target
        if panel.classList.contains("panel") and panel.open and int(panel.id[6:]) in self.lists:
            self.list_changes(int(panel.id[6:]))

    def list_changes(self, block):
        if block not in self.listed:
            self.listed[block] = True
            rows, omitted = self.lists[block]
            fill(self.panel_part(block, ".panel-changes"), learn_strip.panel_list(rows, omitted, self.baseline()))

    def panel_part(self, block, selector):
        return by_id("block-" + str(block)).querySelector(selector)


def skeleton():
    head = el("div", {"class": "changes-head"}, el("h2", {}, words.TITLE), el("span", {"class": "baseline"}), pin_button())
    return [head, el("div", {"class": "reasons", "role": "status"}), el("p", {"class": "small"}, words.SIMULATED)]


def strip_skeleton():
    return [
        el("dl", {"class": "figures", "tabindex": "0"}),
        el("div", {"class": "strip-tools"}, el("span", {"class": "baseline"}), pin_button()),
    ]


def pin_button():
    return el("button", {"type": "button", "class": "small-button", "data-pin": ""}, words.PIN)
