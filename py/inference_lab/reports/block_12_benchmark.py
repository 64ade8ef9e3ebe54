"""Block 12: the same requests under three scheduling policies."""
from ..metrics import metrics, summary
from ..notation import fixed, ms
from .phrases import POLICY_NAMES
from .report import Check, Report, rows_of, table

SOURCES = ("lab.policies", "metrics.summary")


def build(run):
    main, config = run.main, run.config
    summaries = [summary(t) for t in run.traces]
    _, whole, chunked = summaries
    compared, same = compare_tokens(run)

    return Report(
        number=12, name="Benchmark & SLO methodology", title="TTFT, TPOT và throughput của ba cách lập lịch", cell="X-2",
        idea="Cùng các yêu cầu, cùng seed, cùng chi phí; chỉ đổi cách lập lịch rồi so thời gian.",
        headline=f"{fixed(chunked.throughput, 1)} token/s" if chunked.throughput else "–",
        observations=(
            f"Đổi cách lập lịch không đổi token nào: {same}/{compared} yêu cầu cho cùng câu trả lời ở mọi cách chạy được nó." if compared else "Không yêu cầu nào được phục vụ ở ít nhất hai cách lập lịch.",
            "TTFT tính từ lúc đến cổng tới token đầu. TPOT là khoảng cách trung bình giữa các token sau. Throughput là số token sinh ra chia cho thời gian chạy (ms mô phỏng).",
            trade_off(whole, chunked),
        ),
        tables=(
            table(f"Từng yêu cầu ({POLICY_NAMES[main.policy.name]})", ["Yêu cầu", ">TTFT", ">TPOT", ">E2E", ">Token", *([">Preempt"] if main.preemptions else [])],
                  main.served, lambda s: request_row(s, metrics(s)) + ((s.preemptions,) if main.preemptions else ()),
                  rows_of(main.served, config.FOLLOW)),
            table("Ba cách lập lịch", ["Cách", ">Thời gian chạy", ">Token/s", ">TTFT trung bình", ">TTFT lớn nhất", ">TPOT trung bình", ">Khoảng đứng lâu nhất"],
                  zip(run.traces, summaries), lambda pair: policy_row(*pair), (2,)),
        ),
        checks=(
            Check("Mọi cách lập lịch cho cùng token", same == compared, f"{same}/{compared} yêu cầu"),
            Check("Tổng số token khớp với các câu trả lời", chunked.tokens == sum(len(s.output_ids) for s in main.served), f"{chunked.tokens} token"),
        ),
        conclusion="Đúng trước, nhanh sau. Các chênh lệch ở đây đến từ công thức chi phí giả định; đổi yêu cầu hoặc `COST_*` là thứ hạng có thể đổi.",
        limits=("Đây không phải tốc độ GPU thật.",
                "Benchmark thật cần khởi động nóng, lặp nhiều lần, báo p50/p95/p99, cùng phần cứng và cùng mẫu tải."),
        sources=SOURCES,
    )


def request_row(served, m):
    return served.id, ms(m.ttft_us), ms(m.tpot_us), ms(m.e2e_us), m.n_tokens


def policy_row(trace, s):
    return (POLICY_NAMES[trace.policy.name], ms(s.span_us), fixed(s.throughput, 1), ms(s.mean_ttft_us), ms(s.max_ttft_us), ms(s.mean_tpot_us),
            ms(s.worst_gap_us))


def compare_tokens(run):
    """-> (requests served under at least two policies, those whose tokens are the same under all of them).

    An answer that the pool cut short (kv_exhausted) is compared as far as it goes.
    """
    answers = {}
    for trace in run.traces:
        for served in trace.served:
            answers.setdefault(served.id, []).append(served)
    compared = [several for several in answers.values() if len(several) > 1]
    return len(compared), sum(all(agree(several[0], other) for other in several[1:]) for several in compared)


def agree(a, b):
    cut_short = "kv_exhausted" in (a.finish_reason, b.finish_reason)
    n = min(len(a.output_ids), len(b.output_ids)) if cut_short else None
    return a.output_ids[:n] == b.output_ids[:n]


def trade_off(whole, chunked):
    """What cutting prompts into chunks bought and cost in this run. whole, chunked: Summary."""
    if whole.mean_ttft_us is None or chunked.mean_ttft_us is None:
        return "Không có gì để so: một trong các cách không phục vụ được yêu cầu nào."
    figures = (f"TTFT trung bình {ms(whole.mean_ttft_us)} khi không chia prompt, {ms(chunked.mean_ttft_us)} khi chia; "
               f"một yêu cầu đang decode bị đứng lâu nhất {ms(whole.worst_gap_us)} và {ms(chunked.worst_gap_us)}.")
    if whole.mean_ttft_us < chunked.mean_ttft_us and whole.worst_gap_us > chunked.worst_gap_us:
        return figures + " Chia đoạn làm TTFT dài ra để đổi lấy khoảng đứng ngắn hơn."
    return figures + " Với cấu hình này, chia đoạn không cho đúng sự đánh đổi quen thuộc (TTFT dài hơn, khoảng đứng ngắn hơn)."
