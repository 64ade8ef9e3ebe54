"""The 13 panels of a result as the page shows them, and what a panel's pictures draw.

In: reports, the run with all its traces. Out: plain data.
"""
from .figures import as_json
from .reports.report import Kept
from .reports.trees import panel, rich, verdict


class Panels:
    """The panels of one result after another: nothing is made again of a report that is as it was."""

    def __init__(self):
        self.parts = Kept(parts_of)

    def of(self, reports, pictures):
        """-> [[number, headline, verdict, body, pictures or None], …]

        headline, verdict: lists of trees. body: a list of trees as a JSON text of its own: the page compares it with the one that stands, and
        parses those that differ. pictures: number -> JSON texts of what `pictures_of` gives, for the panels that are open, likewise.
        """
        return [[r.number, *self.parts.of(r), pictures.get(r.number)] for r in reports]


def parts_of(report):
    return rich(report.headline), [verdict(report.passed)], as_json(panel(report.plain()))


def pictures_of(number, run):
    """The data of a panel's pictures: what their names, marks and tables say of this run."""
    from .reports.pictures import PICTURES              # loaded with the first panel that is open
    return [p.plain() for p in PICTURES[number](run)]
