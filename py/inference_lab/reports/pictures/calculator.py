"""The memory calculator of block 10: how many sequences fit beside the weights. Arithmetic of `memory.KVShape`, in words and bars."""
import math

from ...errors import ConfigurationError, Problem, shown
from ...memory import GIB, KVShape, MemoryExample
from ...notation import gib
from .picture import bar, group, part

FIELDS = {                      # name -> (label, smallest, largest, whole)
    "layers": ("Số lớp", 1, 10_000, True), "kv_heads": ("KV head", 1, 10_000, True), "d_head": ("Chiều mỗi head", 1, 100_000, True),
    "bytes_per_element": ("Byte mỗi số", 1, 16, True), "context": ("Token mỗi chuỗi", 1, 100_000_000, True),
    "hbm_gib": ("Bộ nhớ GPU", 0, 1_000_000, False), "weight_gib": ("Trọng số", 0, 1_000_000, False),
}


def calculated(asked):
    """-> dict(text, group). Raises ConfigurationError with every value that will not do."""
    problems = [p for p in (problem_of(name, asked.get(name)) for name in FIELDS) if p]
    if problems:
        raise ConfigurationError(problems)
    shape = KVShape(layers=asked["layers"], kv_heads=asked["kv_heads"], d_head=asked["d_head"], bytes_per_element=asked["bytes_per_element"])
    card = MemoryExample(shape=shape, context=asked["context"], hbm_bytes=round(asked["hbm_gib"] * GIB), weight_bytes=round(asked["weight_gib"] * GIB))
    per_token = shape.bytes_for(1)
    free = card.hbm_bytes - card.weight_bytes
    each = f"Một token: 2 × {shape.layers} × {shape.kv_heads} × {shape.d_head} × {shape.bytes_per_element} = {per_token} byte. Một chuỗi {card.context} token: {gib(card.sequence_bytes)}."
    if free < 0:
        return dict(text=f"{each} Trọng số {gib(card.weight_bytes)} đã lớn hơn bộ nhớ {gib(card.hbm_bytes)}: không chạy được.",
                    group=drawn(card, 0, 0))
    count = card.sequences(card.weight_bytes)
    kv = count * card.sequence_bytes
    return dict(text=f"{each} Còn {gib(free)} cho KV: chứa được {count} chuỗi cùng lúc (chưa trừ vùng làm việc).", group=drawn(card, kv, free - kv))


def drawn(card, kv, rest):
    to = lambda size: size / GIB
    return group("", "GiB", [bar("GPU", [
        part(to(card.weight_bytes), "plain", f"trọng số · {gib(card.weight_bytes)}", "trọng số"), part(to(kv), "kv", f"KV của các chuỗi đủ chỗ · {gib(kv)}", "KV"),
        part(to(rest), "slack", f"không đủ cho thêm một chuỗi · {gib(rest)}")])], (to(card.hbm_bytes), gib(card.hbm_bytes, 0)))


def problem_of(name, value):
    label, low, high, whole = FIELDS[name]
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and low <= value <= high and (not whole or value == int(value))
    if good:
        return None
    allowed = f"{'số nguyên' if whole else 'số'} từ {low} đến {high}"
    return Problem(constant=name, value=value, range=allowed, message=f"{label} = {shown(value)}: cần {allowed}. Hãy sửa lại ô này.")
