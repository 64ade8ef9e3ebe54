"""Both sides of a proof as trees: the folds of a panel, and what the engine computed when one was opened.

In: a block's number, or the engine's answer. Out: trees of `render`. Computes nothing.
"""

import render
import words_replay as words

el = render.el


def folds(number):
    """One for each claim of that block, closed; [] where it makes none."""
    return [
        el("details", {"class": "proof", "data-proof": id}, el("summary", {}, words.PROOF.format(claim)), el("div", {"class": "proof-body"}))
        for id, claim in words.PROOFS.get(number, ())
    ]


def both_sides(answer, number):
    """The verdict with the largest difference, then every pair; or why there is nothing to compare."""
    note = [el("p", {}, *render.rich(answer["note"]))] if answer["note"] else []
    if answer["table"] is None:
        return note
    verdict = el("p", {"class": "proof-verdict"}, el("b", {}, words.PROVED if answer["passed"] else words.DISPROVED), " " + answer["largest"])
    rounding = [el("p", {"class": "small"}, words.ROUNDING)] if answer["id"] != "policies" else []
    return [verdict] + note + [render.table(number, answer["table"])] + rounding
