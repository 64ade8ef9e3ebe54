"""Who is followed, who got in, who was refused, and why that is not as before."""
from ..gateway import INPUT, TOO_MANY
from ..metrics import metrics
from ..notation import ms
from ..reports.phrases import cause_of_refusal
from .pair import MOST_NAMED, names


def own_parts(pair):
    before, after = pair.before.own, pair.after.own
    if before != after:
        yield f"{own_text(after)}; trước đó {own_text(before).lower()}."


def own_text(own):
    return f"Script dùng {' và '.join(own)} riêng" if own else "Mọi phần đều là của lab"


def who_is_followed(pair):
    old, new = pair.values("FOLLOW")
    if old == new:
        return
    admission = by_id(pair.new.admissions)[new]
    if admission.accepted:
        figures = "TTFT và TPOT ở dải con số là của hai yêu cầu khác nhau."
    else:
        why_follows = any(ending_of_followed(pair))
        figures = f"{new} {'không được phục vụ' if why_follows else ending(pair.after, admission)}, nên không có TTFT và TPOT."
    yield f"Bạn theo dõi {new} thay vì {old}: {figures}" + (" Lịch chạy không đổi." if pair.same_schedule else "")


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
