"""A sweep: which values of a constant are tried, what came back for each, and how that is drawn.

In: a row of the table of constants, what it is now, and the engine's answers one by one.
Out: a Sweep, the options of its chart as plain data, trees, and the sentence about one point.
Knows nothing of the DOM or of the engine. A Sweep never changes: each step makes another.
"""

from collections import namedtuple

import figures
import render
import words_learn as words

el = render.el

MOST = 40  # values of one sweep; a longer range is thinned evenly
FEW = 16   # whole numbers that all get a tick: of so short a range the axis would count in halves

FIELDS = (
    "constant",   # name of the constant that is swept
    "metric",     # (id, label, unit) of the headline figure
    "base",       # the other constants that differ from the default, as the engine takes them
    "values",     # the values in turn, as numbers
    "of",         # how many values the range has
    "points",     # for each value tried so far: (value or None, text, reason), reason "" unless it was refused
    "stopped",    # ended before all values were tried
    "trouble",    # why it was the engine that ended it, or ""
)
Sweep = namedtuple("Sweep", FIELDS)


def but(sweep, **changes):
    return Sweep(*[changes[name] if name in changes else getattr(sweep, name) for name in FIELDS])


def start(row, present, metric, constants):
    """constants: {name: value} of what differs from the default, the swept one among them or not."""
    values, of = values_of(row, present)
    base = {name: value for name, value in constants.items() if name != row["name"]}
    return Sweep(row["name"], tuple(metric), base, values, of, (), False, "")


def can_sweep(row):
    return row["minimum"] is not None and row["step"] is not None


