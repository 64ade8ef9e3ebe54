"""The run as plain text: the printout that a learner reads, copies and downloads.

In: a `LabRun` and its reports. Out: one string: header, 13 blocks, summary, and a verdict computed from all checks.
"""
from .metrics import metrics
from .notation import ms, visible
from .reports import build_reports
from .reports.block_12_benchmark import compare_tokens
from .reports.report import NUMBER
from .reports.trees import bare

RULE = "=== LAB TỔNG HỢP: MỘT YÊU CẦU ĐI QUA CẢ ĐƯỜNG ỐNG PHỤC VỤ LLM ==="


def transcript(run, reports=None, kept=None):
    """-> str, ending in the verdict line. `reports`: those of the run, if they have been built. `kept`: a Kept of `block`, for many runs."""
    reports = reports or build_reports(run)
    write = kept.of if kept else block
    return "\n\n".join([header(run), *map(write, reports), "\n".join(["TỔNG KẾT", *closing(run, reports)])]) + "\n"


def header(run):
    c = run.config
    return "\n".join([
        RULE,
        f"Bạn theo dõi yêu cầu {c.FOLLOW}: từ lúc đến cổng, qua 13 khối, tới token cuối.",
        "",
        f"YÊU CẦU ({len(c.REQUESTS)})",
        *(request_line(r, c.FOLLOW) for r in c.REQUESTS[:200]),
        *([f"  … và {len(c.REQUESTS) - 200} yêu cầu nữa"] if len(c.REQUESTS) > 200 else []),
        "",
        "CẤU HÌNH",
        f"  {c.SLOTS} chỗ chạy + {c.QUEUE_LIMIT} chỗ chờ; mỗi bước tối đa {c.TOKEN_BUDGET} token",
        f"  KV cache {c.POOL_BLOCKS} block × {c.BLOCK_SIZE} token; một chuỗi tối đa {c.MAX_CONTEXT} token",
        f"  mô hình 1 lớp decoder, {c.N_HEADS} head × {c.D_HEAD} chiều, d_model {c.D_MODEL}, từ vựng {len(run.tokenizer.vocabulary)} token, trọng số ngẫu nhiên seed {c.SEED}",
        *([f"  phần của bạn thay cho phần của lab: {', '.join(run.own)}"] if run.own else []),
        "",
        "THẬT: mọi phép tính tensor, token, byte, block và sai số.",
        "MÔ PHỎNG: đồng hồ. Mọi số ms và µs dựng từ các hằng số COST_* giả định, không phải tốc độ của GPU.",
    ])


def request_line(r, followed):
    how = "greedy" if r.greedy else f"lấy mẫu T={r.temperature} top_k={r.top_k} top_p={r.top_p}"
    mark = "   <- theo dõi" if r.id == followed else ""
    return f"  {r.id}: đến {ms(r.arrival)}, \"{visible(r.text)}\", max_new={r.max_new}, {how}, seed {r.seed}{mark}"


def block(report):
    """-> the text of one report"""
    lines = [f"[{report.number} · {report.name}] {report.title}", f"  {report.idea}", ""]
    lines += [f"  Quan sát: {text}" for text in report.observations]
    proved = ["", *(f"  Kiểm tra: {'đạt' if c.passed else 'KHÔNG ĐẠT'} - {c.what} ({c.detail})" for c in report.checks)]
    proved += [f"  Kết luận: {report.conclusion}", *(f"  Giới hạn: {text}" for text in report.limits)]
    tables = [line for table in report.tables for line in ("", *(f"  {line}" for line in table_lines(table)))]
    return "\n".join(line.rstrip() for line in (*map(bare, lines), *tables, *map(bare, proved)))


def table_lines(table):
    """A caption, a line of labels and the rows, as plain text; numbers stand to the right."""
    rows = [map(bare, row) for row in ([label for label, _ in table.columns], *table.rows)]
    aligned = [align(cells, kind) for cells, (_, kind) in zip(zip(*rows), table.columns)]
    yield bare(table.caption) + ":"
    for row in zip(*aligned):
        yield "  " + "  ".join(row)
    if table.omitted:
        yield f"  … và {table.omitted} hàng nữa"


def align(cells, kind):
    """The cells of a column, all of one width."""
    width = max(map(len, cells))
    return [cell.rjust(width) for cell in cells] if kind == NUMBER else [cell.ljust(width) for cell in cells]


def closing(run, reports):
    served = run.served_followed
    if served:
        m = metrics(served)
        yield (f"1. Yêu cầu {served.id}: TTFT {ms(m.ttft_us)} = chuẩn bị {ms(m.prep_us)} + chờ chỗ chạy {ms(m.queue_us)} + prefill {ms(m.prefill_us)} (mô phỏng).")
    else:
        refused = run.main.refusal(run.config.FOLLOW)
        yield f"1. Yêu cầu {refused.id} bị từ chối với mã {refused.code}, nên không có TTFT."
    compared, same = compare_tokens(run)
    yield f"2. Ba cách lập lịch chỉ đổi thời gian và bộ nhớ: {same}/{compared} câu trả lời giống hệt nhau."
    yield "3. Trọng số attention chia cho các vị trí, xác suất chia cho các token: hai phân phối khác nhau, mỗi cái cộng lại bằng 1."
    yield "4. Số ms là mô phỏng; token, byte, block, số vị trí và sai số là tính thật."
    yield verdict(reports)


def verdict(reports):
    """PASS or FAIL, with what failed: computed from every check of every report."""
    checks = [(r, c) for r in reports for c in r.checks]
    failed = [f"[{r.number} · {r.name}] {c.what} ({c.detail})" for r, c in checks if not c.passed]
    if failed:
        return f"FAIL: {len(failed)}/{len(checks)} phép kiểm tra không đạt: " + "; ".join(failed)
    return f"PASS: {len(checks)}/{len(checks)} phép kiểm tra đạt."
