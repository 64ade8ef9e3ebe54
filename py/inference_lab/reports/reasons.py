"""Why a request got what it got, as a sentence: made of what the scheduler noted when it decided, and of nothing else.

In: a `trace.Reason` and the configuration. Out: one sentence in Vietnamese, field terms in English.
"""
from ..trace import BUDGET, CUT, GROUP_FILLS, GROUP_RUNS, OWN_SHARE, PASSED_OVER, POOL, PREEMPTED, PUT_OFF, SLOTS

NUMBERS = ("không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín")
MOST = 4                            # names in one sentence


def told(reason, config):
    """-> str about the request that the reason is about"""
    return SENTENCES[reason.kind](reason, config)


def told_behind(reason, config):
    """The same for somebody who stands behind the head of the queue: "{}" is the place of the name."""
    if reason.kind == POOL:
        return f"{{}} chờ sau {reason.id}, và không ai được vượt: {lacking(reason, config)}."
    return told(reason, config).replace(reason.id, "{}", 1)


def names(ids):
    """("A", "B", "C") -> "A, B và C"; of many the first few, and how many more."""
    ids = list(ids)
    if len(ids) > MOST:
        return f"{', '.join(ids[:MOST - 1])} và {len(ids) - MOST + 1} yêu cầu nữa"
    return " và ".join(part for part in (", ".join(ids[:-1]), ids[-1]) if part)


def spelled(count):
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def used_by(pairs):
    """(("A", 1), ("D", 3)) -> "A đã dùng 1, D đã dùng 3"; of many the sum."""
    if len(pairs) > MOST:
        return f"{len(pairs)} yêu cầu khác đã dùng {sum(tokens for _, tokens in pairs)}"
    return ", ".join(f"{id} đã dùng {tokens}" for id, tokens in pairs)


def slots(reason, config):
    held = "chỗ chạy duy nhất" if len(reason.others) == 1 else f"{spelled(len(reason.others))} chỗ chạy"
    return f"{reason.id} chờ: {held} đang do {names(reason.others)} giữ."


def pool(reason, config):
    return f"{reason.id} chờ ở đầu hàng: {lacking(reason, config)}."


def lacking(reason, config):
    left = f"bể chỉ còn {reason.free} block trống" if reason.free else "bể không còn block trống nào"
    return f"{reason.id} cần {config.blocks_for(reason.wanted)} block cho {reason.wanted} token, {left}"


def group_fills(reason, config):
    return f"{reason.id} chờ: static gom đủ {reason.wanted} yêu cầu rồi mới chạy, hiện có {reason.got}."


def group_runs(reason, config):
    return f"{reason.id} chờ: static chạy xong cả nhóm rồi mới nhận nhóm sau, {names(reason.others)} chưa xong."


def cut(reason, config):
    used = used_by(reason.used) if reason.used else f"prompt còn {reason.wanted} token"
    return f"{reason.id} chỉ được {reason.got} token: ngân sách {config.TOKEN_BUDGET}, {used}."


def budget(reason, config):
    return f"{reason.id} giữ chỗ mà chưa được token nào: ngân sách {config.TOKEN_BUDGET}, {used_by(reason.used)}."


def own_share(reason, config):
    if reason.got:
        return f"{reason.id} được {reason.got}/{reason.wanted} token: scheduler của bạn chia như vậy."
    return f"{reason.id} giữ chỗ mà không được token nào: scheduler của bạn giao việc cho {names(id for id, _ in reason.used)}."


def passed_over(reason, config):
    return f"{reason.id} đứng trước nhưng chưa được chỗ: scheduler của bạn chọn {reason.others[0]}."


def preempted(reason, config):
    return f"{reason.id} bị preempt: bể hết block trống, {who_needed(reason)}. {reason.id} trả {reason.free} block; {reason.got} token phải tính lại."


def put_off(reason, config):
    return f"{reason.id} chưa vào được chỗ chạy: bể hết block trống, {who_needed(reason)}."


def who_needed(reason):
    for_id = reason.others[0]
    return f"{for_id} cần thêm block và {for_id} vào sau cùng" if for_id == reason.id else f"{for_id} cần thêm block mà {reason.id} vào sau cùng"


SENTENCES = {SLOTS: slots, POOL: pool, GROUP_FILLS: group_fills, GROUP_RUNS: group_runs, CUT: cut, BUDGET: budget, OWN_SHARE: own_share,
             PASSED_OVER: passed_over, PREEMPTED: preempted, PUT_OFF: put_off}
