"""From the engine's plain data to elements, without a DOM.

In: reports, sources and problems as the engine sends them. Out: trees, each element a list
["tag", {attributes}, child, …] whose children are trees or text; to_html writes a tree as safe HTML.
Computes no figure and puts no sentence together: figures come from the engine, sentences from words.
"""

import words

# Trees


def el(tag, attributes, *children):
    """An element; MicroPython has no star inside a list, so this is how children are spread."""
    return [tag, attributes] + list(children)


def to_html(*nodes):
    """Trees and texts as one HTML string. Text and attribute values are escaped here and nowhere else."""
    out = []
    for node in nodes:
        write(node, out)
    return "".join(out)


def write(node, out):
    if isinstance(node, str):
        out.append(escape(node))
        return
    attributes = node[1]
    opening = "<" + node[0]
    for name in sorted(attributes):
        opening += " " + name + '="' + escape(attributes[name]) + '"'
    out.append(opening + ">")
    for child in node[2:]:
        write(child, out)
    out.append("</" + node[0] + ">")


SIGNS = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))


def escape(text):
    for sign, name in SIGNS:
        if sign in text:
            text = text.replace(sign, name)
    return text


def rich(text):
    """"`admit` nhận" -> [["code", {}, "admit"], " nhận"]; a lone backtick stays as it is."""
    if "`" not in text:
        return [text] if text else []
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return [text]
    return [el("code", {}, part) if i % 2 else part for i, part in enumerate(parts) if part]


# A panel


def verdict(passed):
    kind = "is-pass" if passed else "is-fail"
    return el("span", {"class": "verdict " + kind}, words.PASSED if passed else words.FAILED)


def panel(report):
    """What stands in an open panel, from its idea to its limits."""
    number = report["number"]
    nodes = [el("p", {"class": "title"}, *rich(report["title"])), el("p", {"class": "idea"}, *rich(report["idea"]))]
    nodes.append(el("div", {"class": "pictures"}))  # filled by src/pictures when the panel is open
    nodes += titled(words.OBSERVATIONS, report["observations"], paragraphs_or_list)
    if report["tables"]:
        nodes.append(el("div", {"class": "tables"}, *[table(number, one) for one in report["tables"]]))
    nodes += titled(words.CHECKS, report["checks"], checks)
    nodes += titled(words.CONCLUSION, report["conclusion"], sentence)
    nodes += titled(words.LIMITS, report["limits"], limits)
    return nodes


def titled(title, content, build):
    """A heading and its content in one block; nothing when there is no content."""
    return [el("div", {}, el("h4", {}, title), build(content))] if content else []


def sentence(text):
    return el("p", {}, *rich(text))


def items(texts, css):
    return el("ul", {"class": css} if css else {}, *[el("li", {}, *rich(text)) for text in texts])


def paragraphs_or_list(texts):
    return sentence(texts[0]) if len(texts) == 1 else items(texts, "")


def limits(texts):
    return el("p", {"class": "limits"}, *rich(texts[0])) if len(texts) == 1 else items(texts, "limits")


def checks(rows):
    return el("ul", {"class": "checks"}, *[check(what, passed, figures) for what, passed, figures in rows])


def check(what, passed, figures):
    shown = [el("span", {"class": "check-figures"}, *rich(figures))] if figures else []
    return el("li", {}, verdict(passed), el("div", {}, *rich(what), *shown))


def table(number, data):
    """A table under its title, in a region of its own that scrolls sideways and takes the focus."""
    kinds = [kind for _, kind in data["columns"]]
    marked = data.get("marked") or []
    head = [el("th", cell_attributes(kind, {"scope": "col"}), *rich(name)) for name, kind in data["columns"]]
    body = [row(cells, kinds, i in marked) for i, cells in enumerate(data["rows"])]
    region = {"class": "table-scroll", "role": "region", "tabindex": "0", "aria-label": words.panel_region(number, data["caption"].replace("`", ""))}
    grid = el("table", {}, el("thead", {}, el("tr", {}, *head)), el("tbody", {}, *body))
    left_out = [el("p", {"class": "left-out"}, words.rows_left_out(data["omitted"]))] if data.get("omitted") else []
    return el("figure", {}, el("figcaption", {}, *rich(data["caption"])), el("div", region, grid), *left_out)


def row(cells, kinds, followed):
    """The first cell heads the row, unless it is empty."""
    heads = [el("th", cell_attributes(kinds[0], {"scope": "row"}), *rich(str(cells[0])))] if cells[0] != "" else [el("td", {})]
    rest = [el("td", cell_attributes(kind, {}), *rich(str(cell))) for cell, kind in zip(cells[1:], kinds[1:])]
    return el("tr", {"class": "followed"} if followed else {}, *heads, *rest)


def cell_attributes(kind, attributes):
    if kind == "number":
        attributes["class"] = "number"
    return attributes


# The rest of the page


def source(parts):
    """Each function or class of a panel: its file, its first line, its text, and a button that copies it."""
    return [source_part(file, name, line, text) for file, name, line, text in parts]


def source_part(file, name, line, text):
    button = el("button", {"type": "button", "data-copy": "", "aria-label": words.COPY + " " + name}, words.COPY)
    place = el("p", {}, el("b", {}, el("code", {}, name)), " · " + words.source_place(file, line))
    code = el("pre", {"tabindex": "0", "role": "region", "aria-label": name}, el("code", {}, text))
    return el("div", {"class": "source-part"}, el("div", {"class": "source-head"}, place, button), code)


# What to do now; a file that failed brings its own advice.
ADVICE = {"file": "", "input": words.CONSTANT_ADVICE, "engine": words.RUN_ADVICE, "script": words.SCRIPT_ADVICE, "crash": words.CRASHED}


def problem(kind, where, messages, traceback, kept):
    """What happened, where, and what to do now; `kept` says that an older result is still shown. `where` in a script is its line."""
    sentences = messages + (ADVICE[kind], words.KEPT_ADVICE if kept else "")
    nodes = [el("p", {"class": "alert-title"}, words.TITLE_OF_PROBLEM[kind].format(where))]
    nodes += [el("p", {}, *rich(one)) for one in sentences if one]
    if kind == "script" and where:
        nodes.append(el("p", {}, el("a", {"href": "#script", "data-script-line": where}, words.TO_LINE.format(where))))
    if traceback:
        nodes.append(el("details", {}, el("summary", {}, words.TRACEBACK), el("pre", {}, traceback)))
    return nodes
