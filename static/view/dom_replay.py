"""The replay's bar in the page, and the folds that show both sides of a proof.

In: results, as the page's parts get them, and presses. Out: the bar; calls of src/replay/index.js, which is loaded with the first
press and shows the instants. What a press means is decided in `replay`, what is said in `words_replay`.
"""

import json

import js

import proofs
import render
import replay
import words_replay as words
from dom import by_id, document, every, mark_page, root, write

el = render.el
SPOKEN_MS = 250  # after the last of several steps, before a screen reader hears of it

# What a button looks like, on a grid of 16 by 16.
SIGNS = {
    "first": "M3 3v10M13 3 6 8l7 5Z",
    "back": "M11 3 4 8l7 5Z",
    "play": "M4 2.5 13 8l-9 5.5Z",
    "pause": "M4 3v10M12 3v10",
    "forward": "M5 3l7 5-7 5Z",
    "last": "M13 3v10M3 3l7 5-7 5Z",
}


def sign(name):
    return el("svg", {"viewBox": "0 0 16 16", "width": "16", "height": "16", "aria-hidden": "true"}, el("path", {"d": SIGNS[name]}))


def button(name, label):
    shape = "play" if name == "toggle" else name
    return el("button", {"type": "button", "data-replay": name, "aria-label": label, "title": label}, sign(shape))


def skeleton():
    speeds = [el("option", {"selected": ""} if one == 1 else {}, replay.speed_text(one)) for one in replay.SPEEDS]
    return [
        el("div", {"class": "replay-buttons"}, button("first", words.FIRST), button("back", words.BACK), button("toggle", words.PLAY),
           button("forward", words.FORWARD), button("last", words.LAST)),
        el("select", {"name": "replay-speed", "aria-label": words.SPEED}, *speeds),
        el("label", {"class": "replay-follow"}, el("span", {}, words.FOLLOW), el("select", {"name": "replay-follow"})),
        el("input", {"type": "range", "name": "replay-at", "min": "0", "max": "0", "value": "0", "aria-label": words.INSTANT}),
        el("p", {"class": "replay-now"}, el("b", {"class": "replay-time"}), el("span", {"class": "replay-figures"})),
        el("p", {"class": "replay-said", "role": "region", "tabindex": "0", "aria-label": words.SAID}, el("b", {"class": "replay-old"}, words.OLD), el("span", {"class": "replay-told"}, words.RESTING), el("b", {"class": "replay-why"}),
           el("span", {"class": "replay-answer"})),
        el("span", {"class": "hidden", "role": "status", "id": "replay-status"}),
    ]


