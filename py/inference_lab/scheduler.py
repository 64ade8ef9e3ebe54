"""Iteration-level scheduling (Orca, 2022) with chunked prefill (Sarathi-Serve, 2024).

In: accepted requests, the time, and whether a returned request fits the pool. Out: the work of the next step, and why
whoever got less than it could use got no more. Holds the waiting and the running queue and these reasons, nothing else;
knows nothing of the model or of how blocks are kept.

The rules, in this order: free slots go to requests that are ready, first come first served; each running request
that is past its prompt decodes one token; what the decodes leave of the token budget goes to prompts, oldest first.
"""
import heapq
from dataclasses import dataclass

from .request import DECODE, PREFILL, Request
from .trace import BUDGET, CUT, GROUP_FILLS, GROUP_RUNS, POOL, SLOTS, Reason


@dataclass(frozen=True, slots=True)
class Task:
    """Work for one request in the step to come: `tokens` tokens of its prompt, or one decode token."""

    request: Request
    phase: str
    tokens: int


class Scheduler:
    """`slots` requests run at once. `policy` says when slots are filled and how prompts are cut (trace.Policy)."""

    def __init__(self, policy, slots):
        self.policy, self.slots = policy, slots
        self.preparing = []                       # heap by ready time: still being tokenized
        self.waiting = []                         # heap by place in the queue: ready for a slot
        self.running: list[Request] = []          # oldest first
        self.now = 0
        self.reasons: list[Reason] = []           # of the last decision
        self.queue_reason = None                  # the last one about the queue: it holds until there is another

    @property
    def n_waiting(self):
        return len(self.preparing) + len(self.waiting)

    @property
    def in_system(self):
        return self.n_waiting + len(self.running)

    def add(self, request):
        heapq.heappush(self.preparing, (request.ready_us, request.order, request))

    def schedule(self, now, more_to_come, fits):
        """-> the tasks of the step that starts now: decodes, then prefills (none: nothing can run yet).

        A request in prefill is never older than one in decode, so this is also the order of `running`.
        more_to_come: whether further requests will arrive. fits(request): whether the pool has room for all tokens
        of a request that lost its slot before.
        """
        self.now, self.reasons = now, []
        self._collect_ready(now)
        self._fill_slots(self._room(more_to_come), fits)
        return self._tasks()

    def _collect_ready(self, now):
        while self.preparing and self.preparing[0][0] <= now:
            request = heapq.heappop(self.preparing)[2]
            self._enqueue(request)

    def _enqueue(self, request):
        """Preempted requests stand at the head; within each group the first accepted comes first."""
        heapq.heappush(self.waiting, (not request.returned, request.order, request))

    def _room(self, more_to_come):
        if self.policy.continuous:
            return self.slots - len(self.running)
        group_is_full = len(self.waiting) >= self.slots or not (more_to_come or self.preparing)
        return self.slots if group_is_full and not self.running else 0         # static: one group after another

    def _fill_slots(self, room, fits):
        while room > 0 and self.waiting:
            request = self.waiting[0][2]
            if request.needs_room and not fits(request):
                self._queue_waits(POOL, wanted=len(request.tokens))
                return                                                         # and nobody overtakes it
            heapq.heappop(self.waiting)
            self.running.append(request)
            room -= 1
        if not self.waiting:
            return
        if self.policy.continuous or len(self.running) >= self.slots:
            self._queue_waits(SLOTS, others=tuple(r.id for r in self.running))
        elif self.running:
            self._queue_waits(GROUP_RUNS, others=tuple(r.id for r in self.running))
        else:
            self._queue_waits(GROUP_FILLS, got=len(self.waiting), wanted=self.slots)

    def _queue_waits(self, kind, got=0, wanted=0, others=()):
        """Why the head of the queue waits, and so all behind it; noted when it is not what it was."""
        id, last = self.waiting[0][2].id, self.queue_reason
        if kind == POOL or last is None or (last.kind, last.id, last.got, last.others) != (kind, id, got, others):
            self.queue_reason = Reason(self.now, kind, id, got=got, wanted=wanted, others=others)
            self.reasons.append(self.queue_reason)

    def _tasks(self):
        return self._decodes() + self._prefills()

    def _decodes(self):
        return [Task(r, DECODE, 1) for r in self.running if r.phase == DECODE]

    def _prefills(self):
        budget = self.policy.budget
        if budget is not None:
            budget -= sum(r.phase == DECODE for r in self.running)
        tasks = []
        for request in self.running:
            if request.phase == DECODE:
                continue
            chunk = request.uncomputed if budget is None else max(0, min(request.uncomputed, budget))
            if chunk < request.uncomputed:
                self._gets_less(request, chunk, tasks)
            if chunk:
                tasks.append(Task(request, PREFILL, chunk))
                budget = None if budget is None else budget - chunk
        return tasks

    def _gets_less(self, request, chunk, prefills):
        used = tuple((r.id, 1) for r in self.running if r.phase == DECODE) + tuple((t.request.id, t.tokens) for t in prefills)
        self.reasons.append(Reason(self.now, CUT if chunk else BUDGET, request.id, got=chunk, wanted=request.uncomputed, used=used))

    def send_back_newest(self):
        """Take the newest running request out; it waits again. -> the request."""
        request = self.running.pop()
        request.lose_slot()
        self._enqueue(request)
        return request

    def finish(self, request):
        self.running.remove(request)

    def next_ready(self):
        """When the next request will be ready, or None."""
        return self.preparing[0][0] if self.preparing else None
