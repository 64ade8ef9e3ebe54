"""Trees as safe HTML, and the trees that the page makes of sources and problems; those of reports come from the engine.

In: trees, each element a list ["tag", {attributes}, child, …] whose children are trees or text (`trees`, a module of the engine); sources and
problems as the engine sends them. Out: HTML, trees. Puts no sentence together: sentences come from words.
"""

import words
from trees import el

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
    advice = " ".join([one for one in (ADVICE[kind], words.KEPT_ADVICE if kept else "") if one])
    nodes = [el("p", {"class": "alert-title"}, words.TITLE_OF_PROBLEM[kind].format(where))]
    nodes += [el("p", {}, one) for one in messages + (advice,) if one]  # with what the learner wrote in them, as it was written
    if kind == "script" and where:
        nodes.append(el("p", {}, el("a", {"href": "#script", "data-script-line": where}, words.TO_LINE.format(where))))
    if traceback:
        nodes.append(el("details", {}, el("summary", {}, words.TRACEBACK), el("pre", {}, traceback)))
    return nodes
