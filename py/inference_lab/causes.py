"""Why two runs differ, in sentences: read off the decomposition of TTFT and the two traces.

In: two `LabRun`s. Out: sentences in Vietnamese, the most telling first. Each says only what both traces show; where the
constants do not explain a difference, it says that too.

The run compared with may be the one before or one that was pinned, so it is called "trước" throughout.
"""
from dataclasses import fields

from .attribution import BUDGET, FINISHED, POOL, SLOT, STEP, decode_stretch, freed_by, longest_gap, prefill_stretch, stretch, waits
from .config import CONSTANTS, RequestSpec
from .gateway import INPUT, TOO_MANY
from .metrics import metrics, summary
from .notation import fixed, ms, us, visible
from .reports.phrases import cause_of_refusal
from .request import DECODE, PREFILL
from .trace import OWN

MOST_NAMED = 3                  # requests of one kind that get a sentence each

SAME_CONFIGURATION = "Cấu hình giống hệt kết quả đem so, nên mọi con số giữ nguyên."
SAME_RESULTS = "Các hằng số và mọi kết quả giống hệt kết quả đem so."
SCRIPT_DIFFERS = "Các hằng số giống hệt kết quả đem so. Khác biệt đến từ phần mã của script."

PREP, QUEUE, PREFILL_PART = "chuẩn bị đầu vào", "chờ chỗ chạy", "prefill"
PARTS = (("prep_us", PREP), ("queue_us", QUEUE), ("prefill_us", PREFILL_PART))
WEIGHT_CONSTANTS = ("SEED", "D_MODEL", "N_HEADS", "D_HEAD", "FFN_HIDDEN")
TOKEN_CONSTANTS = ("CORPUS", "N_MERGES")
STEP_COSTS = ("COST_PREFILL_FIXED", "COST_PREFILL_PER_TOKEN", "COST_DECODE_FIXED", "COST_DECODE_PER_SEQ")


def causes(before, after):
    """before, after: LabRun. -> list of sentences, never empty"""
    pair = Pair(before, after)
    if before.config == after.config:
        same = pair.same_schedule and pair.same_tokens and pair.same_decisions
        return [SAME_RESULTS if pair.own else SAME_CONFIGURATION] if same else [SCRIPT_DIFFERS, *differences(pair)]
    return differences(pair) or ["Các hằng số vừa đổi không làm con số chính nào thay đổi."]


class Pair:
    """The two runs, and what is asked about them more than once."""

    def __init__(self, before, after):
        self.before, self.after = before, after
        self.old, self.new = before.main, after.main
        self.changed = [name for name in CONSTANTS if getattr(before.config, name) != getattr(after.config, name)]
        self.specs_before = {r.id: r for r in before.config.REQUESTS}
        self.specs_after = {r.id: r for r in after.config.REQUESTS}
        served_before = {s.id: s for s in self.old.served}
        self.served = [(served_before[s.id], s) for s in self.new.served if s.id in served_before]
        self.own = {*before.own, *after.own}                    # parts that a script put in, in either run
        self.same_schedule = schedule(self.old) == schedule(self.new)
        self.same_tokens = all(a.output_ids == b.output_ids for a, b in self.served)
        self.same_decisions = [(d.token, d.token_quantized) for d in before.decisions] == [(d.token, d.token_quantized) for d in after.decisions]

    @property
    def followed(self):
        """The followed request's records before and after, or None if it was not served in both."""
        return next((two for two in self.served if two[1].id == self.after.config.FOLLOW), None)

    def values(self, name):
        return getattr(self.before.config, name), getattr(self.after.config, name)

    def moves(self, names):
        """Which of these constants changed, as "SLOTS 2 → 3"."""
        return [move(name, *self.values(name)) for name in names if name in self.changed]


def schedule(trace):
    """Who did what when: equal for two runs in which nothing happened differently."""
    return [(s.start_us, s.end_us, s.work, s.holders) for s in trace.steps], [(r.id, r.code) for r in trace.refused]


def differences(pair):
    parts = (own_parts, who_is_followed, ending_of_followed, ttft, other_endings, tpot, gap, preemptions, tokens, peak, throughput, agreement, thresholds,
             without_effect)
    return [sentence for part in parts for sentence in part(pair)]


# ── Who is followed, who is served ───────────────────────────────────────────

