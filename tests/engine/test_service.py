"""What crosses to the page: JSON text in, JSON text out, nothing raised."""
import json

import pytest

from inference_lab import service
from inference_lab.config import CONSTANTS


def ask(command, asked=None):
    return json.loads(service.answer(command, json.dumps(asked or {})))


def test_a_run_gives_thirteen_reports_a_printout_and_a_verdict():
    ok = ask("run")["ok"]
    assert [r["number"] for r in ok["reports"]] == list(range(1, 14))
    assert ok["passed"] is True
    assert ok["transcript"].splitlines()[-1] == ok["verdict"]
    assert ok["constants"]["SLOTS"] == 2


def test_changed_constants_change_the_run():
    # With three slots C need not wait for A or B: its queue time is gone from panel 11.
    rows = ask("run", {"constants": {"SLOTS": 3}})["ok"]["reports"][10]["tables"][0]["rows"]
    assert [row for row in rows if row[0] == "C"][0][2] != "14550"


def test_the_same_question_gets_the_same_bytes():
    assert service.answer("run", "{}") == service.answer("run", "{}")


def test_vietnamese_crosses_as_it_is():
    assert "chờ chỗ chạy" in service.answer("run", "{}")


def test_bad_constants_come_back_all_at_once_without_a_traceback():
    error = ask("run", {"constants": {"SLOTS": 0, "BLOCK_SIZE": "4", "SLOT": 1}})["error"]
    assert [e["constant"] for e in error["errors"]] == ["SLOTS", "BLOCK_SIZE", "SLOT"]
    assert error["constant"] == "SLOTS" and error["message"] == error["errors"][0]["message"]
    assert "traceback" not in error


@pytest.mark.parametrize("text", ['{"constants": {"SLOTS": NaN}}', '{"constants": {"QUALITY_GATE": 1e400}}', '{"constants": {"REQUESTS": [[]]}}'])
def test_values_that_json_cannot_say_are_quoted_in_the_error(text):
    error = json.loads(service.answer("run", text))["error"]
    assert error["errors"] and "traceback" not in error


@pytest.mark.parametrize("command, text", [("run", "{"), ("nothing", "{}"), ("source", '{"block": 99}'), ("run", "[]")])
def test_a_fault_of_ours_comes_back_with_its_traceback(command, text):
    error = json.loads(service.answer(command, text))["error"]
    assert error["errors"] == [] and "Traceback" in error["traceback"] and error["message"]


def test_a_blocks_source_comes_piece_by_piece():
    pieces = ask("source", {"block": 6})["ok"]
    assert [(file, name) for file, name, _, _ in pieces] == [("kv_cache.py", "KVPool")]
    assert pieces[0][3].startswith("class KVPool:")


def test_the_table_of_constants_is_whole():
    rows = ask("constants")["ok"]
    assert [r["name"] for r in rows] == list(CONSTANTS)
    slots = next(r for r in rows if r["name"] == "SLOTS")
    assert (slots["default"], slots["minimum"], slots["maximum"], slots["step"], slots["known_as"]) == (2, 1, 64, 1, "max_num_seqs")
    assert all(r["label"] and r["help"] and r["range"] for r in rows)
