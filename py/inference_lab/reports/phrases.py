"""Phrases that several reports use, in Vietnamese."""
from ..notation import UNDEFINED, literal, visible

FINISH_REASONS = {
    "eos": "gặp <eos>",
    "max_new_tokens": "đủ max_new",
    "kv_exhausted": "hết block KV",
}

POLICY_NAMES = {
    "static": "static (đợi đủ nhóm)",
    "continuous": "continuous, không chia prompt",
    "chunked": "continuous + chunked",
    "own": "scheduler của bạn",
}

TOLERANCE = 1e-9


def followed_is_missing(run, what):
    """Why the followed request shows no `what`: it was refused. A whole sentence."""
    refused = run.main.refusal(run.config.FOLLOW)
    where = "ở cổng" if refused.code == "429" else "ở bước chuẩn bị đầu vào"
    return f"Yêu cầu {refused.id} bị từ chối với mã {refused.code} {where}, nên không có {what}. Chọn yêu cầu khác bằng `FOLLOW` để xem khối này."


def token_name(run, id):
    """A token in quotes, with its word end visible."""
    return f"'{run.tokenizer.vocabulary[id]}'"


def literal_token(run, id):
    """The same in a report's sentence."""
    return literal(token_name(run, id))


def cause_of_refusal(run, admission):
    """Why one admission said no, with its figures."""
    config = run.config
    if admission.cause == "capacity":
        return f"đã có {admission.in_system} yêu cầu, chạm giới hạn {config.SLOTS} + {config.QUEUE_LIMIT}"
    if admission.cause == "vocabulary":
        return "có ký tự ngoài từ vựng: " + first_few(f"'{literal(visible(c))}'" for c in admission.unknown)
    max_new = admission.spec.max_new
    if admission.cause == "context":
        return f"{admission.prompt_length} + {max_new} = {admission.prompt_length + max_new} > {config.MAX_CONTEXT}"
    if admission.cause == "pool":
        return (f"prompt {admission.prompt_length} token cần {config.blocks_for(admission.prompt_length)} block "
                f"(BLOCK_SIZE = {config.BLOCK_SIZE}), cả bể chỉ có POOL_BLOCKS = {config.POOL_BLOCKS}")
    return UNDEFINED


def joined(items, nothing="không có"):
    return ", ".join(items) or nothing


def first_few(items, count=12, between=", "):
    """The first `count` items, and how many more there are."""
    items = list(items)
    return between.join(items[:count]) + (f"{between}… (còn {len(items) - count})" if len(items) > count else "")


def small(difference):
    """A numerical residue, said as a bound: its own digits differ from machine to machine."""
    return f"≤ {TOLERANCE:.0e}".replace("e-09", "e-9") if difference <= TOLERANCE else f"{difference:.2e}"

