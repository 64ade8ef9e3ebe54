"""The panels that come with a run's answer: the trees of its reports, the pictures of the open ones, nothing built twice."""
import json

from inference_lab.config import Config
from inference_lab.lab import run
from inference_lab.panels import Panels
from inference_lab.reports import build_reports
from inference_lab.reports.pictures import PICTURES
from inference_lab.reports.trees import NO_BREAK, panel, rich, unbroken
from inference_lab.service import Service


def ask(service, **asked):
    return json.loads(service.answer("run", json.dumps(asked)))["ok"]


def without_folds(text):
    return text.replace("`", "")


def text_of(tree):
    return tree if isinstance(tree, str) else "".join(text_of(child) for child in tree[2:])


def test_an_answer_with_panels_says_what_the_reports_say():
    whole = ask(Service(), constants={"SLOTS": 3})
    brief = ask(Service(), constants={"SLOTS": 3}, panels=[])
    assert [r["number"] for r in brief["reports"]] == list(range(1, 14))
    assert all(set(r) == {"number", "cell", "headline", "passed"} for r in brief["reports"])
    for report, (number, headline, verdict, body, pictures) in zip(whole["reports"], brief["panels"]):
        assert number == report["number"] and pictures is None
        assert headline == rich(report["headline"]) and text_of(verdict[0]) == ("✓ đạt" if report["passed"] else "✕ không đạt")
        assert json.loads(body) == panel(report)
        text = "".join(text_of(tree) for tree in json.loads(body)).replace(NO_BREAK, " ")
        for sentence in (report["title"], report["conclusion"], *report["observations"], *(cell for t in report["tables"] for row in t["rows"] for cell in row)):
            assert without_folds(str(sentence)) in text
    rest = [key for key in whole if key != "reports"]
    assert {key: whole[key] for key in rest} == {key: brief[key] for key in rest}


def test_a_unit_stays_on_the_line_of_its_figure():
    assert unbroken("chờ 14.55 ms, bằng 66 % của 22.00 ms mô phỏng") == "chờ 14.55\u00a0ms, bằng 66\u00a0% của 22.00\u00a0ms mô phỏng"
    assert unbroken("Mọi số ms: 200 µs → 250 µs, 681.8 token/s") == "Mọi số ms: 200\u00a0µs → 250\u00a0µs, 681.8\u00a0token/s"


def test_open_panels_bring_their_pictures():
    service = Service()
    ok = ask(service, constants={}, panels=[3, 11])
    found = {number: pictures for number, *_, pictures in ok["panels"] if pictures is not None}
    asked = dict(key=ok["key"], constants=ok["constants"], blocks=[3, 11])
    plain, texts = (json.loads(service.answer("picture", json.dumps(asked | more)))["ok"]["pictures"] for more in ({}, {"texts": True}))
    assert [[number, found[number]] for number in found] == texts
    assert [[number, [json.loads(text) for text in drawn]] for number, drawn in texts] == plain


def test_pictures_come_before_the_rest_and_not_twice():
    asked, parts = dict(constants={"TOKEN_BUDGET": 3}, panels=[3, 11]), []
    text = Service().answer("run", json.dumps(asked), early=parts.append)
    late, whole = json.loads(text)["ok"], ask(Service(), **asked)
    assert [json.loads(part) for part in parts] == [{"pictures": [[number, pictures] for number, *_, pictures in whole["panels"] if pictures]}]
    assert late | {"panels": [row[:4] for row in late["panels"]]} == whole | {"panels": [row[:4] for row in whole["panels"]]}
    assert all(row[4] is None for row in late["panels"])


def test_nothing_comes_early_without_open_panels_or_of_a_configuration_that_is_refused():
    parts = []
    for asked in (dict(constants={}), dict(constants={}, panels=[]), dict(constants={"SLOTS": 0}, panels=[3])):
        Service().answer("run", json.dumps(asked), early=parts.append)
    assert parts == []


def test_pictures_that_fail_leave_a_sentence_and_the_rest_of_the_run(monkeypatch):
    monkeypatch.setitem(PICTURES, 3, lambda run: run.nothing)
    panels = {number: pictures for number, *_, pictures in ask(Service(), constants={}, panels=[3, 11])["panels"]}
    assert "AttributeError" in panels[3] and json.loads(panels[11][0])["kind"] == "bars"


def test_a_body_is_written_anew_only_when_its_report_differs():
    panels = Panels()
    one, same, other = (panels.of(build_reports(run(Config.of(changed))), {}) for changed in ({}, {}, {"TOKEN_BUDGET": 3}))
    assert all(a[3] is b[3] for a, b in zip(one, same))
    kept = {a[0] for a, b in zip(same, other) if a[3] is b[3]}
    assert 13 in kept and not kept & {3, 11}
    assert [json.loads(p[3]) for p in other] == [panel(r.plain()) for r in build_reports(run(Config.of({"TOKEN_BUDGET": 3})))]
