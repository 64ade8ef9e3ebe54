"""What holds for every configuration: small ones drawn at random, the same ones every time."""
import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference_lab import Config, ConfigurationError, run
from inference_lab.config import CONSTANTS, REQUEST_FIELDS
from inference_lab.figures import figures
from inference_lab.invariants import check_trace
from inference_lab.metrics import metrics

from .builders import STATIC, WHOLE, chunked, examples, outputs_of, serve

# ── Valid configurations ─────────────────────────────────────────────────────

texts = st.sampled_from(["xin chao", "model", "ban hoc", "xi", "ode ha", "xin chao model", "", "model token", "hoc", "?", "chào 😀"])
fields = dict(arrival=st.sampled_from([0, 0, 500, 3000]), text=texts, max_new=st.sampled_from([8, 1, 3, 5, 12]),
              temperature=st.sampled_from([1.5, 0, 0.0, 1e-6, 0.7, 100]), top_k=st.sampled_from([0, 1, 3, 50]), top_p=st.sampled_from([1.0, 0.9, 1e-9]),
              seed=st.integers(0, 5))


@st.composite
def configurations(draw):
    """Up to five requests; pools from too small for one to roomy, so that many runs preempt."""
    requests = [dict(draw(st.fixed_dictionaries(fields)), id=id) for id in "ABCDE"[:draw(st.sampled_from([4, 5, 3, 2, 1]))]]
    heads, width = draw(st.sampled_from([(1, 2), (2, 4), (3, 2)]))
    block_size, tokens = draw(st.sampled_from([4, 1, 2, 3, 7])), draw(st.sampled_from([20, 16, 4, 30, 100]))
    return Config.of(dict(
        SEED=draw(st.integers(0, 9)), N_HEADS=heads, D_HEAD=width, D_MODEL=heads * width, FFN_HIDDEN=draw(st.integers(1, 5)),
        MAX_CONTEXT=draw(st.sampled_from([24, 16, 10])), BLOCK_SIZE=block_size, POOL_BLOCKS=-(-tokens // block_size),
        SLOTS=draw(st.sampled_from([3, 2, 4, 1])), QUEUE_LIMIT=draw(st.sampled_from([9, 0, 1])), TOKEN_BUDGET=draw(st.sampled_from([6, 1, 3, 12, 40])),
        COST_GATEWAY=draw(st.sampled_from([0, 200])), COST_DECODE_FIXED=draw(st.sampled_from([1000, 0])), COST_PREFILL_FIXED=draw(st.sampled_from([500, 0])),
        QUANT_BITS=draw(st.integers(2, 8)), N_MERGES=draw(st.sampled_from([10, 0, 3])), REQUESTS=requests, FOLLOW=draw(st.sampled_from(requests))["id"]))


@st.composite
def crowds(draw):
    """Three to five requests at about the same time in three or four slots and a pool for less than two of them: nearly all preempt."""
    texts = ["xin chao model", "ban hoc", "model", "xin chao", "hoc"]
    requests = [dict(draw(st.fixed_dictionaries(fields)), id=id, text=draw(st.sampled_from(texts)), arrival=draw(st.sampled_from([0, 500])),
                     max_new=draw(st.sampled_from([12, 9])), temperature=1.0) for id in "ABCDE"[:draw(st.sampled_from([4, 5, 3]))]]
    block_size = draw(st.sampled_from([4, 1, 2, 3]))
    return Config.of(dict(SEED=draw(st.integers(0, 9)), BLOCK_SIZE=block_size, POOL_BLOCKS=-(-draw(st.sampled_from([12, 16, 20])) // block_size),
                          SLOTS=draw(st.sampled_from([3, 4])), QUEUE_LIMIT=9, TOKEN_BUDGET=draw(st.sampled_from([40, 12, 6])), REQUESTS=requests, FOLLOW="A"))


POLICIES = (lambda c: STATIC), (lambda c: WHOLE), chunked


@given(st.one_of(configurations(), crowds()))
def test_every_run_ends_within_the_laws(config):
    for policy in POLICIES:
        trace = serve(config, policy(config))
        check_trace(trace, config)
        assert {s.id for s in trace.served} | {r.id for r in trace.refused} == {r.id for r in config.REQUESTS}
        assert trace.proof.max_logit_difference < 1e-10 and trace.proof.max_kv_difference < 1e-10


@given(configurations())
def test_the_parts_of_ttft_add_up_and_latencies_are_in_order(config):
    for s in serve(config).served:
        m = metrics(s)
        assert m.prep_us + m.queue_us + m.prefill_us == m.ttft_us
        assert min(m.prep_us, m.queue_us) >= 0 and 0 < m.prefill_us and m.ttft_us <= m.e2e_us
        assert (m.tpot_us is None) == (m.n_tokens == 1) and m.n_tokens == len(s.output_ids) <= s.spec.max_new
        assert m.tpot_us is None or m.ttft_us + m.tpot_us * (m.n_tokens - 1) - m.e2e_us < 1e-6


@given(st.one_of(configurations(), crowds()), st.integers(1, 3), st.integers(1, 9), st.integers(1, 9))
def test_tokens_do_not_depend_on_policy_budget_block_size_pool_or_slots(config, slots, budget, block_size):
    """In a pool and a queue with room for everyone: one answer. In a tight pool: that answer, or its beginning."""
    plain = config.plain()
    roomy = dict(POOL_BLOCKS=200, QUEUE_LIMIT=99)
    expected = outputs_of(serve(Config.of(plain | roomy)))
    for policy in POLICIES:
        other = Config.of(plain | roomy | dict(SLOTS=slots, TOKEN_BUDGET=budget, BLOCK_SIZE=block_size))
        assert outputs_of(serve(other, policy(other))) == expected
        for id, (tokens, reason) in outputs_of(serve(config, policy(config))).items():
            whole, whole_reason = expected[id]
            assert tokens == whole[:len(tokens)]
            assert reason == "kv_exhausted" or (tokens, reason) == (whole, whole_reason)


@given(crowds())
def test_a_preempted_request_waits_at_the_head_of_the_queue(config):
    """Between its preemption and its next work no other request does its first work."""
    trace = serve(config)
    first_seen = {}
    for step in trace.steps:
        for work in step.work:
            first_seen.setdefault(work.id, step.start_us)
    for p in trace.preemptions:
        back = next((s.start_us for s in trace.steps if s.start_us > p.at_us and p.id in {w.id for w in s.work}), math.inf)
        newcomers = {id for id, start in first_seen.items() if p.at_us <= start < back}
        assert not newcomers, (p, newcomers)


@examples(20)
@given(configurations())
def test_figures_are_json_and_the_same_for_two_runs(config):
    first = json.dumps(figures(run(config)), allow_nan=False)
    assert first == json.dumps(figures(run(Config.of(config.plain()))), allow_nan=False)


@given(configurations())
def test_every_plain_configuration_reads_back_as_itself(config):
    assert Config.of(json.loads(json.dumps(config.plain(), allow_nan=False))) == config


# ── Invalid configurations ───────────────────────────────────────────────────

junk = st.one_of(st.sampled_from([None, True, "", "3", "A", 0, 1, -1, 10**30, 2.5, -0.0, math.nan, math.inf, [], ["a"], [None], {}, {"id": []}]),
                 st.integers(), st.floats(), st.text(max_size=5))
entries = st.one_of(junk, st.fixed_dictionaries({}, optional={key: junk for key in ["id", "text", "x", *REQUEST_FIELDS]}),
                    st.fixed_dictionaries(fields | dict(id=st.sampled_from(["A", "B", ""]), top_p=st.one_of(fields["top_p"], junk))))
anything = st.dictionaries(st.one_of(st.sampled_from(list(CONSTANTS)), st.text(max_size=12)), st.one_of(junk, st.lists(entries, max_size=3)), max_size=5)


@examples(150)
@given(anything)
def test_whatever_is_given_is_a_configuration_or_a_configuration_error(changed):
    try:
        config = Config.of(changed)
    except ConfigurationError as error:
        assert error.problems
        for p in error.problems:
            assert isinstance(p.constant, str) and p.message and p.range and len(p.message) < 1000
    else:
        assert Config.of(config.plain()) == config


@given(st.dictionaries(st.sampled_from([c.name for c in CONSTANTS.values() if c.minimum is not None]), st.none(), min_size=1))
def test_every_wrong_constant_is_reported_in_the_order_given(changed):
    try:
        Config.of(changed)
    except ConfigurationError as error:
        assert [p.constant for p in error.problems] == list(changed)
    else:
        raise AssertionError("None was taken for a number")


@given(configurations(), st.sampled_from([c for c in CONSTANTS.values() if c.minimum is not None]), st.integers(1, 10**6), st.booleans())
def test_one_wrong_constant_in_a_good_configuration_is_the_one_reported(config, constant, distance, above):
    value = constant.maximum + 2 * distance if above else constant.minimum - 2 * distance
    try:
        Config.of(config.plain() | {constant.name: value})
    except ConfigurationError as error:
        assert constant.name in {p.constant for p in error.problems}
    else:
        raise AssertionError(f"{constant.name} = {value} was taken")


@examples(60)
@given(configurations(), configurations(), st.sets(st.sampled_from(sorted(f.name for f in dataclasses.fields(Config))), max_size=3))
def test_a_run_that_takes_over_from_another_is_the_one_it_would_be_alone(config, other, names):
    """Between any two: with all constants but a few the same, the usual case, and with any."""
    try:
        near = Config.of(config.plain() | {name: other.plain()[name] for name in names})
    except ConfigurationError:                          # the few that differ do not go with the rest
        near = config
    before = run(config)
    for after in (near, other):
        assert everything(run(after, before=before)) == everything(run(after))


def everything(result):
    """All that a run holds, arrays as lists."""
    def flat(value):
        if dataclasses.is_dataclass(value):
            return {f.name: flat(getattr(value, f.name)) for f in dataclasses.fields(value)}
        if isinstance(value, np.ndarray):
            return [value.shape, value.tolist()]
        if isinstance(value, dict):
            return {key: flat(one) for key, one in value.items()}
        return [flat(one) for one in value] if isinstance(value, (list, tuple)) else repr(value) if isinstance(value, float) else value
    held = {f.name: flat(getattr(result, f.name)) for f in dataclasses.fields(result) if f.name != "tokenizer"}
    return held | dict(merges=result.tokenizer.merges, vocabulary=result.tokenizer.vocabulary)


@pytest.mark.parametrize("changed, kept", [
    ({"TOKEN_BUDGET": 4}, "static continuous decisions weights"), ({"SLOTS": 3}, "decisions weights"), ({"QUANT_BITS": 4}, "static continuous chunked weights"),
    ({"TTFT_SLO": 9000}, "static continuous chunked decisions weights"), ({"SEED": 1}, ""), ({"N_MERGES": 3}, ""), ({"FOLLOW": "A"}, "weights")])
def test_what_depends_on_no_constant_that_differs_is_taken_over(changed, kept):
    before = run(Config())
    after = run(Config.of(changed), before=before)
    same = [a.policy.name for a, b in zip(after.traces, before.traces) if a is b] + ["decisions"] * (after.decisions is before.decisions)
    same += ["weights"] * (after.weights is before.weights and after.tokenizer is before.tokenizer)
    assert " ".join(same) == kept
