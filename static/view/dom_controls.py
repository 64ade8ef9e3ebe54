"""The section of the constants, touched here and nowhere else: fields and sliders in, values and sentences out.

In: a Work, its Table, and what was painted last. Out: changes of the document, and calls of the `hear` function it was given.
Decides nothing: what an input means is decided in work and controls.

A slider's moves are gathered until the next frame, so that a fast hand asks for one change a frame.
"""

import json

import js

import dom
import reading
import words_controls as words
import work as works
from dom import by_id, document, every

SHOWN = works.ROWS_SHOWN


def read_table():
    return works.Table(json.loads(by_id("controls-data").textContent))


def fields_of(name):
    """(slider or None, field) of a constant."""
    return document.querySelector('[data-slider="' + name + '"]'), by_id("number-" + name)


# What a field holds before the view lives


def typed_already(table):
    """What was moved or typed while the view was on its way: [event], as the work takes them."""
    events = []
    for row in table.numbers:
        name = row["name"]
        slider, field = fields_of(name)
        if field.value != table.defaults[name]:
            events.append(("typed", name, field.value))
        elif slider.value != slider.defaultValue:
            events.append(("typed", name, slider.value))
    corpus = by_id("number-CORPUS").value
    if corpus != table.corpus:
        events.append(("corpus_typed", corpus))
    for field in every("[data-cell-of]", by_id("requests")):
        if field.value != field.defaultValue:
            events.append(("cell_typed", int(field.dataset.cellOf), field.dataset.cellName, field.value))
    if not by_id("live").checked:
        events.append(("live", False))
    return events


# Painting


def paint(work, table, text, before, troubles, troubles_before):
    """Bring the section from one work to the next; `before` is None the first time, and then everything is painted.
    `text` identifies a run of this work, "" when something is wrong."""
    for row in table.numbers:
        name = row["name"]
        typed = works.text_of(work, table, name)
        computed = name in work.computed
        if before is None or typed != works.text_of(before, table, name) or computed != (name in before.computed):
            paint_number(work, table, row, typed, computed)
    if before is not None and work.computed != before.computed:
        paint_computed(work.computed)
    if before is None or works.corpus_of(work, table) != works.corpus_of(before, table):
        write(by_id("number-CORPUS"), works.corpus_of(work, table))
        mark_changed("CORPUS", work.corpus is not None)
    if before is None or works.requests_of(work, table) != works.requests_of(before, table) or works.follow_of(work, table) != works.follow_of(before, table):
        paint_requests(works.requests_of(work, table), works.follow_of(work, table), work.requests is not None or work.follow is not None, table)
    if before is None or work.live != before.live:
        by_id("live").checked = work.live
    names = works.changed_names(work, table)
    if before is None or names != works.changed_names(before, table):
        paint_groups(names)
    paint_presets(text, table)
    if before is None or work.notice != before.notice or (work.before is None) != (before.before is None):
        paint_notice(work)
    for place in troubles_before:
        if place not in troubles:
            paint_trouble(place, "")
    for place in troubles:
        if troubles_before.get(place) != troubles[place]:
            paint_trouble(place, troubles[place])
    paint_request_troubles(troubles)


def write(field, text):
    """A field that says it already keeps its caret."""
    if field.value != text:
        field.value = text


def write_number(field, text, row):
    """A text that says the same is left alone while the learner types in it: "0." may become "0.7"."""
    value = reading.read_number(text, "", row)[0]
    if value is None or not field.matches(":focus") or reading.read_number(field.value, "", row)[0] != value:
        write(field, text)


def write_place(work, table, place):
    """A field that was left says what it is kept as."""
    if place in table.by_name:
        write(fields_of(place)[1], works.text_of(work, table, place))
    elif place.startswith("REQUESTS:"):
        _, i, cell = place.split(":")
        write(field_of_cell(i, cell), works.requests_of(work, table)[int(i)][works.CELLS.index(cell)])


def field_of_cell(i, cell):
    return document.querySelector('[data-cell-of="' + i + '"][data-cell-name="' + cell + '"]')


