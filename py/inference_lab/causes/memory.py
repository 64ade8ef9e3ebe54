"""Preemptions, answers that the pool cut short, and who held blocks at the peak."""
from .pair import MOST_NAMED, names


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
