"""Figures that the page writes itself: bytes, counts of parts, values of constants.

In: numbers. Out: text. The engine's own figures arrive as text and do not pass here.
One function for each, because MicroPython and CPython write some numbers differently.
"""

NARROW = "\u202f"  # narrow no-break space, between a figure and its unit

UNITS = ((1000000, "MB"), (1000, "kB"))


def bytes_text(count):
    """1234567 -> "1.2 MB"; under 1000 as whole bytes."""
    for size, unit in UNITS:
        if count >= size:
            tenths = (count * 10 + size // 2) // size
            return str(tenths // 10) + "." + str(tenths % 10) + NARROW + unit
    return str(count) + NARROW + "byte"


def share_text(part, whole):
    """3, 4 -> "3/4"."""
    return str(part) + "/" + str(whole)


def progress(step, steps, loaded, total):
    """How far a boot is, from 0.0 to 1.0. Half of the way is bytes of all files, half is steps that are done."""
    bytes_part = min(loaded / total, 1.0) if total else 0.0
    steps_part = (min(step, steps) - 1) / steps if steps and step else 0.0
    return (bytes_part + steps_part) / 2


def number_text(value):
    """A constant's value as it is typed: 3 -> "3", 0.95 -> "0.95", six decimals at most."""
    if isinstance(value, int):
        return str(value)
    text = "{:.6f}".format(value)
    while text[-1] == "0":
        text = text[:-1]
    return text[:-1] if text[-1] == "." else text