def own_parts(pair):
    before, after = pair.before.own, pair.after.own
    if before != after:
        yield f"{own_text(after)}; trước đó {own_text(before).lower()}."


def own_text(own):
    return f"Script dùng {' và '.join(own)} riêng" if own else "Mọi phần đều là của lab"


def who_is_followed(pair):
    old, new = pair.values("FOLLOW")
    if old != new:
        yield (f"Bạn theo dõi {new} thay vì {old}: TTFT và TPOT ở dải con số là của hai yêu cầu khác nhau."
               + (" Lịch chạy không đổi." if pair.same_schedule else ""))


def ending_of_followed(pair):
    yield from endings(pair, [pair.after.config.FOLLOW])


def other_endings(pair):
    ids = sorted({*pair.specs_before, *pair.specs_after} - {pair.after.config.FOLLOW})
    sentences = list(endings(pair, ids))
    yield from sentences[:MOST_NAMED]
    if len(sentences) > MOST_NAMED:
        yield f"Còn {len(sentences) - MOST_NAMED} yêu cầu nữa đổi kết cục; khối 1 kể từng yêu cầu."


def endings(pair, ids):
    """Requests that came, went, or ended otherwise than before."""
    before, after = by_id(pair.old.admissions), by_id(pair.new.admissions)
    for id in ids:
        if id not in pair.specs_before:
            yield f"{id} là yêu cầu mới: {ending(pair.after, after[id])}."
        elif id not in pair.specs_after:
            yield f"Không còn yêu cầu {id} (trước: {ending(pair.before, before[id])})."
        elif (before[id].code, before[id].cause) != (after[id].code, after[id].cause):
            yield turned(pair, before[id], after[id])


def by_id(admissions):
    """The last decision about each request."""
    return {a.id: a for a in admissions}


def ending(run, admission):
    if not admission.accepted:
        return f"nhận {admission.code}, vì {cause_of_refusal(run, admission)}"
    return f"được phục vụ, TTFT {ms(metrics(run.main.find(admission.id)).ttft_us)}"


def turned(pair, a, b):
    """One request that ended otherwise. a, b: its last decision before and after."""
    if b.accepted:
        if a.code == TOO_MANY:
            return f"{b.id} được phục vụ: {room(pair, b.id)}."
        return f"{b.id} được phục vụ: {fits(pair.after, a.cause, b)} (trước nhận 400: {cause_of_refusal(pair.before, a)})."
    if b.code == TOO_MANY:
        passed = "" if a.accepted else f" Trước đó nó qua cổng rồi nhận 400: {cause_of_refusal(pair.before, a)}."
        return f"{b.id} bị từ chối {'' if a.accepted else 'ngay ở cổng '}(429): {room(pair, b.id)}.{passed}"
    if a.accepted:
        return f"{b.id} bị chặn 400: {cause_of_refusal(pair.after, b)} (trước được phục vụ)."
    if a.code == TOO_MANY:
        return f"{b.id} qua được cổng: {room(pair, b.id)}. Nhưng nó nhận 400: {cause_of_refusal(pair.after, b)}."
    return f"{b.id} vẫn nhận {b.code}, vì lý do khác: {cause_of_refusal(pair.after, b)} (trước: {cause_of_refusal(pair.before, a)})."


def room(pair, id):
    """What the gateway counted when it judged a request, now and before, and who made the difference."""
    old, new = (next(a for a in trace.admissions if a.id == id) for trace in (pair.old, pair.new))
    limits = [f"{c.SLOTS} + {c.QUEUE_LIMIT}" for c in (pair.before.config, pair.after.config)]
    if old.in_system == new.in_system:
        return f"lúc được xét có {new.in_system} yêu cầu trong hệ, giới hạn nay là {limits[1]} (trước là {limits[0]})"
    was, now = inside(pair.old, old), inside(pair.new, new)
    came, went = [i for i in now if i not in was], [i for i in was if i not in now]
    who = [f"thêm {names(came)}"] if came else []
    who += [f"không còn {names(went)}"] if went else []
    limit = f"giới hạn {limits[1]}" + ("" if limits[0] == limits[1] else f", trước là {limits[0]}")
    return f"lúc được xét có {new.in_system} yêu cầu trong hệ thay vì {old.in_system} ({', '.join(who)}), {limit}"


