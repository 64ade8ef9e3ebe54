"""What a learner may put in the place of a part of the engine, each checked where it enters.

In: a function or an object of the learner's. Out: the same as a part that the engine can use, or an `ExtensionError` that
names the part, what it gave and what it may give.

    sample(logits, params, generator)            -> id of a token, or a Sample
    cost(config, prefill_tokens, decode_tokens)  -> µs of one step
    scheduler.pick(waiting)                      -> the waiting request that gets the free slot
    scheduler.share(running, budget)             -> [(request, tokens), …]: who works in this step, and on how many tokens

A scheduler has pick, or share, or both. Its requests are `Candidate`s: what there is to know, and nothing to change.
"""
import heapq
import inspect
import operator
from dataclasses import dataclass

import numpy as np

from .config import RequestSpec, grouped
from .engine import Parts
from .errors import ExtensionError, shown
from .model import softmax
from .request import DECODE
from .sampling import Sample, temper
from .scheduler import Scheduler, Task
from .tokenizer import BOS
from .trace import OWN_SHARE, PASSED_OVER, Reason

LONGEST_STEP = 10**9            # µs
CLOSE = 1e-6                    # what the probabilities of a Sample may be away from a sum of 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A request as a learner's scheduler sees it."""

    id: str
    spec: RequestSpec               # what the client asked for: text, max_new, temperature, …
    prompt_tokens: int
    generated: int                  # tokens of the answer so far
    computed: int                   # tokens whose K and V are in the cache
    uncomputed: int                 # tokens still to go through the model: the rest of the prompt, or 1 in decode
    phase: str                      # "prefill" or "decode"
    waited_us: int                  # since it was ready


def parts_of(sample, scheduler, cost, vocabulary_size):
    """-> engine.Parts, with the engine's own part where None is given"""
    own = {}
    if sample is not None:
        own["sample"] = sampler_of(sample, vocabulary_size)
    if scheduler is not None:
        own["scheduler"] = scheduler_of(scheduler)
    if cost is not None:
        own["cost"] = cost_of(cost)
    return Parts(**own)


def check_callable(name, function, *parameters):
    needed = f"một hàm nhận {len(parameters)} tham số ({', '.join(parameters)})"
    if not callable(function):
        raise ExtensionError(f"{name} = {shown(function)}: cần {needed}.")
    try:
        inspect.signature(function).bind(*parameters)
    except TypeError as error:
        raise ExtensionError(f"{name} không nhận được các tham số mà engine đưa vào ({error}): cần {needed}.") from None
    except ValueError:
        pass                        # a function of C that does not tell: the call will


def whole(value):
    """A whole number as an int; None for anything else, bool included."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


# ── sample ───────────────────────────────────────────────────────────────────

def sampler_of(function, vocabulary_size):
    check_callable("sample", function, "logits", "params", "generator")

    def sample(logits, params, generator):
        given = function(logits.copy(), params, generator)
        return checked_sample(given, vocabulary_size) if isinstance(given, Sample) else sample_of_token(given, logits, params)

    return sample


def sample_of_token(given, logits, params):
    """A bare token: all tokens count as kept, with the probabilities of the request's temperature."""
    token = checked_token(given, len(logits))
    logits = np.array(logits)
    logits[BOS] = -np.inf
    probabilities = softmax(logits) if params.greedy else temper(logits, params.temperature)       # (V,)
    return Sample(token, probabilities, probabilities, None)


def checked_sample(given, vocabulary_size):
    for name in ("probabilities", "filtered"):
        values = getattr(given, name)
        if not (isinstance(values, np.ndarray) and values.shape == (vocabulary_size,) and values.dtype.kind == "f"
                and bool((values >= 0).all()) and abs(values.sum() - 1) <= CLOSE):
            raise ExtensionError(f"sample trả về Sample có {name} = {shown(values)}: cần một mảng float dài {vocabulary_size}, "
                                 "không âm, tổng bằng 1.")
    return Sample(checked_token(given.token, vocabulary_size), given.probabilities, given.filtered, given.draw)


def checked_token(given, vocabulary_size):
    token = whole(given)
    if token is None or not BOS < token < vocabulary_size:
        raise ExtensionError(f"sample trả về {shown(given)}: cần id của một token, là số nguyên từ {BOS + 1} đến {vocabulary_size - 1} "
                             f"({BOS} là <bos>, không được sinh ra).")
    return token


# ── cost ─────────────────────────────────────────────────────────────────────

def cost_of(function):
    check_callable("cost", function, "config", "prefill_tokens", "decode_tokens")

    def cost(config, prefill_tokens, decode_tokens):
        given = function(config, prefill_tokens, decode_tokens)
        microseconds = whole(given)
        if microseconds is None or not 0 < microseconds <= LONGEST_STEP:
            raise ExtensionError(f"cost trả về {shown(given)} cho {prefill_tokens} token prefill và {decode_tokens} token decode: "
                                 f"cần số nguyên µs từ 1 đến {grouped(LONGEST_STEP)}. Số lẻ thì hãy làm tròn bằng round(…).")
        return microseconds

    return cost