def paint_number(work, table, row, text, computed):
    name = row["name"]
    slider, field = fields_of(name)
    value = works.value_of(work, table, name)[0]
    write_number(field, text, row)
    field.readOnly = computed
    slider.disabled = computed
    by_id("computed-" + name).hidden = not computed
    if value is not None:
        slider.value = value
        slider.setAttribute("aria-valuetext", (value + " " + row["unit"]).strip())
    mark_changed(name, name in work.typed)


def paint_computed(names):
    """Texts and requests that the script computes can be read, not edited."""
    by_id("number-CORPUS").readOnly = "CORPUS" in names
    by_id("computed-CORPUS").hidden = "CORPUS" not in names
    requests = "REQUESTS" in names
    for field in every("#requests [data-cell-of]"):
        field.readOnly = requests
    for button in every("#requests button"):
        button.disabled = requests
    for radio in every("#requests [data-follow]"):
        radio.disabled = requests or "FOLLOW" in names
    by_id("computed-REQUESTS").hidden = not requests


def mark_changed(name, changed):
    control = document.querySelector('[data-constant="' + name + '"]')
    control.classList.toggle("is-changed", changed)
    control.querySelector(".reset-one").hidden = not changed


def paint_groups(names):
    """How many constants of each group differ from the default. names: all that do."""
    for group in every("#controls .control-group"):
        count = 0
        for control in every("[data-constant]", group):
            count += 1 if control.dataset.constant in names else 0
        said = words.changed_here(count) if count else ""
        mark = group.querySelector(".group-changed")
        dom.write(mark, said)


def paint_presets(text, table):
    """The preset whose values these are is pressed, and its sentence says what to look at."""
    pressed = works.preset_of(text, table)
    look = table.presets[pressed]["look"] if pressed >= 0 else words.NO_PRESET
    if by_id("preset-look").textContent == look:
        return
    by_id("preset-look").textContent = look
    for button in every("[data-preset]"):
        button.setAttribute("aria-pressed", "true" if int(button.dataset.preset) == pressed else "false")


def paint_notice(work):
    kind, sentence = work.notice or ("", "")
    by_id("notice-text").textContent = sentence
    by_id("undo").hidden = kind != works.UNDO or work.before is None
    by_id("keep-mine").hidden = by_id("take-new").hidden = kind != works.DEFAULTS
    by_id("dismiss").hidden = kind == works.DEFAULTS
    by_id("notice").hidden = not kind


def paint_trouble(place, sentence):
    """A number's or the corpus's sentence stands at its field; those of the requests stand together."""
    if ":" in place:
        _, i, cell = place.split(":")
        field = field_of_cell(i, cell)
    else:
        field = by_id("number-" + place)
        if field:
            by_id("error-" + place).textContent = sentence
    if field:
        field.setAttribute("aria-invalid", "true" if sentence else "false")
        if ":" in place:
            field.setAttribute("aria-describedby", "error-REQUESTS" if sentence else "")


def paint_request_troubles(troubles):
    said = [troubles[place] for place in sorted(troubles) if place.startswith("REQUESTS") or place == "FOLLOW"]
    unique = [sentence for i, sentence in enumerate(said) if sentence not in said[:i]]
    text = " ".join(unique[:3])
    dom.write(by_id("error-REQUESTS"), text)


def paint_requests(rows, follow, changed, table):
    body = document.querySelector(".requests-table tbody")
    shown = rows[:SHOWN]
    while body.rows.length > len(shown):
        body.lastElementChild.remove()
    while body.rows.length < len(shown):
        body.append(new_row(body.rows.length))
    for i, row in enumerate(shown):
        paint_row(body.rows[i], row, row[0] == follow, table)
    by_id("requests-more").hidden = len(rows) <= SHOWN
    by_id("requests-more").textContent = words.requests_left_out(len(rows) - SHOWN) if len(rows) > SHOWN else ""
    document.querySelector('[data-reset="REQUESTS"]').hidden = not changed
    by_id("requests-changed").textContent = words.CHANGED if changed else ""


