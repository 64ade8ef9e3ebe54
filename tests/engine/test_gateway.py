"""Who gets in, and what the others are told. Two slots and one place in the queue: 2 + 1."""
import pytest

from inference_lab.config import Config, RequestSpec
from inference_lab.gateway import admit, prepare
from inference_lab.tokenizer import Tokenizer

from .builders import serve_steadily, small, request, text_of

TOKENIZER = Tokenizer.learn(["a"], 1)


def spec(text="", max_new=1):
    return RequestSpec(id="A", arrival=0, text=text, max_new=max_new)


def prepared(text="", max_new=1, now=0, **changed):
    return prepare(spec(text, max_new), TOKENIZER, Config.of(changed), now)


@pytest.mark.parametrize("in_system, code, cause", [(0, "OK", ""), (1, "OK", ""), (2, "OK", ""), (3, "429", "capacity"), (4, "429", "capacity")])
def test_two_slots_and_one_place_to_wait_hold_three_requests(in_system, code, cause):
    decision = admit(spec(), in_system, Config.of({"SLOTS": 2, "QUEUE_LIMIT": 1}), 7)
    assert (decision.id, decision.stage, decision.code, decision.cause) == ("A", "gateway", code, cause)
    assert (decision.in_system, decision.judged_us, decision.accepted) == (in_system, 7, code == "OK")


@pytest.mark.parametrize("in_system, code", [(0, "OK"), (1, "429")])
def test_without_a_queue_the_slots_are_all_there_is(in_system, code):
    assert admit(spec(), in_system, Config.of({"SLOTS": 1, "QUEUE_LIMIT": 0}), 0).code == code


def test_an_accepted_prompt_comes_with_its_ids():
    decision, ids = prepared("a a", max_new=1, now=9)
    assert ids == [0, 4, 4]
    assert (decision.stage, decision.code, decision.cause, decision.prompt_length, decision.judged_us) == ("input", "OK", "", 3, 9)
    assert decision.accepted and decision.unknown == () and decision.in_system is None


def test_an_empty_prompt_is_one_token():
    assert prepared("")[1] == [0]
    assert prepared("  \n")[1] == [0]


def test_prompt_and_answer_may_fill_the_context_exactly():
    # 5 + 3 = 8
    assert prepared(text_of(5), max_new=3, MAX_CONTEXT=8)[0].accepted
    decision, _ = prepared(text_of(5), max_new=4, MAX_CONTEXT=8)
    assert (decision.code, decision.cause, decision.prompt_length) == ("400", "context", 5)
    decision, _ = prepared(text_of(6), max_new=3, MAX_CONTEXT=8)
    assert (decision.code, decision.cause, decision.prompt_length) == ("400", "context", 6)


def test_a_prompt_may_fill_the_pool_exactly():
    # two blocks of four hold 8 tokens
    assert prepared(text_of(8), BLOCK_SIZE=4, POOL_BLOCKS=2)[0].accepted
    decision, _ = prepared(text_of(9), BLOCK_SIZE=4, POOL_BLOCKS=2)
    assert (decision.code, decision.cause, decision.prompt_length) == ("400", "pool", 9)


def test_a_prompt_too_long_for_context_and_pool_is_told_of_the_context():
    assert prepared(text_of(9), BLOCK_SIZE=4, POOL_BLOCKS=2, MAX_CONTEXT=8)[0].cause == "context"


def test_characters_that_no_token_holds_are_named():
    decision, ids = prepared("a ồ a 😀 ồ", max_new=4096)
    assert (decision.code, decision.cause, decision.unknown, decision.prompt_length) == ("400", "vocabulary", ("ồ", "😀"), None)
    assert not ids


def test_only_the_request_with_unknown_characters_is_refused():
    trace = serve_steadily(small(request("A", text="xin chào"), request("B", max_new=2), request("C", text="😀")))
    assert [(r.id, r.code, r.cause) for r in trace.refused] == [("A", "400", "vocabulary"), ("C", "400", "vocabulary")]
    assert [s.id for s in trace.served] == ["B"]


def test_a_request_refused_at_the_gateway_is_not_looked_into():
    trace = serve_steadily(small(request("A"), request("B"), request("C", text="?"), SLOTS=1, QUEUE_LIMIT=1))
    assert [(a.id, a.stage, a.code, a.in_system) for a in trace.admissions] == [
        ("A", "gateway", "OK", 0), ("A", "input", "OK", None), ("B", "gateway", "OK", 1), ("B", "input", "OK", None), ("C", "gateway", "429", 2)]


def test_a_request_refused_at_input_leaves_its_place_to_the_next():
    trace = serve_steadily(small(request("A", text="?"), request("B"), SLOTS=1, QUEUE_LIMIT=0))
    assert [(r.id, r.cause) for r in trace.refused] == [("A", "vocabulary")]
    assert [s.id for s in trace.served] == ["B"]
