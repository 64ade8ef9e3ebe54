"""How numbers are written."""
import pytest

from inference_lab.notation import UNDEFINED, fixed, gib, ms, percent, share, us, vector


@pytest.mark.parametrize("value, digits, text", [
    (0.03044, 4, "0.0304"), (1.0, 2, "1.00"), (2, 3, "2.000"), (0.996, 2, "1.00"), (-1.5, 1, "-1.5"), (1234567.0, 1, "1234567.0"), (3.7, 0, "4")])
def test_a_number_has_a_fixed_count_of_decimals(value, digits, text):
    assert fixed(value, digits) == text


def test_a_number_that_rounds_to_nothing_has_no_sign():
    assert fixed(-0.001) == "0.00" and fixed(-0.0, 1) == "0.0" and fixed(-0.006) == "-0.01"


def test_microseconds_are_shown_as_milliseconds_with_two_decimals():
    assert [ms(v) for v in (22000, 650, 14550, 6800, 0, 1133.3333)] == ["22.00 ms", "0.65 ms", "14.55 ms", "6.80 ms", "0.00 ms", "1.13 ms"]
    assert us(2900) == "2900 µs"


def test_shares_are_given_in_percent():
    # 7 / 12 = 58.3 %
    assert percent(7, 12) == "58 %" and percent(7, 12, 1) == "58.3 %" and percent(0.95) == "95 %" and percent(0, 3) == "0 %"
    assert share(7, 12) == "7/12 (58 %)" and share(40, 40) == "40/40 (100 %)"


def test_what_is_undefined_is_a_dash():
    assert UNDEFINED == fixed(None) == ms(None) == us(None) == percent(0, 0) == "–"
    assert share(0, 0) == "0/0" and vector([0.5, None]) == "[0.500, –]"


def test_a_vector_stands_in_brackets():
    assert vector([0.1, 0.25]) == "[0.100, 0.250]" and vector([1], 1) == "[1.0]" and vector([]) == "[]"


def test_binary_gigabytes():
    assert gib(536_870_912) == "0.50 GiB" and gib(80 * 1024**3, 0) == "80 GiB"
