"""From one row of logits to one token: temperature, top-k, top-p, one random draw.

In: logits (V,), the request's sampling parameters and its own generator. Out: a `Sample` with the probabilities
before and after filtering. <bos> is never generated.
"""
from dataclasses import dataclass

import numpy as np

from .model import softmax
from .tokenizer import BOS


@dataclass(frozen=True, slots=True)
class Sample:
    """One chosen token and the distributions it was chosen from."""

    token: int
    probabilities: np.ndarray   # (V,) sums to 1
    filtered: np.ndarray        # (V,) sums to 1; zero for what top-k and top-p dropped
    draw: float | None          # the random number in [0, 1) that chose; None when greedy


def sample(logits, params, generator):
    """Choose one token. `params` has temperature, top_k and top_p; temperature 0 takes the largest logit."""
    logits = np.array(logits, dtype=float)                          # (V,)
    logits[BOS] = -np.inf
    if params.temperature == 0:
        token = int(logits.argmax())
        return Sample(token, softmax(logits), np.eye(len(logits))[token], None)
    probabilities = temper(logits, params.temperature)              # (V,)
    filtered = keep_top(probabilities, params.top_k, params.top_p)  # (V,)
    draw = generator.random()
    return Sample(pick(filtered, draw), probabilities, filtered, draw)


def temper(logits, temperature):
    """softmax(logits / temperature), safe for a temperature near 0: the largest logit is taken off first."""
    with np.errstate(over="ignore"):                                # a far smaller logit may overflow to -inf: probability 0
        return softmax((logits - logits.max()) / temperature)       # (V,)


def keep_top(probabilities, top_k, top_p):
    """Keep the `top_k` most probable tokens (0: all), of those the nucleus of mass `top_p`; rescale to sum 1.

    A token stays while the mass *before* it is below top_p (Holtzman et al. 2020), so one always stays.
    Ties go to the lower id.
    """
    order = (-probabilities).argsort(kind="stable")                 # (V,) ids, most probable first
    order = order[:top_k] if top_k else order                       # (k,)
    kept = probabilities[order]
    kept = kept / kept.sum()                                        # (k,)
    before = np.concatenate([[0.0], kept.cumsum()[:-1]])            # (k,) mass of all more probable tokens
    order = order[before < top_p]
    filtered = np.zeros_like(probabilities)                         # (V,)
    filtered[order] = probabilities[order]
    return filtered / filtered.sum()


def pick(probabilities, draw):
    """The token in whose stretch of the cumulative distribution `draw` falls."""
    cumulative = probabilities.cumsum()                             # (V,)
    return int((cumulative / cumulative[-1]).searchsorted(draw, side="right"))
