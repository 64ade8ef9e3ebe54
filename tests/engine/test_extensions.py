"""A learner's own sample, scheduler and cost: what they do to a run, and what is said when they give what cannot be used."""
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inference_lab as lab
from inference_lab.engine import Engine
from inference_lab.examples import examples
from inference_lab.extensions import parts_of
from inference_lab.figures import figures
from inference_lab.reports import build_reports
from inference_lab.script import run_script
from inference_lab.transcript import verdict

from .builders import A, engine_for, finished, request, small, steady, steps_of

CONFIG = lab.Config()
VOCABULARY = 15


class Given:
    """A scheduler of these functions."""

    def __init__(self, pick=None, share=None):
        if pick:
            self.pick = pick
        if share:
            self.share = share


def serve(config, **own):
    """The main trace under steady weights, with parts of one's own. -> Trace"""
    engine = engine_for(config, weights=steady(config))
    parts = parts_of(own.get("sample"), own.get("scheduler"), own.get("cost"), len(engine.tokenizer.vocabulary))
    return Engine(config, engine.policy, engine.tokenizer, engine.weights, parts).run()


def refusal(**own):
    with pytest.raises(lab.ExtensionError) as raised:
        lab.run(CONFIG, **own)
    return str(raised.value)


def passes(run):
    reports = build_reports(run)
    return all(r.passed for r in reports) or verdict(reports)


# ── sample ───────────────────────────────────────────────────────────────────

def test_the_engines_own_sample_put_in_by_hand_changes_nothing():
    assert figures(lab.run(CONFIG, sample=lab.sample)) == figures(lab.run(CONFIG))


def test_a_token_alone_is_enough():
    run = lab.run(CONFIG, sample=lambda logits, params, generator: 3)
    assert {s.output_ids for s in run.main.served} == {(3,) * 10, (3,) * 7, (3,) * 8}       # max_new of A, B, C
    assert run.own == ("sample",) and passes(run) is True


def test_a_sample_may_be_a_token_of_numpy_and_may_write_into_its_logits():
    def sample(logits, params, generator):
        logits[0] = -np.inf
        return np.argmax(logits)
    own, greedy = lab.run(CONFIG, sample=sample), lab.run(lab.Config.of({"REQUESTS": [dict(r, temperature=0) for r in CONFIG.plain()["REQUESTS"]]}))
    assert [s.output_ids for s in own.main.served] == [s.output_ids for s in greedy.main.served]
    assert own.main.proof.max_logit_difference < 1e-9


@pytest.mark.parametrize("token", [0, -1, VOCABULARY * 10, 2.0, True, None, "3", [3]])
def test_what_is_no_token_is_refused_by_name(token):
    message = refusal(sample=lambda logits, params, generator: token)
    assert message.startswith(f"sample trả về {token!r}: cần id của một token, là số nguyên từ 1 đến ")


@pytest.mark.parametrize("probabilities", [np.ones(3), np.ones(1), None, "x"])
def test_a_sample_whose_probabilities_are_none_is_refused(probabilities):
    assert "probabilities" in refusal(sample=lambda logits, params, generator: lab.Sample(3, probabilities, probabilities, None))


def test_panel_8_says_whose_sample_it_was():
    report = build_reports(lab.run(CONFIG, sample=lambda logits, params, generator: 3))[7]
    assert "hàm sample của bạn" in report.observations[0]


# ── cost ─────────────────────────────────────────────────────────────────────

def test_a_step_takes_what_the_own_cost_says():
    # Prompt of 4, three tokens: one prefill of 4 tokens, two decodes.
    trace = serve(small(request("A", prompt=4, max_new=3)), cost=lambda config, prefill, decode: 100 * prefill + decode)
    assert steps_of(trace) == [(0, 400, "A:prefill:4"), (400, 401, "A:decode:1"), (401, 402, "A:decode:1")]


def test_the_engines_own_cost_put_in_by_hand_changes_nothing():
    assert figures(lab.run(CONFIG, cost=lab.step_cost)) == figures(lab.run(CONFIG))


@pytest.mark.parametrize("cost", [0, -5, 1.5, True, None, "9", 10**9 + 1, float("nan")])
def test_a_cost_that_is_no_time_is_refused_with_what_it_was_asked_for(cost):
    message = refusal(cost=lambda config, prefill, decode: cost)
    assert message.startswith(f"cost trả về {cost!r} cho ") and "token prefill và 0 token decode: cần số nguyên µs từ 1 đến 1 000 000 000" in message


# ── scheduler ────────────────────────────────────────────────────────────────

