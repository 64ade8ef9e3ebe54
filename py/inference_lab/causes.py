"""Why two runs differ, in sentences: read off the decomposition of TTFT and the two traces.

In: two `LabRun`s. Out: sentences in Vietnamese, the most telling first.
"""
from .metrics import metrics
from .notation import ms

NOTHING_CHANGED = "Cấu hình giống hệt lần trước, nên mọi con số giữ nguyên."
PARTS = (("prep_us", "chuẩn bị đầu vào"), ("queue_us", "chờ chỗ chạy"), ("prefill_us", "prefill"))


def causes(before, after):
    """-> list of sentences, never empty"""
    if before.config == after.config:
        return [NOTHING_CHANGED]
    return ttft_of_followed(before, after) or ["Các hằng số vừa đổi không làm TTFT của yêu cầu theo dõi thay đổi."]


def ttft_of_followed(before, after):
    a, b = before.served_followed, after.served_followed
    if before.config.FOLLOW != after.config.FOLLOW or a is None or b is None:
        return []
    old, new = metrics(a), metrics(b)
    if old.ttft_us == new.ttft_us:
        return []
    parts = [f"{name} {moved(getattr(new, field) - getattr(old, field))}" for field, name in PARTS if getattr(new, field) != getattr(old, field)]
    return [f"TTFT của {b.id} {moved(new.ttft_us - old.ttft_us)}: {', '.join(parts)}."]


def moved(difference):
    return f"{'tăng' if difference > 0 else 'giảm'} {ms(abs(difference))}"
