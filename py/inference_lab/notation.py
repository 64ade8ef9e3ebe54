"""How the lab writes a number: the one place that decides digits and units.

Plain functions of plain values to text. An undefined value (None) is written as a dash.
"""

UNDEFINED = "–"


def fixed(value, digits=2):
    """A number with a fixed count of decimals: fixed(0.03044, 4) == '0.0304'; what rounds to zero has no sign."""
    if value is None:
        return UNDEFINED
    text = "{:.{}f}".format(value, digits)
    return text.lstrip("-") if float(text) == 0 else text


def ms(microseconds):
    """Microseconds, shown as milliseconds with two decimals: ms(22000) == '22.00 ms'."""
    return UNDEFINED if microseconds is None else fixed(microseconds / 1000) + " ms"


def us(microseconds):
    """Whole microseconds: us(2900) == '2900 µs'."""
    return UNDEFINED if microseconds is None else "{} µs".format(microseconds)


def percent(part, whole=1, digits=0):
    """A share in percent: percent(7, 12) == '58 %'."""
    return UNDEFINED if not whole else fixed(100 * part / whole, digits) + " %"


def share(part, whole):
    """A count out of a total, with its share: share(7, 12) == '7/12 (58 %)'."""
    return "{}/{} ({})".format(part, whole, percent(part, whole)) if whole else "{}/{}".format(part, whole)


def visible(text, most=80):
    """A text on one line, at most so long, with what cannot be printed written as an escape: visible('a\\n') == 'a\\\\n'."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:most])
    return shown + ("…" if len(text) > most else "")


def literal(text):
    """A text of the learner's in a sentence that may hold `code`: its own backticks are written twice, see `reports.trees.rich`."""
    return text.replace("`", "``")


def vector(values, digits=3):
    """Numbers in brackets: vector([0.1, 0.25]) == '[0.100, 0.250]'."""
    return "[" + ", ".join(fixed(v, digits) for v in values) + "]"


def gib(count, digits=2):
    """Bytes in binary gigabytes: gib(536870912) == '0.50 GiB'."""
    return fixed(count / 1024**3, digits) + " GiB"