def test_pick_gives_the_free_slot_to_whom_it_likes():
    # One slot; A is running when B (9 tokens) and C (2 tokens) wait: C, accepted last, goes first.
    config = small(request("A", max_new=1), request("B", prompt=9, max_new=1, arrival=1), request("C", prompt=2, max_new=1, arrival=2), SLOTS=1)
    assert finished(serve(config)) == ["A", "B", "C"]
    assert finished(serve(config, scheduler=Given(pick=lambda waiting: min(waiting, key=lambda r: r.prompt_tokens)))) == ["A", "C", "B"]


def test_share_says_who_works_and_on_how_much():
    # Budget 8. Prefill first: A's 9 tokens as 8 + 1; then the two decode together.
    config = small(request("A", prompt=9, max_new=3), request("B", prompt=2, max_new=2))
    def share(running, budget):
        prefills = [(r, min(r.uncomputed, budget)) for r in running if r.phase == "prefill"]
        return prefills[:1] or {r: 1 for r in running}
    assert [work for _, _, work in steps_of(serve(config, scheduler=Given(share=share)))] == [
        "A:prefill:8", "A:prefill:1", "B:prefill:2", "A:decode:1 B:decode:1", "A:decode:1"]


def test_the_order_of_the_shares_does_not_matter_and_ids_will_do():
    config = small(request("A", prompt=4, max_new=3), request("B", prompt=4, max_new=3))
    forward, backward = (Given(share=lambda running, budget, d=d: [(r.id, min(r.uncomputed, 4)) for r in running[::d]]) for d in (1, -1))
    assert steps_of(serve(config, scheduler=forward)) == steps_of(serve(config, scheduler=backward))


def test_what_a_scheduler_sees_of_a_request():
    seen = {}
    def share(running, budget):
        seen.update({(r.id, r.phase): (r.prompt_tokens, r.computed, r.uncomputed, r.generated, r.waited_us, r.spec.max_new) for r in running})
        return [(r, 1 if r.phase == "decode" else min(r.uncomputed, budget)) for r in running]
    serve(small(request("A", prompt=4, max_new=2)), scheduler=Given(share=share))
    assert seen == {("A", "prefill"): (4, 0, 4, 0, 0, 2), ("A", "decode"): (4, 4, 1, 1, 9, 2)}      # a prefill of 4 costs 5 + 4


def test_only_the_main_policy_is_replaced_and_the_table_says_so():
    run = lab.run(CONFIG, scheduler=Given(pick=lambda waiting: waiting[-1]))
    assert [t.policy.name for t in run.traces] == ["static", "continuous", "own"]
    assert figures(run)["policies"][:2] == figures(lab.run(CONFIG))["policies"][:2]
    assert "scheduler của bạn" in build_reports(run)[11].tables[0].caption and passes(run) is True


def test_a_preempted_request_is_not_overtaken():
    # The pool has 16 places. B is picked first, then A; at 8 tokens each B needs a block, and A gives its own back. C has
    # waited all the time and would be picked, but A has its slot back before C gets its first.
    config = small(request("A", prompt=4, max_new=9), request("B", prompt=4, max_new=9), request("C", prompt=2, max_new=1, arrival=1),
                   POOL_BLOCKS=4, BLOCK_SIZE=4)
    trace = serve(config, scheduler=Given(pick=lambda waiting: waiting[-1]))
    assert [(p.id, p.for_id) for p in trace.preemptions] == [("A", "B")]
    work = [w for _, _, w in steps_of(trace)]
    assert work.index("A:prefill:8") < work.index("A:prefill:1 C:prefill:2")


@pytest.mark.parametrize("scheduler, said", [
    (Given(pick=lambda waiting: None), "scheduler.pick trả về None: cần một trong các yêu cầu đang chờ (A)"),
    (Given(pick=lambda waiting: "Z"), "scheduler.pick trả về 'Z'"),
    (Given(pick=lambda waiting: 3), "scheduler.pick trả về 3"),
    (Given(share=lambda running, budget: []), "không giao việc cho ai trong khi A đang chạy"),
    (Given(share=lambda running, budget: None), "scheduler.share trả về None: cần một danh sách các cặp"),
    (Given(share=lambda running, budget: ["AB", "CD"]), "cần một danh sách các cặp"),
    (Given(share=lambda running, budget: [("D", 1)]), "giao việc cho 'D': chỉ giao được cho yêu cầu đang chạy (A)"),
    (Given(share=lambda running, budget: [("A", 99)]), "cho A 99 token: cần số nguyên từ 1 đến "),
    (Given(share=lambda running, budget: [("A", 0)]), "cho A 0 token"),
    (Given(share=lambda running, budget: [("A", 1.0)]), "cho A 1.0 token"),
    (Given(share=lambda running, budget: [("A", 1), ("A", 1)]), "cho A hai lần"),
    (Given(share=lambda running, budget: [(r, r.uncomputed) for r in running]), "cho 11 token prefill: ngân sách 6 token trừ 1 token decode chỉ còn 5"),
    (Given(), "cần một đối tượng có hàm pick(self, waiting)"),
    (3, "scheduler = 3"),
    (Given(pick=lambda: None), "scheduler.pick không nhận được các tham số"),
    (Given(share=3), "scheduler.share = 3: cần một hàm nhận 2 tham số (running, budget)"),
])
def test_a_scheduler_that_gives_what_cannot_be_used_is_told_what_it_may_give(scheduler, said):
    assert said in refusal(scheduler=scheduler)


