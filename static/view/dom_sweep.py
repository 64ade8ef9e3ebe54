"""The sweep in the page: two lists to choose from, progress, a curve whose points can be read, a table.

In: the engine's table of constants, the headline figures of a result, presses. Out: changes of its fold, and one question
after another to the engine. What is tried, drawn and said is decided in learn_sweep.
"""

import json

import js

import learn_sweep
import render
import words_learn as words
from dom import document

el = render.el
html = render.to_html

HEIGHT_PX = 260
CALM_MS = 150  # without a change of the constant, before the curve is drawn anew: to draw it takes longer than a frame
KEYS = {"ArrowLeft": -1, "ArrowDown": -1, "ArrowRight": 1, "ArrowUp": 1}


class SweepFold:
    """A part of the page, in the fold that it makes at the end of `home`."""

    def __init__(self, desk, home, rows):
        """rows: the engine's table of constants."""
        self.desk = desk
        self.rows = [row for row in rows if learn_sweep.can_sweep(row)]
        self.metrics = []
        self.sweep = None
        self.running = False
        self.drawn = None   # the curve's element, with Plot's scales
        self.picture = None # what it shows: (sweep, present value, width)
        self.timer = None
        self.here = 0       # index of the point that is read
        box = document.createElement("div")
        box.innerHTML = html(fold(self.rows))
        self.fold = box.firstElementChild
        home.append(self.fold)
        self.fold.addEventListener("click", self.clicked)
        self.curve = self.part("curve")
        self.curve.addEventListener("keydown", self.key)
        self.curve.addEventListener("pointermove", self.pointed)
        self.curve.addEventListener("pointerdown", self.pointed)
        self.fold.addEventListener("toggle", self.draw_soon)
        js.window.addEventListener("resize", self.draw_soon)

    def part(self, name):
        return self.fold.querySelector(".sweep-" + name)

    # A part of the page

    def shown(self, result):
        if not result.get("headlines"):
            return
        metrics = [[id, label, unit] for id, label, _, _, unit, _ in result["headlines"]]
        if metrics != self.metrics:
            self.metrics = metrics
            chosen = self.part("metric").value or "ttft"
            self.part("metric").innerHTML = html(*[option(id, label, id == chosen) for id, label, _ in metrics])
        self.constants_changed()

    def cleared(self):
        self.stop_sweep()

    def constants_changed(self):
        """Another constant changed: the curve is an older one's, and the sweep that drew it has no more to say."""
        if not self.sweep:
            return
        old = learn_sweep.is_old(self.sweep, self.desk.constants())
        if old and self.running:
            self.stop_sweep()
        self.part("old").hidden = not old
        self.curve.classList.toggle("is-old", old)
        if not old:
            self.draw_soon()

    # The sweep

    def clicked(self, event):
        button = event.target.closest("button")
        if button and button.classList.contains("sweep-start"):
            self.start()
        elif button and button.classList.contains("sweep-stop"):
            self.stop_sweep()

    def present(self, name):
        """What a constant is now."""
        return self.desk.constants().get(name, self.row(name)["default"])

    def row(self, name):
        return [row for row in self.rows if row["name"] == name][0]

    def start(self):
        self.stop_sweep()
        name = self.part("constant").value
        bad = [one for one in self.desk.without_value() if one != name]
        if bad:  # with the default in their place it would be the sweep of a configuration that nobody has set
            self.part("status").textContent = words.sweep_impossible(bad)
            return
        metric = [one for one in self.metrics if one[0] == self.part("metric").value][0]
        constants = self.desk.constants()
        self.sweep = learn_sweep.start(self.row(name), self.present(name), metric, constants)
        self.picture = None
        self.running = True
        self.part("old").hidden = True
        self.part("script").hidden = not self.desk.has_script()
        self.part("thinned").textContent = learn_sweep.thinned(self.sweep)
        self.part("result").hidden = True
        self.allow_stop()
        self.desk.sweeping(True)
        self.say()
        js.inferenceLab.load("charts")  # while the values are tried
        self.ask()

    def ask(self):
        body = learn_sweep.asked(self.sweep)
        if body:
            self.desk.ask("measure", body, self.heard)
        else:
            self.finish()

    def heard(self, body):
        if not self.running:
            return
        if body is None:  # the worker has ended
            self.stop_sweep()
            return
        self.sweep = learn_sweep.answered(self.sweep, body)
        self.say()
        self.ask()

    def stop_sweep(self):
        if self.running:
            self.running = False
            self.desk.drop("measure")
            self.sweep = learn_sweep.but(self.sweep, stopped=True)
            self.finish()

    def finish(self):
        self.running = False
        self.desk.sweeping(False)
        self.allow_stop()
        self.say()
        if self.sweep.points:
            self.part("result").hidden = False
            self.here = min(self.here, len(self.sweep.points) - 1)
            for i, value in enumerate(self.sweep.values[:len(self.sweep.points)]):
                if value == self.present(self.sweep.constant):
                    self.here = i
            self.draw()

    def allow_stop(self):
        stop = self.part("stop")
        if not self.running and stop.isSameNode(document.activeElement):  # it goes
            self.part("start").focus()
        stop.hidden = not self.running
        self.part("start").textContent = words.SWEEP_AGAIN if self.sweep and not self.running else words.SWEEP_START
        self.part("progress").hidden = not self.running

    def say(self):
        """While it runs a count, which is not announced each time; at its end a sentence, which is."""
        text = learn_sweep.status(self.sweep)
        self.part("count").textContent = text if self.running else ""
        self.part("status").textContent = "" if self.running else text
        progress = self.part("progress")
        progress.max = len(self.sweep.values)
        progress.value = len(self.sweep.points)

    # The curve

    def draw_soon(self, _=None):
        if self.timer is not None:
            js.clearTimeout(self.timer)
        self.timer = js.setTimeout(self.draw, CALM_MS)

    def width(self):
        return max(280, self.part("result").clientWidth)

    def draw(self):
        """The curve as it should be now, if it can be seen and is not so already."""
        self.timer = None
        if self.running or not self.fold.open or not self.sweep or not self.sweep.points:
            return
        present = self.present(self.sweep.constant)
        picture = (self.sweep, present, self.width())
        if picture == self.picture:
            return
        self.picture = picture
        self.part("table").innerHTML = html(*learn_sweep.table(self.sweep, present))
        options = json.dumps(learn_sweep.chart(self.sweep, present, picture[2], HEIGHT_PX))

        def loaded(charts):
            if self.picture is not picture:  # another one is on its way
                return
            self.drawn = charts.plot(options)
            self.part("drawing").replaceChildren(self.drawn)
            self.read(self.here)

        def refused(_):
            self.part("drawing").textContent = words.NO_CHART

        js.inferenceLab.load("charts").then(loaded, refused)

    def read(self, i):
        """Say the point with this index, and put the line there."""
        self.here = i
        text = learn_sweep.point_text(self.sweep, i, self.present(self.sweep.constant))
        self.part("point").textContent = text
        self.curve.setAttribute("aria-valuemax", str(len(self.sweep.points) - 1))
        self.curve.setAttribute("aria-valuenow", str(i))
        self.curve.setAttribute("aria-valuetext", text)
        self.part("cursor").style.left = str(100 * self.place(i)) + "%"

    def place(self, i):
        """Where on the curve's width a point stands, from 0 to 1."""
        return float(self.drawn.scale("x").apply(self.sweep.values[i])) / float(self.drawn.getAttribute("width"))

    def key(self, event):
        last = len(self.sweep.points) - 1
        to = {"Home": 0, "End": last}.get(event.key)
        if event.key in KEYS:
            to = min(last, max(0, self.here + KEYS[event.key]))
        if to is not None and self.drawn:
            event.preventDefault()
            self.read(to)

    def pointed(self, event):
        if not self.drawn:
            return
        box = self.drawn.getBoundingClientRect()
        at = (event.clientX - box.left) / box.width
        distances = [abs(self.place(i) - at) for i in range(len(self.sweep.points))]
        nearest = distances.index(min(distances))
        if nearest != self.here:
            self.read(nearest)


