"""Whether the answers are the same, and if not, what changed them."""
from dataclasses import fields

from ..config import RequestSpec
from ..notation import literal, visible
from .pair import MOST_NAMED, move, names

WEIGHT_CONSTANTS = ("SEED", "D_MODEL", "N_HEADS", "D_HEAD", "FFN_HIDDEN")
TOKEN_CONSTANTS = ("CORPUS", "N_MERGES")


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
    return f'"{literal(visible(value, 30))}"' if isinstance(value, str) else str(value)