@pytest.mark.parametrize("name, parameters", [("sample", "logits, params, generator"), ("cost", "config, prefill_tokens, decode_tokens")])
def test_what_is_no_function_of_the_right_parameters_is_refused_before_the_run(name, parameters):
    assert refusal(**{name: 3}) .startswith(f"{name} = 3: cần một hàm nhận 3 tham số ({parameters})")
    assert f"cần một hàm nhận 3 tham số ({parameters})" in refusal(**{name: lambda a: 1})


@given(st.integers(0, 10**6))
def test_no_scheduler_makes_the_engine_run_for_ever_or_break_its_laws(seed):
    rnd = random.Random(seed)
    def share(running, budget):
        shares = {}
        for r in rnd.sample(running, rnd.randint(1, len(running))):
            tokens = 1 if r.phase == "decode" else rnd.randint(1, min(r.uncomputed, budget)) if budget > 0 else 0
            if tokens:
                shares[r] = tokens
                budget -= tokens
        decodes = [r for r in shares if r.phase == "decode"]
        return shares if len(decodes) in (0, len(shares)) else {r: 1 for r in decodes}
    requests = [request(chr(65 + i), prompt=rnd.randint(1, 9), max_new=rnd.randint(1, 9), arrival=rnd.randint(0, 60)) for i in range(6)]
    config = small(*requests, SLOTS=rnd.randint(1, 4), POOL_BLOCKS=rnd.randint(3, 8), BLOCK_SIZE=rnd.randint(1, 4), TOKEN_BUDGET=rnd.randint(1, 9))
    trace = serve(config, scheduler=Given(pick=rnd.choice, share=share))
    assert len(trace.served) + len(trace.refused) == 6
    for served in trace.served:
        assert served.finish_reason == "kv_exhausted" or served.output_ids == (A,) * served.spec.max_new
    worked = sum(w.tokens for step in trace.steps for w in step.work)
    assert len(trace.steps) <= worked                       # no step without work


# ── In a script ──────────────────────────────────────────────────────────────

def test_a_part_that_gives_what_cannot_be_used_is_told_with_the_line_that_ran_it():
    error = run_script("import inference_lab as lab\n\ndef cost(config, p, d):\n    return 0.5\n\nrun = lab.run(lab.Config(), cost=cost)").error
    assert error.line == 6 and error.message.startswith("Dòng 6: cost trả về 0.5 cho ") and "ExtensionError" in error.traceback


def test_an_error_inside_a_part_has_its_own_line():
    error = run_script("import inference_lab as lab\n\ndef cost(config, p, d):\n    return p / 0\n\nrun = lab.run(lab.Config(), cost=cost)").error
    assert error.line == 4 and "chia cho 0" in error.message


@pytest.mark.parametrize("example", examples(), ids=lambda example: example["id"])
def test_each_example_runs_passes_and_is_another_run_than_the_default(example):
    outcome = run_script(example["text"])
    assert outcome.error is None and outcome.printed.rstrip().splitlines()[-1].startswith("PASS")
    assert outcome.run.config == CONFIG and outcome.run.own == (example["id"].removeprefix("own_"),)
    assert figures(outcome.run) != figures(lab.run(CONFIG))
    assert example["title"] and example["explanation"].endswith(".") and "\n" not in example["explanation"]
    assert run_script(example["program"]).run.config == CONFIG


def test_the_examples_show_what_they_say():
    own = {example["id"]: run_script(example["program"]).run for example in examples()}
    default, scheduled = lab.run(CONFIG), own["own_scheduler"]
    assert [s.id for s in sorted(scheduled.main.served, key=lambda s: s.start_us)] == ["A", "C", "B"]     # C's prompt is shorter than B's
    c = lab.metrics(scheduled.main.find("C"))
    assert (c.queue_us, c.ttft_us) == (1750, 7000)                                                        # docs/scripts.md says so
    both = [s for s in default.main.steps if s.prefill_tokens and s.decode_tokens]
    assert both and all(s.duration_us > max(lab.step_cost(CONFIG, s.prefill_tokens, 0), lab.step_cost(CONFIG, 0, s.decode_tokens)) for s in both)
    assert all(s.duration_us == max(lab.step_cost(CONFIG, s.prefill_tokens, 0), lab.step_cost(CONFIG, 0, s.decode_tokens)) for s in own["own_cost"].main.steps)