def inside(trace, admission):
    """Ids of the requests that were running or waiting when the gateway judged another one."""
    let_in = [a.id for a in trace.admissions[:trace.admissions.index(admission)] if a.stage == INPUT and a.accepted]
    return [id for id in let_in if trace.find(id).finish_us > admission.judged_us]


def fits(run, cause, admission):
    """Why input preparation now lets a request through that it stopped for `cause`."""
    c, n, max_new = run.config, admission.prompt_length, admission.spec.max_new
    if cause == "context":
        return f"{n} + {max_new} = {n + max_new}, không vượt MAX_CONTEXT = {c.MAX_CONTEXT}"
    if cause == "pool":
        return f"prompt {n} token cần {c.blocks_for(n)} block, bể có {c.POOL_BLOCKS}"
    return "mọi ký tự của nó đều có trong từ vựng"


# ── TTFT of the followed request ─────────────────────────────────────────────

def ttft(pair):
    if pair.followed is None:
        return
    a, b = pair.followed
    old, new = metrics(a), metrics(b)
    moved_parts = [(name, getattr(new, field) - getattr(old, field)) for field, name in PARTS if getattr(new, field) != getattr(old, field)]
    if not moved_parts:
        return
    total = new.ttft_us - old.ttft_us
    head = f"TTFT của {b.id} {moved(total)}" if total else f"TTFT của {b.id} vẫn là {ms(new.ttft_us)}, nhưng các phần đổi chỗ cho nhau"
    if len(moved_parts) == 1 and moved_parts[0][0] == QUEUE and new.queue_us == 0:
        yield f"{head}: không còn chờ chỗ chạy. Trước đó nó {waited(pair.old, pair.before.config, a)}."
        return
    yield f"{head}, tất cả ở phần {moved_parts[0][0]}." if len(moved_parts) == 1 else f"{head}: {', '.join(f'{name} {moved(d)}' for name, d in moved_parts)}."
    for name, difference in sorted(moved_parts, key=lambda part: -abs(part[1])):
        yield from REASONS[name](pair, a, b, difference)


def prep_reason(pair, a, b, difference):
    facts = pair.moves(("COST_GATEWAY", "COST_TOKENIZE_PER_TOKEN"))
    if len(a.prompt_ids) != len(b.prompt_ids):
        facts.append(prompt_length(pair, a, b))
    if facts:
        yield f"Chuẩn bị đầu vào của {b.id} {longer(difference)} vì {' và '.join(facts)}."


def prompt_length(pair, a, b):
    why = pair.moves(("N_MERGES",)) or (["CORPUS khác"] if "CORPUS" in pair.changed else ["văn bản khác"] if a.spec.text != b.spec.text else [])
    return f"prompt dài {len(b.prompt_ids)} token thay vì {len(a.prompt_ids)}" + (f" ({', '.join(why)})" if why else "")


def queue_reason(pair, a, b, difference):
    old, new = ([(w.kind, w.others) for w in waits(run.main, run.config, s)] for run, s in ((pair.before, a), (pair.after, b)))
    freed_before, freed = freed_by(pair.old, a), freed_by(pair.new, b)
    if old == new and [kind for kind, _ in new] == [SLOT] and freed == freed_before and freed[1] == FINISHED:
        leaver = next((two for two in pair.served if two[1].id == freed[0]), None)
        yield f"{b.id} vẫn phải đợi {freed[0]} xong mới có chỗ: {ms(metrics(b).queue_us)} thay vì {ms(metrics(a).queue_us)}."
        if leaver:
            yield from finish_reason(pair, *leaver)
    else:
        yield f"{b.id} {waited(pair.new, pair.after.config, b)}. Trước đó nó {waited(pair.old, pair.before.config, a)}."


def finish_reason(pair, a, b):
    """Why a request was done earlier or later, over the whole of its life in a slot."""
    difference = b.finish_us - a.finish_us
    facts = facts_between(pair, a, b, stretch(pair.old, a.id, a.start_us, a.finish_us), stretch(pair.new, b.id, b.start_us, b.finish_us), tokens_push=1)
    if a.start_us != b.start_us:
        facts.append((b.start_us - a.start_us, f"nó bắt đầu {'muộn' if b.start_us > a.start_us else 'sớm'} hơn {ms(abs(b.start_us - a.start_us))}"))
    if difference:
        yield from told(f"{b.id} xong {'muộn' if difference > 0 else 'sớm'} hơn {ms(abs(difference))}", facts, difference)


