"""What the engine sends for a second run with SLOTS 3 after the course's, shortened; and a row of the table of constants."""

HEADLINES = [
    ["served", "Được phục vụ", "4/5", 4, "yêu cầu", "higher"],
    ["refused_429", "Từ chối 429", "0", 0, "yêu cầu", "lower"],
    ["ttft", "TTFT của C", "7.45\u202fms", 7.45, "ms", "lower"],
    ["tpot", "TPOT của C", "–", None, "ms", "lower"],
    ["peak_blocks", "Block KV lúc cao điểm", "10/12 (83\u202f%)", 10, "block", ""],
]

CHANGES = {
    "strip": [
        ["served", "Được phục vụ", "3/5", "4/5", "up", "better"],
        ["refused_429", "Từ chối 429", "1", "0", "down", "better"],
        ["ttft", "TTFT của C", "22.00\u202fms", "7.45\u202fms", "down", "better"],
        ["tpot", "TPOT của C", "1.40\u202fms", "–", "gone", "neutral"],
        ["peak_blocks", "Block KV lúc cao điểm", "10/12 (83\u202f%)", "10/12 (83\u202f%)", "same", "neutral"],
    ],
    "constants": [["SLOTS", "2 yêu cầu", "3 yêu cầu"], ["SEED", "7", "8"]],
    "causes": ["TTFT của C giảm 14.55 ms: `C` không còn chờ.", "D được phục vụ.", "E <vẫn> nhận 400."],
    "panels": [[1, [["Con số chính", "D 429", "không ai"]]], [11, [["TTFT của C", "22.00 ms", "7.45 ms"], ["Hàng C", "1", "2"]]]],
    "panels_omitted": [[11, 5]],
}

SAME = {
    "strip": [[id, label, text, text, "same", "neutral"] for id, label, text, _, _, _ in HEADLINES],
    "constants": [],
    "causes": ["Không có gì đổi."],
    "panels": [],
}

SLOTS = {"name": "SLOTS", "default": 2, "minimum": 1, "slider_maximum": 8, "step": 1}
GATE = {"name": "QUALITY_GATE", "default": 0.95, "minimum": 0, "slider_maximum": 1, "step": 0.01}
COST = {"name": "COST_GATEWAY", "default": 200, "minimum": 0, "slider_maximum": 5000, "step": 50}
FOLLOW = {"name": "FOLLOW", "default": "C", "minimum": None, "slider_maximum": None, "step": None}

QUESTIONS = [
    {"id": "refused", "text": "Ai bị từ chối?", "choices": [["nobody", "Không ai"], ["D:429 E:400", "D nhận 429, E nhận 400"]]},
    {"id": "wait", "text": "`C` có chờ lâu không?", "choices": [["hardly", "Hầu như không"], ["most", "Rất lâu"]]},
]

TRUTHS = [
    ["refused", "D:429 E:400", "D nhận 429 vì đã có 3 yêu cầu."],
    ["wait", "most", "C chờ 14.55 ms mô phỏng."],
]

EXERCISE = {
    "id": "slots", "constant": "SLOTS", "title": "Thêm chỗ chạy", "task": "Tìm SLOTS cho TTFT của C thấp nhất.", "goal": "TTFT thấp nhất",
    "question": "Tăng SLOTS thì TTFT thế nào?", "choices": [["falls", "Giảm"], ["turns", "Giảm, rồi tăng"]], "unit": "yêu cầu",
    "hints": ["Xem khối 11.", "Chung một ngân sách.", "Thử 3."], "base": {},
}

VERDICT = {"met": False, "prediction_right": True, "sentence": "Chưa đạt. Với SLOTS = 2, TTFT của C là 22.00 ms.", "figures": [["TTFT của C", "22.00 ms"]], "lesson": None}

MET = {"met": True, "prediction_right": False, "sentence": "Đạt. Với SLOTS = 3, TTFT của C là 18.60 ms.", "figures": [], "lesson": "Chỗ chạy chia nhau ngân sách."}

ANSWER = {
    "values": [3], "text": "SLOTS = 3", "explanation": "TTFT của C là 18.60 ms.", "lesson": "Chia nhau ngân sách.", "prediction": ["turns", "Giảm, rồi tăng"],
    "table": {"caption": "SLOTS từ 1 đến 8", "columns": [["SLOTS", "number"], ["TTFT của C", "number"]], "rows": [["2", "22.00 ms"], ["3", "18.60 ms"]], "marked": [1]},
}
