"""Both sides of a proof as trees: what the engine computed when its fold was opened.

In: the engine's answer, the number of the fold's block. Out: trees. Computes nothing.
"""

import render
import trees
import words_replay as words

el = render.el


def both_sides(answer, number):
    """The verdict with the largest difference, then every pair; or why there is nothing to compare."""
    note = [el("p", {}, *trees.rich(answer["note"]))] if answer["note"] else []
    if answer["table"] is None:
        return note
    verdict = el("p", {"class": "proof-verdict"}, el("b", {}, words.PROVED if answer["passed"] else words.DISPROVED), " " + answer["largest"])
    rounding = [el("p", {"class": "small"}, words.ROUNDING)] if answer["id"] != "policies" else []
    return [verdict] + note + [trees.table(number, answer["table"])] + rounding