def waited(trace, config, served):
    """What a request waited for before its first step, as the rest of a sentence about it."""
    parts = waits(trace, config, served)
    return " rồi ".join(waited_for(trace, config, served, wait, parts) for wait in parts) or "không phải chờ"


def waited_for(trace, config, served, wait, parts):
    others = names(wait.others)
    if wait.kind == STEP:
        return f"đợi {ms(wait.us)} cho bước đang chạy kết thúc"
    if wait.kind == SLOT:
        freed = None if any(w.kind == POOL for w in parts) else freed_by(trace, served)
        until = f", tới khi {freed[0]} {'xong' if freed[1] == FINISHED else 'bị preempt'}" if freed else ""
        return f"đợi {ms(wait.us)} vì {others} giữ {'cả ' if config.SLOTS > 1 else ''}{config.SLOTS} chỗ chạy{until}"
    if wait.kind == BUDGET and trace.policy.name == OWN:
        return f"giữ chỗ mà chưa được giao việc trong {ms(wait.us)}, vì bộ lập lịch của script cho {others} chạy trước"
    if wait.kind == BUDGET:
        return f"giữ chỗ mà chưa được chạy trong {ms(wait.us)}, vì {others} dùng hết ngân sách {config.TOKEN_BUDGET} token mỗi bước"
    return f"đợi {ms(wait.us)} dù có chỗ trống, vì bể KV không đủ block ({others} đang giữ)"


def prefill_reason(pair, a, b, difference):
    facts = facts_between(pair, a, b, prefill_stretch(pair.old, a), prefill_stretch(pair.new, b))
    yield from told(f"Prefill của {b.id} {longer(difference)}", facts, difference)


REASONS = {PREP: prep_reason, QUEUE: queue_reason, PREFILL_PART: prefill_reason}


# ── What a stretch of steps carried ──────────────────────────────────────────

def facts_between(pair, a, b, old, new, per=(1, 1), tokens_push=0):
    """What differs between two stretches of one request. -> [(which way it pushes the time, what)]

    per: what each stretch is divided by before the two are compared (the gaps, for a mean gap). tokens_push: whether
    more tokens make the time longer (1) or are only worth saying (0).
    """
    def push(*names):
        """The one way in which these fields go; 0 if they stay or go different ways."""
        ways = {(x > y) - (x < y) for x, y in ((getattr(new, n) / per[1], getattr(old, n) / per[0]) for n in names)} - {0}
        return ways.pop() if len(ways) == 1 else 0

    facts = []
    if len(a.prompt_ids) != len(b.prompt_ids) and new.chunks:
        facts.append((len(b.prompt_ids) - len(a.prompt_ids), prompt_length(pair, a, b)))
    if old.chunks != new.chunks:
        facts.append((len(new.chunks) - len(old.chunks) or sum(new.chunks) - sum(old.chunks), chunked(pair, b, old, new)))
    if old.preemptions != new.preemptions:
        facts.append((new.preemptions - old.preemptions, f"nó bị preempt {new.preemptions} lần (trước: {old.preemptions} lần)"))
    if len(a.output_ids) != len(b.output_ids) and (tokens_push or per != (1, 1)):
        facts.append((tokens_push * (len(b.output_ids) - len(a.output_ids)), f"nó sinh {len(b.output_ids)} token thay vì {len(a.output_ids)}"))
    if (old.prefill_steps, old.prefill_beside) != (new.prefill_steps, new.prefill_beside):
        facts.append((push("prefill_steps", "prefill_beside"), prefills_beside(old, new)))
    if (old.decode_steps, old.decode_beside) != (new.decode_steps, new.decode_beside):
        facts.append((push("decode_steps", "decode_beside"), decodes_beside(old, new)))
    if old.idle_us != new.idle_us and old.preemptions == new.preemptions:
        facts.append((push("idle_us"), f"có {ms(new.idle_us)} nó không có việc (trước: {ms(old.idle_us)})"))
    if "cost" in pair.own:                                      # what it makes of the constants, nobody knows
        return facts + [(0, "thời gian mỗi bước do hàm cost của script tính")]
    return facts + [(pair.values(name)[1] - pair.values(name)[0], move(name, *pair.values(name))) for name in STEP_COSTS if name in pair.changed]


