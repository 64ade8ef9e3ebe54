"""The table of constants, and what a configuration that makes no sense is told."""
import json
import math

import pytest

from inference_lab import Config, ConfigurationError
from inference_lab.config import CONSTANTS, COURSE_CORPUS, COURSE_REQUESTS, REQUEST_FIELDS, RequestSpec

NUMBERS = [c for c in CONSTANTS.values() if c.minimum is not None]
WHOLE_NUMBERS = [c for c in NUMBERS if c.kind != "float"]
by_name = pytest.mark.parametrize("constant", NUMBERS, ids=lambda c: c.name)


def problems_of(changed):
    with pytest.raises(ConfigurationError) as caught:
        Config.of(changed)
    return caught.value.problems


def only_problem(changed):
    problems = problems_of(changed)
    assert len(problems) == 1, problems
    return problems[0]


def one(**changed):
    """A good request with `changed` put over it."""
    return dict(id="A", arrival=0, text="xin chao", max_new=3) | changed


def problems_of_request(**changed):
    return problems_of({"REQUESTS": [one(**changed)], "FOLLOW": "A"})


def only_problem_of_request(**changed):
    problems = problems_of_request(**changed)
    assert len(problems) == 1, problems
    return problems[0]


# ── The table ────────────────────────────────────────────────────────────────

def test_the_defaults_are_the_course_s():
    expected = dict(
        SEED=7, D_MODEL=8, N_HEADS=2, D_HEAD=4, FFN_HIDDEN=16, MAX_CONTEXT=24, BLOCK_SIZE=4, POOL_BLOCKS=12, SLOTS=2, QUEUE_LIMIT=1,
        TOKEN_BUDGET=6, COST_GATEWAY=200, COST_TOKENIZE_PER_TOKEN=50, COST_DECODE_FIXED=1000, COST_DECODE_PER_SEQ=100,
        COST_PREFILL_FIXED=500, COST_PREFILL_PER_TOKEN=400, TTFT_SLO=8000, QUANT_BITS=8, QUALITY_GATE=0.95,
        CORPUS=COURSE_CORPUS, N_MERGES=10, REQUESTS=COURSE_REQUESTS, FOLLOW="C")
    config = Config.of()
    assert {name: getattr(config, name) for name in CONSTANTS} == expected
    assert [(r.id, r.arrival, r.max_new, r.temperature, r.top_k, r.top_p, r.seed) for r in config.REQUESTS] == [
        ("A", 0, 10, 0.0, 0, 1.0, 1), ("B", 0, 7, 0.8, 4, 0.9, 2), ("E", 500, 30, 0.0, 0, 1.0, 3),
        ("C", 1000, 8, 0.8, 5, 0.9, 4), ("D", 1500, 5, 0.0, 0, 1.0, 5)]


def test_every_constant_is_labelled_and_explained():
    for constant in CONSTANTS.values():
        assert constant.label and constant.help.endswith(".") and constant.group and constant.range


@by_name
def test_a_slider_shows_the_default_and_stays_within_the_range(constant):
    assert constant.minimum <= constant.default <= constant.slider_maximum <= constant.maximum
    assert constant.step > 0


@pytest.mark.parametrize("edge", ["minimum", "maximum"])
@by_name
def test_both_edges_of_a_range_are_allowed(constant, edge):
    value = getattr(constant, edge)
    shapes = {                                                  # D_MODEL = N_HEADS * D_HEAD must hold too
        ("D_MODEL", 2): dict(N_HEADS=1, D_HEAD=2), ("D_MODEL", 64): dict(N_HEADS=2, D_HEAD=32),
        ("N_HEADS", 1): dict(D_MODEL=4), ("N_HEADS", 8): dict(D_MODEL=32),
        ("D_HEAD", 2): dict(D_MODEL=4), ("D_HEAD", 32): dict(D_MODEL=64)}
    config = Config.of({constant.name: value} | shapes.get((constant.name, value), {}))
    assert getattr(config, constant.name) == value


def test_a_value_between_two_steps_of_a_slider_is_taken_as_it_is():
    assert Config.of({"COST_GATEWAY": 225, "QUALITY_GATE": 0.123456}).COST_GATEWAY == 225


def test_a_whole_number_is_fine_where_a_fraction_is_allowed():
    assert Config.of({"QUALITY_GATE": 1}).QUALITY_GATE == 1


