"""The page as a part of another page, or as one of its views alone: what happened is reported, what the host asks for is done.

In: what `Page.parts` hear, commands of the host as src/frame/host.js lets them through. Out: reports, presses, changes of the fields.
Loads only where the address asks for a view, or where the page is framed. What a view shows is static/styles/frame.css's.
"""

import json

import js

import frame_report
import state as states
import words_controls as words
import work as works
import work_arrivals as arrivals
from dom import by_id, every

engine = js.inferenceLab


class Frame:
    """A part of the page."""

    def __init__(self, page):
        self.page = page
        self.view = engine.view
        self.address = None
        self.reported = {}    # kind -> the latest text, of what is not said twice
        self.ran = False      # by itself
        self.listening = False
        page.controls.watchers.append(self.changed)
        engine.load("address").then(self.with_address, lambda error: None)
        if self.view.view == "exercise":
            engine.load("prepared").then(self.begin_exercise, lambda error: None)
        if page.state.problem:
            self.report_problem()

    def begin_exercise(self, module):
        """The task can be read before there is an engine, with the panels that it names."""
        import learn
        import learn_exercises
        from dom_exercises import Exercises

        if self.page.learning:
            return
        self.page.exercising = True
        texts = json.loads(module.exercises())
        self.page.parts.append(Exercises(learn.Desk(self.page), texts))
        for one in texts:
            if one["constant"] == self.view.exercise:
                fold = by_id(learn_exercises.ANCHOR + one["id"])
                fold.open = True
                fold.classList.add("is-shown")
                for block in learn_exercises.blocks(one):
                    by_id("block-" + str(block)).classList.add("is-shown")

    def with_address(self, module):
        self.address = module
        self.changed(self.page.controls.work)

    def changed(self, work):
        """The whole lab, with what is set here."""
        if self.address:
            href = self.address.whole(json.dumps(works.link(work, self.page.controls.table)))
            if by_id("whole").getAttribute("href") != href:
                by_id("whole").setAttribute("href", href)

    # A part of the page

    def stepped(self, before, state):
        if state.problem and state.problem != before.problem:
            self.report_problem()
        if not state.opening and before.opening:
            self.opened()
        if state.engine == states.READY and not state.opening:
            engine.hostReady()
            if self.view.autorun and not self.ran:
                self.ran = True
                self.run_by_itself(state)

    def opened(self):
        """The fields are as they are to be: now the host may change them."""
        notices = [self.view.notices[i] for i in range(self.view.notices.length)]
        if notices:
            self.page.controls.take(("press_answered", " ".join(notices)))
        if not self.listening:
            self.listening = True
            engine.listenHost(self.heard)

    def run_by_itself(self, state):
        """Nobody's script, and not over what somebody has run already."""
        if self.page.controls.work.script is None and state.result == states.NONE and not state.run:
            js.setTimeout(lambda: self.page.dispatch("press_run"), 0)

    def shown(self, result):
        past = self.page.controls.is_stale() != ""
        engine.report("run", frame_report.run(result, self.page.state.shown, self.page.live_result, self.page.controls.table), past)

    def refused(self, errors):
        """What the engine will not take of a live run stands at the field; the host hears it, too."""
        if not self.page.state.problem:
            self.send("error", {"code": "input", "message": " ".join([one["message"] for one in errors])})

    def for_host(self, kind, detail):
        """What another part of the page has to say; the same is said once."""
        text = json.dumps(detail)
        if self.reported.get(kind) != text:
            self.reported[kind] = text
            engine.report(kind, text)

    def cleared(self):
        self.reported = {}

    def send(self, kind, detail):
        engine.report(kind, detail if isinstance(detail, str) else json.dumps(detail))

    def report_problem(self):
        self.send("error", frame_report.problem(self.page.state.problem))

    # Commands

    def heard(self, kind, text):
        COMMANDS[kind](self, json.loads(text))

    def run(self, _):
        self.page.dispatch("press_run")

    def set(self, detail):
        """All of it, or nothing and a sentence."""
        controls = self.page.controls
        events, troubles = arrivals.sent(controls.work, controls.table, detail["constants"])
        if troubles:
            self.send("error", {"code": "set", "message": " ".join(troubles)})
        else:
            controls.set(events)

    def open(self, detail):
        panel = by_id("block-" + str(detail["block"]))
        if not panel:
            self.send("error", {"code": "open", "message": words.no_block(detail["block"], len(every(".panel")))})
            return
        if self.view.view == "block":
            for one in every(".panel.is-shown"):
                one.classList.remove("is-shown")
        panel.classList.add("is-shown")
        panel.open = True


COMMANDS = {"run": Frame.run, "set": Frame.set, "open": Frame.open}
