"""The serving loop: arrivals, steps, tokens, and the proof that the cache changed nothing.

In: a configuration, a scheduling policy, a tokenizer and weights. Out: a `Trace`. Each pass of the loop lets in who
has arrived, forms a step, runs all its tokens through the model as one batch, settles the result request by request
(oldest first) and moves the clock by what the step costs. The clock is simulated: it decides when, never what.
"""
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .errors import InvariantError
from .gateway import admit, prepare
from .invariants import broken, check_step
from .kv_cache import KVPool
from .model import forward
from .request import DECODE, PREFILL, Request
from .sampling import sample
from .scheduler import Scheduler
from .tokenizer import EOS
from .trace import POOL, PREEMPTED, PUT_OFF, BlockUse, Followed, Preemption, Proof, Reason, Refused, Served, Step, Trace, Work


def step_cost(config, prefill_tokens, decode_tokens):
    """What a step costs on the simulated clock: its prefill part, then its decode part. -> µs"""
    cost = 0
    if prefill_tokens:
        cost += config.COST_PREFILL_FIXED + config.COST_PREFILL_PER_TOKEN * prefill_tokens
    if decode_tokens:
        cost += config.COST_DECODE_FIXED + config.COST_DECODE_PER_SEQ * decode_tokens
    return cost


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a learner may replace (see `extensions`)."""

    sample: Callable = sample               # (logits (V,), params, generator) -> Sample
    scheduler: Callable = Scheduler         # (policy, slots) -> Scheduler
    cost: Callable = step_cost              # (config, prefill tokens, decode tokens) -> µs


PROOF_CELLS = 2**16             # sequences × longest² that are recomputed together: bounds the memory of attention


@dataclass(frozen=True, slots=True)
class Stepwise:
    """What the steps of one finished request gave."""

    tokens: list[int]               # the n that were computed
    logits: np.ndarray              # (n, V)
    keys: np.ndarray                # (heads, n, d_head), gathered from its blocks
    values: np.ndarray              # (heads, n, d_head)


def run_engine(config, policy, tokenizer, weights, parts=Parts()):
    """Serve config.REQUESTS under `policy`. -> Trace"""
    return Engine(config, policy, tokenizer, weights, parts).run()


class Engine:
    """One run. Its state is the clock, the two queues, the pool, and the lists that become the trace."""

    def __init__(self, config, policy, tokenizer, weights, parts=Parts()):
        self.parts = parts
        self.config, self.policy, self.tokenizer, self.weights = config, policy, tokenizer, weights
        self.now = 0
        self.arrivals = sorted(config.REQUESTS, key=lambda spec: spec.arrival)[::-1]     # the next one last
        self.scheduler = parts.scheduler(policy, config.SLOTS)
        self.pool = KVPool(config.POOL_BLOCKS, config.BLOCK_SIZE, config.N_HEADS, config.D_HEAD)
        self.admissions, self.refused, self.steps, self.preemptions, self.served = [], [], [], [], []
        self.reasons, self.followed = [], {}
        self.held, self.block_uses = {}, []                          # block -> (sequence, since when); what became of it
        self.unproved = []                                           # Stepwise of finished requests
        self.proof = dict(positions=0, max_logit_difference=0.0, max_kv_difference=0.0, positions_cached=0, positions_recomputed=0)

    # ── The loop ─────────────────────────────────────────────────────────────

    def run(self):
        while self.arrivals or self.scheduler.in_system:
            self.let_in()
            tasks = self.scheduler.schedule(self.now, bool(self.arrivals), lambda r: self.pool.fits(r.id, len(r.tokens)))
            self.note_reasons(self.scheduler.reasons)
            if tasks:
                self.step(tasks)
            else:
                self.wait()
        self.compare_with_recomputation()
        return self.trace()

    def let_in(self):
        """Gateway and input preparation for everyone who has arrived by now."""
        while self.arrivals and self.arrivals[-1].arrival <= self.now:
            spec = self.arrivals.pop()
            decision, ids = admit(spec, self.scheduler.in_system, self.config, self.now), ()
            self.admissions.append(decision)
            if decision.accepted:
                decision, ids = prepare(spec, self.tokenizer, self.config, self.now)
                self.admissions.append(decision)
            if decision.accepted:
                self.scheduler.add(self.new_request(spec, ids))
            else:
                self.refused.append(Refused(spec, decision.code, decision.cause))

    def new_request(self, spec, ids):
        config = self.config
        return Request(
            spec=spec, order=len(self.admissions), tokens=list(ids), prompt_length=len(ids), prefill_until=len(ids),
            ready_us=spec.arrival + config.COST_GATEWAY + config.COST_TOKENIZE_PER_TOKEN * len(ids),
            generator=np.random.default_rng(spec.seed))

    def wait(self):
        """Nothing can run: move the clock to the next arrival or the next request to become ready."""
        next_arrival = self.arrivals[-1].arrival if self.arrivals else None
        moments = [t for t in (next_arrival, self.scheduler.next_ready()) if t is not None]
        if moments:
            if min(moments) <= self.now:
                raise broken(4, f"at {self.now} µs nothing can run, and the next event is at {min(moments)}")
            self.now = min(moments)
        elif self.scheduler.in_system:
            raise InvariantError(f"at {self.now} µs nothing can run and nothing will arrive, yet {self.scheduler.in_system} requests wait")

    # ── One step ─────────────────────────────────────────────────────────────

    def step(self, tasks):
        waiting, holders = self.scheduler.n_waiting, tuple(r.id for r in self.scheduler.running)
        result = self.run_batch(tasks)
        work, emitted, finished, sent_back = [], [], [], []
        for row, task in enumerate(tasks):                           # oldest first
            if not self.make_room(task, finished, sent_back):
                continue
            self.store(task, result, row)
            work.append(Work(task.request.id, task.phase, task.tokens))
            if task.request.uncomputed == 0:                         # its last known token was computed: the next one is due
                self.emit(task.request, result.logits[row, task.tokens - 1])
                emitted.append(task.request)
                if task.request.finish_reason:
                    self.finish(task.request)
                    finished.append(task.request)

        start, self.now = self.now, self.now + self.duration(work)
        for request in emitted:
            request.token_times_us.append(self.now)
        for request in finished:
            self.served.append(self.record(request))
            self.give_back(request.id, request.blocks)
        worked = {w.id for w in work}
        if any(r.id in worked for r, _ in sent_back):
            raise broken(8, f"a request that worked was sent back: {work}")
        put_off = {r.id for r, tokens in sent_back if tokens == 0}   # these never had their slot
        if work:
            self.steps.append(Step(
                start_us=start, end_us=self.now, waiting=waiting + len(put_off), work=tuple(work),
                holders=tuple(id for id in holders if id not in put_off) if put_off else holders,
                preempted=tuple(r.id for r, tokens in sent_back if tokens), kv_blocks_used=self.pool.used))
        check_step(self)

    def run_batch(self, tasks):
        """All tokens of the step through the model at once; each sees its own sequence only. -> model.Forward"""
        requests = [t.request for t in tasks]
        ids = padded([t.request.tokens[t.request.computed:t.request.computed + t.tokens] for t in tasks])       # (B, n)
        past = self.pool.gather([r.id for r in requests])            # two of (B, heads, L, d_head)
        return forward(self.weights, ids, [r.computed for r in requests], past)

    def store(self, task, result, row):
        """Write the new keys and values into the pool and note what the reports will show."""
        request, n = task.request, task.tokens
        for block in self.pool.write(request.id, result.keys[row, :, :n], result.values[row, :, :n]):
            self.let_go(block, self.held.get(block))                 # of a sequence that finished earlier in this step
            self.held[block] = request.id, self.now
        request.logit_rows.append(result.logits[row, :n])
        if request.start_us is None:
            request.start_us = self.now
        if request.id == self.config.FOLLOW:
            self.note_attention(request, task, result.attention[row])
        request.advance(n)
        self.proof["positions_cached"] += n
        self.proof["positions_recomputed"] += request.computed if task.phase == DECODE else n

    def emit(self, request, logits):
        """Sampling and the stop check: append one token, and say why if it is the last."""
        chosen = self.parts.sample(logits, request.spec, request.generator)
        if request.id == self.config.FOLLOW:
            self.note_sample(request, logits, chosen)
        request.tokens.append(chosen.token)
        if chosen.token == EOS:
            request.finish_reason = "eos"
        elif len(request.output) >= request.spec.max_new:
            request.finish_reason = "max_new_tokens"

    def duration(self, work):
        """What the step costs; a step in which every task lost its slot costs nothing."""
        if not work:
            return 0
        return self.parts.cost(self.config, sum(w.tokens for w in work if w.phase == PREFILL), sum(w.tokens for w in work if w.phase == DECODE))

    # ── When the pool runs out ───────────────────────────────────────────────

    def make_room(self, task, finished, sent_back):
        """Send back the newest running requests until the task's tokens fit. -> False if the task itself had to go."""
        request = task.request
        if request not in self.scheduler.running:                    # preempted earlier in this step
            return False
        while not self.pool.fits(request.id, task.tokens):
            if len(self.scheduler.running) == 1:                     # alone, and the whole pool is not enough
                request.finish_reason = "kv_exhausted"
                self.finish(request)
                finished.append(request)
                return False
            tokens = self.scheduler.running[-1].computed
            victim = self.scheduler.send_back_newest()
            sent_back.append((victim, tokens))
            blocks = self.pool.release(victim.id)
            self.give_back(victim.id, blocks)
            if tokens:                                               # else it had only just been given its slot
                self.preemptions.append(Preemption(self.now, victim.id, request.id, blocks, tokens))
            self.reasons.append(Reason(self.now, PREEMPTED if tokens else PUT_OFF, victim.id, got=tokens, free=len(blocks), others=(request.id,)))
            if victim is request:
                return False
        return True

    def give_back(self, id, blocks):
        """Note that `id` holds these blocks no longer: those that nobody took from it in the meantime."""
        for block in blocks:
            if self.held.get(block, (None,))[0] == id:
                self.let_go(block, self.held.pop(block))

    def let_go(self, block, holding):
        if holding:
            id, since = holding
            self.block_uses.append(BlockUse(block, id, since, self.now))

    # ── The end of a request ─────────────────────────────────────────────────

    def finish(self, request):
        """Keep what its steps gave, to be compared with a recomputation; give its blocks back."""
        keys, values = self.pool.gather([request.id])                                # (1, heads, n, d_head)
        self.keep_to_prove(Stepwise(request.tokens[:request.computed], np.concatenate(request.logit_rows), keys[0], values[0]))
        request.blocks = self.pool.release(request.id)
        self.scheduler.finish(request)

    def keep_to_prove(self, stepwise):
        """Short sequences are recomputed together: a pass over eight takes hardly longer than over one."""
        longest = max(len(s.tokens) for s in (*self.unproved, stepwise))
        if (len(self.unproved) + 1) * longest**2 > PROOF_CELLS:
            self.compare_with_recomputation()
        self.unproved.append(stepwise)

    def compare_with_recomputation(self):
        """One full forward pass, without a cache, against every row that the steps produced."""
        if not self.unproved:
            return
        whole = forward(self.weights, padded([s.tokens for s in self.unproved]))     # logits (B, longest, V)
        for row, s in enumerate(self.unproved):
            n, proof = len(s.tokens), self.proof
            proof["positions"] += n
            proof["max_logit_difference"] = max(proof["max_logit_difference"], largest_gap(whole.logits[row, :n], s.logits))
            proof["max_kv_difference"] = max(proof["max_kv_difference"], largest_gap(whole.keys[row, :, :n], s.keys),
                                             largest_gap(whole.values[row, :, :n], s.values))
        self.unproved.clear()

    def record(self, request):
        """The frozen record of a finished request; the step that ended it ends now."""
        return Served(
            spec=request.spec, prompt_ids=tuple(request.tokens[:request.prompt_length]), output_ids=tuple(request.output),
            finish_reason=request.finish_reason, ready_us=request.ready_us, start_us=request.start_us, finish_us=self.now, finish_order=len(self.served),
            token_times_us=tuple(request.token_times_us), preemptions=request.preemptions, computed=request.computed,
            blocks=request.blocks)

    # ── What is kept for the reports ─────────────────────────────────────────

    def note_reasons(self, reasons):
        """The scheduler's reasons; it does not know the pool, so how many blocks were free is added."""
        for reason in reasons:
            self.reasons.append(replace(reason, free=len(self.pool.free)) if reason.kind == POOL else reason)

    def note_attention(self, request, task, attention):
        """attention: (heads, n, L + n) of the followed request's row in the batch."""
        cached = attention.shape[2] - attention.shape[1]
        def seen_by(token):                                          # (heads, positions it may look at)
            return np.concatenate([attention[:, token, :request.computed], attention[:, token, cached:cached + token + 1]], axis=1)
        if task.phase == DECODE:
            self.followed.setdefault("decode_token", request.tokens[request.computed])
            self.followed.setdefault("decode_attention", seen_by(0))
        elif "prefill_attention" not in self.followed:
            new = attention[:, :task.tokens, cached:cached + task.tokens]
            chunk = np.concatenate([attention[:, :task.tokens, :request.computed], new], axis=2)
            chunks = self.followed["prompt_attention"] = (*(self.followed.get("prompt_attention", ()) if request.computed else ()), chunk)
            if request.computed + task.tokens == request.prompt_length:
                self.followed["prefill_attention"] = chunks[-1][:, -1]

    def note_sample(self, request, logits, chosen):
        followed = self.followed
        followed["samples"] = (*followed.get("samples", ()), chosen)
        if "first_sample" not in followed:
            keys, values = self.pool.gather([request.id])            # (1, heads, n, d_head)
            followed.update(first_logits=logits.copy(), first_sample=chosen, prompt_keys=keys[0], prompt_values=values[0])

    def trace(self):
        pool = self.pool
        return Trace(
            policy=self.policy, admissions=tuple(self.admissions), served=tuple(sorted(self.served, key=lambda s: s.id)),
            refused=tuple(self.refused), steps=tuple(self.steps),
            preemptions=tuple(self.preemptions), reasons=tuple(self.reasons), followed=Followed(**self.followed), proof=Proof(**self.proof), peak=pool.peak,
            block_owners={b: tuple(o) for b, o in sorted(pool.owners.items())}, block_uses=tuple(self.block_uses), free_at_end=len(pool.free),
            pool_bytes=pool.keys.nbytes + pool.values.nbytes,
            bytes_per_token=2 * self.config.N_HEADS * self.config.D_HEAD * pool.keys.itemsize)


def padded(sequences):
    """Lists of token ids as one array (B, longest), zeros behind the shorter ones."""
    ids = np.zeros((len(sequences), max(map(len, sequences))), int)
    for row, sequence in enumerate(sequences):
        ids[row, :len(sequence)] = sequence
    return ids


def largest_gap(a, b):
    return float(np.maximum.reduce(np.abs(a - b), axis=None, initial=0.0))