def test_plain_values_and_their_json_give_the_same_configuration_again():
    config = Config.of({"SLOTS": 3, "CORPUS": ["một hai", "ba"], "FOLLOW": "B"})
    assert Config.of(config.plain()) == config
    assert Config.of(json.loads(json.dumps(config.plain(), allow_nan=False))) == config


def test_requests_may_come_as_records():
    config = Config.of({"REQUESTS": [RequestSpec(id="Z", arrival=3, text="", max_new=1)], "FOLLOW": "Z"})
    assert config.followed == RequestSpec(id="Z", arrival=3, text="", max_new=1)


def test_a_configuration_cannot_be_changed():
    with pytest.raises(AttributeError):
        Config.of().SLOTS = 3


def test_capacity_is_slots_and_queue():
    assert Config.of().capacity == 2 + 1


@pytest.mark.parametrize("tokens, blocks", [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_four_token_blocks_are_counted_with_the_last_one_in_part(tokens, blocks):
    assert Config.of({"BLOCK_SIZE": 4}).blocks_for(tokens) == blocks


def test_a_request_at_temperature_0_is_greedy():
    a, b, *_ = Config.of().REQUESTS
    assert a.greedy and not b.greedy


# ── Numbers out of range or of the wrong kind ────────────────────────────────

@by_name
def test_one_below_the_range_is_an_error_that_names_constant_value_and_range(constant):
    value = constant.minimum - (2 if constant.kind == "even" else 1)
    problem = only_problem({constant.name: value})
    assert (problem.constant, problem.request, problem.value, problem.range) == (constant.name, None, value, constant.range)
    assert problem.message.startswith(f"{constant.name} = {value}: ") and problem.range in problem.message
    assert "Hãy tăng" in problem.message


@by_name
def test_one_above_the_range_is_an_error_that_says_less(constant):
    value = constant.maximum + (2 if constant.kind == "even" else 1)
    problem = only_problem({constant.name: value})
    assert (problem.constant, problem.value) == (constant.name, value)
    assert problem.message.startswith(f"{constant.name} = {value}: ") and "Hãy giảm" in problem.message


WRONG_KINDS = [("3", "'3'"), (math.nan, "nan"), (math.inf, "inf"), (True, "True"), (None, "None"), ([3], "[3]"), ({}, "{}")]


@pytest.mark.parametrize("value, shown", WRONG_KINDS, ids=[shown for _, shown in WRONG_KINDS])
@by_name
def test_a_value_of_the_wrong_kind_is_an_error_that_quotes_it(constant, value, shown):
    problem = only_problem({constant.name: value})
    assert problem.constant == constant.name
    assert f"{constant.name} = {shown}: " in problem.message and problem.range in problem.message


@pytest.mark.parametrize("constant", WHOLE_NUMBERS, ids=lambda c: c.name)
def test_a_fraction_is_an_error_where_a_whole_number_is_needed(constant):
    for value in (2.5, 4.0):
        assert f"{constant.name} = {value}: cần {constant.range}. Hãy nhập" in only_problem({constant.name: value}).message


@pytest.mark.parametrize("name", ["D_MODEL", "D_HEAD"])
def test_an_odd_width_is_an_error_that_asks_for_an_even_one(name):
    assert f"{name} = 5: cần số chẵn" in only_problem({name: 5}).message


def test_a_range_is_written_out_in_words():
    assert CONSTANTS["COST_GATEWAY"].range == "số nguyên từ 0 đến 1 000 000"      # no step: 225 is fine
    assert CONSTANTS["D_HEAD"].range == "số chẵn từ 2 đến 32"
    assert CONSTANTS["QUALITY_GATE"].range == "số từ 0 đến 1"


@pytest.mark.parametrize("value", [10**5000, -10**5000], ids=["positive", "negative"])
@pytest.mark.parametrize("name", ["SLOTS", "D_MODEL", "QUALITY_GATE"])
def test_a_number_of_five_thousand_digits_is_an_error_like_any_other(name, value):
    assert only_problem({name: value}).constant == name
    assert only_problem_of_request(temperature=value).request == "A"


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", ["SLOTS", "CORPUS", "FOLLOW", "REQUESTS", "NO_SUCH_CONSTANT"])
def test_a_deeply_nested_value_is_an_error_like_any_other(name):
    assert only_problem({name: nested(1500)}).constant == name


def test_a_long_value_is_quoted_in_part():
    message = only_problem({"SLOTS": "x" * 5000}).message
    assert len(message) < 300 and "…" in message


# ── Names ────────────────────────────────────────────────────────────────────

@pytest.mark.parametrize("name, near", [("SLOT", "SLOTS"), ("slots", "SLOTS"), ("token_budjet", "TOKEN_BUDGET"), ("QUANTBITS", "QUANT_BITS")])
def test_an_unknown_constant_is_an_error_with_the_nearest_known_name(name, near):
    problem = only_problem({name: 3})
    assert problem.constant == name and problem.value == 3 and f"'{name}'" in problem.message and f"viết {near}?" in problem.message


def test_an_unknown_constant_like_no_other_is_an_error_with_all_names():
    message = only_problem({"Ω": 3}).message
    assert all(name in message for name in CONSTANTS)


def test_the_empty_name_and_a_name_that_is_no_text_are_unknown():
    assert [p.constant for p in problems_of({"": 1, 3: 1, None: 1})] == ["", "3", "None"]


# ── Texts, requests, the followed request ────────────────────────────────────

@pytest.mark.parametrize("value", [[], "xin chao", ["xin", 3], [None], ["", "  "], ["a"] * 201, None, 3], ids=repr)
def test_a_corpus_without_words_is_an_error(value):
    problem = only_problem({"CORPUS": value})
    assert problem.constant == "CORPUS" and problem.range in problem.message


def test_a_corpus_may_hold_empty_sentences_beside_others():
    assert Config.of({"CORPUS": ["", "a"]}).CORPUS == ("", "a")


@pytest.mark.parametrize("value", [[], "A", None, 3, {}])
def test_a_list_without_requests_is_an_error(value):
    problem = problems_of({"REQUESTS": value})[0]
    assert problem.constant == "REQUESTS" and problem.range in problem.message


@pytest.mark.parametrize("key, value, shown", [
    ("arrival", -1, "-1"), ("arrival", 0.5, "0.5"), ("arrival", "0", "'0'"), ("arrival", True, "True"), ("arrival", None, "None"),
    ("max_new", 0, "0"), ("max_new", -3, "-3"), ("max_new", 2.5, "2.5"), ("max_new", 4097, "4097"),
    ("temperature", -0.1, "-0.1"), ("temperature", math.nan, "nan"), ("temperature", math.inf, "inf"), ("temperature", "0.8", "'0.8'"),
    ("top_p", 0, "0"), ("top_p", -0.5, "-0.5"), ("top_p", 1.0001, "1.0001"), ("top_p", math.nan, "nan"), ("top_p", True, "True"),
    ("top_k", -1, "-1"), ("top_k", 1.5, "1.5"), ("seed", -1, "-1"), ("seed", 2**32, "4294967296"), ("seed", 0.5, "0.5"),
    ("text", None, "None"), ("text", 3, "3"), ("text", ["a"], "['a']"),
])
def test_a_wrong_field_of_a_request_is_an_error_that_names_request_field_value_and_range(key, value, shown):
    problem = only_problem_of_request(**{key: value})
    assert (problem.constant, problem.request) == ("REQUESTS", "A")
    assert f"Yêu cầu A: {key} = {shown}: " in problem.message and problem.range in problem.message


@pytest.mark.parametrize("key", REQUEST_FIELDS)
def test_both_edges_of_a_request_s_field_are_allowed(key):
    _, low, high = REQUEST_FIELDS[key]
    for value in (high, 1e-9 if key == "top_p" else low):
        config = Config.of({"REQUESTS": [one(**{key: value})], "FOLLOW": "A"})
        assert getattr(config.followed, key) == value


@pytest.mark.parametrize("key", ["id", "arrival", "text", "max_new"])
def test_a_field_that_must_be_given_is_missed(key):
    entry = one()
    del entry[key]
    problems = problems_of({"REQUESTS": [entry], "FOLLOW": "A"})
    assert any(f": {key} = None: " in p.message and f"Hãy thêm {key}." in p.message for p in problems)


@pytest.mark.parametrize("id", ["", "  ", 3, None, True, ["A"], "x" * 41, "a\u202eb", "`A`"])
def test_an_id_that_is_empty_or_no_text_is_an_error_and_no_name(id):
    problems = problems_of({"REQUESTS": [one(id=id)], "FOLLOW": "A"})
    assert problems[0].constant == "REQUESTS" and problems[0].message.startswith("Yêu cầu thứ 1: id = ")


def test_a_field_that_does_not_exist_is_an_error_with_the_nearest_one():
    problem = only_problem_of_request(maxnew=3)
    assert "Yêu cầu A: maxnew = 3: " in problem.message and "viết max_new?" in problem.message


def test_an_entry_that_is_no_request_is_named_by_its_place():
    problems = problems_of({"REQUESTS": [one(), "B", 3]})
    assert [p.message.split(":")[0] for p in problems[:2]] == ["Yêu cầu thứ 2 = 'B'", "Yêu cầu thứ 3 = 3"]


def test_two_requests_with_one_id_are_an_error():
    problem = only_problem({"REQUESTS": [one(), one(id="B"), one(arrival=5)], "FOLLOW": "A"})
    assert problem.request == "A" and problem.message.startswith("Yêu cầu thứ 3: id = 'A': ")
    assert problem.cell == (2, "id")


@pytest.mark.parametrize("id", ["Z", "", "c"])
def test_following_a_request_that_does_not_exist_is_an_error_with_those_that_do(id):
    problem = only_problem({"FOLLOW": id})
    assert problem.constant == "FOLLOW" and f"FOLLOW = '{id}'" in problem.message and "A, B, E, C, D" in problem.message


@pytest.mark.parametrize("value", [None, 3, True, ["C"]])
def test_following_what_is_no_text_is_an_error(value):
    assert only_problem({"FOLLOW": value}).constant == "FOLLOW"


# ── Constants that contradict each other ─────────────────────────────────────

def test_the_width_of_the_model_must_be_heads_times_width_of_a_head():
    problem = only_problem({"D_MODEL": 10})                     # 2 * 4 = 8
    assert problem.constant == "D_MODEL" and "2 × 4 = 8" in problem.message
    assert Config.of({"D_MODEL": 12, "N_HEADS": 3}).D_MODEL == 12


@pytest.mark.parametrize("fixed, each", [("COST_DECODE_FIXED", "COST_DECODE_PER_SEQ"), ("COST_PREFILL_FIXED", "COST_PREFILL_PER_TOKEN")])
def test_a_step_that_costs_nothing_is_an_error_and_half_of_it_may_be_free(fixed, each):
    problem = only_problem({fixed: 0, each: 0})
    assert problem.constant == fixed and fixed in problem.message and each in problem.message
    Config.of({fixed: 0})
    Config.of({each: 0})


# ── All problems at once ─────────────────────────────────────────────────────

def test_several_wrong_constants_are_all_reported():
    problems = problems_of({"SLOTS": 0, "SEED": "7", "QUALITY_GATE": 2, "WHAT": 1, "CORPUS": []})
    assert [p.constant for p in problems] == ["SLOTS", "SEED", "QUALITY_GATE", "WHAT", "CORPUS"]


def test_several_wrong_fields_of_several_requests_are_all_reported():
    problems = problems_of({"REQUESTS": [one(top_p=0, max_new=0), one(id="B"), one(id="C", arrival=-1)]})
    assert [(p.request, p.message.split(" = ")[0]) for p in problems] == [
        ("A", "Yêu cầu A: max_new"), ("A", "Yêu cầu A: top_p"), ("C", "Yêu cầu C: arrival")]


def test_several_contradictions_are_all_reported():
    problems = problems_of({"D_MODEL": 10, "COST_DECODE_FIXED": 0, "COST_DECODE_PER_SEQ": 0, "COST_PREFILL_FIXED": 0, "COST_PREFILL_PER_TOKEN": 0})
    assert [p.constant for p in problems] == ["D_MODEL", "COST_DECODE_FIXED", "COST_PREFILL_FIXED"]


def test_a_contradiction_is_reported_beside_a_wrong_value():
    problems = problems_of({"SLOTS": 0, "D_MODEL": 10, "COST_DECODE_FIXED": 0, "COST_DECODE_PER_SEQ": 0})
    assert {p.constant for p in problems} == {"SLOTS", "D_MODEL", "COST_DECODE_FIXED"}


def test_following_nobody_is_reported_beside_a_wrong_value():
    assert {p.constant for p in problems_of({"SLOTS": 0, "FOLLOW": "Z"})} == {"SLOTS", "FOLLOW"}


def test_a_repeated_id_is_reported_beside_another_problem_of_the_same_request():
    messages = [p.message for p in problems_of({"REQUESTS": [one(arrival=-1), one()], "FOLLOW": "A"})]
    assert any("arrival = -1" in m for m in messages) and any("thứ 2: id = 'A'" in m for m in messages)


def test_the_error_reads_as_one_line_for_each_problem():
    with pytest.raises(ConfigurationError) as caught:
        Config.of({"SLOTS": 0, "SEED": -1})
    assert str(caught.value).splitlines() == [p.message for p in caught.value.problems]
    assert len(caught.value.problems) == 2