# ── scheduler ────────────────────────────────────────────────────────────────

def scheduler_of(own):
    """-> what makes a Scheduler of a policy and a number of slots"""
    own = own() if isinstance(own, type) else own
    pick, share = (getattr(own, name, None) for name in ("pick", "share"))
    if pick is None and share is None:
        raise ExtensionError(f"scheduler = {shown(own)}: cần một đối tượng có hàm pick(self, waiting), hoặc share(self, running, budget), hoặc cả hai.")
    if pick is not None:
        check_callable("scheduler.pick", pick, "waiting")
    if share is not None:
        check_callable("scheduler.share", share, "running", "budget")
    return lambda policy, slots: OwnScheduler(policy, slots, pick, share)


class OwnScheduler(Scheduler):
    """The engine's queues with a learner's choices in them. Preempted requests still come first, and nobody overtakes them."""

    def __init__(self, policy, slots, pick, share):
        super().__init__(policy, slots)
        self.pick, self.share = pick, share

    def _fill_slots(self, room, fits):
        while self.pick and room > 0 and self.waiting and not self.waiting[0][2].needs_room:
            picked, head = self._picked(), self.waiting[0][2]
            if picked[2] is not head:
                self.reasons.append(Reason(self.now, PASSED_OVER, head.id, others=(picked[2].id,)))
            self.waiting.remove(picked)
            heapq.heapify(self.waiting)
            self.running.append(picked[2])
            room -= 1
        super()._fill_slots(room, fits)

    def _picked(self):
        """The entry of the waiting request that `pick` names."""
        entries = {entry[2].id: entry for entry in sorted(self.waiting)}
        given = self.pick([self._candidate(request) for _, _, request in entries.values()])
        if id_of(given) not in entries:
            raise ExtensionError(f"scheduler.pick trả về {named(given)}: cần một trong các yêu cầu đang chờ ({', '.join(entries)}).")
        return entries[id_of(given)]

    def _tasks(self):
        if not (self.share and self.running):
            return super()._tasks()
        budget, running = self.policy.budget, {request.id: request for request in self.running}
        given = self.share([self._candidate(request) for request in self.running], budget)
        shares = checked_shares(given, running)
        decodes = sum(running[id].phase == DECODE for id in shares)
        prefill, left = sum(shares.values()) - decodes, max(0, budget - decodes)
        if prefill > left:
            raise ExtensionError(f"scheduler.share cho {prefill} token prefill: ngân sách {budget} token trừ {decodes} token decode chỉ còn {left}.")
        for id, request in running.items():
            if shares.get(id, 0) < request.uncomputed:
                used = tuple((other, tokens) for other, tokens in shares.items() if other != id)
                self.reasons.append(Reason(self.now, OWN_SHARE, id, got=shares.get(id, 0), wanted=request.uncomputed, used=used))
        return [Task(request, request.phase, shares[id]) for id, request in running.items() if id in shares]        # oldest first

    def _candidate(self, request):
        return Candidate(id=request.id, spec=request.spec, prompt_tokens=request.prompt_length, generated=len(request.output),
                         computed=request.computed, uncomputed=request.uncomputed, phase=request.phase, waited_us=self.now - request.ready_us)


def id_of(given):
    """Of a Candidate or of an id; anything else is nobody's."""
    id = getattr(given, "id", given)
    return id if isinstance(id, str) else None


def named(given):
    return shown(id_of(given) or given)


def checked_shares(given, running):
    """-> tokens by id of the running requests that work"""
    pairs = list(given.items()) if isinstance(given, dict) else given
    if not isinstance(pairs, (list, tuple)) or not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise ExtensionError(f"scheduler.share trả về {shown(given)}: cần một danh sách các cặp (yêu cầu, số token).")
    shares = {}
    for request, tokens in pairs:
        id = id_of(request)
        if id not in running:
            raise ExtensionError(f"scheduler.share giao việc cho {named(request)}: chỉ giao được cho yêu cầu đang chạy ({', '.join(running)}).")
        if id in shares:
            raise ExtensionError(f"scheduler.share giao việc cho {id} hai lần: mỗi yêu cầu chỉ có một phần trong một bước.")
        most = running[id].uncomputed
        if whole(tokens) is None or not 1 <= whole(tokens) <= most:
            raise ExtensionError(f"scheduler.share cho {id} {shown(tokens)} token: cần số nguyên từ 1 đến {most}, là số token {id} còn phải tính. "
                                 f"Không giao việc cho {id} ở bước này thì hãy bỏ nó khỏi danh sách.")
        shares[id] = whole(tokens)
    if not shares:
        raise ExtensionError(f"scheduler.share không giao việc cho ai trong khi {', '.join(running)} đang chạy: mỗi bước cần ít nhất một yêu cầu làm việc.")
    return shares
