"""The page's questions about the reader's own machine: plain data in and out, one point of a measurement at a time.

In: requests of `service`. Out: spreads, plans and records, or a ConfigurationError in Vietnamese. Imported when first asked for: a reader of
the lab alone never needs it.
"""
import math

from .errors import ConfigurationError, Problem, shown
from .machine import BUDGET_S, CEILINGS, PROMPTS, SIZE_NAMES, SIZES, choose_size, last_cache_bytes, overruns, plan, stream_bytes, take
from .machine_report import record


def point(asked):
    """{"point", "size": name or null, "taken": {point: spread}, "elapsed_s": so far, or absent when the reader agreed to any time} -> its spread, or
    null when it would end after the budget. Too little memory is said in words, with a smaller size as the remedy."""
    name, size = asked["point"], asked["size"]
    known = [*CEILINGS, "decode", *(f"prefill {tokens}" for tokens in PROMPTS)]
    if name not in known:
        raise wrong("point", name, ", ".join(known), "Hãy chọn một phép đo trong danh sách.")
    if name not in CEILINGS:
        size = checked_size(size)
    if "elapsed_s" in asked and overruns(name, asked["taken"], asked["elapsed_s"]):
        return None
    return taken_point(name, size)


def taken_point(name, size):
    """As `machine.take`; too little memory is a ConfigurationError."""
    try:
        return take(name, size)
    except MemoryError:
        raise too_little_memory(name, size) from None


def too_little_memory(name, size):
    if name in CEILINGS:
        needed = f"chừng {stream_bytes(last_cache_bytes()) / 1e6:.0f} MB bộ nhớ trống"
        return wrong("point", name, needed, "Máy không đủ bộ nhớ cho phép đo này. Hãy đóng bớt chương trình khác rồi đo lại.")
    smaller = smaller_than(size)
    needed = f"chừng {2 * SIZES[size].weight_bytes / 1e6:.0f} MB bộ nhớ trống"
    remedy = f"Hãy chọn cỡ {SIZE_NAMES[smaller]}." if smaller else "Hãy đóng bớt chương trình khác rồi đo lại."
    return ConfigurationError([Problem(constant="size", value=size, range=needed, message=f"Cỡ {SIZE_NAMES[size]} cần {needed}, mà máy không có đủ. {remedy}")])


def planned(asked):
    """{"size": name or null, "flops_per_s", "bytes_per_s", "whole": the reader agreed to more than the budget} -> which points, what is left out,
    the seconds expected, `whole_s` with everything, and the next smaller size or null. Without `whole` a slow machine may get no prompt at all."""
    speeds = [asked["flops_per_s"], asked["bytes_per_s"]]
    size = checked_size(asked["size"]) if asked["size"] else choose_size(*speeds, last_cache_bytes())
    everything = plan(size, *speeds, math.inf)
    made = everything if asked["whole"] else plan(size, *speeds)
    return dict(size=size, points=made.points, prompts=made.prompts, left_out=made.left_out, seconds=made.seconds, budget_s=BUDGET_S,
                whole_s=everything.seconds, smaller=smaller_than(size))


def smaller_than(size):
    names = [*SIZES]
    place = names.index(size)
    return names[place - 1] if place else None


def recorded(asked):
    """{"size", "points": {point: spread}} -> the record of a finished measurement."""
    return record(checked_size(asked["size"]), asked["points"])


def checked_size(size):
    if size not in SIZES:
        raise wrong("size", size, f"một trong: {', '.join(SIZES)}", "Hãy chọn một cỡ trong danh sách.")
    return size


def wrong(name, value, allowed, remedy):
    return ConfigurationError([Problem(constant=name, value=value, range=allowed, message=f"{name} = {shown(value)}: cần {allowed}. {remedy}")])
