"""The view's entry: events from the page and the engine go into the state, its commands come out and are carried out.

In: the page, and globalThis.inferenceLab, which talks to the engine's worker in JSON text.
Out: a page whose buttons work. Holds the one State there is; everything else is in the modules below.
"""

import json

import js

import chrome
import dom
import render
import state as states
import words

engine = js.inferenceLab

SLICE_MS = 12  # of filling closed panels; then the browser may draw and answer presses


class Page:
    """The state of the page, what of it is painted, and the panels as they were at rest."""

    def __init__(self):
        self.state = states.START
        self.painted = {}
        self.resting = dom.resting_panels()
        self.figures = []  # what stands on the cells: [(cell, headline)]
        self.drawing = None  # the diagram, once it lives
        self.showing = 0  # number of the result being shown; a newer one ends the showing of an older
        self.filling = False  # some panels still show what was there before this result
        self.asked = {}  # command -> (id, then): questions of the parts, not followed by the state
        self.parts = []  # what lives beside the panels; each has shown(result) and cleared()

    def dispatch(self, *event):
        self.state, commands = states.step(self.state, event)
        for command in commands:
            COMMANDS[command[0]](self, *command[1:])
        if not any(command[0] == "show" for command in commands):
            self.paint()

    def paint(self):
        self.painted = dom.paint(self.painted, chrome.of(self.state, self.filling))

    # What the parts ask for

    def ask(self, command, body, then):
        """A question outside the run: `then` gets the answer's body, or None when it will never come.

        A later question with the same command overtakes an earlier one.
        """
        self.drop(command)
        self.asked[command] = (engine.request(command, json.dumps(body)), then)

    def drop_all(self):
        for command in list(self.asked):
            self.drop(command)

    def drop(self, command):
        _, then = self.asked.pop(command, (0, None))
        if then:
            then(None)

    # What the state asks for

    def run(self):
        self.dispatch("run_sent", engine.request("run", "{}"))

    def ask_source(self, block):
        self.dispatch("source_sent", engine.request("source", json.dumps({"block": block})))

    def ask_constants(self):
        self.dispatch("constants_sent", engine.request("constants", "{}"))

    def stop(self):
        engine.stop()

    def retry(self):
        engine.retry()

    def show(self, result):
        """Figures and open panels at once, closed panels in slices; the page is `done` when all are filled."""
        self.showing += 1
        self.filling = True
        dom.fill_verdict(result["verdict"], result["passed"])
        dom.fill_transcript(result["transcript"])
        closed = []
        self.figures = [(report["cell"], report["headline"]) for report in result["reports"]]
        self.show_figures()
        for report in result["reports"]:
            fill_summary(report)
            if dom.is_open(report["number"]):
                fill_panel(report)
            else:
                closed.append(report)
        self.show_closed(self.showing, closed)
        for part in self.parts:
            part.shown(result)

    def show_closed(self, showing, reports):
        """Fill panels until this slice is used up, the rest in a task of its own; a newer result ends an older one's."""
        if showing != self.showing:
            return
        until = js.performance.now() + SLICE_MS
        while reports and js.performance.now() < until:
            fill_panel(reports.pop(0))
        if reports:
            js.setTimeout(lambda: self.show_closed(showing, reports), 0)
        else:
            self.filling = False
            self.paint()

    def draw(self):
        """The diagram comes to life after the buttons: a press of Chạy does not wait for it."""
        import dom_diagram

        self.drawing = dom_diagram.Drawing()
        self.show_figures()

    def show_figures(self):
        if self.drawing:
            self.drawing.fill_figures(self.figures)

    def clear(self):
        self.showing += 1
        self.filling = False
        self.figures = [(cell, "") for cell, _ in self.figures]
        self.show_figures()
        for block, body in self.resting:
            dom.fill_summary(block, "", "")
            dom.fill_panel(block, body)
        dom.fill_verdict(words.BEFORE_RUN, True)
        dom.fill_transcript("")
        for part in self.parts:
            part.cleared()

    def show_source(self, block, parts):
        dom.fill_source(block, render.to_html(*render.source(parts)))

    def show_source_error(self, block, problem):
        dom.fill_source(block, render.to_html(*render.problem(*problem, False)))

    def show_constants(self, rows):
        dom.fill_constants(render.to_html(*render.constants(rows)))


COMMANDS = {
    "run": Page.run,
    "stop": Page.stop,
    "retry": Page.retry,
    "show": Page.show,
    "clear": Page.clear,
    "ask_source": Page.ask_source,
    "ask_constants": Page.ask_constants,
    "show_source": Page.show_source,
    "show_source_error": Page.show_source_error,
    "show_constants": Page.show_constants,
}


def fill_summary(report):
    figure = render.to_html(*render.rich(report["headline"]))
    dom.fill_summary(report["number"], figure, render.to_html(render.verdict(report["passed"])))


def fill_panel(report):
    dom.fill_panel(report["number"], render.to_html(*render.panel(report)))


page = Page()


def heard(kind, id, text):
    """Something from the engine: its boot in steps, its life, or an answer."""
    HEARD[kind](id, json.loads(text) if text else {})


def heard_boot(_, body):
    one = body.get("boot", body)
    page.dispatch("boot", (one["step"], one["steps"], one["label"], one.get("loaded") or 0, one.get("total") or 0))


def heard_ready(_, body):
    page.dispatch("ready")


def heard_failed(_, body):
    one = body.get("failed", body)
    page.drop_all()
    page.dispatch("failed", one["file"], one["message"])


def heard_stopped(_, body):
    page.drop_all()
    page.dispatch("stopped")


def heard_answer(id, body):
    for command, (asked, then) in page.asked.items():
        if asked == id:
            del page.asked[command]
            then(body)
            return
    page.dispatch("answer", id, body)


HEARD = {"boot": heard_boot, "ready": heard_ready, "failed": heard_failed, "stopped": heard_stopped, "answer": heard_answer}


def source_opened(block):
    if dom.source_is_empty(block):
        dom.fill_source(block, words.SOURCE_LOADING if page.state.engine == states.READY else words.SOURCE_WAITING)
        page.dispatch("open_source", block)


dom.listen(page.dispatch, source_opened)
engine.listen(heard)
page.paint()
engine.viewReady()
js.setTimeout(page.draw, 0)