def values_of(row, present):
    """(values to try, how many the range has): minimum, minimum + step … slider_maximum, and what the constant is now.

    Counted in whole steps of the last decimal, so that 0.07 is 0.07 on every interpreter.
    """
    scale = scale_of(row["step"])
    low, high, step = [whole(row[name], scale) for name in ("minimum", "slider_maximum", "step")]
    every = list(range(low, high + 1, step))
    stride = max(1, -(-len(every) // (MOST - 2)))
    chosen = set(every[::stride]) | {every[-1]}
    values = [one // scale if scale == 1 else one / scale for one in sorted(chosen)]
    if isinstance(present, (int, float)) and not isinstance(present, bool) and present not in values:
        values = sorted(values + [present])
    return tuple(values), len(every)


def scale_of(step):
    """1 for whole steps, 100 for 0.01."""
    scale = 1
    while abs(step * scale - round(step * scale)) > 1e-9:
        scale *= 10
    return scale


def whole(number, scale):
    return int(round(number * scale))


def answered(sweep, body):
    """The engine's answer for the next value: a figure, why the configuration is refused, or a fault, which ends the sweep."""
    if "ok" in body:
        point = (body["ok"]["values"][0], body["ok"]["texts"][0], "")
    elif body["error"]["errors"]:
        point = (None, words.SWEEP_REFUSED, " ".join([one["message"] for one in body["error"]["errors"]]))
    else:
        return but(sweep, stopped=True, trouble=body["error"]["message"])
    return but(sweep, points=sweep.points + (point,))


def asked(sweep):
    """The body of the next question, None when all values were tried or the sweep was stopped."""
    if sweep.stopped or len(sweep.points) == len(sweep.values):
        return None
    constants = dict(sweep.base)
    constants[sweep.constant] = sweep.values[len(sweep.points)]
    return {"constants": constants, "metrics": [sweep.metric[0]]}


def is_old(sweep, constants):
    """Whether another constant than the swept one is not what it was."""
    return {name: value for name, value in constants.items() if name != sweep.constant} != sweep.base


# What is said


def status(sweep):
    done = len(sweep.points)
    if done < len(sweep.values):
        if not sweep.stopped:
            return words.sweep_progress(done, len(sweep.values))
        return words.sweep_stopped(done, len(sweep.values)) + (" " + sweep.trouble if sweep.trouble else "")
    return words.sweep_done(done, len([1 for one in sweep.points if one[2]]), sweep.constant)


def thinned(sweep):
    """What is said of a range that has more values than were tried, else ""."""
    return words.sweep_thinned(len(sweep.values), sweep.of) if sweep.of > len(sweep.values) else ""


def point_text(sweep, i, present):
    value, text, reason = sweep.points[i]
    if reason:
        return words.sweep_refused_point(sweep.constant, figures.number_text(sweep.values[i]), reason)
    return words.sweep_point(sweep.constant, figures.number_text(sweep.values[i]), sweep.metric[1], text, sweep.values[i] == present)


# What is drawn


def chart(sweep, present, width, height):
    """Options for src/charts.js. A value without a figure breaks the line, with "–" at the bottom, or "×" if it was refused."""
    label, unit = sweep.metric[1:]
    rows = [{"x": x, "y": point[0]} for x, point in zip(sweep.values, sweep.points)]
    known = [row for row in rows if row["y"] is not None]
    gaps = [(row, "×" if point[2] else "–") for row, point in zip(rows, sweep.points) if row["y"] is None]
    here = [{"x": present}] if in_range(sweep, present) else []
    ink = "var(--ink)"
    return {
        "width": width,
        "height": height,
        "marginTop": 36,
        "marginLeft": 52,
        "marginRight": 16,
        "marginBottom": 40,
        "ariaLabel": label,
        "style": {"fontSize": "13px", "fontFamily": "inherit", "background": "none", "overflow": "visible"},
        "x": x_axis(sweep),
        "y": {"label": label + (" (" + unit + ")" if unit else ""), "grid": True, "zero": True, "nice": True},
        "marks": [
            ["ruleX", here, {"x": "x", "stroke": "var(--quiet)", "strokeDasharray": "4 3"}],
            ["text", here, {
                "x": "x", "frameAnchor": "top", "dy": -14, "dx": -4 if late(sweep, present) else 4,
                "textAnchor": "end" if late(sweep, present) else "start", "text": [words.SWEEP_PRESENT for _ in here], "fill": "var(--quiet)",
            }],
            ["lineY", rows, {"x": "x", "y": "y", "stroke": ink, "strokeWidth": 1.5}],
            ["dot", known, {"x": "x", "y": "y", "r": 3, "fill": ink}],
            ["dot", [row for row in known if row["x"] == present], {"x": "x", "y": "y", "r": 6, "stroke": ink, "strokeWidth": 1.5}],
            ["text", [row for row, _ in gaps], {"x": "x", "frameAnchor": "bottom", "dy": -3, "text": [sign for _, sign in gaps], "fill": ink}],
        ],
    }


def x_axis(sweep):
    low, high = sweep.values[0], sweep.values[-1]
    axis = {"label": sweep.constant, "domain": [low, high], "nice": False}
    if isinstance(low, int) and isinstance(high, int) and high - low < FEW:
        axis["ticks"] = list(range(low, high + 1))
        axis["tickFormat"] = "d"
    return axis


def late(sweep, present):
    """Whether a note at this value has more room before it than after it."""
    return in_range(sweep, present) and present - sweep.values[0] > sweep.values[-1] - present


def in_range(sweep, present):
    return isinstance(present, (int, float)) and sweep.values[0] <= present <= sweep.values[-1]


def table(sweep, present):
    """The same as rows: the value, its figure or why it has none."""
    label = sweep.metric[1]
    rows = []
    for i, point in enumerate(sweep.points):
        value = figures.number_text(sweep.values[i]) + (" (" + words.SWEEP_PRESENT + ")" if sweep.values[i] == present else "")
        rows.append(el(
            "tr", {"class": "followed"} if sweep.values[i] == present else {},
            el("th", {"scope": "row", "class": "number"}, value),
            el("td", {} if point[2] else {"class": "number"}, point[2] or point[1]),
        ))
    head = el("tr", {}, el("th", {"scope": "col", "class": "number"}, el("code", {}, sweep.constant)), el("th", {"scope": "col", "class": "number"}, label))
    region = {"class": "table-scroll", "role": "region", "tabindex": "0", "aria-label": words.SWEEP_TABLE}
    return [el("div", region, el("table", {}, el("thead", {}, head), el("tbody", {}, *rows)))]
