"""Does the quantized model still choose the same tokens? Teacher forcing over every prompt.

In: prompts, original and quantized weights. Out: one `Decision` for each prompt and step. The original model
generates greedily; the quantized one is asked, in the same context, what it would have chosen. Contexts are the
same for both, so one full pass of the quantized model answers all steps of a prompt.
"""
from dataclasses import dataclass

import numpy as np

from .model import forward
from .tokenizer import BOS

STEPS = 8
GROUP_CELLS = 2**16             # prompts × longest² that go through the model together: bounds the memory of attention


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One step of one prompt: what each of the two models chose in the same context."""

    request: str
    step: int                   # from 0
    token: int                  # the original's choice
    token_quantized: int
    margin: float               # original: how far its choice is ahead of its runner-up
    margin_quantized: float     # quantized: the same two tokens, negative if they changed places
    logit_error: float          # largest difference over the vocabulary, <bos> left out

    @property
    def agrees(self):
        return self.token == self.token_quantized


def quality_gate(prompts, weights, quantized):
    """prompts: list of (request id, ids). -> tuple of Decisions, prompt by prompt."""
    decisions = []
    for group in groups(prompts):
        rows = greedy_teacher_forced(weights, quantized, [ids for _, ids in group], STEPS)
        for (request, _), (logits, logits_quantized) in zip(group, rows):
            decisions += decide(request, logits, logits_quantized)
    return tuple(decisions)


def groups(prompts):
    """Neighbouring prompts, as many together as GROUP_CELLS allows; at least one."""
    group, longest = [], 0
    for prompt in prompts:
        longest = max(longest, len(prompt[1]))
        if group and (len(group) + 1) * longest**2 > GROUP_CELLS:
            yield group
            group, longest = [], len(prompt[1])
        group.append(prompt)
    if group:
        yield group


def greedy_teacher_forced(weights, quantized, prompts, steps):
    """-> for each prompt (logits, logits_quantized), each (steps, V): both models in the original's greedy context."""
    length = np.array([len(ids) for ids in prompts])                              # (B,)
    context = np.zeros((len(prompts), length.max() + steps - 1), int)             # (B, longest + steps - 1)
    for row, ids in enumerate(prompts):
        context[row, :len(ids)] = ids
    everyone = np.arange(len(prompts))

    result = forward(weights, context[:, :length.max()])
    last = result.logits[everyone, length - 1]                                    # (B, V)
    keys, values = result.keys, result.values                                     # (B, heads, L, d_head)
    original = [last]
    for step in range(steps - 1):
        token = without_bos(last).argmax(axis=-1)                                 # (B,)
        position = length + step
        context[everyone, position] = token
        result = forward(weights, token[:, None], position, (keys, values))
        last = result.logits[:, 0]                                                # (B, V)
        original.append(last)
        keys, values = (put(store, new, position) for store, new in ((keys, result.keys), (values, result.values)))

    everything = forward(quantized, context).logits                               # (B, longest + steps - 1, V)
    at = length[:, None] - 1 + np.arange(steps)                                   # (B, steps)
    return list(zip(np.stack(original, axis=1), everything[everyone[:, None], at]))


def put(store, new, position):
    """`store` one column wider, with new (B, heads, 1, d_head) written at each sequence's own position."""
    store = np.concatenate([store, np.zeros_like(new)], axis=2)                   # (B, heads, L + 1, d_head)
    store[np.arange(len(store)), :, position] = new[:, :, 0]
    return store


def decide(request, logits, logits_quantized):
    """-> the Decisions of one prompt. logits, logits_quantized: (steps, V)"""
    steps = np.arange(len(logits))
    original, quantized = without_bos(logits), without_bos(logits_quantized)
    first, second = (-original).argsort(axis=-1, kind="stable").T[:2]             # (steps,) each
    columns = (first, quantized.argmax(axis=-1), original[steps, first] - original[steps, second], quantized[steps, first] - quantized[steps, second],
               np.abs(logits - logits_quantized)[:, BOS + 1:].max(axis=-1))
    return [Decision(request=request, step=step, token=token, token_quantized=other, margin=margin, margin_quantized=margin_quantized, logit_error=error)
            for step, (token, other, margin, margin_quantized, error) in enumerate(zip(*(column.tolist() for column in columns)))]


def without_bos(logits):
    """A copy in which <bos> cannot win."""
    logits = logits.copy()
    logits[..., BOS] = -np.inf
    return logits
