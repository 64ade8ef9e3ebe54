"""A report as the page shows it: trees of elements, each a list ["tag", {attributes}, child, …] whose children are trees or text.

In: a report as plain data. Out: trees, which the page makes elements of. Computes no figure. Imports nothing and keeps to what
MicroPython knows: the page's own Python has this module too, for the tables that it shows itself.
"""

PASSED = "✓ đạt"
FAILED = "✕ không đạt"

OBSERVATIONS = "Quan sát"
CHECKS = "Phép kiểm tra"
CONCLUSION = "Kết luận"
LIMITS = "Giới hạn"
REGION = "Khối {}: {}"
UNITS = (" ms", " µs", " %", " token/s")
NO_BREAK = "\u00a0"
LEFT_OUT = "… và {} hàng nữa, không hiện ở đây."

# What a block claims to be equal, (name of the proof, the claim): a fold for each, which is filled when somebody opens it.
CLAIMS = {
    3: (("batched", "Chạy chung bước = chạy một mình"),),
    4: (("chunked", "Prefill từng đoạn = cả prompt một lần"),),
    5: (("cached", "Qua cache = tính lại cả chuỗi"),),
    6: (("paged", "Gom từ các block rời = một mảng liền"), ("preempted", "Bị preempt rồi tính lại = không bị preempt")),
    12: (("policies", "Ba cách lập lịch cho cùng token"),),
}
CLAIM = "Xem hai vế: {}"


def el(tag, attributes, *children):
    """An element; MicroPython has no star inside a list, so this is how children are spread."""
    return [tag, attributes] + list(children)


def rich(text):
    """"`admit` nhận" -> [["code", {}, "admit"], " nhận"]; two backticks are one that is meant, a lone one stays as it is."""
    if "`" not in text:
        return [text] if text else []
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return [text]
    nodes = []
    for i, part in enumerate(parts):
        if i % 2 and part:
            nodes.append(el("code", {}, part))
        elif i % 2 or part:
            piece = part or "`"
            if nodes and isinstance(nodes[-1], str):
                nodes[-1] += piece
            else:
                nodes.append(piece)
    return nodes


def bare(text):
    """The same as plain text."""
    if "`" not in text:
        return text
    return "".join([node if isinstance(node, str) else node[2] for node in rich(text)])


def prose(text):
    """`rich` for sentences: a line breaks before no unit."""
    return rich(text) if '"' in text else [unbroken(node) if isinstance(node, str) else node for node in rich(text)]


def unbroken(text):
    """ "22.00 ms" with a space that does not break; a unit behind a word stays as it is."""
    for unit in UNITS:
        if unit in text:
            parts = text.split(unit)
            for i in range(1, len(parts)):
                parts[i] = (NO_BREAK + unit[1:] if parts[i - 1][-1:].isdigit() else unit) + parts[i]
            text = "".join(parts)
    return text


# A panel


def verdict(passed):
    kind = "is-pass" if passed else "is-fail"
    return el("span", {"class": "verdict " + kind}, PASSED if passed else FAILED)


def panel(report):
    """What stands in an open panel, from its idea to its limits."""
    number = report["number"]
    nodes = [el("p", {"class": "title"}, *rich(report["title"])), el("p", {"class": "idea"}, *prose(report["idea"]))]
    nodes.append(el("div", {"class": "pictures"}))  # filled by src/pictures when the panel is open
    nodes += titled(OBSERVATIONS, report["observations"], paragraphs_or_list)
    if report["tables"]:
        nodes.append(el("div", {"class": "tables"}, *[table(number, one) for one in report["tables"]]))
    nodes += titled(CHECKS, report["checks"], checks, *folds(number))
    nodes += titled(CONCLUSION, report["conclusion"], sentence)
    nodes += titled(LIMITS, report["limits"], limits)
    return nodes


def titled(title, content, build, *more):
    """A heading and its content in one block; nothing when there is no content."""
    return [el("div", {}, el("h4", {}, title), build(content), *more)] if content else []


def sentence(text):
    return el("p", {}, *prose(text))


def items(texts, css):
    return el("ul", {"class": css} if css else {}, *[el("li", {}, *prose(text)) for text in texts])


def paragraphs_or_list(texts):
    return sentence(texts[0]) if len(texts) == 1 else items(texts, "")


def limits(texts):
    return el("p", {"class": "limits"}, *prose(texts[0])) if len(texts) == 1 else items(texts, "limits")


def checks(rows):
    return el("ul", {"class": "checks"}, *[check(what, passed, figures) for what, passed, figures in rows])


def check(what, passed, figures):
    shown = [el("span", {"class": "check-figures"}, *prose(figures))] if figures else []
    return el("li", {}, verdict(passed), el("div", {}, *prose(what), *shown))


def folds(number):
    """One for each claim of that block, closed; [] where it makes none."""
    return [
        el("details", {"class": "proof", "data-proof": id}, el("summary", {}, CLAIM.format(claim)), el("div", {"class": "proof-body"}))
        for id, claim in CLAIMS.get(number, ())
    ]


def table(number, data):
    """A table under its title, in a region of its own that scrolls sideways and takes the focus."""
    kinds = [kind for _, kind in data["columns"]]
    marked = data.get("marked") or []
    head = [el("th", cell_attributes(kind, {"scope": "col"}), *rich(name)) for name, kind in data["columns"]]
    body = [row(cells, kinds, i in marked) for i, cells in enumerate(data["rows"])]
    region = {"class": "table-scroll", "role": "region", "tabindex": "0", "aria-label": REGION.format(number, bare(data["caption"]))}
    grid = el("table", {}, el("thead", {}, el("tr", {}, *head)), el("tbody", {}, *body))
    left_out = [el("p", {"class": "left-out"}, LEFT_OUT.format(data["omitted"]))] if data.get("omitted") else []
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
