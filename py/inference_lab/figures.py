"""The run as plain figures, for programs: the keys that the course's yardstick compares, and a few more.

In: a `LabRun`. Out: nested dicts and lists of plain values; floats are rounded to ten decimals, so that the same
configuration gives the same text on every machine.
"""
import json

import numpy as np

from .memory import EXAMPLE
from .metrics import metrics, summary

DECIMALS = 10


def figures(run):
    """-> dict"""
    main, config = run.main, run.config
    return plain(dict(
        constants=config.plain(),
        bpe=dict(merges=["".join(pair) for pair in run.tokenizer.merges], vocabulary=run.tokenizer.vocabulary),
        gateway=[dict(id=a.id, stage=a.stage, code=a.code, cause=a.cause) for a in main.admissions],
        rejected=[dict(id=r.id, code=r.code, cause=r.cause) for r in main.refused],
        served=[served_figures(run, s) for s in main.served],
        steps=[step_figures(s) for s in main.steps],
        preemptions=[dict(at_us=p.at_us, id=p.id, for_id=p.for_id, blocks=p.blocks, tokens=p.tokens) for p in main.preemptions],
        follow=followed_figures(run),
        kv=dict(peak_blocks=main.peak.blocks, peak_tokens=main.peak.tokens, peak_tables=main.peak.tables,
                released=[(s.id, s.blocks) for s in main.by_finish], owners=main.block_owners, free_at_end=main.free_at_end),
        checks=dict(max_logit_difference=main.proof.max_logit_difference, max_kv_difference=main.proof.max_kv_difference,
                    positions_compared=main.proof.positions,
                    positions_cached=main.proof.positions_cached, positions_recomputed=main.proof.positions_recomputed),
        quantization=quantization_figures(run),
        memory=dict(bytes_per_token=main.bytes_per_token, pool_bytes=main.pool_bytes, weight_bytes=run.weights.nbytes,
                    example_sequence_bytes=EXAMPLE.sequence_bytes),
        policies=[policy_figures(t) for t in run.traces],
        gate=gate_figures(run.decisions),
    ))


def served_figures(run, served):
    m = metrics(served)
    return dict(
        id=served.id, prompt_tokens=[run.tokenizer.vocabulary[i] for i in served.prompt_ids], prompt_ids=served.prompt_ids,
        output_ids=served.output_ids, output_text=run.tokenizer.decode(served.output_ids), finish_reason=served.finish_reason,
        token_times_us=served.token_times_us, ready_us=served.ready_us, start_us=served.start_us, finish_us=served.finish_us,
        prep_us=m.prep_us, queue_us=m.queue_us, prefill_us=m.prefill_us, ttft_us=m.ttft_us, tpot_us=m.tpot_us, e2e_us=m.e2e_us,
        max_gap_us=m.max_gap_us, n_tokens=m.n_tokens, preemptions=served.preemptions)


def step_figures(step):
    return dict(
        start_us=step.start_us, end_us=step.end_us, waiting=step.waiting, running=step.running,
        tasks=[[w.id, w.phase, w.tokens] for w in step.work], decode_tokens=step.decode_tokens, prefill_tokens=step.prefill_tokens,
        preempted=step.preempted, kv_blocks_used=step.kv_blocks_used)


def followed_figures(run):
    f = run.main.followed
    chosen = f.first_sample
    return dict(
        id=run.config.FOLLOW, first_logits=f.first_logits,
        probabilities=chosen and chosen.probabilities, filtered=chosen and chosen.filtered, first_token=chosen and chosen.token,
        draw=chosen and chosen.draw, attention_last_prefill=f.prefill_attention,
        first_decode=None if f.decode_attention is None else dict(
            token=f.decode_token, position=f.decode_attention.shape[1] - 1, attention=f.decode_attention))


def quantization_figures(run):
    q = run.quantization
    return dict(elements=q.elements, scales=q.scales, fp32_bytes=q.fp32_bytes, quantized_bytes=q.quantized_bytes,
                max_weight_error=q.max_error, half_scale=q.half_scale, max_logit_error=run.quantized_logit_error)


def policy_figures(trace):
    s = summary(trace)
    return dict(
        name=trace.policy.name, span_us=s.span_us, tokens=s.tokens, throughput_tok_s=s.throughput, mean_ttft_us=s.mean_ttft_us,
        max_ttft_us=s.max_ttft_us, mean_tpot_us=s.mean_tpot_us, worst_gap_us=s.worst_gap_us,
        rejected=[[r.id, r.code] for r in trace.refused], output_ids={s.id: s.output_ids for s in trace.served}, steps=len(trace.steps))


def gate_figures(decisions):
    agreed = sum(d.agrees for d in decisions)
    return dict(
        decisions=len(decisions), agreed=agreed, agreement=agreed / len(decisions) if decisions else None,
        rows=[dict(request=d.request, step=d.step, token=d.token, token_quantized=d.token_quantized, margin=d.margin,
                   margin_quantized=d.margin_quantized, logit_error=d.logit_error) for d in decisions])


def plain(value):
    """Records of arrays, tuples and numbers as JSON knows them."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0          # + 0.0: no negative zero
    return value


def as_json(value):
    """Plain data as the text that the page gets: no NaN, Vietnamese as it is."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
