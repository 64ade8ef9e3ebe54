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

LEISURE_MS = 300  # after a live run, before closed panels are filled
SAY_MS = 700      # after the last of several live runs, before its status is said


class Page:
    """The state of the page, and what of it is painted."""

    def __init__(self):
        self.state = states.START
        self.painted = {}
        self.figures = []  # what is to stand on the cells: [(cell, headline)]
        self.on_cells = []  # what stands there
        self.drawing = None  # the diagram, once it lives
        self.controls = None  # the learner's settings, once they live; no run before that
        self.replaying = False  # the parts that replay a run and open its proofs live
        self.learning = False  # the parts that compare, ask and exercise live
        self.exercising = False  # the exercises live already
        self.result = None  # the one that is shown
        self.showing = 0  # number of the result being shown; a newer one ends the showing of an older
        self.filling = False  # some places still show what was there before this result
        self.to_show = []   # what this result still has to be shown in: (act, what it gets)
        self.said = 0  # number of the latest status that waits to be said
        self.asked = {}  # command -> (id, then): questions of the parts, not followed by the state
        # What lives beside the panels: each has shown(result) and cleared(), and may have
        # any of filled(block), run_sent(), printed(text), printing(text, lines), ran_without(note), script_failed(line, message), stopped(),
        # stepped(state before, state), refused(errors), kept_elsewhere(), for_host(kind, detail).
        self.parts = []
        self.live_result = False  # the result that is shown is a live run's
        view = engine.view.view
        self.guess = view == "exercise" or view == "lab" and not dom.by_id("predict").hidden  # the page asks for one

    def dispatch(self, *event):
        before = self.state
        self.state, commands = states.step(self.state, event)
        self.tell("stepped", before, self.state)
        for command in commands:
            COMMANDS[command[0]](self, *command[1:])
        if not any(command[0] in ("show", "run") for command in commands):
            self.paint()

    def paint(self):
        wanted = self.wanted()
        if self.state.quiet and not wanted["alert"] and "status" in self.painted and wanted["status"] != self.painted["status"]:
            self.say_later()
            wanted["status"] = self.painted["status"]
        self.painted = dom.paint(self.painted, wanted)

    def wanted(self):
        return chrome.of(self.state, self.filling, self.controls.is_stale() if self.controls else "", self.guess)

    def say_later(self):
        """Live runs follow one another; a screen reader hears of the last."""
        self.said += 1
        number = self.said
        js.setTimeout(lambda: self.say(number), SAY_MS)

    def say(self, number):
        if number == self.said and self.state.quiet:
            wanted = self.wanted()
            self.painted = dom.paint(self.painted, wanted)

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
        body = self.controls.body(self.state.quiet)
        if body is None:
            self.dispatch("refuse", self.controls.refusal())
        else:
            self.dispatch("run_sent", engine.request("run", body), self.controls.text)
            self.tell("run_sent")

    def accepted(self, constants):
        self.controls.take(("accepted", constants))

    def refused(self, errors):
        self.controls.take(("refused", errors))
        self.tell("refused", errors)

    def printed(self, text):
        self.tell("printed", text)

    def ran_without(self, note):
        self.tell("ran_without", note)

    def script_failed(self, line, message):
        self.tell("script_failed", line, message)

    def cut_short(self):
        self.tell("stopped")

    def tell(self, what, *of):
        """Tell the parts that want to hear of it."""
        for part in self.parts:
            if hasattr(part, what):
                getattr(part, what)(*of)

    def ask_source(self, block):
        self.dispatch("source_sent", engine.request("source", json.dumps({"block": block})))

    def stop(self):
        engine.stop()

    def wake(self):
        engine.wake()

    def stop_sweep(self):
        self.tell("stop_sweep")

    def retry(self):
        engine.retry()

    def show(self, result, quiet):
        """In slices: figures and panels in view, the other parts, pictures, panels out of view. A press also waits for the closed panels before the page is `done`,
        a live run leaves them for when they are opened, or for a moment of leisure."""
        self.showing += 1
        self.filling = True
        self.result = result
        self.live_result = quiet
        self.figures = [(report["cell"], report["headline"]) for report in result["reports"]]
        self.to_show = [(self.show_verdict, result)] + [(part.shown, result) for part in self.parts]
        self.to_show += [(self.draw_pictures, result), (self.fill_open, result)]
        if not quiet:
            self.to_show.append((self.fill_closed, result))
        self.show_panels(result)
        self.fill(self.showing, quiet)

    def prepare(self):
        """Where nothing can run, what was computed when the page was built is shown, and marked as that."""
        if self.controls and self.state.engine == states.FAILED and self.state.result == states.NONE:
            engine.load("prepared").then(self.show_prepared, lambda error: None)  # without it the panels say what they would show

    def show_prepared(self, module):
        """To no part: they speak of runs."""
        if self.state.engine != states.FAILED or self.state.result != states.NONE:
            return
        result = json.loads(engine.panels.take(0, module.answer()))["ok"]
        self.showing += 1
        self.filling = True
        self.figures = [(report["cell"], report["headline"]) for report in result["reports"]]
        self.to_show = [(self.show_panels, result), (self.show_verdict, result), (self.draw_pictures, result), (self.fill_open, result), (self.fill_closed, result)]
        self.dispatch("prepared", self.controls.defaults_text())
        self.fill(self.showing, False)

    def show_panels(self, result):
        engine.panels.show()
        self.show_figures()

    def show_verdict(self, result):
        dom.fill_verdict(result["verdict"], result["passed"])
        engine.panels.showPrintout()
        dom.offer_transcript(True)

    def draw_pictures(self, result):
        """What of them fits into this slice; the rest follows by itself."""
        engine.panels.drawPictures()

    def fill_open(self, result):
        """One of the open panels that are out of view, and so on."""
        block = engine.panels.fillOpen()
        if block:
            self.tell("filled", int(block))
            self.to_show.insert(0, (self.fill_open, result))

    def fill_closed(self, result):
        engine.panels.fillRest()

    def fill(self, showing, quiet):
        """Show until this slice is used up, the rest after the next frame; a newer result ends an older one's."""
        if showing != self.showing:
            return
        while self.to_show and engine.left() > 0:
            act, result = self.to_show.pop(0)
            act(result)
        if self.to_show:
            engine.afterFrame(lambda: self.fill(showing, quiet))
            return
        self.filling = False
        self.paint()
        if not self.replaying:
            self.replaying = True
            js.setTimeout(self.replay, 0)
        if quiet:
            js.setTimeout(lambda: self.fill_later(showing), LEISURE_MS)

    def fill_later(self, showing):
        if showing == self.showing:
            engine.panels.fillRest()

    def live(self):
        """The learner's settings come to life after the buttons, and before anything runs."""
        import controls

        self.controls = controls.Controls(self)
        if engine.special:
            import frame

            self.parts.append(frame.Frame(self))
        self.controls.open()
        self.learn()
        self.prepare()

    def learn(self):
        """What compares, asks and exercises needs the settings and the engine; a run that is under way does not wait for it."""
        if not self.controls or self.state.engine != states.READY or self.learning:
            return
        if self.state.run or self.filling:
            js.setTimeout(self.learn, LEISURE_MS)
            return
        self.learning = True
        import learn

        learn.start(self)

    def draw(self):
        """The diagram comes to life after the buttons: a press of Chạy does not wait for it."""
        import dom_diagram

        self.drawing = dom_diagram.Drawing()
        self.show_figures()

    def write(self):
        """The script's editor waits until somebody opens its fold."""
        import script_part

        script_part.ScriptPart(self)

    def replay(self):
        """What replays a run comes after the first one."""
        import dom_replay

        if self.result:
            dom_replay.start(self)
        else:  # cleared in the meantime
            self.replaying = False

    def show_figures(self):
        if self.drawing:
            self.drawing.fill_figures([one for one in self.figures if one not in self.on_cells])
            self.on_cells = self.figures

    def clear(self):
        self.showing += 1
        self.filling = False
        self.result = None
        self.to_show = []
        self.figures = [(cell, "") for cell, _ in self.figures]
        self.show_figures()
        engine.panels.clear()
        dom.fill_verdict(words.BEFORE_RUN, True)
        dom.offer_transcript(False)
        for part in self.parts:
            part.cleared()

    def show_source(self, block, parts):
        dom.fill_source(block, render.to_html(*render.source(parts)))

    def show_source_error(self, block, problem):
        dom.fill_source(block, render.to_html(*render.problem(*problem, False)))