def chunked(pair, b, old, new):
    remarks = pair.moves(("TOKEN_BUDGET",)) + (["kể cả phần tính lại sau preempt"] if old.preemptions or new.preemptions else [])
    return (f"prompt {len(b.prompt_ids)} token chạy thành {chunk_text(new.chunks)} thay vì {chunk_text(old.chunks)}"
            + (f" ({', '.join(remarks)})" if remarks else ""))


def chunk_text(chunks, most=6):
    return f"{len(chunks)} đoạn [{', '.join(map(str, chunks[:most]))}{', …' if len(chunks) > most else ''}]"


def prefills_beside(old, new):
    was = f"{old.prefill_beside} token prompt của {names(old.prefill_others)}"
    if not new.prefill_beside:
        return f"các bước ấy không còn nạp {was}"
    return (f"các bước ấy nạp thêm {new.prefill_beside} token prompt của {names(new.prefill_others)}{in_steps(old, new)} "
            f"(trước: {was + in_steps(new, old) if old.prefill_beside else 'không'})")


def in_steps(old, new):
    """In how many steps, where only that makes the difference."""
    return f" trong {new.prefill_steps} bước" if old.prefill_beside == new.prefill_beside else ""


def decodes_beside(old, new):
    if not new.decode_steps:
        return f"không còn bước nào chung với decode của yêu cầu khác (trước: {old.decode_steps} bước)"
    was = f"{old.decode_steps} bước, {old.decode_beside} token" if old.decode_steps else "không bước nào"
    return f"{new.decode_steps} bước chung với decode của yêu cầu khác, tổng {new.decode_beside} token (trước: {was})"


def told(head, facts, difference):
    """Facts that push the way the figure went, then those that push against it."""
    along = [what for way, what in sorted(facts, key=lambda fact: fact[0] == 0) if way * difference >= 0]
    against = [what for way, what in facts if way * difference < 0]
    if along:
        yield f"{head}: {'; '.join(along)}" + (f"; dù {'; '.join(against)}." if against else ".")


# ── Between tokens ───────────────────────────────────────────────────────────

def tpot(pair):
    if pair.followed is None:
        return
    a, b = pair.followed
    old, new = metrics(a).tpot_us, metrics(b).tpot_us
    if old is not None and new is not None and old != new:
        facts = facts_between(pair, a, b, decode_stretch(pair.old, a), decode_stretch(pair.new, b), per=(len(a.output_ids) - 1, len(b.output_ids) - 1))
        yield from told(f"TPOT của {b.id} {moved(new - old)}. Khi nó decode", facts, new - old)


def gap(pair):
    old, new = longest_gap(pair.old), longest_gap(pair.new)
    if old is None or new is None or old[2] - old[1] == new[2] - new[1]:
        return
    yield (f"Khoảng đứng lâu nhất {moved((new[2] - new[1]) - (old[2] - old[1]))}: {stood(pair.after, *new)}. "
           f"Trước đó {stood(pair.before, *old)}.")


def stood(run, served, start, end):
    """Why a request stood between two tokens, from the steps in between."""
    trace = run.main
    head = f"{served.id} đứng {ms(end - start)}"
    if any(p.id == served.id and start <= p.at_us <= end for p in trace.preemptions):
        return f"{head} vì bị preempt, phải đợi block rồi tính lại từ đầu"
    between = [(i, s) for i, s in enumerate(trace.steps, 1) if start <= s.start_us and s.end_us <= end]
    i, step = max(between, key=lambda numbered: numbered[1].duration_us)
    prefilled = tuple(w.id for w in step.work if w.phase == PREFILL)
    if prefilled:
        return f"{head} vì bước {i} còn nạp {step.prefill_tokens} token prompt của {names(prefilled)}"
    return f"{head} ở bước {i}, bước chỉ decode cho {names([w.id for w in step.work if w.phase == DECODE])}"


# ── Memory ───────────────────────────────────────────────────────────────────