def new_row(i):
    row = by_id("request-row").content.firstElementChild.cloneNode(True)
    row.dataset.row = str(i)
    for field in every("[data-cell-of]", row):
        field.dataset.cellOf = str(i)
    row.querySelector("[data-follow]").dataset.follow = str(i)
    row.querySelector("[data-remove]").dataset.remove = str(i)
    return row


def paint_row(element, row, followed, table):
    radio = element.querySelector("[data-follow]")
    radio.checked = followed
    if radio.value != row[0] or not radio.getAttribute("aria-label").endswith(row[0]):
        radio.value = row[0]
        radio.setAttribute("aria-label", words.follow_request(row[0]))
        element.querySelector("[data-remove]").setAttribute("aria-label", words.remove_request(row[0]))
        for field in every("[data-cell-of]", element):
            field.setAttribute("aria-label", words.cell_of_request(field.dataset.cellName, row[0]))
    for cell, text in zip(works.CELLS, row):
        field = element.querySelector('[data-cell-name="' + cell + '"]')
        if cell in table.cells:
            write_number(field, text, table.cells[cell])
        else:
            write(field, text)


def focus_request(i):
    """After a row was added or removed: the id of the row that stands there now."""
    rows = document.querySelector(".requests-table tbody").rows
    rows[min(i, rows.length - 1)].querySelector('[data-cell-name="id"]').focus()


# Listening


PRESSES = {"reset-constants": "reset_all", "undo": "undo", "dismiss": "dismissed", "keep-mine": "keep_mine", "take-new": "take_new", "add-request": "request_added", "copy-link": "copy_link"}
STEPS = {"ArrowUp": 1, "ArrowDown": -1}


def listen(hear):
    """hear(kind, *what): "slid"(name, text), "let_go"(name), "typed"(name, text), "left"(place), "stepped"(name, ±1), and presses.

    -> a function that does not wait for the next frame: moves gathered so far are heard
    """
    section = by_id("constants")
    moved = {}  # slider -> text, until the next frame

    def flush(_=0):
        for name in list(moved):
            hear("slid", name, moved.pop(name))

    def put_in(event):
        field = event.target
        if field.hasAttribute("data-slider"):
            if not moved:
                js.requestAnimationFrame(flush)
            moved[field.dataset.slider] = field.value
        elif field.hasAttribute("data-number"):
            hear("typed", field.dataset.number, field.value)
        elif field.hasAttribute("data-cell-of"):
            hear("cell_typed", int(field.dataset.cellOf), field.dataset.cellName, field.value)
        elif field.id == "number-CORPUS":
            hear("corpus_typed", field.value)

    def changed(event):
        field = event.target
        if field.hasAttribute("data-slider"):
            flush()
            hear("let_go", field.dataset.slider)
        elif field.hasAttribute("data-number"):
            hear("left", field.dataset.number)
        elif field.hasAttribute("data-cell-of"):
            hear("left", "REQUESTS:" + field.dataset.cellOf + ":" + field.dataset.cellName)
        elif field.id == "number-CORPUS":
            hear("left", "CORPUS")
        elif field.hasAttribute("data-follow"):
            hear("followed", field.value)
        elif field.id == "live":
            hear("live", field.checked)

    def pressed(event):
        button = event.target.closest("button")
        if not button:
            return
        if button.id in PRESSES:
            hear(PRESSES[button.id])
        elif button.hasAttribute("data-reset"):
            hear("reset_one", button.dataset.reset)
        elif button.hasAttribute("data-preset"):
            hear("preset", int(button.dataset.preset))
        elif button.hasAttribute("data-remove"):
            hear("request_removed", int(button.dataset.remove))

    def key(event):
        field = event.target
        if event.key in STEPS and field.hasAttribute("data-number") and not field.readOnly and not event.isComposing:  # then it chooses among candidates
            event.preventDefault()
            hear("stepped", field.dataset.number, STEPS[event.key])

    section.addEventListener("input", put_in)
    section.addEventListener("change", changed)
    section.addEventListener("click", pressed)
    section.addEventListener("keydown", key)
    by_id("notice").addEventListener("click", pressed)
    return flush


def focus_field(name):
    field = field_of_cell("0", "id") if name == "REQUESTS" else by_id("number-" + name)
    if field:
        field.focus()
