"""The 13 panels of a result as the page shows them, and what a panel's pictures draw.

In: reports, the run with all its traces. Out: plain data. What a report becomes is not made again while the report is as it was: a
constant that is moved a little leaves most as they were.
"""
from .figures import as_json
from .reports.trees import panel, rich, verdict


class Panels:
    """Remembers what each panel was last."""

    def __init__(self):
        self.last = {}                                  # number -> (Report, its parts)

    def of(self, reports, pictures):
        """-> [[number, headline, verdict, body, pictures or None], …]

        headline, verdict: lists of trees. body: a list of trees as a JSON text of its own: the page compares it with the one that stands, and
        parses those that differ. pictures: number -> JSON texts of what `pictures_of` gives, for the panels that are open, likewise.
        """
        return [[r.number, *self.parts(r), pictures.get(r.number)] for r in reports]

    def parts(self, report):
        kept = self.last.get(report.number)
        if kept is None or kept[0] != report:
            kept = self.last[report.number] = (report, (rich(report.headline), [verdict(report.passed)], as_json(panel(report.plain()))))
        return kept[1]


def pictures_of(number, run):
    """The data of a panel's pictures: what their names, marks and tables say of this run."""
    from .reports.pictures import PICTURES              # loaded with the first panel that is open
    return [p.plain() for p in PICTURES[number](run)]
