"""A small run as the engine sends it: one whole report, a failed one, and what surrounds them. And a story of the page told in events."""

import state as states

TELEMETRY = {
    "number": 11,
    "id": "block-11",
    "name": "Telemetry & capacity feedback",
    "title": "Số đo trên đồng hồ mô phỏng",
    "cell": "L0-3",
    "idea": "TTFT là tổng của ba phần, nên muốn sửa thì phải biết phần nào lớn nhất.",
    "headline": "TTFT của C 22.00 ms",
    "passed": True,
    "observations": ["C chờ chỗ chạy 14.55 ms mô phỏng.", "`metrics` chỉ đọc nhật ký, không tính lại <mô hình>."],
    "tables": [
        {
            "caption": "Ba phần của TTFT",
            "columns": [["Yêu cầu", "text"], ["Chuẩn bị", "number"], ["Chờ chỗ chạy", "number"], ["Prefill", "number"], ["TTFT", "number"]],
            "rows": [
                ["A", "0.50 ms", "0.00 ms", "2.90 ms", "3.40 ms"],
                ["B", "0.75 ms", "2.65 ms", "9.20 ms", "12.60 ms"],
                ["C", "0.65 ms", "14.55 ms", "6.80 ms", "22.00 ms"],
            ],
            "marked": [2],
        }
    ],
    "checks": [["Ba phần cộng lại đúng bằng TTFT", True, "C: 0.65 + 14.55 + 6.80 = 22.00 ms"]],
    "conclusion": "Phần lớn nhất của C là chờ chỗ chạy.",
    "limits": ["Chỉ có 3 yêu cầu được phục vụ, nên không có p95 hay p99."],
    "sources": ["metrics.metrics"],
}

GATE = {
    "number": 13,
    "id": "block-13",
    "name": "Quality gates & rollout",
    "title": "Cổng chất lượng",
    "cell": "X-3",
    "idea": "Bản nén phải chọn cùng token với bản gốc.",
    "headline": "31/40",
    "passed": False,
    "observations": ["Chín quyết định đã đổi."],
    "tables": [],
    "checks": [["Tỉ lệ giống nhau đạt ngưỡng 95 %", False, ""]],
    "conclusion": "Không đưa bản này ra.",
    "limits": [],
    "sources": ["quality_gate.greedy_teacher_forced"],
}

RUN = {
    "reports": [TELEMETRY, GATE],
    "transcript": "[11 · Telemetry & capacity feedback]\nFAIL",
    "passed": False,
    "verdict": "FAIL: cổng chất lượng không đạt.",
    "constants": {"SLOTS": 2},
}

SOURCE = [["kv_cache.py", "KVPool", 12, "class KVPool:\n    free = [] if 1 < 2 else None\n"]]

BAD_CONSTANT = {
    "errors": [{"constant": "SLOTS", "request": None, "value": "0", "range": "1 đến 8", "message": "SLOTS phải từ 1 trở lên."}],
    "constant": "SLOTS",
    "message": "Cấu hình chưa hợp lệ.",
}

CRASH = {"constant": None, "message": "Phép tính hỏng.", "traceback": "Traceback (most recent call last):\n  <lab>", "errors": []}


def after(*events, start=states.START):
    """The state after these events, and all commands on the way."""
    state, commands = start, []
    for event in events:
        state, more = states.step(state, event)
        commands += more
    return state, commands