def preemptions(pair):
    old, new = counted(pair.old.preemptions), counted(pair.new.preemptions)
    config = pair.after.config
    if new and old != new:
        said = [f"{id} bị preempt {n} lần, {yielded(pair.new, id)}" for id, n in list(new.items())[:MOST_NAMED]]
        more = f"; còn {len(new) - MOST_NAMED} yêu cầu nữa" if len(new) > MOST_NAMED else ""
        yield (f"{'; '.join(said)}{more}: bể chỉ có {config.POOL_BLOCKS} block × {config.BLOCK_SIZE} token. Mỗi lần như vậy phải tính lại từ đầu "
               f"(trước: {f'{sum(old.values())} lần' if old else 'không ai bị preempt'}).")
    elif old and not new:
        yield (f"Không còn ai bị preempt: lúc cao điểm dùng {pair.new.peak.blocks} block, bể có {config.POOL_BLOCKS} "
               f"(trước: {sum(old.values())} lần, bể có {pair.before.config.POOL_BLOCKS} block × {pair.before.config.BLOCK_SIZE} token).")
    cut_before, cut_after = cut_short(pair.old), cut_short(pair.new)
    for id in [id for id in cut_after if id not in cut_before][:MOST_NAMED]:
        n = len(pair.new.find(id).output_ids)
        yield f"Câu trả lời của {id} bị cắt sau {n} token: một mình nó đã cần nhiều hơn {config.POOL_BLOCKS} block của cả bể."
    kept = [id for id in cut_before if id not in cut_after and pair.new.find(id)]
    if kept:
        yield f"Câu trả lời của {names(kept)} không còn bị cắt: bể {config.POOL_BLOCKS} block × {config.BLOCK_SIZE} token đủ chứa."


def counted(preempted):
    """How often each request was preempted."""
    ids = [p.id for p in preempted]
    return {id: ids.count(id) for id in sorted(set(ids))}


def yielded(trace, id):
    others = sorted({p.for_id for p in trace.preemptions if p.id == id} - {id})
    return f"nhường block cho {names(others)}" if others else "vì nó cần thêm block mà không còn block trống"


def cut_short(trace):
    return [s.id for s in trace.served if s.finish_reason == "kv_exhausted"]


def peak(pair):
    old, new = pair.old.peak, pair.new.peak
    if old.blocks == new.blocks:
        return
    size = pair.moves(("BLOCK_SIZE",))
    yield (f"Lúc cao điểm dùng {new.blocks} block, trước là {old.blocks}" + (f" ({size[0]})" if size else "")
           + f": {tables(new) or 'không ai giữ block nào'}. Trước: {tables(old) or 'không ai giữ block nào'}.")


def tables(peak):
    held = [f"{id} giữ {len(blocks)}" for id, blocks in peak.tables.items()]
    return ", ".join(held[:6]) + (f", … ({len(held) - 6} yêu cầu nữa)" if len(held) > 6 else "")


# ── Tokens ───────────────────────────────────────────────────────────────────

def tokens(pair):
    if not pair.served:
        return
    differing = [(a, b) for a, b in pair.served if a.output_ids != b.output_ids]
    if not differing:
        if not pair.same_schedule:
            yield "Token sinh ra không đổi; chỉ thời gian đổi." if len(pair.served) == len(pair.old.served) == len(pair.new.served) else (
                f"Các yêu cầu được phục vụ cả hai lần ({names([b.id for _, b in pair.served])}) vẫn sinh đúng các token cũ.")
        return
    everyone = pair.moves(WEIGHT_CONSTANTS) + [name if name == "CORPUS" else move(name, *pair.values(name)) for name in TOKEN_CONSTANTS if name in pair.changed]
    if everyone:
        what = "bộ trọng số khác" if any(name in pair.changed for name in WEIGHT_CONSTANTS) else "cách tách token khác"
        yield f"Token của {names([b.id for _, b in differing])} đổi: {', '.join(everyone)} cho {what}."
        return
    cut = [two for two in differing if only_cut(*two)]
    differing = [two for two in differing if not only_cut(*two)]
    for a, b in differing[:MOST_NAMED]:
        yield other_tokens(pair, a, b)
    if len(differing) > MOST_NAMED:
        yield f"Còn {len(differing) - MOST_NAMED} yêu cầu nữa sinh token khác."
    if cut and not differing:
        yield "Ngoài chỗ bị cắt vì hết block, token sinh ra không đổi."


def only_cut(a, b):
    """Whether two answers differ only in how far the pool let them go."""
    n = min(len(a.output_ids), len(b.output_ids))
    return "kv_exhausted" in (a.finish_reason, b.finish_reason) and a.output_ids[:n] == b.output_ids[:n]


