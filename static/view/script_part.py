"""The script beside the controls: one editor, and what the script printed.

In: the page, its controls (`work`: what is set), results, what a script prints, and the learner's edits.
Out: an editor whose text says what the work says; edits go to the controls as `script_edited`, once the learner rests.
The editor's libraries are loaded when the fold is opened. Does not run anything.

Two views of one state: a change of the work rewrites what differs in the text; a change of the text is read, and becomes work.
"""

import json

import js

import dom
import words_script as words
import work as works
from work_events import step

engine = js.inferenceLab

LONGEST = 100_000  # characters that the view keeps up with; a script of a learner has a twentieth
ARRIVE_MS = 50  # until the page has gone to the fold


class ScriptPart:
    def __init__(self, page):
        self.page = page
        self.controls = page.controls
        self.tools = None      # the module that knows the default script, once it is there
        self.editor = None     # once it is there
        self.loading = False
        self.basis = None      # what the text was made of, to see whether the work has something new
        self.said = ""         # the text that the lab last took from the editor, or put there
        self.before = None     # the text that «Hoàn tác» brings back
        self.too_long = False  # the editor holds more than the lab takes
        self.waits = False     # the work's script is one that a link brought
        self.line = 0          # where to go as soon as the editor is there
        self.examples = []     # [{"title", "explanation"}]
        self.problem = None    # (line, message) of the last run, for an editor that is not there yet
        self.output = ("", words.BEFORE_RUN)  # what was printed, and what is to be said of it
        self.lines = 0         # that the script has printed so far, while it runs
        self.fold = dom.by_id("script")
        self.controls.watchers.append(self.work_changed)
        page.parts.append(self)
        self.fold.addEventListener("toggle", lambda event: self.toggled())
        dom.by_id("script-printed").addEventListener("toggle", lambda event: self.show_output())
        dom.document.addEventListener("click", self.line_asked, True)  # before the page follows the link, and takes the focus
        self.fold.addEventListener("click", self.clicked)
        self.fold.addEventListener("change", self.chosen)
        self.work_changed(self.controls.work)
        self.toggled()

    # The editor

    def toggled(self):
        if self.fold.open and not self.editor and not self.loading:
            self.loading = True
            self.note(words.LOADING)
            modules = js.Promise.all(js.Array.of(engine.load("default-script"), engine.load("editor"), engine.load("script")))
            modules.then(self.loaded, self.not_loaded)

    def not_loaded(self, error):
        self.loading = False
        self.note(words.NOT_LOADED)

    def loaded(self, modules):
        self.tools = modules[0]
        self.note("")
        self.said = self.wanted()
        self.basis = works.basis(self.controls.work)
        options = js.Object.new()
        options.label = words.LABEL
        options.describedBy = "script-keys"
        options.longest = LONGEST
        options.onChange = self.edited
        options.onRun = lambda: self.page.dispatch("press_run")
        self.editor = modules[1].createEditor("script-editor", self.said, options)
        self.controls.script = modules[2]
        self.fill_examples()
        if self.problem:
            self.editor.mark(*self.problem)
        self.arrive()

    def wanted(self):
        """The text that says what the work says."""
        work = self.controls.work
        return work.script if work.script is not None else self.default_with(work)

    def default_with(self, work):
        return self.tools.scriptWith(works.values_text(work, self.controls.table))

    def work_changed(self, work):
        """The controls, a link or «Về mặc định» changed something: the text follows, and can be taken back in the editor."""
        if work.waits and not self.waits:
            self.fold.open = True  # a link brought a script: it is there to be read
        self.waits = work.waits
        if not self.editor or self.too_long or works.basis(work) == self.basis:
            return
        self.basis = works.basis(work)
        wanted = self.wanted()
        if wanted != self.said:
            self.said = wanted
            self.editor.setText(wanted)

    def edited(self, text):
        """What the learner wrote; None: more than the lab takes. Until it is shorter nothing else is put in its place, and the browser asks
        before it goes with the page."""
        self.too_long = text is None
        js.window.onbeforeunload = hold if self.too_long else None
        if self.too_long:
            self.note(words.TOO_LONG)
            return
        self.note("")  # with it goes the offer to bring back an older text: what has been written since would be lost
        if text == self.said:
            self.work_changed(self.controls.work)  # what the controls did meanwhile
            return
        self.said = text
        self.take(text)

    def take(self, text):
        """A text of the learner's becomes work. It is the default script with other values, or a program of its own."""
        read = self.controls.read_script(text)
        plain = step(self.controls.work, ("script_edited", text, read, False), self.controls.table)
        custom = self.default_with(plain) != text
        self.basis = works.basis(step(self.controls.work, ("script_edited", text, read, custom), self.controls.table))
        self.controls.hear("script_edited", text, read, custom)

    # Buttons

    def clicked(self, event):
        target = event.target.closest("button, a")
        if target and target.id in BUTTONS and self.editor:
            BUTTONS[target.id](self)

    def line_asked(self, event):
        """From the alert to the place; the editor may have to be loaded first."""
        link = event.target.closest("[data-script-line]")
        if link:
            event.preventDefault()
            self.line = int(link.dataset.scriptLine)
            dom.go_to("script")
            js.setTimeout(self.arrive, ARRIVE_MS)

    def arrive(self):
        if self.editor and self.line:
            self.editor.goToLine(self.line)
            self.line = 0

    def to_default(self):
        text = self.default_with(self.controls.work)
        if self.editor.text() == text:
            self.note(words.IS_DEFAULT)
        else:
            self.put(text, words.TO_DEFAULT)

    def chosen(self, event):
        if event.target.id != "script-example" or not event.target.value or not self.editor:
            return
        place = int(event.target.value)
        event.target.value = ""
        example = self.examples[place]
        text = self.tools.exampleWith(place, works.values_text(self.controls.work, self.controls.table))
        self.put(text, words.opened_example(example["title"], example["explanation"]))

    def put(self, text, sentence):
        """Another text in the place of the learner's, who can have the old one back."""
        self.editor.flush()
        self.before = self.editor.text()
        self.replace(text)
        self.note(sentence, True)

    def undo(self):
        if self.before is not None:
            self.replace(self.before)
            self.before = None
            if not self.too_long:
                self.note(words.UNDONE)
            dom.by_id("script-default").focus()

    def replace(self, text):
        self.editor.setText(text)
        self.editor.clearMarks()
        self.edited(text if len(text) <= LONGEST else None)

    def copy(self):
        dom.copy(self.editor.text(), dom.by_id("script-copy"))

    def offer(self):
        """The text as a file, made as it is pressed."""
        dom.by_id("script-download").href = "data:text/x-python;charset=utf-8," + js.encodeURIComponent(self.editor.text())

    def note(self, sentence, can_undo=False):
        dom.by_id("script-note-text").textContent = sentence
        dom.by_id("script-undo").hidden = not can_undo

    def note_of_run(self, sentence):
        """In place of what was said of another text or run; what can be taken back stays on offer, and what is too long stays so."""
        if not self.too_long and dom.by_id("script-undo").hidden:
            self.note(sentence)

    def fill_examples(self):
        self.examples = json.loads(self.tools.exampleTitles())
        chooser = dom.by_id("script-example")
        chooser.hidden = not self.examples
        for i, example in enumerate(self.examples):
            option = dom.document.createElement("option")
            option.value = str(i)
            option.textContent = example["title"]
            chooser.append(option)

    # The run

    def shown(self, result):
        self.mark(None)
        self.note_of_run(result.get("note") or "")

    def ran_without(self, note):
        """The script ran to its end and left nothing that the panels could show."""
        self.mark(None)
        self.note_of_run(note)

    def cleared(self):
        self.mark(None)
        self.show("", words.BEFORE_RUN)

    def script_failed(self, line, message):
        """It stopped at this line, or nowhere in particular; a text that was edited meanwhile has other lines."""
        self.mark((line, message) if line and self.controls.text == self.page.state.asked else None)

    def mark(self, problem):
        self.problem = problem
        if self.editor:
            if problem:
                self.editor.mark(*problem)
            else:
                self.editor.clearMarks()

    def printing(self, text, lines):
        """While it runs: its last lines, and how many there were."""
        self.lines = lines
        self.show(text, words.printing(str(lines)))

    def printed(self, text):
        """All that it printed, capped by the engine; None when no script ran."""
        self.lines = 0
        if text is None:
            self.show("", words.DEFAULT_PRINTS)
        else:
            self.show(text, "" if text else words.NOTHING_PRINTED)

    def stopped(self):
        """Dừng, or an interpreter that died: what had come stays."""
        if self.lines:
            self.show(self.output[0], words.stopped(str(self.lines)))
            self.lines = 0

    def show(self, text, sentence):
        self.output = (text, sentence)
        self.show_output()

    def show_output(self):
        """What was printed goes into the page only where it can be seen."""
        if dom.by_id("script-printed").open:
            text, sentence = self.output
            dom.by_id("printed").textContent = text
            dom.by_id("printed").hidden = not text
            dom.by_id("printed-note").textContent = sentence


def hold(event):
    event.preventDefault()


BUTTONS = {
    "script-default": ScriptPart.to_default,
    "script-undo": ScriptPart.undo,
    "script-copy": ScriptPart.copy,
    "script-download": ScriptPart.offer,
}