def fold(rows):
    groups = []
    for row in rows:
        if row["group"] not in groups:
            groups.append(row["group"])
    constants = [
        el("optgroup", {"label": group}, *[option(row["name"], row["name"], row["name"] == "SLOTS") for row in rows if row["group"] == group])
        for group in groups
    ]
    slider = {
        "class": "sweep-curve", "tabindex": "0", "role": "slider", "aria-label": words.SWEEP_CHART,
        "aria-valuemin": "0", "aria-valuemax": "0", "aria-valuenow": "0",
    }
    return el(
        "details", {"class": "sweep", "id": "sweep"},
        el("summary", {}, words.SWEEP),
        el("p", {"class": "small"}, words.SWEEP_IDEA),
        el(
            "div", {"class": "sweep-tools"},
            el("label", {}, el("span", {}, words.SWEEP_CONSTANT), el("select", {"class": "sweep-constant"}, *constants)),
            el("label", {}, el("span", {}, words.SWEEP_METRIC), el("select", {"class": "sweep-metric"})),
            el("button", {"type": "button", "class": "sweep-start"}, words.SWEEP_START),
            el("button", {"type": "button", "class": "sweep-stop", "hidden": ""}, words.SWEEP_STOP),
        ),
        el("p", {"class": "sweep-script small", "hidden": ""}, words.SWEEP_SCRIPT),
        el("p", {"class": "sweep-thinned small"}),
        el("p", {"class": "sweep-status", "role": "status"}),
        el("p", {"class": "sweep-count"}),
        el("progress", {"class": "sweep-progress", "hidden": "", "aria-label": words.SWEEP_PROGRESS}),
        el("p", {"class": "sweep-old", "hidden": ""}, words.SWEEP_OLD),
        el(
            "div", {"class": "sweep-result", "hidden": ""},
            el("div", slider, el("div", {"class": "sweep-drawing", "aria-hidden": "true"}), el("div", {"class": "sweep-cursor"})),
            el("p", {"class": "sweep-point"}),
            el("p", {"class": "small"}, words.SWEEP_HINT),
            el("details", {}, el("summary", {}, words.SWEEP_TABLE), el("div", {"class": "sweep-table"})),
        ),
    )


def option(value, text, chosen):
    attributes = {"value": value}
    if chosen:
        attributes["selected"] = ""
    return el("option", attributes, text)
