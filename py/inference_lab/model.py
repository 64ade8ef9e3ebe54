"""One decoder layer in NumPy: RMSNorm, multi-head attention with RoPE, SwiGLU, and the LM head.

In: weights, token ids of B sequences (n new tokens each) and the keys and values already cached. Out: logits,
the new keys and values, attention weights. Pure functions; nothing here knows of requests, blocks or time.
The weights are random and untrained: the arithmetic is real, the text that comes out means nothing.

Shapes: B sequences, n new tokens, L cached positions, d_model = heads × d_head, V vocabulary.
Sequences of a batch that have fewer than n new tokens are padded at the end; no real token can see the padding.

A step of this size is little arithmetic and many calls, and in a browser each call counts: `np.add.reduce(x)` is `x.sum()`
without the Python around it.
"""
import math
from dataclasses import dataclass, fields
from functools import cache

import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The layer's matrices, float64, and how many heads share them out."""

    embedding: np.ndarray       # (V, d_model)
    w_q: np.ndarray             # (d_model, heads * d_head)
    w_k: np.ndarray             # (d_model, heads * d_head)
    w_v: np.ndarray             # (d_model, heads * d_head)
    w_o: np.ndarray             # (heads * d_head, d_model)
    w_gate: np.ndarray          # (d_model, ffn)
    w_up: np.ndarray            # (d_model, ffn)
    w_down: np.ndarray          # (ffn, d_model)
    lm_head: np.ndarray         # (d_model, V)
    n_heads: int

    @property
    def nbytes(self):
        return sum(getattr(self, f.name).nbytes for f in fields(self) if f.name != "n_heads")


#: The eight matrices that a product runs through: all but the embedding, which is only looked up.
LINEAR = ("w_q", "w_k", "w_v", "w_o", "w_gate", "w_up", "w_down", "lm_head")


def make_weights(config, vocabulary_size):
    """Random weights from config.SEED, drawn in a fixed order."""
    rng = np.random.default_rng(config.SEED)
    d, inner, ffn = config.D_MODEL, config.N_HEADS * config.D_HEAD, config.FFN_HIDDEN
    draw = lambda spread, *shape: rng.normal(0, spread, shape)
    return Weights(
        embedding=draw(0.5, vocabulary_size, d),
        w_q=draw(0.4, d, inner), w_k=draw(0.4, d, inner), w_v=draw(0.4, d, inner), w_o=draw(0.4, inner, d),
        w_gate=draw(0.4, d, ffn), w_up=draw(0.4, d, ffn), w_down=draw(0.3, ffn, d),
        lm_head=draw(0.6, d, vocabulary_size),
        n_heads=config.N_HEADS)


@dataclass(frozen=True, slots=True)
class Forward:
    """What a pass gives for each of the n new tokens."""

    logits: np.ndarray          # (B, n, V)
    keys: np.ndarray            # (B, heads, n, d_head), rotated by RoPE
    values: np.ndarray          # (B, heads, n, d_head)
    attention: np.ndarray       # (B, heads, n, L + n); a row sums to 1


def forward(weights, ids, start=None, past=None):
    """Run n new tokens of B sequences through the layer.

    ids: (B, n) whole numbers. start: (B,), how many positions of each sequence are cached (none: zeros).
    past: (keys, values), each (B, heads, L, d_head); row b is read up to start[b], the rest is never seen.
    """
    ids = np.asarray(ids)                                                     # (B, n)
    start = np.zeros(len(ids), int) if start is None else np.asarray(start)   # (B,)
    positions = start[:, None] + np.arange(ids.shape[1])                      # (B, n)

    x = weights.embedding[ids]                                                # (B, n, d_model)
    h = rmsnorm(x)                                                            # (B, n, d_model)
    q, k, v = [split_heads(h @ w, weights.n_heads) for w in (weights.w_q, weights.w_k, weights.w_v)]   # (B, heads, n, d_head)
    q, k = rope(np.array([q, k]), *rotation(positions, k.shape[-1]))          # (B, heads, n, d_head)

    keys, values = (k, v) if past is None else (
        np.concatenate([past[0], k], axis=2), np.concatenate([past[1], v], axis=2))   # (B, heads, L + n, d_head)
    attention = attend(q, keys, visible(start, ids.shape[1], keys.shape[2]))  # (B, heads, n, L + n)
    x = x + join_heads(attention @ values) @ weights.w_o                      # (B, n, d_model)
    x = x + swiglu(rmsnorm(x), weights)                                       # (B, n, d_model)
    return Forward(rmsnorm(x) @ weights.lm_head, k, v, attention)             # logits: (B, n, V)


