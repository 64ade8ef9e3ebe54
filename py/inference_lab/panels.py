"""The 13 panels of a result as the page shows them, and what a panel's pictures draw.

In: reports, the run with all its traces. Out: plain data. A tree whose report is as it was is not built again: a constant that
is moved a little leaves most reports as they were.
"""
from .reports.trees import panel, rich, verdict


class Panels:
    """Remembers the last tree of each panel."""

    def __init__(self):
        self.last = {}                                  # number -> (Report, its trees)

    def of(self, reports, pictures):
        """-> [[number, headline, verdict, body, pictures or None], …]; the three between are lists of trees

        pictures: number -> JSON texts of what `pictures_of` gives, for the panels that are open: the page parses those that differ.
        """
        return [[r.number, *self.trees(r), pictures.get(r.number)] for r in reports]

    def trees(self, report):
        kept = self.last.get(report.number)
        if kept is None or kept[0] != report:
            kept = self.last[report.number] = (report, (rich(report.headline), [verdict(report.passed)], panel(report.plain())))
        return kept[1]


def pictures_of(number, run):
    """The data of a panel's pictures: what their names, marks and tables say of this run."""
    from .reports.pictures import PICTURES              # loaded with the first panel that is open
    return [p.plain() for p in PICTURES[number](run)]
