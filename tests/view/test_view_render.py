"""Reports, code and errors as trees and as HTML."""

import render
import trees
import words
from example import CRASH, GATE, SOURCE, TELEMETRY


def find(nodes, tag):
    """All elements of this tag, in reading order."""
    found = []
    for node in nodes:
        if isinstance(node, list):
            found += [node] if node[0] == tag else []
            found += find(node[2:], tag)
    return found


def text_of(node):
    """The text of a tree, as a reader sees it."""
    return node if isinstance(node, str) else "".join(text_of(child) for child in node[2:])


def texts(nodes):
    return [text_of(node) for node in nodes]


def test_text_and_attributes_are_escaped():
    tree = ["p", {"title": 'a "b" <c>'}, "1 < 2 & 3"]
    assert render.to_html(tree) == '<p title="a &quot;b&quot; &lt;c&gt;">1 &lt; 2 &amp; 3</p>'


def test_attributes_are_written_in_one_order():
    assert render.to_html(["i", {"b": "2", "a": "1"}]) == '<i a="1" b="2"></i>'


def test_backticks_become_code():
    assert trees.rich("gọi `admit` rồi `sample`") == ["gọi ", ["code", {}, "admit"], " rồi ", ["code", {}, "sample"]]
    assert trees.rich("một ` lẻ") == ["một ` lẻ"]
    assert trees.rich("") == []
    assert trees.rich("``x`` là `admit`") == ["`x` là ", ["code", {}, "admit"]]
    assert trees.rich("````") == ["``"]
    assert trees.bare("``x`` là `admit`") == "`x` là admit"


def test_a_panel_reads_from_idea_to_limits():
    panel = trees.panel(TELEMETRY)
    assert texts(panel)[:2] == [TELEMETRY["title"], TELEMETRY["idea"]]
    assert panel[2] == ["div", {"class": "pictures"}]  # between the idea and what was observed
    assert texts(find(panel, "h4")) == [trees.OBSERVATIONS, trees.CHECKS, trees.CONCLUSION, trees.LIMITS]
    assert texts(find(panel, "code")) == ["metrics"]


def test_a_part_without_content_has_no_heading():
    assert texts(find(trees.panel(GATE), "h4")) == [trees.OBSERVATIONS, trees.CHECKS, trees.CONCLUSION]


def test_a_table_has_title_heads_and_a_marked_row():
    figure = trees.table(11, TELEMETRY["tables"][0])
    assert texts(find([figure], "figcaption")) == ["Ba phần của TTFT"]
    (region,) = find([figure], "div")
    assert region[1]["tabindex"] == "0" and region[1]["aria-label"] == "Khối 11: Ba phần của TTFT"
    heads = find([region], "th")
    assert [head[1]["scope"] for head in heads] == ["col"] * 5 + ["row"] * 3
    rows = find([region], "tr")
    assert [row[1].get("class") for row in rows] == [None, None, None, "followed"]
    assert texts(rows[3][2:]) == ["C", "0.65 ms", "14.55 ms", "6.80 ms", "22.00 ms"]
    assert [cell[1].get("class") for cell in rows[3][2:]] == [None] + ["number"] * 4


def test_a_row_without_a_first_cell_has_no_head():
    assert [cell[0] for cell in trees.row(["", "tổng", "1.00"], ["number", "text", "number"], False)[2:]] == ["td", "td", "td"]


def test_a_check_says_its_verdict_in_words():
    passed = trees.check("Tổng đúng", True, "1 + 1 = 2")
    failed = trees.check("Tổng đúng", False, "")
    assert text_of(passed) == "✓ đạtTổng đúng1 + 1 = 2"
    assert text_of(failed) == "✕ không đạtTổng đúng"


def test_source_shows_place_and_code_as_it_is():
    html = render.to_html(*render.source(SOURCE))
    assert "kv_cache.py, từ dòng 12" in html
    assert "free = [] if 1 &lt; 2 else None" in html
    assert 'aria-label="Sao chép KVPool"' in html


def test_a_failed_file_is_named_with_what_to_do():
    text = "".join(texts(render.problem("file", "numpy.whl", ("Máy chủ trả lời 404.",), "", False)))
    assert "Không tải được numpy.whl" in text and "404" in text


def test_an_engine_error_folds_its_traceback_and_says_what_is_kept():
    tree = render.problem("engine", "", (CRASH["message"],), CRASH["traceback"], True)
    assert texts(find(tree, "pre")) == [CRASH["traceback"]]
    assert words.KEPT_ADVICE in "".join(texts(tree))


def test_a_table_that_was_cut_says_how_many_rows_are_missing():
    whole = {"caption": "Bước", "columns": [["Bước", "number"]], "rows": [["1"]], "marked": [], "omitted": 0}
    assert "hàng nữa" not in text_of(trees.table(3, whole))
    cut = dict(whole)
    cut["omitted"] = 9800
    assert "… và 9800 hàng nữa" in text_of(trees.table(3, cut))


def test_an_error_of_a_script_links_to_its_line():
    html = render.to_html(*render.problem("script", "5", ("Dòng 5: tên x chưa có.",), "Traceback", False))
    assert 'data-script-line="5"' in html and 'href="#script"' in html and ">Đến dòng 5</a>" in html and "<pre>Traceback</pre>" in html
    assert "data-script-line" not in render.to_html(*render.problem("script", "", ("Script dừng.",), "", False))