class Replay:
    """A part of the page."""

    def __init__(self):
        self.state = replay.START
        self.module = None
        self.result = None   # (key, constants as JSON text)
        self.asked = 0       # number of the latest question for a run's instants
        self.since_us = 0    # where the run before stood
        self.follow = ""     # whom the learner chose, or ""
        self.spoken = 0
        self.playing = None  # what the button shows
        self.bar = document.createElement("section")
        self.bar.id = "replay"
        self.bar.className = "replay"
        self.bar.setAttribute("aria-label", words.TITLE)
        self.bar.hidden = True
        self.bar.innerHTML = render.to_html(*skeleton())
        by_id("diagram").prepend(self.bar)
        self.slider = self.bar.querySelector('[name="replay-at"]')
        self.list = self.bar.querySelector('[name="replay-follow"]')
        self.bar.addEventListener("click", self.clicked)
        self.bar.addEventListener("input", self.moved)
        self.bar.addEventListener("change", self.chosen)
        self.bar.addEventListener("keydown", self.key)

    def part(self, name):
        return self.bar.querySelector(".replay-" + name)

    # Results

    def shown(self, result):
        if not result.get("key"):
            self.cleared()
            return
        key = result["key"]
        if self.result and self.result[0] == key:
            return
        self.leave()
        self.result = (key, json.dumps(result["constants"]))
        self.bar.hidden = False
        mark_page("replay", "resting")
        if self.state.used:
            self.open()

    def cleared(self):
        self.leave()
        self.state = replay.START
        self.result, self.since_us, self.follow = None, 0, ""
        self.bar.hidden = True
        root.removeAttribute("data-replay")

    def leave(self):
        """The instants of this run are no longer asked for nor shown."""
        self.asked += 1
        if self.state.count:
            self.since_us = self.module.microseconds(self.state.index)
        self.state = replay.closed(self.state)
        if self.module:
            self.module.close()
        self.paint()

    def open(self):
        self.asked += 1
        self.say(words.LOADING, "")
        number = self.asked
        if self.module:
            self.ask(number)
        else:
            js.inferenceLab.load("replay").then(lambda module: self.loaded(module, number), lambda _: self.came(None, number))

    def loaded(self, module, number):
        self.module = module
        if number == self.asked:
            self.ask(number)

    def ask(self, number):
        self.module.open(*self.result).then(lambda answer: self.came(answer, number))

    def came(self, answer, number):
        if number != self.asked:
            return
        if answer is None or isinstance(answer, str):
            self.state = replay.closed(self.state)
            self.say(words.NOT_COME if answer is None else answer, "")
            return
        ids = [answer.ids[i] for i in range(answer.ids.length)]
        if self.follow not in ids:
            self.follow = answer.follow
        self.list.innerHTML = render.to_html(*[el("option", {"value": id}, id) for id in ids])
        self.list.value = self.follow
        self.module.follow(self.follow)
        asked_for = self.state.wanted
        self.state, command = replay.opened(self.state, int(answer.count), int(self.module.instantAt(self.since_us)))
        root.dataset.replay = "open"
        self.do(command, bool(asked_for))

    # Presses

    def take(self, outcome):
        self.state, command = outcome
        self.do(command)

    def do(self, command, spoken=True):
        if command == "open":
            self.open()
            return
        state = self.state
        if command == "show":
            self.module.show(state.index, False)
        elif command == "glide":
            self.module.show(state.index, True)
        elif command == "play":
            self.module.play(state.index, state.speed, self.reached)
        elif command == "pause":
            self.module.pause()
        self.paint(spoken)

    def reached(self, index):
        self.state = replay.reached(self.state, int(index))
        self.paint()

    def clicked(self, event):
        one = event.target.closest("[data-replay]")
        if one:
            self.take(replay.pressed(self.state, one.dataset.replay))

    def moved(self, event):
        if event.target.name == "replay-at":
            self.take(replay.scrubbed(self.state, int(self.slider.value)))

    def chosen(self, event):
        target = event.target
        if target.name == "replay-speed":
            self.take(replay.sped(self.state, replay.SPEEDS[target.selectedIndex]))
        elif target.name == "replay-follow":
            self.follow = target.value
            self.module.follow(self.follow)
            self.paint()

    def key(self, event):
        if event.ctrlKey or event.altKey or event.metaKey:
            return
        tag = event.target.tagName
        press = replay.key(event.key, tag == "BUTTON", tag == "SELECT")
        if press:
            event.preventDefault()
            self.take(replay.pressed(self.state, press))

    # What the bar shows

    def paint(self, spoken=True):
        """`spoken`: a screen reader hears of it, unless it plays."""
        state = self.state
        if self.playing != state.playing:
            self.playing = state.playing
            toggle = self.bar.querySelector('[data-replay="toggle"]')
            label = words.PAUSE if state.playing else words.PLAY
            toggle.setAttribute("aria-label", label)
            toggle.title = label
            toggle.innerHTML = render.to_html(sign("pause" if state.playing else "play"))
        self.slider.max = str(max(state.count - 1, 0))
        self.slider.value = str(state.index)
        if not state.count:
            self.say(words.RESTING, "")
            write(self.part("answer"), "")
            for name in ("time", "figures"):
                write(self.part(name), "")
            self.slider.removeAttribute("aria-valuetext")
            return
        texts = self.module.texts(state.index)
        write(self.part("time"), texts.time + " " + words.SIMULATED)
        write(self.part("figures"), texts.figures)
        self.slider.setAttribute("aria-valuetext", words.value_text(texts.time, int(texts.step)))
        why = texts.why if texts.why not in texts.told else ""
        self.say(texts.told, why)
        write(self.part("answer"), words.answered(self.follow, texts.answer) if texts.answer else "")
        if spoken and not state.playing:
            self.speak_later(texts.time + " " + words.SIMULATED + ". " + replay.sentence(texts.told, texts.why) + " " + texts.spoken)

    def say(self, told, why):
        write(self.part("told"), told + (" " if told and why else ""))
        write(self.part("why"), why)

    def speak_later(self, text):
        """Not while it plays, and of many quick steps only the last."""
        self.spoken += 1
        number = self.spoken
        js.setTimeout(lambda: self.speak(number, text), SPOKEN_MS)

    def speak(self, number, text):
        if number == self.spoken and not self.state.playing:
            by_id("replay-status").textContent = text


class Proofs:
    """A part of the page: under a panel's checks, both sides of what it claims to be equal, computed when a fold is opened."""

    def __init__(self, page):
        self.page = page
        self.result = None
        by_id("panels").addEventListener("toggle", self.toggled, True)  # toggle does not bubble

    def shown(self, result):
        """What was computed belongs to the result before."""
        changed = not self.result or self.result["key"] != result.get("key")
        self.result = {"key": result["key"], "constants": result["constants"]} if result.get("key") else None
        if changed:
            for fold in every("details.proof"):
                fold.open = False
                fold.querySelector(".proof-body").innerHTML = ""

    def cleared(self):
        self.result = None

    def toggled(self, event):
        self.opened(event.target)

    def opened(self, fold):
        if not fold.classList.contains("proof") or not fold.open or not self.result:
            return
        body = fold.querySelector(".proof-body")
        if body.firstElementChild:
            return
        body.textContent = words.PROVING
        asked = {"key": self.result["key"], "constants": self.result["constants"], "id": fold.dataset.proof}
        number = int(fold.closest(".panel").id[6:])
        self.page.ask("proof", asked, lambda answer: self.came(fold, number, answer))

    def came(self, fold, number, answer):
        body = fold.querySelector(".proof-body")
        if answer is None:
            fold.open = False
            body.innerHTML = ""
        elif "error" in answer:
            body.innerHTML = render.to_html(el("p", {}, answer["error"]["message"]))
        elif self.result and answer["ok"]["key"] == self.result["key"]:
            body.innerHTML = render.to_html(*proofs.both_sides(answer["ok"], number))


def start(page):
    """Both parts, told of the result that is shown and of the panels that are filled."""
    replays, both = Replay(), Proofs(page)
    page.parts += [replays, both]
    for part in (replays, both):
        part.shown(page.result)
    for fold in every("details.proof[open]"):  # before this lived
        both.opened(fold)