def rmsnorm(x):
    """x divided by its root mean square (Zhang & Sennrich 2019), without a learnt gain."""
    mean_square = np.add.reduce(x * x, axis=-1, keepdims=True) / x.shape[-1]  # (…, 1)
    return x / np.sqrt(mean_square + 1e-6)                                    # as x


def split_heads(x, n_heads):
    """(B, n, heads * d_head) -> (B, heads, n, d_head)"""
    return x.reshape(*x.shape[:2], n_heads, -1).swapaxes(1, 2)


def join_heads(x):
    """(B, heads, n, d_head) -> (B, n, heads * d_head)"""
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


def rotation(positions, d_head):
    """Cosine and sine of the angles by which each position turns each pair of dimensions. positions: (B, n)"""
    angles = positions[:, None, :, None, None] * frequencies(d_head // 2)     # (B, 1, n, 2, d_head / 2)
    return np.cos(angles), np.sin(angles)


@cache
def frequencies(half):
    """(2, d_head / 2): how far one position turns each pair, in radians; with a minus for the first of the pair."""
    each = 10000.0 ** (-np.arange(half) / half)                               # (d_head / 2,)
    return np.array([-each, each])


def rope(x, cos, sin):
    """Turn the pairs (i, i + d_head / 2) of x by their position's angles (RoPE, Su et al. 2021).

    (a, b) becomes (a cos - b sin, b cos + a sin); the first sine has its minus already.
    """
    pairs = x.reshape(*x.shape[:-1], 2, -1)                                   # (B, heads, n, 2, d_head / 2)
    return (pairs * cos + pairs[..., ::-1, :] * sin).reshape(x.shape)         # as x


def visible(start, n, total):
    """(B, 1, n, total): which of the L cached and n new columns each new token may look at.

    A cached column counts if it is within its sequence; a new column if it is not later than the token itself
    (the causal mask). Slack in a block, padding of a shorter sequence and the future are all hidden here.
    """
    cached = total - n                                                        # L
    new = np.arange(n)                                                        # (n,)
    seen = np.empty((len(start), 1, n, total), bool)
    seen[..., :cached] = np.arange(cached) < start[:, None, None, None]       # (B, 1, 1, L)
    seen[..., cached:] = new <= new[:, None]                                  # (n, n)
    return seen


def attend(q, keys, mask):
    """Scaled dot-product attention weights (Vaswani et al. 2017): a softmax over positions."""
    scores = q @ keys.swapaxes(-1, -2) / math.sqrt(q.shape[-1])               # (B, heads, n, L + n)
    return softmax(np.where(mask, scores, -np.inf))                           # (B, heads, n, L + n)


def softmax(z):
    """Along the last axis; -inf becomes exactly 0."""
    e = np.exp(z - np.maximum.reduce(z, axis=-1, keepdims=True))              # as z
    return e / np.add.reduce(e, axis=-1, keepdims=True)                       # as z


def swiglu(x, weights):
    """Gated feed-forward network (Shazeer 2020): silu(x @ gate) * (x @ up) @ down."""
    gate = x @ weights.w_gate                                                 # (B, n, ffn)
    silu = gate / (1.0 + np.exp(-gate))                                       # (B, n, ffn)
    return (silu * (x @ weights.w_up)) @ weights.w_down                       # (B, n, d_model)
