"""Reading a number that a learner typed or pasted.

In: the text, and what is allowed: a row of the table of constants, or a field of a request (`kind`, `minimum`, `maximum`,
`range`). Out: (value, "") with the value as canonical text ("3", "0.95"), or (None, sentence) with a sentence that says what was typed,
what is allowed and what to do. Never clamps and never guesses between two meanings.

A value stays text from here to the engine: MicroPython's own floats do not always print as they were read.
"""

import words_controls as words

SPACES = " \t\r\n\u00a0\u202f\u2009\u3000\u200b\ufeff"  # the last two have no width, and come along when one copies from a page
MINUS = "-\u2212\u2013"
DIGITS = "0123456789"
LONGEST = 30       # digits of a number that the engine's range may hold, with room to spare
QUOTED = 40        # characters of what was typed that a sentence shows


def read_number(text, name, row):
    """`name` is what the sentence calls the field. -> (canonical text, "") or (None, sentence)"""
    bare = strip(text)
    value, trouble = parse(bare, row["kind"])
    if trouble is None:
        trouble = out_of_range(value, row)
    if trouble is None:
        return value, ""
    return None, words.bad_number(name, quoted(text), row["range"], trouble)


def parse(bare, kind):
    """-> (canonical text, None) or (None, what is wrong and what to do)"""
    if not bare:
        return None, words.EMPTY
    sign, rest = ("-", bare[1:]) if bare[0] in MINUS else ("", bare[1:] if bare[0] == "+" else bare)
    if is_digits(rest):
        return whole(sign, rest, kind)
    if in_groups(rest):
        return whole(sign, "".join(one for one in rest if one in DIGITS), kind)
    head, point, tail = rest.partition(".")
    if point and (head or tail) and is_digits(head or "0") and is_digits(tail or "0"):
        return decimal(sign, head, tail, kind)
    return None, advice(bare, rest)


def whole(sign, digits, kind):
    canonical = digits.lstrip("0") or "0"
    value = canonical if canonical == "0" else sign + canonical
    if kind == "even" and canonical[-1] in "13579":
        return None, words.ODD
    return value, None


def decimal(sign, head, tail, kind):
    if kind != "float":
        return None, words.not_whole(head, tail)
    head, tail = head.lstrip("0") or "0", tail.rstrip("0")
    canonical = head + ("." + tail if tail else "")
    return (canonical if canonical == "0" else sign + canonical), None


def out_of_range(value, row):
    """What to do about a value outside of the range, or None."""
    digits = len(value.partition(".")[0].lstrip("-"))
    if digits > LONGEST:
        return words.TOO_SMALL if value[0] == "-" else words.TOO_LARGE
    number = float(value) if "." in value else int(value)
    if number > row["maximum"]:
        return words.TOO_LARGE
    if number < row["minimum"] or (number == row["minimum"] and row.get("above")):
        return words.TOO_SMALL
    return None


def advice(bare, rest):
    """The sentence for text that is no number as the lab writes numbers."""
    plain = from_full_width(bare)
    if plain != bare and is_digits("".join(one for one in plain if one not in ".,+-") or "x"):
        return words.full_width(plain)
    lower = rest.lower()
    if lower in ("nan", "inf", "infinity", "∞"):
        return words.NOT_FINITE
    if not rest:
        return words.ONLY_SIGN
    if lower[:2] in ("0x", "0b", "0o") and len(lower) > 2:
        return words.OTHER_BASE
    if "_" in rest and is_digits(rest.replace("_", "")):
        return words.underscores(rest.replace("_", ""))
    if "," in rest and all(one in DIGITS + ".," for one in rest):
        return words.COMMA
    mantissa, e, exponent = lower.partition("e")
    if e and is_digits(mantissa.replace(".", "", 1)) and is_digits(exponent.lstrip("+-")):
        return words.EXPONENT
    return words.NO_NUMBER


def strip(text):
    start, end = 0, len(text)
    while start < end and text[start] in SPACES:
        start += 1
    while start < end and text[end - 1] in SPACES:
        end -= 1
    return text[start:end]


def is_digits(text):
    """ASCII digits only: `isdigit` means other things on other interpreters."""
    if not text:
        return False
    for one in text:
        if one not in DIGITS:
            return False
    return True


def in_groups(text):
    """"4 096", as the page itself writes large numbers."""
    for space in SPACES:
        text = text.replace(space, " ")
    groups = text.split(" ")
    return len(groups) > 1 and all(is_digits(one) for one in groups) and len(groups[0]) <= 3 and all(len(one) == 3 for one in groups[1:])


def from_full_width(text):
    """３ as 3, and the marks that go with such digits."""
    return "".join(chr(ord(one) - 0xFEE0) if 0xFF0B <= ord(one) <= 0xFF19 else one for one in text)


def quoted(text):
    line = " ".join(text.split())
    return line if len(line) <= QUOTED else line[:QUOTED - 1] + "…"
