"""The page around the diagram, touched here and nowhere else: elements in, elements out, and the presses that come from them.

In: HTML of trees, plain values. Out: changes of the document, and calls of the `press` function it was given.
Decides nothing: what a press means is decided in state, what is said in words.
"""

import json

import js

import words

document = js.document
root = document.documentElement
TEXT_NODE = 3


def by_id(id):
    return document.getElementById(id)


def every(selector, within=document):
    found = within.querySelectorAll(selector)
    return [found[i] for i in range(found.length)]


def write(element, text):
    """The element's one text. Where it has one already, only that changes: when a child comes or goes, all styles that ask for `:empty` or
    `:has` around it are worked out anew."""
    node = element.firstChild
    if node and text and node.nodeType == TEXT_NODE and not node.nextSibling:
        if node.data != text:
            node.data = text
    elif element.textContent != text:
        element.textContent = text


def fill(element, trees):
    """What the element holds from now on: of what it was filled with before, that stays which is the same."""
    js.inferenceLab.fill(element, json.dumps(trees))


def mark_page(name, value):
    """An attribute data-… of the page, if it is another than before."""
    if root.getAttribute("data-" + name) != value:
        root.setAttribute("data-" + name, value)


# What surrounds the panels


def paint(shown, wanted):
    """Bring the page from what it shows to what it should; only what differs is touched."""
    for name, value in wanted.items():
        if shown.get(name) != value:
            PAINT[name](value)
    return wanted


def paint_lab(value):
    root.dataset.lab = value


def paint_engine(value):
    root.dataset.engine = value


def paint_result(value):
    root.dataset.result = value


def paint_prepared(value):
    root.dataset.prepared = value


def paint_status(text):
    by_id("status").textContent = text


def paint_progress(value):
    by_id("progress").value = value


def paint_progress_text(text):
    by_id("progress-text").textContent = text


def paint_alert(html):
    by_id("alert").innerHTML = html


def paint_retry(visible):
    """A button that goes leaves the focus to Chạy, which does what it did."""
    retry = by_id("retry")
    if not visible and retry.isSameNode(document.activeElement):
        by_id("run").focus()
    retry.hidden = not visible


def paint_can_stop(value):
    allow("stop", value)


def paint_can_reset(value):
    allow("reset", value)


def allow(id, value):
    """A button that has nothing to do keeps its place in the tab order, and says that it does nothing."""
    by_id(id).setAttribute("aria-disabled", "false" if value else "true")


PAINT = {
    "lab": paint_lab,
    "engine": paint_engine,
    "result": paint_result,
    "prepared": paint_prepared,
    "status": paint_status,
    "progress": paint_progress,
    "progress_text": paint_progress_text,
    "alert": paint_alert,
    "retry": paint_retry,
    "can_stop": paint_can_stop,
    "can_reset": paint_can_reset,
}


# Printout, sources


def panel_part(block, selector):
    return by_id("block-" + str(block)).querySelector(selector)


def fill_verdict(text, passed):
    verdict = by_id("verdict")
    write(verdict, text)
    verdict.className = "" if passed else "is-fail"


def offer_transcript(printed):
    """The printout and its tools, or neither."""
    by_id("transcript").hidden = not printed
    document.querySelector(".printout-tools").hidden = not printed
    write(by_id("transcript-note"), words.TRANSCRIPT_AFTER if printed else words.TRANSCRIPT_BEFORE)
    write(by_id("copy-note"), "")


def offer_printout():
    """The printout as a file; made when somebody looks for it, since a live run has many."""
    by_id("download").href = "data:text/plain;charset=utf-8," + js.encodeURIComponent(by_id("transcript").textContent)


def fill_source(block, html):
    panel_part(block, ".source-body").innerHTML = html


def source_is_empty(block):
    return not panel_part(block, ".source-body").firstElementChild


# Presses


BUTTONS = {"run": "press_run", "stop": "press_stop", "reset": "press_reset", "retry": "press_retry"}


def listen(press, source_opened, panel_opened):
    """press(name): a button that the state knows; source_opened(block), panel_opened(block): a fold of code, a panel was opened."""

    def clicked(event):
        target = event.target.closest("button, a")
        if not target or event.defaultPrevented:  # the diagram's own
            return
        if target.id in BUTTONS:
            press(BUTTONS[target.id])
        elif target.id == "download":
            offer_printout()  # before the browser follows the link
        elif target.id in LOCAL:
            LOCAL[target.id]()
        elif target.hasAttribute("data-copy"):
            copy(target.closest(".source-part").querySelector("pre").textContent, target)
        elif (target.getAttribute("href") or "").startswith("#"):
            if root.hasAttribute("data-framed"):
                event.preventDefault()  # it would be a step in the history of the page around the frame
            go_to(target.getAttribute("href")[1:])

    def toggled(event):
        fold = event.target
        if fold.classList.contains("panel"):
            light(fold)
            if fold.open:
                panel_opened(int(fold.id[6:]))
        elif fold.id == "printout" and fold.open:
            offer_printout()
        elif fold.classList.contains("source") and fold.open:
            source_opened(int(fold.dataset.source))

    document.addEventListener("click", clicked)
    document.addEventListener("toggle", toggled, True)  # toggle does not bubble
    if by_id("run").hasAttribute("data-pressed"):  # before this view lived
        press("press_run")
    js.window.addEventListener("hashchange", lambda event: go_to(js.location.hash[1:]))  # back, forward, another address
    if js.location.hash:
        go_to(js.location.hash[1:])


def light(panel):
    """The cell of an open panel is lit."""
    cell = document.querySelector('[data-cell="' + panel.dataset.ofCell + '"]')
    if panel.open:
        cell.setAttribute("aria-current", "true")
    else:
        cell.removeAttribute("aria-current")


def go_to(id):
    """Show the place that holds this element, open its folds, bring it into view and give it the focus."""
    target = by_id(id)
    if not target:
        return
    place = target.closest(".place")
    if place or not target.offsetParent:  # what changed stands in two places, and is no part of the third
        document.querySelector('.places [value="' + (place.dataset.ofPlace if place else "lab") + '"]').checked = True
    fold = target.closest("details")
    while fold:
        fold.open = True
        fold = fold.parentElement.closest("details")

    def arrive():
        focused = target.querySelector("summary") if target.tagName == "DETAILS" else target
        focused.focus()
        target.scrollIntoView()

    js.setTimeout(arrive, 0)  # after the browser's own jump, which takes the focus away


def open_all():
    for panel in every(".panel"):
        panel.open = True


def close_all():
    for panel in every(".panel"):
        panel.open = False


def copy_transcript():
    copy(by_id("transcript").textContent, by_id("copy"))


def copy(text, button):
    """Put a text on the clipboard and say so: beside the printout's button, or on the button itself."""

    def say(sentence):
        note = by_id("copy-note") if button.id == "copy" else button
        note.textContent = sentence
        js.setTimeout(lambda: restore(note), 4000)

    def restore(note):
        note.textContent = words.COPY if note.tagName == "BUTTON" else ""

    def copied(_=None):  # a promise of nothing calls with nothing
        say(words.COPIED)

    def refused(_=None):
        say(words.NOT_COPIED)

    if hasattr(js.navigator, "clipboard") and js.navigator.clipboard:
        js.navigator.clipboard.writeText(text).then(copied, refused)
    else:
        refused(None)


LOCAL = {"open-all": open_all, "close-all": close_all, "copy": copy_transcript}
