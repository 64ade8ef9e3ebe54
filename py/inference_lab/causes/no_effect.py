"""Constants that were changed and changed nothing, with the slack that explains it."""
from .pair import move


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
