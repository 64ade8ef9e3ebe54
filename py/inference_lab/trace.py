"""What a run leaves behind: frozen records of everything that was decided and computed.

The engine writes a `Trace`; metrics and reports only read it. Times are whole microseconds on the simulated clock.
"""
from dataclasses import dataclass

import numpy as np

from .config import RequestSpec
from .gateway import Admission
from .kv_cache import Peak
from .sampling import Sample


OWN = "own"                     # the name of a policy whose scheduler a learner's script brought


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How a scheduler forms its steps. `budget` None: prompts are not cut into chunks."""

    name: str
    continuous: bool
    budget: int | None


@dataclass(frozen=True, slots=True)
class Work:
    """What one request did in one step: a prompt chunk of `tokens` tokens, or one decode token."""

    id: str
    phase: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Preemption:
    """A running request lost its blocks, because `for_id` needed one and none was free."""

    at_us: int
    id: str
    for_id: str
    blocks: tuple[int, ...]
    tokens: int                 # computed tokens that will be computed again


@dataclass(frozen=True, slots=True)
class Reason:
    """Why `id` got what it got, noted by whoever decided it, when it was decided.

    Of the queue (`id` stands at its head, and nobody overtakes it; it holds until the next one):
    SLOTS        every slot is held, by `others`
    POOL         a slot is free, but of the pool only `free` blocks; it needs room for all its `wanted` tokens
    GROUP_FILLS  static: `got` of `wanted` requests wait, and more may come
    GROUP_RUNS   static: the group of `others` is not done
    Of one request, when a step was formed or settled:
    CUT          a prompt chunk of `got` tokens instead of `wanted`: `used` went before it
    BUDGET       a slot and no token of the `wanted`: `used` took the whole budget
    OWN_SHARE    a learner's scheduler gave it `got` of `wanted` tokens
    PASSED_OVER  a learner's scheduler gave the free slot to `others`, who stood behind it
    PREEMPTED    it lost its `free` blocks and `got` computed tokens, because `others` needed a block
    PUT_OFF      it lost its slot before it computed anything, because `others` needed a block
    """

    at_us: int
    kind: str
    id: str
    got: int = 0
    wanted: int = 0
    free: int = 0
    others: tuple[str, ...] = ()
    used: tuple[tuple[str, int], ...] = ()          # (id, tokens of the step)


SLOTS, POOL, GROUP_FILLS, GROUP_RUNS = "slots", "pool", "group_fills", "group_runs"
CUT, BUDGET, OWN_SHARE, PASSED_OVER, PREEMPTED, PUT_OFF = "cut", "budget", "own_share", "passed_over", "preempted", "put_off"
OF_QUEUE = (SLOTS, POOL, GROUP_FILLS, GROUP_RUNS)


@dataclass(frozen=True, slots=True)
class BlockUse:
    """One sequence held one physical block, from the step that took it until it was given back."""

    block: int
    id: str
    from_us: int
    until_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the engine: when, who held a slot, what was computed, and what it left in the pool."""

    start_us: int
    end_us: int
    waiting: int                # requests accepted but without a slot, when the step was formed
    holders: tuple[str, ...]    # who had a slot, oldest first; the newest of them may have had no work
    work: tuple[Work, ...]
    preempted: tuple[str, ...]
    kv_blocks_used: int         # after the step, when finished requests have given theirs back

    @property
    def running(self):
        """How many requests had a slot."""
        return len(self.holders)

    @property
    def decode_tokens(self):
        return sum(w.tokens for w in self.work if w.phase == "decode")

    @property
    def prefill_tokens(self):
        return sum(w.tokens for w in self.work if w.phase == "prefill")

    @property
    def duration_us(self):
        return self.end_us - self.start_us


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A request that got its answer (or as much of it as the pool allowed)."""

    spec: RequestSpec
    prompt_ids: tuple[int, ...]
    output_ids: tuple[int, ...]
    finish_reason: str          # "eos", "max_new_tokens" or "kv_exhausted"
    ready_us: int
    start_us: int
    finish_us: int
    finish_order: int           # place among the served requests, from 0
    token_times_us: tuple[int, ...]
    preemptions: int
    computed: int               # positions in its cache at the end
    blocks: tuple[int, ...]     # that it gave back at the end

    @property
    def id(self):
        return self.spec.id


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that was turned away, with HTTP's code and the cause (see gateway.Admission)."""

    spec: RequestSpec
    code: str
    cause: str

    @property
    def id(self):
        return self.spec.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What is kept in detail for the followed request; None where it never came so far."""

    first_logits: np.ndarray | None = None          # (V,)
    first_sample: Sample | None = None
    samples: tuple[Sample, ...] = ()                # one for each token it was given
    prefill_attention: np.ndarray | None = None     # (heads, positions) of the last prompt token
    prompt_attention: tuple[np.ndarray, ...] = ()   # of each chunk of the prompt: (heads, tokens of the chunk, positions so far)
    prompt_keys: np.ndarray | None = None           # (heads, positions, d_head) as the pool held them at the first token
    prompt_values: np.ndarray | None = None         # (heads, positions, d_head)
    decode_token: int | None = None                 # fed in at its first decode
    decode_attention: np.ndarray | None = None      # (heads, positions) of that token


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Cached against recomputed, over every computed position of every served request."""

    positions: int                      # compared
    max_logit_difference: float
    max_kv_difference: float
    positions_cached: int               # that went through the model
    positions_recomputed: int           # that would have, if each decode step ran the whole history


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Everything that one run under one policy decided and computed."""

    policy: Policy
    admissions: tuple[Admission, ...]   # in the order of the decisions
    served: tuple[Served, ...]          # in the order of their ids
    refused: tuple[Refused, ...]
    steps: tuple[Step, ...]
    preemptions: tuple[Preemption, ...]
    reasons: tuple[Reason, ...]         # in the order of the decisions
    followed: Followed
    proof: Proof
    peak: Peak
    block_owners: dict[int, tuple[str, ...]]
    block_uses: tuple[BlockUse, ...]    # in the order in which they ended
    free_at_end: int
    pool_bytes: int
    bytes_per_token: int

    def find(self, id):
        """The served request `id`, or None if it was not served."""
        return next((s for s in self.served if s.id == id), None)

    @property
    def by_finish(self):
        """The served requests in the order of finishing."""
        return tuple(sorted(self.served, key=lambda s: s.finish_order))

    def refusal(self, id):
        return next((r for r in self.refused if r.id == id), None)
