"""The way in: arrivals against the capacity (block 1), and text becoming tokens (block 2)."""
from ...config import END_OF_WORD
from ...gateway import GATEWAY, INPUT
from ...notation import ms, visible
from ...tokenizer import merge_pair, words_of
from ..phrases import cause_of_refusal
from .picture import BARS, TIMELINE, TOKENS, Picture, bar, group, left_out, part, rows_track, steps_track, timeline
from .window import window_of

MAX_WORDS, MAX_LETTERS, MAX_MERGES = 8, 24, 40


def gateway(run):
    main, config = run.main, run.config
    window = window_of(main, config)
    last = max([a.judged_us for a in main.admissions if a.judged_us <= window.end_us] + [window.start_us + 1])
    end = min(window.end_us, last + max(500, (last - window.start_us) // 5))
    verdicts = {a.id: a for a in main.admissions}                       # the later decision about each request counts
    at_gate = {a.id: a for a in main.admissions if a.stage == GATEWAY}
    rows, spans, points = [], [], []
    for row, spec in enumerate(window.specs):
        gate, final = at_gate[spec.id], verdicts[spec.id]
        result = "nhận" if final.accepted else f"{final.code}: {cause_of_refusal(run, final)}"
        tip = f"{spec.id} · đến {ms(spec.arrival)} · xét {ms(gate.judged_us)} · đang có {gate.in_system}/{config.capacity} · {result}"
        rows.append(dict(label=spec.id, strong=spec.id == config.FOLLOW))
        if gate.judged_us > spec.arrival:
            spans.append(dict(row=row, start=spec.arrival, end=gate.judged_us, kind="waiting", text="", tip=tip))
        points.append(dict(row=row, at=gate.judged_us, kind="accepted" if final.accepted else "refused", sign="nhận" if final.accepted else final.code, tip=tip))
    return (Picture(
        kind=TIMELINE, name="Yêu cầu đến và sức chứa của hệ thống",
        alt="Mỗi hàng một yêu cầu, từ lúc đến tới lúc được xét; bên dưới là số yêu cầu đang ở trong hệ thống so với giới hạn "
            f"{config.capacity}. " + "; ".join(f"{p['tip'].split(' · ')[0]} {p['sign']}" for p in points) + ".",
        data=timeline(window.start_us, end, [rows_track("", rows, spans, points), in_system(main, config, window.start_us, end)]),
        legend=(("waiting", "đã đến, đợi được xét"), ("accepted", "được nhận"), ("refused", "bị từ chối, kèm mã")), note=window.note),)


def in_system(trace, config, start, end):
    """How many requests are inside: those who were let in and have not finished."""
    refused = {r.id for r in trace.refused}
    changes = [(a.judged_us, 1, a.id) for a in trace.admissions if a.stage == GATEWAY and a.id not in refused]
    changes += [(s.finish_us, -1, s.id) for s in trace.served]
    steps, inside, since = [], 0, start
    for at, by, _ in sorted(changes):
        if since < min(at, end):
            steps.append([since, min(at, end), inside, f"{ms(since)} → {ms(min(at, end))} · trong hệ thống {inside}/{config.capacity}"])
        inside, since = inside + by, max(since, at)
    if since < end:
        steps.append([since, end, inside, f"{ms(since)} → {ms(end)} · trong hệ thống {inside}/{config.capacity}"])
    return steps_track("Đang trong hệ thống", [dict(name="trong hệ thống", kind="plain", steps=steps)], (config.capacity, f"giới hạn {config.capacity}"))


def input(run):
    config, tokenizer = run.config, run.tokenizer
    spec = config.followed
    pictures = []
    if not tokenizer.unknown(spec.text):
        words = words_of(spec.text)
        shown = [w[:MAX_LETTERS] for w in words[:MAX_WORDS]]
        tokens, ids = tokenizer.encode(" ".join(shown))
        pictures.append(Picture(
            kind=TOKENS, name=f"Từ văn bản của {spec.id} tới ID",
            alt=f'"{visible(spec.text)}" tách thành ký tự, các phép gộp ghép dần, cuối cùng còn {len(ids)} token: ' + " ".join(f"{t} là {i}" for t, i in zip(tokens, ids)) + ".",
            data=dict(text=visible(spec.text), words=[stages(tokenizer, w) for w in shown], tokens=[[t, i] for t, i in zip(tokens, ids)]),
            note=left_out("từ của prompt", len(shown), len(words))))
    window = window_of(run.main, config)
    here = {r.id for r in window.specs}
    rows = []
    for a in run.main.admissions:
        if a.stage == INPUT and a.id in here and a.prompt_length is not None:
            total = a.prompt_length + a.spec.max_new
            rows.append(bar(a.id, [part(a.prompt_length, "prefill", f"{a.id} · prompt {a.prompt_length} token", str(a.prompt_length)),
                                   part(a.spec.max_new, "decode", f"{a.id} · max_new {a.spec.max_new} token", str(a.spec.max_new))],
                            f"{total} {'nhận' if a.accepted else '→ 400'}", a.id == config.FOLLOW))
    if rows:
        pictures.append(Picture(
            kind=BARS, name="Prompt cộng max_new so với MAX_CONTEXT", alt="Thanh ngang: " + "; ".join(f"{r['label']} {r['text']}" for r in rows) + f". Vạch giới hạn ở {config.MAX_CONTEXT}.",
            data=dict(groups=[group("", "token", rows, (config.MAX_CONTEXT, f"MAX_CONTEXT {config.MAX_CONTEXT}"))]),
            legend=(("prefill", "prompt"), ("decode", "max_new")), note=window.note))
    return tuple(pictures)


def stages(tokenizer, word):
    """How one word's letters are joined: [symbols, the pair that was joined or ""], the letters first; then its tokens in the vocabulary."""
    symbols = [*word, END_OF_WORD]
    found = [[symbols, ""]]
    for pair in tokenizer.merges:
        joined = merge_pair(symbols, pair)
        if joined != symbols:
            found.append([joined, " + ".join(pair)])
            symbols = joined
    final = tokenizer.tokens_of_word(word)
    if final != symbols:                                                # a symbol that the vocabulary does not hold gives back its halves
        found.append([final, "tách lại: không có trong từ vựng"])
    return found
