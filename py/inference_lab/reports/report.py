"""What a report is: plain data that the transcript and the page render, each in its own way.

Every figure in it is text already written by `notation`; order is kept by tuples. Text may hold `code` in backticks; what the
learner wrote goes in by `notation.literal`, so that its own backticks stay.
"""
from dataclasses import dataclass

MAX_ROWS = 200                  # a table longer than this is cut, and says so

TEXT, NUMBER = "text", "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`columns`: pairs (label, TEXT or NUMBER). `marked`: indices of rows about the followed request."""

    caption: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[int, ...] = ()
    omitted: int = 0            # rows left out because there were too many


@dataclass(frozen=True, slots=True)
class Check:
    """Something that must hold, whether it did, and the figures that show it."""

    what: str
    passed: bool
    detail: str


class Kept:
    """What `make(report)` gives, remembered for each block: a constant that is moved a little leaves most reports as they were."""

    def __init__(self, make):
        self.make = make
        self.last = {}                                  # number -> (Report, what was made of it)

    def of(self, report):
        kept = self.last.get(report.number)
        if kept is None or kept[0] != report:
            kept = self.last[report.number] = report, self.make(report)
        return kept[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One of the 13 blocks of output: what it does, what it shows of this run, and what that proves."""

    number: int
    name: str                   # as the course names the block, in English
    title: str                  # in Vietnamese
    cell: str                   # of the architecture diagram: "L2-1", or a card, "X-2"
    idea: str                   # what the block does, in a sentence
    headline: str               # its one figure
    observations: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    checks: tuple[Check, ...]
    conclusion: str
    limits: tuple[str, ...]
    sources: tuple[str, ...]    # "module.function" or "module.Class" of this package

    @property
    def id(self):
        return f"block-{self.number}"

    @property
    def passed(self):
        return all(c.passed for c in self.checks)

    def summary(self):
        """What stands in the panel's summary and on its cell."""
        return dict(number=self.number, cell=self.cell, headline=self.headline, passed=self.passed)

    def plain(self):
        """As JSON takes it."""
        return dict(
            number=self.number, id=self.id, name=self.name, title=self.title, cell=self.cell, idea=self.idea, headline=self.headline,
            passed=self.passed, observations=self.observations, conclusion=self.conclusion, limits=self.limits,
            tables=[plain_table(t) for t in self.tables],
            checks=[[c.what, bool(c.passed), c.detail] for c in self.checks])


def plain_table(t):
    """A Table as JSON takes it."""
    return dict(caption=t.caption, columns=t.columns, rows=t.rows, marked=t.marked, omitted=t.omitted)


def table(caption, columns, records, row=tuple, marked=()):
    """Build a Table: `row(record)` gives the cells of a record. Records beyond MAX_ROWS are counted, not shown.

    columns: one string for each, a leading ">" makes it a column of numbers. marked: indices of records.
    """
    records = list(records)
    rows = [tuple(str(cell) for cell in row(record)) for record in records[:MAX_ROWS]]
    return Table(
        caption=caption,
        columns=tuple((c.lstrip(">"), NUMBER if c.startswith(">") else TEXT) for c in columns),
        rows=tuple(rows), marked=tuple(i for i in marked if i < MAX_ROWS), omitted=len(records) - len(rows))


def rows_of(records, followed):
    """Indices of the records that are about the followed request."""
    return tuple(i for i, record in enumerate(records) if record.id == followed)
