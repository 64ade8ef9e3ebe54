"""Numbers as people type and paste them: each gives a value, or a sentence that names the field, what was typed, and the range."""

import reading
import words_controls as words

WHOLE = {"kind": "int", "minimum": 0, "maximum": 4096, "range": "số nguyên từ 0 đến 4 096"}
EVEN = {"kind": "even", "minimum": 2, "maximum": 64, "range": "số chẵn từ 2 đến 64"}
SHARE = {"kind": "float", "minimum": 0, "maximum": 1, "range": "số từ 0 đến 1"}
TOP_P = {"kind": "float", "minimum": 0, "maximum": 1, "above": True, "range": "số lớn hơn 0 và tối đa 1"}


def test_a_value_is_taken_as_canonical_text():
    for text, value in (("3", "3"), ("+3", "3"), (" 3 ", "3"), ("\u00a03\u202f", "3"), ("\ufeff3\u200b", "3"), ("007", "7"), ("0", "0"), ("-0", "0"), ("4 096", "4096"), ("4\u202f096", "4096")):
        assert reading.read_number(text, "X", WHOLE) == (value, ""), text


def test_a_share_is_read_digit_by_digit():
    for text, value in (("0.95", "0.95"), (".5", "0.5"), ("1.", "1"), ("0.950", "0.95"), ("00.5", "0.5"), ("-0.0", "0"), ("1", "1")):
        assert reading.read_number(text, "X", SHARE) == (value, ""), text


def trouble(text, row=WHOLE):
    value, sentence = reading.read_number(text, "POOL_BLOCKS", row)
    assert value is None, text
    assert sentence.startswith("POOL_BLOCKS") and row["range"] in sentence
    return sentence


def test_bad_numbers_are_quoted_and_answered_each_in_its_own_way():
    for text, remedy in (
        ("-", words.ONLY_SIGN), ("+", words.ONLY_SIGN), ("1e400", words.EXPONENT), ("1e3", words.EXPONENT), ("0,5", words.COMMA), ("1.000,5", words.COMMA),
        ("1,000", words.COMMA), ("NaN", words.NOT_FINITE), ("Infinity", words.NOT_FINITE), ("-inf", words.NOT_FINITE), ("\u221e", words.NOT_FINITE),
        ("0x10", words.OTHER_BASE), ("1_000", "1000"), ("\uff13", "3"), ("\uff11\uff12", "12"), ("3.0", "g\u00f5 3."), ("1.000", "g\u00f5 1000."), ("2.5", words.not_whole("2", "5")),
        ("4097", words.TOO_LARGE), ("-1", words.TOO_SMALL), ("\u22121", words.TOO_SMALL), ("ba", words.NO_NUMBER), ("1 2", words.NO_NUMBER), ("--1", words.NO_NUMBER),
        ("\u0663", words.NO_NUMBER), ("1\u20442", words.NO_NUMBER), ("True", words.NO_NUMBER), ("<img onerror=x>", words.NO_NUMBER),
    ):
        sentence = trouble(text)
        assert remedy in sentence and "\u00ab" + text + "\u00bb" in sentence, sentence


def test_an_empty_field_says_so_and_quotes_nothing():
    for text in ("", "   ", "\u00a0"):
        assert words.EMPTY in trouble(text)
    assert "\u00ab" not in trouble("")


def test_400_digits_are_too_large_and_quoted_in_part():
    sentence = trouble("9" * 400)
    assert words.TOO_LARGE in sentence and len(sentence) < 200
    assert words.TOO_SMALL in trouble("-" + "9" * 400)
    assert words.TOO_LARGE in trouble("9" * 400 + ".5", SHARE)


def test_pasted_lines_are_quoted_on_one():
    assert "\u00abSLOTS = 3 QUEUE_LIMIT = 2\u00bb" in trouble("SLOTS = 3\nQUEUE_LIMIT = 2")


def test_an_odd_number_is_not_even():
    assert words.ODD in trouble("7", EVEN)
    assert reading.read_number("6", "X", EVEN) == ("6", "")


def test_a_lower_end_may_be_left_out():
    assert words.TOO_SMALL in trouble("0", TOP_P) and words.TOO_SMALL in trouble("0.0", TOP_P)
    assert reading.read_number("0.0001", "X", TOP_P) == ("0.0001", "")
    assert words.TOO_LARGE in trouble("1.0000001", TOP_P)
