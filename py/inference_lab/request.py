"""A request in flight: what the client sent, and how far the engine has come with it.

One record, changed only by the engine's loop. Every token of it is either *computed* (its key and value are in
the cache) or not yet; prefill and decode differ only in how many are not.
"""
from dataclasses import dataclass, field

import numpy as np

from .config import RequestSpec

PREFILL, DECODE = "prefill", "decode"


@dataclass(slots=True, kw_only=True, eq=False)
class Request:
    """One request between its acceptance and its last token."""

    spec: RequestSpec
    order: int                                    # who was accepted later has a larger one
    tokens: list[int]                             # prompt, then what was generated
    prompt_length: int
    ready_us: int                                 # when tokenizing ends
    generator: "np.random.Generator"              # in quotes: evaluated, it would link numpy.random before any run
    computed: int = 0                             # tokens whose K and V are in the cache
    prefill_until: int = 0                        # below this many computed tokens the request is in prefill
    start_us: int | None = None                   # when its first step began
    token_times_us: list[int] = field(default_factory=list)
    finish_reason: str | None = None
    preemptions: int = 0
    returned: bool = False                        # preempted: waits at the head of the queue
    put_off: bool = False                         # had a slot, but no block for its first chunk: waits in its place
    blocks: tuple[int, ...] = ()                  # that it gave back at its end
    logit_rows: list[np.ndarray] = field(default_factory=list)      # one row for each computed token

    @property
    def id(self):
        return self.spec.id

    @property
    def output(self):
        return self.tokens[self.prompt_length:]

    @property
    def phase(self):
        return PREFILL if self.computed < self.prefill_until else DECODE

    @property
    def uncomputed(self):
        return len(self.tokens) - self.computed

    @property
    def needs_room(self):
        """Whether it lost its slot for lack of blocks, and gets another only when the pool has room for it."""
        return self.returned or self.put_off

    def lose_slot(self):
        """Preemption by recompute: the cache is gone, the tokens stay, and all of them are prefilled again.

        A request that was preempted and loses its new slot before it worked is still a returned one.
        """
        if self.computed:
            self.preemptions += 1
            self.returned = True
        elif not self.returned:
            self.put_off = True
        self.computed = 0
        self.prefill_until = len(self.tokens)
        self.logit_rows.clear()

    def advance(self, tokens):
        """`tokens` more are in the cache: it has its slot for good."""
        self.computed += tokens
        self.returned = self.put_off = False