def other_tokens(pair, a, b):
    """Why one request's tokens differ under the same weights."""
    first = next((i for i, (x, y) in enumerate(zip(a.output_ids, b.output_ids), 1) if x != y), None)
    edited = [f"{f.name} {request_value(getattr(a.spec, f.name))} → {request_value(getattr(b.spec, f.name))}" for f in fields(RequestSpec)
              if f.name not in ("id", "arrival") and getattr(a.spec, f.name) != getattr(b.spec, f.name)]
    head = f"Token của {b.id} đổi từ token thứ {first}" if first else f"{b.id} có {len(b.output_ids)} token thay vì {len(a.output_ids)}"
    if edited:
        return f"{head}, vì {', '.join(edited)}."
    if "sample" in pair.own:
        return f"{head}, vì script chọn token bằng hàm sample riêng."
    return f"{head}. Không hằng số nào giải thích điều này; nó đến từ phần mã của script."


def request_value(value):
    return f'"{visible(value, 30)}"' if isinstance(value, str) else str(value)


# ── The whole run ────────────────────────────────────────────────────────────

def throughput(pair):
    old, new = summary(pair.old), summary(pair.new)
    if old.throughput == new.throughput:
        return
    if new.throughput is None:
        yield "Không yêu cầu nào được phục vụ, nên không có throughput."
    elif old.throughput is None:
        yield f"Có yêu cầu được phục vụ: {new.tokens} token trong {ms(new.span_us)}, tức {fixed(new.throughput, 1)} token/s. Trước đó không ai được phục vụ."
    else:
        way = "tăng" if new.throughput > old.throughput else "giảm"
        yield (f"Throughput {way} từ {fixed(old.throughput, 1)} {'lên' if way == 'tăng' else 'xuống'} {fixed(new.throughput, 1)} token/s: "
               f"{new.tokens} token trong {ms(new.span_us)}, trước là {old.tokens} token trong {ms(old.span_us)}.")


def agreement(pair):
    old, new = pair.before.decisions, pair.after.decisions
    score_old, score_new = (f"{sum(d.agrees for d in ds)}/{len(ds)}" for ds in (old, new))
    bits_old, bits_new = pair.values("QUANT_BITS")
    error_old, error_new = pair.before.quantization.max_error, pair.after.quantization.max_error
    if score_old == score_new:
        if bits_old != bits_new:
            yield (f"Độ đồng thuận vẫn là {score_new}: {bits_new} bit làm trọng số lệch tới {fixed(error_new, 4)} ({bits_old} bit: {fixed(error_old, 4)}), "
                   "nhưng số quyết định đổi token không khác.")
        return
    if not old or not new:
        yield f"Độ đồng thuận từ {score_old} thành {score_new}: có prompt mới tách được thành token, hoặc không còn prompt nào."
        return
    rise = sum(d.agrees for d in new) / len(new) - sum(d.agrees for d in old) / len(old)
    head = f"Độ đồng thuận {'tăng' if rise > 0 else 'giảm' if rise < 0 else 'đổi'} từ {score_old} {'lên' if rise > 0 else 'xuống' if rise < 0 else 'thành'} {score_new}"
    if bits_old != bits_new:
        head += f": {bits_new} bit làm trọng số lệch tới {fixed(error_new, 4)} ({bits_old} bit: {fixed(error_old, 4)})"
    else:
        other = pair.moves(WEIGHT_CONSTANTS)
        prompts = [name for name in ("CORPUS", "N_MERGES", "REQUESTS") if name in pair.changed]
        other += [f"{', '.join(prompts)} cho các prompt khác"] if prompts else []
        head += f", vì {', '.join(other)}" if other else ""
    flipped = [d for d in new if not d.agrees]
    if flipped:
        d = min(flipped, key=lambda d: d.margin)
        head += (f". Quyết định đổi sát nhất: prompt {d.request}, bước {d.step + 1}, bản gốc hơn token nhì {fixed(d.margin, 4)} điểm, "
                 f"logits lệch tới {fixed(d.logit_error, 4)}")
    yield head + "."