COMMANDS = {
    "run": Page.run,
    "stop": Page.stop,
    "stop_sweep": Page.stop_sweep,
    "wake": Page.wake,
    "retry": Page.retry,
    "accepted": Page.accepted,
    "refused": Page.refused,
    "printed": Page.printed,
    "ran_without": Page.ran_without,
    "script_failed": Page.script_failed,
    "cut_short": Page.cut_short,
    "show": Page.show,
    "clear": Page.clear,
    "ask_source": Page.ask_source,
    "show_source": Page.show_source,
    "show_source_error": Page.show_source_error,
}


page = Page()


def heard(kind, id, text):
    """Something from the engine: its boot in steps, its life, or an answer."""
    HEARD[kind](id, json.loads(text) if text else {})


def heard_boot(_, body):
    one = body.get("boot", body)
    page.dispatch("boot", (one["step"], one["steps"], one["label"], one.get("loaded") or 0, one.get("total") or 0))


def heard_ready(_, body):
    page.dispatch("ready")
    js.setTimeout(page.learn, 0)


def heard_resting(_, body):
    page.dispatch("rested")


def heard_failed(_, body):
    one = body.get("failed", body)
    page.drop_all()
    page.dispatch("failed", one["file"], one["message"])
    page.prepare()


def heard_stopped(_, body):
    page.drop_all()
    page.tell("stopped")
    page.dispatch("stopped")


def heard_answer(id, body):
    for command, (asked, then) in page.asked.items():
        if asked == id:
            del page.asked[command]
            then(body)
            return
    if page.controls:
        page.controls.hear_moves()  # what a slider was moved to since asks for another result, and this one is not shown
    page.dispatch("answer", id, body)


def heard_printed(_, body):
    """What a script that is still running has printed lately."""
    page.tell("printing", body["printed"]["text"], body["printed"]["lines"])


HEARD = {
    "boot": heard_boot, "ready": heard_ready, "resting": heard_resting, "failed": heard_failed, "stopped": heard_stopped, "answer": heard_answer, "printed": heard_printed,
}


def source_opened(block):
    if dom.source_is_empty(block):
        dom.fill_source(block, words.SOURCE_LOADING if page.state.engine == states.READY else words.SOURCE_WAITING)
        page.dispatch("open_source", block)


dom.listen(page.dispatch, source_opened, engine.panels.opened)
page.dispatch("opening")
engine.listen(heard)
page.paint()
engine.viewReady()
js.setTimeout(page.live, 0)
js.setTimeout(page.draw, 0)
js.setTimeout(page.write, 0)
