"""A finished run, instant by instant: who was where, what moved, which cells worked, and why.

In: a LabRun. Out: plain data, small enough to send: instants are counted, and everything else refers to them by number.
Reads what was recorded and decides nothing. An instant is a time at which something happened; the state of instant i
is that right after everything of its time, and it holds until instant i + 1. Of a long run the steps around the start of
the followed request are told, and it says so.
"""
from .gateway import ACCEPTED, GATEWAY
from .notation import ms
from .reports.phrases import FINISH_REASONS, cause_of_refusal
from .reports.pictures.picture import hue_of, left_out
from .reports.pictures.window import around, first_step_of
from .reports.reasons import MOST, names, told, told_behind
from .request import DECODE, PREFILL
from .trace import OF_QUEUE, PASSED_OVER, PREEMPTED, PUT_OFF

AT_GATE, TOKENIZING, WAITING, DONE, REFUSED = "gateway", "tokenizing", "waiting", "done", "refused"      # and PREFILL, DECODE

#: Where each of them stands in the architecture.
CELLS = {AT_GATE: "L1-1", TOKENIZING: "L1-3", WAITING: "L2-1", PREFILL: "L2-3", DECODE: "L2-4", DONE: "L1-4"}

#: What works in a step of each phase, and along which arrows.
WORKING = {
    PREFILL: (("L2-3", "L2-5", "L2-7"), (("L2-3", "L2-5"), ("L2-3", "L2-7"))),
    DECODE: (("L2-4", "L2-5", "L2-6", "L2-7"), (("L2-4", "L2-5"), ("L2-4", "L2-7"), ("L2-7", "L2-5"))),
}
TOKEN_WAY = ("L2-5", "L2-6", "L1-4")

MOST_STEPS = 600


def replay(run):
    """-> dict as JSON takes it:

    instants, times: µs and their texts. requests: [id, hue, stays, tokens]; a stay is [instant, place, slot or code,
    sentence, instant of the first decision that knew it], tokens are [instant, text]. step, decided: for each instant the
    step under way, counted from 1 (0: none), and the latest decision's instant. steps: [number in the run, [[request, phase,
    tokens, sentence], …]]. queue: [instant, head, its sentence, sentence of those behind it]. waiting, running, blocks:
    counts for each instant. uses: [block, request, from, until]. lit: cells at work, for each instant a row of `cells`.
    ways: for each instant who passed which cells. emitted: for each instant whose token went along token_way, and its text.
    places: the cell of each place. working: for each phase the arrows that its work takes. told: what happened at each instant.
    """
    return Replay(run).plain()


