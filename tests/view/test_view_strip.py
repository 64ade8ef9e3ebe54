"""The strip, the reasons and the marks of a comparison."""

import learn_strip
import render
import words_learn as words
from example_learn import CHANGES, HEADLINES, SAME


def text_of(node):
    return node if isinstance(node, str) else "".join([text_of(child) for child in node[2:]])


def strip(changes):
    return [learn_strip.figure(*pair) for pair in learn_strip.strip(HEADLINES, changes)]


def html(nodes):
    return render.to_html(*nodes)


def test_a_first_run_shows_figures_without_change():
    figures = strip(None)
    assert [one[1]["data-figure"] for one in figures] == ["served", "refused_429", "ttft", "tpot", "peak_blocks"]
    assert text_of(figures[2]) == "TTFT của C7.45\u202fms"
    assert not any("is-changed" in one[1]["class"] for one in figures)
    assert not learn_strip.differs(None)
    assert words.FIRST_RUN in html(learn_strip.reasons(None, words.FIRST_RUN))


def test_a_changed_figure_says_what_it_was_to_the_eye_and_to_the_ear():
    ttft = strip(CHANGES)[2]
    assert ttft[1]["class"] == "figure is-changed"
    assert text_of(ttft) == "TTFT của C7.45\u202fms▼ 22.00giảm, trước là 22.00\u202fms, tốt hơn"


def test_a_figure_that_is_gone_and_one_that_stayed():
    figures = strip(CHANGES)
    assert text_of(figures[3]) == "TPOT của C–○ 1.40không còn, trước là 1.40\u202fms"
    assert figures[4][1]["class"] == "figure"
    assert text_of(figures[4]).endswith("10/12 (83\u202f%)")


def test_a_short_name_keeps_the_whole_label_for_those_who_hear():
    name = strip(None)[4][2]
    assert name[1]["title"] == "Block KV lúc cao điểm"
    assert [text_of(child) for child in name[2:]] == ["Block KV lúc cao điểm", words.SHORT["peak_blocks"]]


def test_the_unit_is_left_out_of_what_was():
    assert [learn_strip.bare(text) for text in ("22.00\u202fms", "7/12 (58 %)", "–", "3")] == ["22.00", "7/12", "–", "3"]


def test_reasons_name_constants_and_the_first_causes():
    shown = learn_strip.reasons(CHANGES, "")
    page = html(shown)
    assert text_of(shown[0]) == "SLOTS 2 → 3 yêu cầu; SEED 7 → 8"
    assert text_of(shown[1]) == "TTFT của C giảm 14.55\u00a0ms: C không còn chờ."
    assert text_of(shown[2]) == "D được phục vụ.E <vẫn> nhận 400."
    assert text_of(shown[3]) == "Tốt hơn: Được phục vụ, Từ chối 429, TTFT của C."
    assert len(shown) == 4
    assert "E &lt;vẫn&gt; nhận 400." in page and words.WORSE not in page


def test_the_fourth_cause_and_the_sixth_constant_stand_in_folds():
    many = dict(CHANGES)
    many["causes"] = CHANGES["causes"] + ["Token không đổi."]
    many["constants"] = [["REQUESTS", "B: top_k 4", "B: top_k 0"]] * 7
    shown = learn_strip.reasons(many, "")
    assert [text_of(one[2]) for one in shown if one[0] == "details"] == ["Thêm 2 thay đổi", "Thêm 1 nhận xét"]
    assert text_of(shown[1][3]) == "REQUESTS B: top_k 4 → 0; REQUESTS B: top_k 4 → 0"


def test_what_both_sides_of_a_change_share_is_said_once():
    assert learn_strip.change_text("2 yêu cầu", "3 yêu cầu") == "2 → 3 yêu cầu"
    assert learn_strip.change_text("B: arrival 0 µs", "B: arrival 250 µs") == "B: arrival 0 → 250 µs"
    assert learn_strip.change_text('A: text "xin: chao"', 'A: text "ban"') == 'A: text "xin: chao" → "ban"'
    assert learn_strip.change_text("–", 'F: "xin", đến 5 µs') == 'thêm F: "xin", đến 5 µs'
    assert learn_strip.change_text('F: "xin", đến 5 µs', "–") == 'bỏ F: "xin", đến 5 µs'
    assert learn_strip.change_text("thứ tự cũ", "thứ tự mới") == "thứ tự cũ → thứ tự mới"


def test_a_unit_that_differs_is_said_twice():
    assert learn_strip.without_common_unit("A: max_new 10", "A: max_new 12") == "A: max_new 10"
    assert learn_strip.without_common_unit("900 µs", "1.20 ms") == "900 µs"


def test_a_baseline_that_is_gone_is_said():
    assert "Mốc không còn." in html(learn_strip.reasons(None, "Mốc không còn."))


def test_panels_carry_the_number_of_changes_and_the_list():
    marks = learn_strip.panel_marks(CHANGES)
    assert [(block, mark) for block, mark, _, _ in marks] == [(1, "1 thay đổi"), (11, "7 thay đổi")]
    page = html(learn_strip.panel_list(marks[1][2], marks[1][3], words.against("")))
    assert "so với lần chạy trước" in page and "22.00 ms</span> → <b>7.45 ms</b>" in page and "5 thay đổi nữa" in page


def test_a_long_list_of_changes_is_folded():
    rows = [["hàng " + str(i), "1", "2"] for i in range(7)]
    shown = learn_strip.panel_list(rows, 0, "")
    assert len(shown[1][2:]) == 4 and len(shown[2][3][2:]) == 3
    assert text_of(shown[2][2]) == "Thêm 3 thay đổi"
    assert len(learn_strip.panel_list(rows[:4], 0, "")) == 2


def test_nothing_is_marked_when_nothing_differs():
    assert learn_strip.panel_marks(SAME) == [] and learn_strip.panel_marks(None) == []
    assert learn_strip.differs(CHANGES) and not learn_strip.differs(SAME)


def test_the_baseline_has_a_name():
    assert words.against("") == "so với lần chạy trước"
    assert words.against("SLOTS 3") == "so với mốc: SLOTS 3"


class Table:
    names = ["SLOTS", "QUALITY_GATE", "CORPUS", "REQUESTS", "FOLLOW"]
    defaults = {"SLOTS": "2", "QUALITY_GATE": "0.95"}
    corpus = "xin chao\nban"
    requests = [["A", "0", "xin", "5", "0.8", "4", "1", "7"]]
    follow = "A"


ONE = {"id": "A", "arrival": 0, "text": "xin", "max_new": 5, "temperature": 0.8, "top_k": 4, "top_p": 1.0, "seed": 7}
COURSE = {"SLOTS": 2, "QUALITY_GATE": 0.95, "CORPUS": ["xin chao", "ban"], "REQUESTS": [ONE], "FOLLOW": "A"}


def but(**changes):
    constants = dict(COURSE)
    constants.update(changes)
    return constants


def test_a_baseline_is_named_by_what_differs():
    assert learn_strip.baseline_name(COURSE, Table) == "mặc định"
    assert learn_strip.baseline_name(but(SLOTS=3), Table) == "SLOTS 3"
    assert learn_strip.baseline_name(but(QUALITY_GATE=0.9, CORPUS=["ban"]), Table) == "QUALITY_GATE 0.9, CORPUS"
    late = dict(ONE)
    late["arrival"] = 500
    assert learn_strip.baseline_name(but(SLOTS=1, REQUESTS=[late], FOLLOW="B"), Table) == "SLOTS 1, REQUESTS và 1 hằng số nữa"