def thresholds(pair):
    if "TTFT_SLO" in pair.changed:
        old, new = pair.values("TTFT_SLO")
        over = [sum(metrics(s).ttft_us > limit for s in trace.served) for trace, limit in ((pair.old, old), (pair.new, new))]
        yield (f"TTFT_SLO chỉ là ngưỡng để đánh dấu, không đổi cách engine chạy: {over[1]}/{len(pair.new.served)} yêu cầu vượt {ms(new)} "
               f"(trước: {over[0]}/{len(pair.old.served)} vượt {ms(old)}).")
    if "QUALITY_GATE" in pair.changed and pair.before.decisions and pair.after.decisions:
        verdicts = [f"{'ĐẠT' if sum(d.agrees for d in ds) / len(ds) >= limit else 'KHÔNG ĐẠT'} ngưỡng {100 * limit:.6g} %"
                    for ds, limit in zip((pair.before.decisions, pair.after.decisions), pair.values("QUALITY_GATE"))]
        yield f"QUALITY_GATE chỉ là ngưỡng để xét, không đổi bản nén: nay {verdicts[1]} (trước: {verdicts[0]})."


# ── What changed nothing ─────────────────────────────────────────────────────

EXPLAINED_ELSEWHERE = ("FOLLOW", "TTFT_SLO", "QUALITY_GATE", "QUANT_BITS")


def without_effect(pair):
    """Constants that were changed and left the whole schedule as it was, with the slack that explains it."""
    if not pair.same_schedule or not pair.same_tokens:
        return
    for name in pair.changed:
        if name not in EXPLAINED_ELSEWHERE:
            what = "Thay đổi trong REQUESTS" if name == "REQUESTS" else "CORPUS mới" if name == "CORPUS" else move(name, *pair.values(name))
            why = slack(pair, name)
            yield f"{what} không đổi lịch chạy và không đổi token nào{f': {why}' if why else ''}."


def slack(pair, name):
    """How far the run stays from a limit, if it stays below both its old and its new value; else an empty text."""
    trace, config = pair.new, pair.after.config
    low = min(pair.values(name)) if name in LIMITS else None
    if name == "QUEUE_LIMIT":
        fullest = max((a.in_system for a in trace.admissions if a.in_system is not None), default=0)
        if fullest < config.SLOTS + low:
            return f"lúc có yêu cầu tới, trong hệ nhiều nhất là {fullest}, chưa chạm giới hạn {config.SLOTS} + {low}"
    if name == "SLOTS":
        most = max((s.running for s in trace.steps), default=0)
        if most <= low:
            return f"nhiều nhất chỉ có {most} yêu cầu chạy cùng lúc"
    if name == "TOKEN_BUDGET":
        most = max((s.prefill_tokens + s.decode_tokens for s in trace.steps), default=0)
        if most <= low:
            return f"bước nhiều việc nhất chỉ có {most} token"
    if name == "POOL_BLOCKS" and trace.peak.blocks <= low:
        return f"lúc cao điểm chỉ dùng {trace.peak.blocks} block"
    if name == "BLOCK_SIZE" and not trace.preemptions:
        return f"bể còn đủ chỗ nên block to hay nhỏ không làm ai phải đợi; chỉ số block đã dùng đổi, từ {pair.old.peak.blocks} thành {trace.peak.blocks}"
    if name == "MAX_CONTEXT":
        longest = max((a.prompt_length + a.spec.max_new for a in trace.admissions if a.prompt_length is not None), default=0)
        if longest <= low:
            return f"yêu cầu dài nhất chỉ cần {longest} token"
        return f"yêu cầu dài nhất cần tới {longest} token, vượt cả hai mức" if longest > max(pair.values(name)) else ""
    return ""


LIMITS = ("QUEUE_LIMIT", "SLOTS", "TOKEN_BUDGET", "POOL_BLOCKS", "BLOCK_SIZE", "MAX_CONTEXT")


# ── Words ────────────────────────────────────────────────────────────────────

def moved(difference):
    return f"{'tăng' if difference > 0 else 'giảm'} {ms(abs(difference))}"


def longer(difference):
    return f"{'dài' if difference > 0 else 'ngắn'} hơn {ms(abs(difference))}"


def move(name, old, new):
    """"SLOTS 2 → 3", with a unit only where it is a time."""
    if CONSTANTS[name].unit == "µs":
        return f"{name} {us(old)} → {us(new)}"
    return f"{name} {old} → {new}"


def names(ids, most=4):
    """"A, B và C"; too many are counted."""
    ids = list(ids)
    if len(ids) > most:
        return ", ".join(ids[:most]) + f" và {len(ids) - most} yêu cầu khác"
    return " và ".join(filter(None, (", ".join(ids[:-1]), ids[-1]))) if ids else "không ai"