class Replay:
    def __init__(self, run):
        self.run, self.trace, self.config = run, run.main, run.config
        self.steps = around(list(enumerate(run.main.steps, 1)), first_step_of(run.main, run.config), MOST_STEPS)      # (number, Step)
        whole = len(self.steps) == len(run.main.steps)
        self.start, self.end = (0, float("inf")) if whole else (self.steps[0][1].start_us, self.steps[-1][1].end_us)
        self.judged = {a.id: a for a in self.trace.admissions}                       # the last decision about each
        gone = {s.id: s.finish_us for s in self.trace.served}
        self.specs = [r for r in sorted(self.config.REQUESTS, key=lambda r: r.arrival)
                      if r.arrival <= self.end and gone.get(r.id, self.judged[r.id].judged_us) >= self.start]
        self.number = {spec.id: i for i, spec in enumerate(self.specs)}
        self.served = {s.id: s for s in self.trace.served if s.id in self.number}
        self.reasons = [r for r in self.trace.reasons if self.inside(r.at_us)]
        self.instants = self.times()
        self.numbers = {t: i for i, t in enumerate(self.instants)}
        self.stays = [[] for _ in self.specs]
        self.ways = [{} for _ in self.instants]                                      # request -> the cells it passes
        self.emitted = [[] for _ in self.instants]                                   # (request, text of its token)
        self.events = [[] for _ in self.instants]
        self.step, self.decided = self.under_way()
        self.enter()
        self.work()
        self.leave()
        for stays in self.stays:
            stays.sort(key=lambda stay: stay[0])                                     # stable: of one instant the last one counts
        if not whole:
            self.events[0].insert(0, left_out(f"bước, quanh lúc {self.config.FOLLOW} bắt đầu", len(self.steps), len(run.main.steps)).replace("Vẽ", "Phát lại"))

    def inside(self, us):
        return self.start <= us <= self.end

    def at(self, us):
        """The number of an instant; what was before the part that is told counts as its start."""
        return 0 if us < self.start else len(self.instants) if us > self.end else self.numbers[us]

    def times(self):
        at = {r.arrival for r in self.specs} | {self.judged[r.id].judged_us for r in self.specs}
        at |= {s.ready_us for s in self.served.values() if s.ready_us > self.judged[s.id].judged_us} | {s.finish_us for s in self.served.values()}
        at |= {t for _, s in self.steps for t in (s.start_us, s.end_us)} | {r.at_us for r in self.reasons}
        return sorted(t for t in at if self.inside(t))

    def under_way(self):
        step, decided = [0] * len(self.instants), list(range(len(self.instants)))
        for k, (_, one) in enumerate(self.steps, 1):
            first = self.at(one.start_us)
            for i in range(first, self.at(one.end_us)):
                step[i], decided[i] = k, first
        return step, decided

    # ── Who is where ─────────────────────────────────────────────────────────

    def stay(self, id, at_us, place, detail="", sentence="", known_from=None):
        i = self.at(at_us)
        if i < len(self.instants):
            self.stays[self.number[id]].append([i, place, detail, sentence, i if known_from is None else known_from])

    def move(self, id, at_us, *cells):
        """Moves of one instant join to one way."""
        if self.inside(at_us):
            way = self.ways[self.at(at_us)].setdefault(self.number[id], [cells[0]])
            way += cells[1:] if way[-1] == cells[0] else cells

    def say(self, at_us, sentence):
        if self.inside(at_us):
            self.events[self.at(at_us)].append(sentence)

    def enter(self):
        """From arrival to the queue, or to a refusal."""
        for spec in self.specs:
            id, judged = spec.id, self.judged[spec.id]
            self.say(spec.arrival, f"{id} đến cổng.")
            if judged.judged_us > spec.arrival:
                self.stay(id, spec.arrival, AT_GATE, "", f"{id} ở cổng: engine đang bận một bước, cổng xét {id} lúc {ms(judged.judged_us)}.")
            if judged.code != ACCEPTED:
                self.refuse(id, judged)
                continue
            served = self.served[id]
            ready = max(served.ready_us, judged.judged_us)
            if ready > judged.judged_us:
                self.stay(id, judged.judged_us, TOKENIZING, "", f"{id} đang được tách token, xong lúc {ms(ready)}.")
                self.move(id, judged.judged_us, "L1-1", "L1-2", "L1-3")
                self.move(id, ready, "L1-3", "L2-1")
            else:
                self.move(id, ready, "L1-1", "L1-2", "L1-3", "L2-1")
            i = self.at(ready)
            now = self.steps[self.step[i] - 1][1] if i < len(self.instants) and self.step[i] else None
            self.stay(id, ready, WAITING, "", f"{id} đã sẵn sàng: scheduler xếp việc tiếp khi bước này xong, lúc {ms(now.end_us)}." if now else f"{id} chờ.")

    def refuse(self, id, judged):
        cause = f"{id} nhận {judged.code}: {cause_of_refusal(self.run, judged)}."
        self.stay(id, judged.judged_us, REFUSED, judged.code, cause)
        if judged.stage != GATEWAY:
            self.move(id, judged.judged_us, "L1-1", "L1-2", "L1-3")
        self.say(judged.judged_us, cause)

    def work(self):
        """Slots and phases, step by step. A newcomer takes the free slot with the lowest number."""
        place, lost = {}, {}
        for reason in self.reasons:
            if reason.kind in (PREEMPTED, PUT_OFF):
                lost.setdefault(reason.at_us, []).append(reason)
            elif reason.kind == PASSED_OVER:
                self.say(reason.at_us, told(reason, self.config))
        phase = {}
        for _, step in self.steps:
            for id in [id for id in place if id not in step.holders]:
                del place[id]
            new = [id for id in step.holders if id not in place]
            if new:
                self.say(step.start_us, f"{names(new)} vào chỗ chạy.")
            for id in new:
                place[id] = min(set(range(len(step.holders))) - set(place.values()))
                self.move(id, step.start_us, "L2-1", "L2-3")
                phase[id] = PREFILL
                self.stay(id, step.start_us, PREFILL, place[id])
            for work in step.work:
                if work.phase != phase[work.id]:
                    phase[work.id] = work.phase
                    self.stay(work.id, step.start_us, work.phase, place[work.id])
                    self.move(work.id, step.start_us, "L2-3", "L2-4")
            for reason in lost.pop(step.start_us, ()):
                self.send_back(reason, CELLS[phase[reason.id]] if reason.id in place else "L2-1")
                place.pop(reason.id, None)
        for reasons in lost.values():
            for reason in reasons:                                                   # of an instant whose every task lost its slot
                self.send_back(reason, "L2-1")

    def send_back(self, reason, cell):
        sentence = told(reason, self.config)
        self.stay(reason.id, reason.at_us, WAITING, "", sentence, self.at(reason.at_us) + 1)
        if cell != "L2-1":
            self.move(reason.id, reason.at_us, cell, "L2-1")
        self.say(reason.at_us, sentence)

    def leave(self):
        for served in sorted(self.served.values(), key=lambda s: s.finish_order):
            why = f"Câu trả lời của {served.id} dừng lúc {ms(served.finish_us)}: {FINISH_REASONS[served.finish_reason]}."
            last = self.stays[self.number[served.id]][-1][1] if self.stays[self.number[served.id]] else WAITING
            self.stay(served.id, served.finish_us, DONE, "", why)
            self.move(served.id, served.finish_us, CELLS[last], *TOKEN_WAY)
            if self.inside(served.finish_us):
                self.events[self.at(served.finish_us)].insert(0, f"{served.id} xong.")
            for t, token in zip(served.token_times_us, served.output_ids):
                if t < served.finish_us and self.inside(t):                          # with the last one the request itself goes
                    self.emitted[self.at(t)].append((self.number[served.id], self.run.tokenizer.vocabulary[token]))

    # ── As data ──────────────────────────────────────────────────────────────

    def plain(self):
        counts = self.counts()
        lit = self.lit()
        rows = sorted(set(lit))
        return dict(
            follow=self.config.FOLLOW, slots=self.config.SLOTS, pool=self.config.POOL_BLOCKS, instants=self.instants, times=[ms(t) for t in self.instants],
            requests=[[spec.id, hue, self.stays[i], self.tokens(spec.id)] for i, (spec, hue) in enumerate(zip(self.specs, self.hues()))],
            step=self.step, decided=self.decided, steps=self.steps_told(), queue=self.queue(), **counts, uses=self.uses(),
            cells=[list(row) for row in rows], lit=[rows.index(row) for row in lit], told=self.told(),
            ways=[list(ways.items()) for ways in self.ways], emitted=self.emitted, token_way=TOKEN_WAY, places=list(CELLS.items()), working=[[phase, [list(way) for way in ways]] for phase, (_, ways) in WORKING.items()])

    def hues(self):
        hues = hue_of(self.config)
        return [int(hues[spec.id].rsplit("-", 1)[1]) for spec in self.specs]

    def tokens(self, id):
        served = self.served.get(id)
        given = zip(served.token_times_us, served.output_ids) if served else ()
        return [[self.at(t), self.run.tokenizer.vocabulary[token]] for t, token in given if t <= self.end]

    def steps_told(self):
        """What each holder of a slot did, and why not more."""
        less = {(r.at_us, r.id): r for r in self.reasons if r.kind not in OF_QUEUE}
        return [[number, self.step_of(step, less)] for number, step in self.steps]

    def step_of(self, step, less):
        work = {w.id: w for w in step.work}
        rows = []
        for id in step.holders:
            reason, done = less.get((step.start_us, id)), work.get(id)
            if reason:
                sentence = told(reason, self.config)
            elif done is None:
                sentence = f"{id} giữ chỗ mà không có việc trong bước này."
            elif done.phase == DECODE:
                sentence = f"{id} được 1 token: decode luôn được phần trước."
            else:
                sentence = f"{id} được cả {done.tokens} token còn phải tính."
            rows.append([self.number[id], done.phase if done else "", done.tokens if done else 0, sentence])
        return rows

    def queue(self):
        return [[self.at(r.at_us), self.number[r.id], told(r, self.config), told_behind(r, self.config)] for r in self.reasons if r.kind in OF_QUEUE]

    def counts(self):
        """How many waited (accepted, without a slot), ran and held blocks after each instant."""
        n = len(self.instants)
        change = {name: [0] * (n + 1) for name in ("waiting", "running", "blocks")}
        of = {TOKENIZING: "waiting", WAITING: "waiting", PREFILL: "running", DECODE: "running"}
        for stays in self.stays:
            for i, (start, place, *_) in enumerate(stays):
                if place in of:
                    change[of[place]][start] += 1
                    change[of[place]][stays[i + 1][0] if i + 1 < len(stays) else n] -= 1
        for _, _, start, until in self.uses():
            change["blocks"][start] += 1
            change["blocks"][until] -= 1
        return {name: sums(by)[:n] for name, by in change.items()}

    def uses(self):
        return [[u.block, self.number[u.id], self.at(u.from_us), self.at(u.until_us)] for u in self.trace.block_uses
                if u.id in self.number and u.from_us <= self.end and u.until_us >= self.start]

    def lit(self):
        """The cells at work after each instant."""
        cells = [set() for _ in self.instants]
        for stays in self.stays:
            for i, (start, place, *_) in enumerate(stays):
                until = stays[i + 1][0] if i + 1 < len(stays) else len(cells)
                if place in (AT_GATE, TOKENIZING):
                    for k in range(start, until):
                        cells[k].add(CELLS[place])
                elif place == REFUSED:
                    cells[start].add("L1-1" if stays[i][2] == "429" else "L1-3")
        for i, number in enumerate(self.step):
            if number:
                cells[i].update(*(WORKING[phase][0] for phase in {w.phase for w in self.steps[number - 1][1].work}))
                if self.decided[i] == i:
                    cells[i].add("L2-1")
        for served in self.served.values():
            for t in filter(self.inside, served.token_times_us):
                cells[self.at(t)].add("L1-4")
        return [tuple(sorted(row)) for row in cells]

    def told(self):
        """What happened at each instant, in a few sentences; where a step begins, what it does."""
        for number, step in self.steps:
            self.events[self.at(step.start_us)].append(step_told(number, step, self.config))
        return [" ".join(shortened(several)) for several in self.events]


def step_told(number, step, config):
    """"Bước 8: A decode 1, C prefill 5 (6/6 token)."""
    parts = [f"{w.id} {w.phase} {w.tokens}" for w in step.work[:MOST]]
    more = f" và {len(step.work) - MOST} yêu cầu nữa" if len(step.work) > MOST else ""
    return f"Bước {number}: {', '.join(parts)}{more} ({step.decode_tokens + step.prefill_tokens}/{config.TOKEN_BUDGET} token)."


def shortened(sentences, most=4):
    return sentences if len(sentences) <= most else [*sentences[:most - 1], f"… và {len(sentences) - most} việc nữa.", sentences[-1]]


def sums(changes):
    total, result = 0, []
    for change in changes:
        total += change
        result.append(total)
    return result

