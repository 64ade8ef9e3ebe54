"""The diagram in the page: what is pressed, pointed at and dragged becomes a State of `diagram`, and that is shown.

In: events of the document. Out: changes of the drawing, the note of a cell and the dialog with its text.
Like `dom` it touches the page; what to show is decided in `diagram`. Cells are links, so that without this module
they still lead to their panel or text.
"""

import json

import js

import diagram
import trees
import words
from dom import by_id, document, every, go_to, root, write

SHOW_MS, HIDE_MS = 90, 280   # of a note; from one note to the next also HIDE_MS, since the pointer crosses cells on its way
SMALL_PX = 300               # a drawing less wide than this is the strip
DRAG_PX = 5                  # less is a press
MARGIN_PX = 8                # between the dialog and the edge of a frame
TRADE = "trade"              # the element that tells of the other topology
KEYS = ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End")
NEAREST = js.JSON.parse('{"block": "nearest", "inline": "nearest"}')
PANS = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}


def cell_of(node):
    return node.closest(".cell") if hasattr(node, "closest") else None


def cell(id):
    return document.querySelector('[data-cell="' + id + '"]')


class Drawing:
    def __init__(self):
        self.data = json.loads(by_id("diagram-data").textContent)
        self.picture = by_id("picture")
        self.frame = self.picture.parentElement
        self.pop = by_id("pop")
        self.dialog = by_id("about")
        self.cells = [(one.getAttribute("data-cell"), one) for one in every(".cell", self.picture)]
        self.arrows = [(one.getAttribute("data-from"), one.getAttribute("data-to"), one) for one in every(".arrows .arrow", self.picture)]
        self.resting = by_id("diagram-note").textContent
        self.open = ""         # the cell whose note is shown
        self.timer = None
        self.pointer = "mouse"
        self.pointers = {}     # of pressed pointers: id -> (x, y)
        self.dragged = False
        self.window = js.window.innerWidth
        self.state = diagram.start(self.data)
        self.listen()
        self.change(
            topology=document.querySelector('[name="topology"]:checked').value,
            overlay=by_id("overlay").checked,
        )
        self.picture.setAttribute("data-alive", "true")
        self.topology_asked_for()

    # What is shown

    def change(self, **changes):
        before, self.state = self.state, diagram.but(self.state, **changes)
        if self.state.group != before.group or self.state.topology != before.topology:
            self.show_group()
        if self.state.here != before.here:
            cell(before.here).setAttribute("tabindex", "-1")
            cell(self.state.here).setAttribute("tabindex", "0")
        if self.state.view != before.view:
            self.show_view()
        if not self.state.overlay:
            self.hide()

    def show_group(self):
        lit = diagram.lit(self.state, self.data)
        for button in every("[data-focus]"):
            button.setAttribute("aria-pressed", "true" if button.dataset.focus == self.state.group else "false")
        self.picture.classList.toggle("has-focus", bool(lit))
        for id, one in self.cells:
            one.classList.toggle("is-lit", id in lit)
        for start, end, one in self.arrows:
            one.classList.toggle("is-lit", start in lit and end in lit)
        text = diagram.note(self.state, self.data, self.resting)
        if by_id("diagram-note").textContent != text:
            by_id("diagram-note").textContent = text

    def show_view(self):
        self.picture.setAttribute("viewBox", " ".join([str(round(part, 2)) for part in self.state.view]))
        self.picture.classList.toggle("is-near", not diagram.is_whole(self.state.view, self.data["size"]))
        self.hide()

    def touch_arrows(self, id):
        """The arrows of the cell that is pointed at stand out, with what they carry."""
        self.picture.classList.toggle("has-here", bool(id))
        for start, end, one in self.arrows:
            one.classList.toggle("is-here", bool(id) and id in (start, end))

    def fill_figures(self, figures):
        """Each panel's headline on its cell, [(cell, headline)]; "" clears one."""
        for id, text in figures:
            figure = cell(id).querySelector(".cell-figure")
            text = trees.bare(text)
            write(figure, text)
            figure.style.fontSize = str(diagram.fitting(text, float(figure.getAttribute("data-width")))) + "px"

    # The note of a cell

    def later(self, act, ms):
        if self.timer is not None:
            js.clearTimeout(self.timer)
        self.timer = js.setTimeout(act, ms) if act else None

    def show(self, id):
        self.later(None, 0)
        self.touch_arrows(id)
        if not self.state.overlay or (self.open == id and not self.pop.hidden):
            return
        self.open = id
        text = by_id("text-" + id)
        title = text.querySelector("h4").innerHTML
        link = cell(id).getAttribute("href")
        panel = text.querySelector(".about-panel a")
        about = "" if link.startswith("#text") else '<a href="#text-' + id + '">' + words.READ_ABOUT + "</a>"
        self.pop.innerHTML = (
            '<p class="pop-title"><a href="' + link + '">' + title + "</a>"
            + '<button type="button" class="pop-close" aria-label="' + words.CLOSE + '">×</button></p>'
            + self.figure_of(id)
            + text.querySelector(".facts").outerHTML
            + '<p class="pop-links">' + (panel.outerHTML if panel else '<a href="' + link + '">' + words.READ_ABOUT + "</a>") + about + "</p>"
        )
        self.pop.hidden = False
        self.describe(id, True)
        self.put()

    def figure_of(self, id):
        """The figure on the cell, where it has one, in a size that can always be read."""
        figure = cell(id).querySelector(".cell-figure")
        return '<p class="pop-figure">' + figure.innerHTML + "</p>" if figure and figure.textContent else ""

    def describe(self, id, on):
        if on:
            cell(id).setAttribute("aria-describedby", "pop")
        else:
            cell(id).removeAttribute("aria-describedby")

    def put(self):
        """Beside its cell; a sheet at the bottom on a narrow screen, where the page moves so that the cell is seen."""
        style = self.pop.style
        frame = cell(self.open).querySelector(".cell-frame").getBoundingClientRect()
        if narrow():
            style.left = style.top = style.maxHeight = ""
            self.reveal(self.open)
            under = frame.bottom + 12 - self.pop.getBoundingClientRect().top
            if under > 0:
                js.window.scrollBy(0, under)
            return
        style.maxHeight = ""
        size = self.pop.getBoundingClientRect()
        root = document.documentElement
        bar = document.querySelector(".bar").getBoundingClientRect().bottom
        window = (root.clientWidth, root.clientHeight - bar)
        drawing = self.picture.getBoundingClientRect()
        small = drawing.right if drawing.width < SMALL_PX else 0
        left, right = max(frame.left, drawing.left), min(frame.right, drawing.right)
        top, bottom = max(frame.top, drawing.top) - bar, min(frame.bottom, drawing.bottom) - bar
        left, top, height = diagram.place((left, top, right, bottom), (size.width, size.height), window, small)
        style.left = str(left) + "px"
        style.top = str(top + bar) + "px"
        style.maxHeight = str(height) + "px" if height < size.height else ""

    def hide(self):
        self.later(None, 0)
        if self.open:
            self.describe(self.open, False)
        self.open = ""
        self.pop.hidden = True
        self.touch_arrows("")

    # The text of a cell

    def read(self, id):
        self.hide()
        text = by_id("text-" + id)
        by_id("about-title").innerHTML = text.querySelector("h4").innerHTML
        body = by_id("about-body")
        body.innerHTML = text.innerHTML
        body.querySelector("h4").remove()
        if not self.dialog.open:
            self.dialog.showModal()
        body.scrollTop = 0

    # What happens

    def listen(self):
        picture, pop = self.picture, self.pop
        picture.addEventListener("pointerover", self.over)
        picture.addEventListener("pointerout", self.out)
        self.frame.addEventListener("focusin", self.focused)  # a drawing that listens for focus becomes a tab stop in Chromium
        self.frame.addEventListener("focusout", self.blurred)
        picture.addEventListener("keydown", self.key)
        picture.addEventListener("wheel", self.wheel)
        picture.addEventListener("pointerdown", self.down)
        picture.addEventListener("pointermove", self.move)
        picture.addEventListener("pointerup", self.up)
        picture.addEventListener("pointercancel", self.up)
        pop.addEventListener("pointerenter", lambda event: self.later(None, 0))
        pop.addEventListener("pointerleave", lambda event: event.pointerType == "mouse" and self.later(self.hide_unless_held, HIDE_MS))
        pop.addEventListener("focusout", self.blurred)
        document.addEventListener("click", self.clicked, True)
        document.addEventListener("change", self.changed)
        document.addEventListener("keydown", self.escape)
        js.window.addEventListener("scroll", self.scrolled, True)  # of the page, and of the column the drawing stands in
        js.window.addEventListener("resize", self.resized)
        js.window.addEventListener("hashchange", self.gone)
        js.window.addEventListener("beforeprint", lambda event: self.fit())

    def scrolled(self, event):
        if self.open and not narrow():
            self.put()

    def resized(self, event):
        """A phone's address bar changes the height alone, also when the page scrolls for a note: that closes none."""
        if js.window.innerWidth == self.window:
            if self.open:
                self.put()
            return
        self.window = js.window.innerWidth
        self.hide()
        self.picture.style.width = ""
        if narrow():
            self.change(view=diagram.whole(self.data["size"]))

    def topology_asked_for(self):
        """What the other topology buys and costs is seen only while that one is drawn."""
        if js.location.hash == "#" + TRADE:
            document.querySelector('[name="topology"][value="apart"]').checked = True
            self.change(topology="apart")
            go_to(TRADE)

    def gone(self, event):
        """To another place of the page: what lies above it closes."""
        self.hide()
        if self.dialog.open:
            self.dialog.close()
        self.topology_asked_for()

    def over(self, event):
        one = cell_of(event.target)
        if one and event.pointerType == "mouse" and not self.pointers:
            id = one.dataset.cell
            self.later(lambda: self.show(id), HIDE_MS if self.open else SHOW_MS)

    def out(self, event):
        if cell_of(event.target) and event.pointerType == "mouse":
            self.later(self.hide_unless_held, HIDE_MS)

    def hide_unless_held(self):
        """A note stays while the keyboard is on its cell or in it."""
        held = self.open and (cell(self.open).matches(":focus-visible") or self.pop.contains(document.activeElement))
        if not held:
            self.hide()

    def focused(self, event):
        one = cell_of(event.target)
        if not one:
            return
        id = one.dataset.cell
        self.change(here=id)
        if one.matches(":focus-visible"):
            self.reveal(id)
            self.show(id)

    def blurred(self, event):
        self.later(self.hide_unless_held, 0)

    def key(self, event):
        one = cell_of(event.target)
        if not one or event.ctrlKey or event.metaKey or event.altKey:
            return
        key, noted = event.key, self.open
        if event.shiftKey and key in PANS:
            self.pan(*PANS[key])
        elif key in KEYS:
            cell(diagram.after(self.state, key, self.data)).focus()
        elif key in ("+", "="):
            self.zoom(diagram.STEP, middle(one.querySelector(".cell-frame").getBoundingClientRect()))
        elif key in ("-", "−"):
            self.zoom(1 / diagram.STEP, middle(one.querySelector(".cell-frame").getBoundingClientRect()))
        elif key == "0":
            self.fit()
        else:
            return
        event.preventDefault()
        if noted and not self.open:  # the drawing moved under it
            self.show(noted)

    # The frame: on a wide screen it shows a part of the drawing; on a narrow one the drawing is wider than its frame,
    # and the page scrolls, so that a finger on the drawing never keeps the page from moving

    def zoom(self, factor, at=None):
        """Nearer by a factor; the point `at` of the window stays where it is, by default the middle of what is seen."""
        if narrow():
            self.widen(factor, at or self.middle_seen())
        else:
            self.change(view=diagram.zoomed(self.state.view, self.data["size"], factor, self.units(*at) if at else None))

    def widen(self, factor, at):
        self.hide()
        old = self.picture.getBoundingClientRect()
        self.picture.style.width = str(diagram.widened(old.width, factor, self.frame.clientWidth)) + "px"
        new = self.picture.getBoundingClientRect()
        self.frame.scrollLeft += diagram.stay(at[0], (old.left, old.width), (new.left, new.width))
        js.window.scrollBy(0, diagram.stay(at[1], (old.top, old.height), (new.top, new.height)))

    def middle_seen(self):
        frame = self.frame.getBoundingClientRect()
        top, bottom = max(frame.top, 0), min(frame.bottom, js.window.innerHeight)
        return (frame.left + frame.width / 2, (top + bottom) / 2)

    def fit(self):
        if narrow():
            self.hide()
            self.picture.style.width = "100%"
        else:
            self.change(view=diagram.whole(self.data["size"]))

    def pan(self, dx, dy):
        """By a fifth of what is seen."""
        if narrow():
            self.frame.scrollLeft += dx * self.frame.clientWidth / 5
            js.window.scrollBy(0, dy * js.window.innerHeight / 5)
        else:
            view = self.state.view
            self.change(view=diagram.panned(view, self.data["size"], dx * view[2] / 5, dy * view[3] / 5))

    def reveal(self, id):
        """The least move of the drawing, its frame and the page that shows a cell whole."""
        if not narrow():
            self.change(view=diagram.revealing(self.state.view, self.data["size"], diagram.box(id, self.data)))
        cell(id).querySelector(".cell-ring").scrollIntoView(NEAREST)

    def escape(self, event):
        if event.key == "Escape" and self.open:
            inside = self.pop.contains(document.activeElement)
            id = self.open
            self.hide()
            if inside:
                cell(id).focus()
                self.hide()

    def wheel(self, event):
        """Only with Ctrl (a pinch on a touchpad counts as that): the wheel alone scrolls the page."""
        if not (event.ctrlKey or event.metaKey):
            return
        event.preventDefault()
        factor = 1 / diagram.STEP if event.deltaY > 0 else diagram.STEP
        if abs(event.deltaY) < 50:  # a touchpad, in many small steps
            factor = 1 - event.deltaY / 100
        self.zoom(factor, (event.clientX, event.clientY))

    def units(self, x, y):
        """A point of the window in the drawing's units."""
        point = js.DOMPoint.new(x, y).matrixTransform(self.picture.getScreenCTM().inverse())
        return (point.x, point.y)

    def down(self, event):
        self.pointer = event.pointerType
        self.pointers[event.pointerId] = (event.clientX, event.clientY)
        self.dragged = False
        self.from_here = (event.clientX, event.clientY)

    def move(self, event):
        id = event.pointerId
        if id not in self.pointers:
            return
        old = self.pointers[id]
        new = (event.clientX, event.clientY)
        if len(self.pointers) == 2:
            self.pinch(id, old, new)
        elif diagram.is_whole(self.state.view, self.data["size"]):
            return
        elif self.dragged or apart(new, self.from_here) > DRAG_PX:
            if not self.dragged:
                self.picture.setPointerCapture(id)
            self.dragged = True
            a, b = self.units(*old), self.units(*new)
            self.change(view=diagram.panned(self.state.view, self.data["size"], a[0] - b[0], a[1] - b[1]))
        else:
            return
        self.pointers[id] = new

    def pinch(self, id, old, new):
        self.dragged = True
        other = [at for one, at in self.pointers.items() if one != id][0]
        factor = apart(new, other) / max(apart(old, other), 1)
        self.zoom(factor, ((new[0] + other[0]) / 2, (new[1] + other[1]) / 2))

    def up(self, event):
        self.pointers.pop(event.pointerId, None)

    def clicked(self, event):
        target = event.target
        if not hasattr(target, "closest"):
            return
        button = target.closest("button")
        if button:
            self.button(button)
            return
        if target == self.dialog:  # beside the text
            self.dialog.close()
            return
        link = target.closest('a[href^="#"]')
        one = cell_of(target)
        if one and self.dragged:
            self.dragged = False
            event.preventDefault()
        elif one and self.pointer != "mouse" and event.detail and self.state.overlay and self.open != one.dataset.cell:
            event.preventDefault()  # the first touch shows the note, the next one opens
            self.show(one.dataset.cell)
        elif link:
            self.follow(event, link.getAttribute("href"))
        elif self.open and not target.closest("#pop"):
            self.hide()

    def follow(self, event, href):
        if href.startswith("#text-"):
            event.preventDefault()
            at = event.target.getBoundingClientRect().top  # before its note goes
            self.read(href[6:])
            if root.hasAttribute("data-framed"):
                put_near(self.dialog, at)
        else:
            self.hide()
            if self.dialog.open:
                self.dialog.close()

    def button(self, button):
        if button.hasAttribute("data-focus"):
            self.change(group=diagram.pressed(self.state, button.dataset.focus).group)
        elif button.id == "fit":
            self.fit()
        elif button.id == "zoom-in":
            self.zoom(diagram.STEP)
        elif button.id == "zoom-out":
            self.zoom(1 / diagram.STEP)
        elif button.id == "about-close":
            self.dialog.close()
        elif button.classList.contains("pop-close"):
            self.hide()

    def changed(self, event):
        if event.target.name == "topology":
            self.change(topology=event.target.value)
        elif event.target.id == "overlay":
            self.change(overlay=event.target.checked)


def put_near(dialog, at):
    """A frame is as high as its content: its middle may be far from what the reader sees."""
    most = js.window.innerHeight - dialog.offsetHeight - MARGIN_PX
    dialog.style.marginTop = str(max(MARGIN_PX, min(at, most))) + "px"


def apart(a, b):
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def middle(box):
    return ((box.left + box.right) / 2, (box.top + box.bottom) / 2)


def narrow():
    return js.window.matchMedia("(max-width: 49.99rem)").matches
