"""From one row of logits to one token: temperature, top-k, top-p, one random draw.

In: logits (V,), the request's sampling parameters and its own generator. Out: a `Sample` with the probabilities
before and after filtering. <bos> is never generated.
"""
from dataclasses import dataclass

import numpy as np

from .model import softmax
from .tokenizer import BOS

COLDEST = 1e-290                # a quotient of logits by less may overflow; all but the largest have probability 0 long before


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
        certain = np.zeros(len(logits))                             # (V,)
        certain[token] = 1
        return Sample(token, softmax(logits), certain, None)
    probabilities = temper(logits, params.temperature)              # (V,)
    filtered = keep_top(probabilities, params.top_k, params.top_p)  # (V,)
    draw = generator.random()
    return Sample(pick(filtered, draw), probabilities, filtered, draw)


def temper(logits, temperature):
    """softmax(logits / temperature), safe for a temperature near 0: the largest logit is taken off first."""
    e = np.exp((logits - np.maximum.reduce(logits)) / max(temperature, COLDEST))   # (V,)
    return e / np.add.reduce(e)                                     # (V,)


def keep_top(probabilities, top_k, top_p):
    """Keep the `top_k` most probable tokens (0: all), of those the nucleus of mass `top_p`; rescale to sum 1.

    A token stays while the mass *before* it is below top_p (Holtzman et al. 2020), so the first always stays.
    Ties go to the lower id.
    """
    order = (-probabilities).argsort(kind="stable")                 # (V,) ids, most probable first
    order = order[:top_k] if top_k else order                       # (k,)
    kept = probabilities[order]
    kept = kept / np.add.reduce(kept)                               # (k,)
    before = kept.cumsum()[:-1]                                     # (k - 1,) for each but the first, the mass of all more probable tokens
    order = order[:1 + before.searchsorted(top_p)]
    filtered = np.zeros(len(probabilities))                         # (V,)
    filtered[order] = probabilities[order]
    return filtered / np.add.reduce(filtered)


def pick(probabilities, draw):
    """The token in whose stretch of the cumulative distribution `draw` falls."""
    cumulative = probabilities.cumsum()                             # (V,)
    return int((cumulative / cumulative[-1]).searchsorted(draw, side="right"))
