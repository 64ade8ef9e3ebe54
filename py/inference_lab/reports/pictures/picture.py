"""What a picture is: plain data that the page draws, and nothing about how it looks.

Every mark carries its exact value as a text already written by `notation`. Times are whole microseconds on the simulated
clock. What a mark means is a word (`prefill`, `waiting`, …, or `request` with a hue number); the page gives it its colour,
its pattern and its letter. A picture that leaves something out says so in `note`.
"""
from dataclasses import dataclass

from ...figures import DECIMALS
from ..report import Table

HUES = 5                        # requests are told apart by as many hues, and always by their letters

TIMELINE, BARS, HEAT, TOKENS, TABLES, DOTS, MEMORY = "timeline", "bars", "heat", "tokens", "tables", "dots", "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    kind: str
    name: str                               # what it is, in a few words
    alt: str                                # what it shows, for those who cannot see it
    data: dict                              # what this kind takes, plain values only: see the module that builds it
    legend: tuple[tuple[str, str], ...] = ()        # (meaning, text)
    note: str = ""                          # what was left out, and why
    table: Table | None = None              # the same figures as rows; None: a table of the report says the same

    def plain(self):
        """As JSON takes it."""
        rows = None if self.table is None or not self.table.rows else dict(
            caption=self.table.caption, columns=self.table.columns, rows=self.table.rows, marked=self.table.marked, omitted=self.table.omitted)
        return dict(kind=self.kind, name=self.name, alt=self.alt, data=self.data, legend=self.legend, note=self.note, table=rows)


def rows_track(title, rows, spans, points=(), **others):
    """A row for each thing, with spans and points in time.

    rows: dicts of label, strong. spans: dicts of row (index), start, end, kind, text, tip. points: row, at, kind, sign, tip.
    """
    return dict(form="rows", title=title, rows=list(rows), spans=list(spans), points=list(points), **others)


def steps_track(title, lines, limit=None):
    """Values that change at instants. lines: dicts of name, kind, steps: [start, end, value, tip]. limit: (value, text)."""
    return dict(form="steps", title=title, lines=list(lines), limit=limit)


def timeline(start, end, tracks):
    """Tracks one above the other on one clock."""
    return dict(start=start, end=end, tracks=list(tracks))


def group(title, unit, rows, limit=None, **others):
    """Horizontal bars. rows: dicts of label, strong, text, parts: [dict(value, kind, text, tip)], side by side in one bar."""
    return dict(title=title, unit=unit, rows=list(rows), limit=limit, **others)


def part(value, kind, tip, text=""):
    return dict(value=rounded(value), kind=kind, tip=tip, text=text)


def rounded(value):
    """A number as JSON takes it, the same on every machine."""
    return round(float(value), DECIMALS) + 0.0


def bar(label, parts, text="", strong=False):
    return dict(label=str(label), strong=strong, text=text, parts=list(parts))


def hue_of(config):
    """-> id -> "request-0" … "request-4", by the order of ids: A to E have one each."""
    return {id: f"request-{i % HUES}" for i, id in enumerate(sorted(r.id for r in config.REQUESTS))}


def left_out(what, shown, all):
    """A sentence when not all are drawn, else ""."""
    return f"Vẽ {shown}/{all} {what}." if shown < all else ""


def sentences(*several):
    return " ".join(s for s in several if s)
