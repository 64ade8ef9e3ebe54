"""TTFT and TPOT of the followed request and the longest gap of all, put down to what the steps carried."""
from ..attribution import BUDGET, FINISHED, POOL, SLOT, STEP, decode_stretch, freed_by, longest_gap, prefill_stretch, stretch, waits
from ..metrics import metrics
from ..notation import ms
from ..request import DECODE, PREFILL
from ..trace import OWN
from .pair import longer, move, moved, names

PREP, QUEUE, PREFILL_PART = "chuẩn bị đầu vào", "chờ chỗ chạy", "prefill"
PARTS = (("prep_us", PREP), ("queue_us", QUEUE), ("prefill_us", PREFILL_PART))
STEP_COSTS = ("COST_PREFILL_FIXED", "COST_PREFILL_PER_TOKEN", "COST_DECODE_FIXED", "COST_DECODE_PER_SEQ")
BY_SCRIPT = "thời gian mỗi bước do hàm cost của script tính"     # what it makes of the constants, nobody knows


# ── TTFT of the followed request ─────────────────────────────────────────────


def ttft(pair):
    """What moved, and in which parts."""
    moved_parts = parts_of_ttft(pair)
    if not moved_parts:
        return
    a, b = pair.followed
    old, new = metrics(a), metrics(b)
    total = new.ttft_us - old.ttft_us
    head = f"TTFT của {b.id} {moved(total)}" if total else f"TTFT của {b.id} vẫn là {ms(new.ttft_us)}, nhưng các phần đổi chỗ cho nhau"
    if no_more_wait(pair, moved_parts):
        yield f"{head}: không còn chờ chỗ chạy. Trước đó nó {waited(pair.old, pair.before.config, a)}."
    elif len(moved_parts) == 1:
        yield f"{head}, tất cả ở phần {moved_parts[0][0]}."
    else:
        yield f"{head}: {', '.join(f'{name} {moved(d)}' for name, d in moved_parts)}."


def why_ttft(pair):
    """Why each of these parts moved, the largest first."""
    moved_parts = parts_of_ttft(pair)
    if no_more_wait(pair, moved_parts):
        return
    for name, difference in sorted(moved_parts, key=lambda part: -abs(part[1])):
        yield from REASONS[name](pair, *pair.followed, difference)


def parts_of_ttft(pair):
    """-> [(name, by how much it is longer)] of the parts that are not as before"""
    if pair.followed is None:
        return []
    old, new = map(metrics, pair.followed)
    return [(name, getattr(new, field) - getattr(old, field)) for field, name in PARTS if getattr(new, field) != getattr(old, field)]


def no_more_wait(pair, moved_parts):
    """Whether all that moved is a wait that is gone: then one sentence says it all."""
    return [name for name, _ in moved_parts] == [QUEUE] and metrics(pair.followed[1]).queue_us == 0


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
    return ", rồi ".join(waited_for(trace, config, served, wait, parts) for wait in parts) or "không phải chờ"


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
    longer_prefill = len(new.chunks) - len(old.chunks) or sum(new.chunks) - sum(old.chunks)
    if longer_prefill or (old.chunks != new.chunks and "cost" in pair.own):  # [5, 4] costs what [6, 3] does, unless a script's own cost says otherwise
        facts.append((longer_prefill, chunked(pair, b, old, new)))
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
    if "cost" in pair.own:
        return facts + [(0, BY_SCRIPT)]
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
    stands = [f"{served.id} đứng {ms(end - start)}" for served, start, end in (old, new)]
    why = [why_stood(run, *found) for run, found in ((pair.before, old), (pair.after, new))]
    costs = pair.moves(STEP_COSTS)
    head = f"Khoảng đứng lâu nhất {moved((new[2] - new[1]) - (old[2] - old[1]))}: {stands[1]} {why[1]}."
    own, same = "cost" in pair.own, (old[0].id, why[0]) == (new[0].id, why[1])
    if same and (own or costs):
        yield f"{head} Trước đó cũng vậy, {ms(old[2] - old[1])}; " + (f"{BY_SCRIPT}." if own else f"chỉ thời gian mỗi bước khác ({', '.join(costs)}).")
    else:
        yield f"{head} Trước đó {stands[0]} {why[0]}." + (f" Thời gian mỗi bước cũng khác: {', '.join(costs)}." if costs and not own else "")


def why_stood(run, served, start, end):
    """Why a request stood between two tokens, from the steps in between."""
    trace = run.main
    if any(p.id == served.id and start <= p.at_us <= end for p in trace.preemptions):
        return "vì bị preempt, phải đợi block rồi tính lại từ đầu"
    between = [(i, s) for i, s in enumerate(trace.steps, 1) if start <= s.start_us and s.end_us <= end]
    i, step = max(between, key=lambda numbered: numbered[1].duration_us)
    prefilled = tuple(w.id for w in step.work if w.phase == PREFILL)
    if prefilled:
        return f"vì bước {i} còn nạp {step.prefill_tokens} token prompt của {names(prefilled)}"
    return f"ở bước {i}, bước chỉ decode cho {names([w.id for w in step.work if w.phase == DECODE])}"
