"""A small table of constants, as the page's build writes it down."""

import work as works

DATA = {
    "constants": [
        {"name": "SLOTS", "kind": "int", "minimum": 1, "maximum": 64, "slider_maximum": 8, "step": 1, "unit": "yêu cầu", "range": "số nguyên từ 1 đến 64", "text": "2"},
        {"name": "D_MODEL", "kind": "even", "minimum": 2, "maximum": 64, "slider_maximum": 64, "step": 2, "unit": "", "range": "số chẵn từ 2 đến 64", "text": "8"},
        {"name": "D_HEAD", "kind": "even", "minimum": 2, "maximum": 32, "slider_maximum": 32, "step": 2, "unit": "", "range": "số chẵn từ 2 đến 32", "text": "4"},
        {"name": "COST", "kind": "int", "minimum": 0, "maximum": 1000000, "slider_maximum": 5000, "step": 50, "unit": "µs", "range": "số nguyên từ 0 đến 1 000 000", "text": "200"},
        {"name": "QUALITY_GATE", "kind": "float", "minimum": 0, "maximum": 1, "slider_maximum": 1, "step": 0.01, "unit": "", "range": "số từ 0 đến 1", "text": "0.95"},
        {"name": "CORPUS", "kind": "texts", "minimum": None, "maximum": None, "slider_maximum": None, "step": None, "unit": "", "range": "danh sách câu", "text": ""},
        {"name": "REQUESTS", "kind": "requests", "minimum": None, "maximum": None, "slider_maximum": None, "step": None, "unit": "", "range": "danh sách yêu cầu", "text": ""},
        {"name": "FOLLOW", "kind": "id", "minimum": None, "maximum": None, "slider_maximum": None, "step": None, "unit": "", "range": "id", "text": ""},
    ],
    "fields": [
        {"name": "arrival", "kind": "int", "minimum": 0, "maximum": 1000000000, "above": False, "range": "số nguyên từ 0 đến 1 000 000 000"},
        {"name": "max_new", "kind": "int", "minimum": 1, "maximum": 4096, "above": False, "range": "số nguyên từ 1 đến 4 096"},
        {"name": "temperature", "kind": "float", "minimum": 0, "maximum": 100, "above": False, "range": "số từ 0 đến 100"},
        {"name": "top_k", "kind": "int", "minimum": 0, "maximum": 100000, "above": False, "range": "số nguyên từ 0 đến 100 000"},
        {"name": "top_p", "kind": "float", "minimum": 0, "maximum": 1, "above": True, "range": "số lớn hơn 0 và tối đa 1"},
        {"name": "seed", "kind": "int", "minimum": 0, "maximum": 4294967295, "above": False, "range": "số nguyên từ 0 đến 4 294 967 295"},
    ],
    "corpus": ["xin chao", "ban hoc"],
    "requests": [
        ["A", "0", "xin chao", "10", "0", "0", "1", "1"],
        ["C", "1000", "ban hoc", "8", "0.8", "5", "0.9", "4"],
    ],
    "follow": "C",
    "presets": [
        {"label": "Bài học", "look": "Mốc.", "typed": {}, "requests": None},
        {"label": "Ba chỗ", "look": "Xem khối 3.", "typed": {"SLOTS": "3"}, "requests": None},
        {"label": "Một yêu cầu", "look": "Xem khối 1.", "typed": {}, "requests": [["C", "0", "xin chao", "5", "0", "0", "1", "9"]]},
    ],
}

TABLE = works.Table(DATA)
