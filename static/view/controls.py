"""The learner's settings on the page: events of the fields go into the Work; runs, the address and the storage follow from it.

In: the page (its state and what it can be asked for) and globalThis.inferenceLab (storage, modules of JavaScript).
Out: a section that answers, an address that says what is set, storage that survives a reload.

For other parts of the page: `work`, `table`, `hear(kind, …)` (see `work_events`), `watchers` (called with the work after each change),
`keep(name, data)` and `kept(name)` for a dict of plain data that is to survive a reload, and `values()`.
"""

import json

import js

import dom
import dom_controls
import state as states
import words_controls as words
import work as works
from work_events import step

engine = js.inferenceLab

STORE = "inference-lab/1" + engine.own  # a view in a lesson keeps its own work
REST_MS = 400       # without a change, before the address and the storage are written: browsers refuse a flood

# What makes the lab run again at once, when the learner wants that. Keys in a field do not, leaving it does.
RUNS = ("slid", "left", "reset_one", "followed", "request_removed", "request_added", "preset", "reset_all", "undo", "keep_mine", "take_new", "stepped")
ANSWERS = ("accepted", "refused")
REWRITES = ("typed", "slid", "stepped", "reset_one", "corpus_typed", "cell_typed", "request_added", "request_removed", "followed")


class Controls:
    def __init__(self, page):
        self.page = page
        self.table = dom_controls.read_table()
        self.work = works.START
        self.own = []         # what can be seen to be wrong: [(place, sentence)]
        self.text = ""        # what identifies a run of this work, "" while something is wrong
        self.troubles = {}    # shown: place -> sentence
        self.gesture = 0      # number of the movement under way; letting go begins another
        self.address = None   # the module that reads and writes the address, once it is there
        self.script = None    # the module that reads and rewrites a program, once it is there
        self.written = 0      # number of the latest change that is to be stored
        self.stored_at = 0    # number of the latest change that is stored
        self.pushed = 0       # gesture that has an entry in the history; the first one is the page as it was opened
        self.query = ""       # what the address says of the work
        self.watchers = []

    # Opening

    def open(self):
        """What was stored, then what the link brings, then what was typed while the view was on its way; then the page may run."""
        typed = dom_controls.typed_already(self.table)
        found = self.stored()
        self.work = step(works.START, ("stored", found), self.table) if found else works.START
        self.query = found.get("query", "") if found else ""
        self.judge()
        dom_controls.paint(self.work, self.table, self.text, None, self.troubles, {})
        self.hear_moves = dom_controls.listen(self.hear)
        engine.storage.listen(STORE, self.elsewhere)
        js.window.addEventListener("pagehide", self.store_rest)
        js.window.addEventListener("popstate", self.first_step)
        if engine.linked():
            self.with_address(lambda: self.open_link(typed))
        else:
            self.begin(typed)

    def stored(self):
        """What this tab stored before a reload, else what the last visit left, or None. What other parts keep is the same for all tabs."""
        own, shared = engine.storage.own(STORE), engine.storage.read(STORE)
        found = parsed(own)
        if found and own != shared:
            found["kept"] = (parsed(shared) or found).get("kept")
        return found or parsed(shared)

    def elsewhere(self, text):
        """Another tab has stored its work: what other parts keep is for all tabs; the rest is that tab's own."""
        found = parsed(text)
        before = self.work
        self.take(("kept_elsewhere", found.get("kept") if found else None))
        if self.work is not before:
            self.page.tell("kept_elsewhere")

    def open_link(self, typed):
        found = json.loads(self.address.read())
        if found["query"] == self.query and self.query:  # a reload: the storage knows more
            self.begin(typed)
            return
        old = self.work
        self.take(("linked", found), ("replaced", old))
        text = found["state"].get("script")
        if text:
            self.with_script(lambda: self.begin_with_script(text, typed))
        else:
            self.begin(typed)

    def begin_with_script(self, text, typed):
        self.bring_script(text)
        self.begin(typed)

    def begin(self, typed):
        if typed:
            self.take(*typed)
            self.changed()
        if self.work.script is not None and self.script is None:
            self.with_script(self.opened)
        else:
            self.opened()

    def opened(self):
        if self.work.script is not None:
            self.take(("script_read", self.read_script(self.work.script)))
        if works.is_set(self.work) and not engine.linked():
            self.changed()  # the address is brought up to date; what a link brought is not stored before something is set here
        self.gesture += 1
        self.page.dispatch("opened")

    def with_address(self, then):
        if self.address:
            then()
            return

        def loaded(module):
            self.address = module
            module.onBack(self.back)
            then()

        engine.load("address").then(loaded, lambda error: then())

    def first_step(self, _):
        """Back or forward on a page that has not needed its address yet; after that the module hears of it."""
        if not self.address:
            self.with_address(lambda: self.back() if self.address and self.stored_at == self.written else None)  # else the address does not say yet what is set

    def with_script(self, then):
        if self.script:
            then()
            return

        def loaded(module):
            self.script = module
            then()

        engine.load("script").then(loaded, lambda error: then())

    # Events

    def hear(self, kind, *what):
        if kind == "let_go":
            self.gesture += 1
            return
        if kind == "copy_link":
            self.copy_link()
            return
        before, troubles = self.work, self.troubles
        if kind == "stepped":
            self.become(*self.stepped(*what))
        elif kind == "slid":
            self.become(("typed",) + what, ("left", what[0]))
        else:
            self.become((kind,) + what)
        if kind in REWRITES and self.work.script is not None:
            self.rewrite(before)
        if kind != "slid" and kind != "typed":
            self.gesture += 1
        runs = kind in RUNS and self.run_live(what[0] if kind == "slid" else "")  # before the fields are painted: the engine works meanwhile
        self.paint(before, troubles)
        if not runs:
            self.follow()
        self.after(kind, what, before)

    def set(self, events):
        """Several changes as one, from outside the fields."""
        before, troubles = self.work, self.troubles
        self.become(*events)
        if self.work.script is not None:
            self.rewrite(before)
        self.paint(before, troubles)
        self.gesture += 1
        if self.work is not before:
            if not self.run_live(""):
                self.follow()
            self.changed()

    def after(self, kind, what, before):
        """Focus and the address, as they follow from a change."""
        if kind == "left":
            dom_controls.write_place(self.work, self.table, what[0])
        elif kind == "request_added":
            dom_controls.focus_request(len(works.requests_of(self.work, self.table)) - 1)
        elif kind == "request_removed":
            dom_controls.focus_request(what[0])
        elif kind == "reset_one":
            dom_controls.focus_field(what[0])
        elif kind in ("undo", "dismissed", "keep_mine", "take_new"):
            dom.by_id("run").focus()
        if self.work is not before:
            self.changed()

    def take(self, *events):
        """The work after these events, painted."""
        if any(event[0] in ANSWERS for event in events) and self.text != self.page.state.asked:  # it is about values that do not stand here any more
            self.follow()
            return
        before, troubles = self.work, self.troubles
        self.become(*events)
        self.paint(before, troubles)

    def become(self, *events):
        """The work after these events, judged."""
        before = self.work
        for event in events:
            self.work = step(self.work, event, self.table)
        if self.work is not before:
            self.judge()

    def paint(self, before, troubles):
        """Bring the fields from what they showed to the work, and tell whoever watches it."""
        if self.work is before:
            return
        dom_controls.paint(self.work, self.table, self.text, before, self.troubles, troubles)
        for watcher in self.watchers:
            watcher(self.work)

    def judge(self):
        self.own = works.own_troubles(self.work, self.table)
        self.text = "" if self.own else works.run_text(self.work, self.table)
        self.troubles = works.shown_troubles(self.work, self.own)

    def stepped(self, name, direction):
        """An arrow key in a number's field: one step from the value that stands there, within the range. -> events"""
        value = works.value_of(self.work, self.table, name)[0]
        text = value if value is None else works.stepped(value, self.table.by_name[name], direction)
        return () if text == value else (("typed", name, text), ("left", name))

    # Runs

    def run_live(self, name):
        """Run at once, if the learner wants that, something has changed, and there is nothing wrong with it. -> whether it runs"""
        work = self.work
        if not work.live or work.waits or self.own:
            return False
        state = self.page.state
        if self.text == (state.asked if state.run else state.shown if state.result == "fresh" else None):
            return False
        self.page.dispatch("press_live", name + "#" + str(self.gesture) if name else "")
        return True

    def follow(self):
        """The page around the fields is as they are: marked when its result is not theirs, without an alert when all is mended."""
        if self.own or self.work.blamed:
            self.page.paint()
        else:
            self.page.dispatch("settle")

    def body(self, quiet):
        """The text of a run, or None when a field holds no value: then the sentences are in `refusal`."""
        if not quiet:
            before = self.work
            self.take(("run_asked",))
            if self.work is not before:
                self.changed()
        if self.own:
            return None
        against = self.work.pinned or states.baseline(self.page.state, self.text)
        return self.text + ', "against": ' + json.dumps(against) + ', "panels": ' + engine.panels.open() + "}"

    def defaults_text(self):
        """What identifies a run of the defaults."""
        return works.run_text(works.START, self.table)

    def refusal(self):
        return tuple([sentence for _, sentence in self.own])

    def is_stale(self):
        """"old" when a field is known to be wrong, "stale" when the shown result is of other values, else ""."""
        shown = self.page.state.shown
        if self.troubles:
            return "old"
        return "stale" if shown and self.text != shown else ""

    # The script

    def bring_script(self, text):
        self.take(("script_brought", text, self.read_script(text)))

    def read_script(self, text):
        """What the program says of the constants; without the module that reads it, all of them are the program's own affair."""
        if not self.script:
            return {"values": {}, "computed": self.table.names, "missing": [], "errors": []}
        return json.loads(js.JSON.stringify(self.script.readConstants(text, js.JSON.parse(json.dumps(self.table.names)))))

    def rewrite(self, before):
        """Each constant that a control changed, put into its line of the learner's program; nothing else in it moves."""
        text = self.work.script
        changed = [name for name in self.table.names if self.text_for(name, self.work) != self.text_for(name, before)]
        bad = self.without_value()
        for name in changed:
            if name not in bad:
                value = js.JSON.parse(works.value_text(self.work, self.table, name))
                text = self.script.applyChanges(text, self.script.writeConstant(text, name, value))
        if text != self.work.script:
            self.become(("script_rewritten", text))

    def text_for(self, name, work):
        others = {"CORPUS": works.corpus_of, "REQUESTS": works.requests_of, "FOLLOW": works.follow_of}
        return others[name](work, self.table) if name in others else works.text_of(work, self.table, name)

    # Address and storage

    def changed(self):
        """Write down what is set, once the learner rests."""
        self.written += 1
        number = self.written
        gesture = self.gesture
        js.setTimeout(lambda: self.write_down(number, gesture), REST_MS)

    def write_down(self, number, gesture):
        if number == self.written:
            self.with_address(lambda: self.write_both(gesture))

    def write_both(self, gesture):
        if self.address and not self.own:
            query = self.address.show(as_json(works.link(self.work, self.table)), gesture != self.pushed)
            if query != self.query:
                self.pushed = gesture
                self.query = query
        self.store()

    def store_rest(self, _):
        """The page goes: a change that still waits is stored. Nothing else is: another tab may have stored its own since, and a look at a link costs nobody their work."""
        if self.stored_at != self.written:
            self.store()

    def store(self):
        """What is set, as a text."""
        self.stored_at = self.written
        found = works.plain(self.work, self.table)
        found["query"] = self.query
        engine.storage.write(STORE, as_json(found))

    def back(self):
        """Back or forward: the page is as the address says. A script is shown, and waits."""
        found = json.loads(self.address.read())
        if found["query"] == self.query:
            return
        self.query = found["query"]
        self.gesture += 1
        self.pushed = self.gesture
        text = found["state"].get("script")
        self.take(("linked", found))
        if text:
            self.with_script(lambda: self.came_back(text))
        else:
            self.came_back("")

    def came_back(self, text):
        if text:
            self.bring_script(text)
        at_rest = self.page.state.result == "none" and not self.page.state.run  # nothing has been run yet: Chạy is the learner's
        if text or at_rest or not self.run_live(""):
            self.follow()
        self.changed()
        self.gesture += 1  # what is set from here on is a step of its own

    def copy_link(self):
        def copied(_=None):  # a promise of nothing calls with nothing
            self.take(("press_answered", words.LINK_COPIED))

        def refused(_=None):
            elsewhere = "" if dom.by_id("whole").hidden else words.COPY_IN_WHOLE_LAB
            framed = dom.root.hasAttribute("data-framed")  # where there is no address bar
            self.take(("press_answered", words.LINK_NOT_COPIED_HERE + elsewhere if framed else words.LINK_NOT_COPIED))

        def copy():
            if self.address:
                self.address.copy(as_json(works.link(self.work, self.table))).then(copied, refused)
            else:
                refused(None)

        self.with_address(copy)

    # For other parts of the page

    def values(self):
        """The constants that differ from the default and hold a value: [(name, JSON text)], in the table's order."""
        bad = self.without_value()
        return [(name, works.value_text(self.work, self.table, name)) for name in works.changed_names(self.work, self.table) if name not in bad]

    def without_value(self):
        """The constants whose field says nothing that could be run."""
        return works.without_value(self.own, self.table)

    def keep(self, name, data):
        self.take(("keep", name, data))
        self.changed()

    def kept(self, name):
        return self.work.kept.get(name)


def parsed(text):
    """What `store` wrote, or None: a text that nobody of ours wrote is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.get("v") == 1 else None


def as_json(found):
    """Plain data with a program in it, which may be long."""
    script = found.get("script")
    if script is None:
        return json.dumps(found)
    rest = {name: found[name] for name in found if name != "script"}
    return '{"script": ' + works.quoted(script) + (", " if rest else "") + json.dumps(rest)[1:]
