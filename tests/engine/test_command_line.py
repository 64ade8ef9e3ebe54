"""`python3 -m inference_lab`: what it prints, its exit status, and bad input without a traceback."""
import io
import json
import sys

import pytest

from inference_lab.__main__ import main


def test_without_arguments_it_prints_the_run(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("PASS")


def test_one_block_with_a_constant_changed(capsys):
    assert main(["run", "--set", "SLOTS=3", "--block", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("[1 · Gateway & admission]") and "3 + 1 = 4" in out and "[2 ·" not in out


def test_text_needs_no_quotes(capsys):
    assert main(["run", "--set", "FOLLOW=A", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["follow"]["id"] == "A"


def test_a_file_of_constants_and_a_later_set(tmp_path, capsys):
    file = tmp_path / "changed.json"
    file.write_text('{"SLOTS": 3, "QUEUE_LIMIT": 5}', encoding="utf-8")
    assert main(["run", "--config", str(file), "--set", "SLOTS=1", "--json"]) == 0
    constants = json.loads(capsys.readouterr().out)["constants"]
    assert (constants["SLOTS"], constants["QUEUE_LIMIT"]) == (1, 5)


@pytest.mark.parametrize("arguments, said", [
    (["--set", "SLOTS=0"], "SLOTS = 0"),
    (["--set", "SLOT=3"], "SLOTS"),                       # the nearest known name
    (["--set", "SLOTS"], "NAME=VALUE"),
    (["--config", "no-such-file.json"], "no-such-file.json"),
])
def test_bad_input_ends_with_status_2_and_a_sentence(arguments, said, capsys):
    assert main(["run", *arguments]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and "Traceback" not in printed.err and printed.out == ""


def test_figures_answers_each_line_in_order(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO('{}\n{"SLOTS": 0}\nnot json\n[1]\n{"FOLLOW": "B"}\n'))
    assert main(["figures"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [next(iter(a)) for a in answers] == ["figures", "error", "error", "error", "figures"]
    assert answers[1]["error"]["constant"] == "SLOTS"
    assert answers[4]["figures"]["follow"]["id"] == "B"


def test_the_table_of_constants(capsys):
    assert main(["constants"]) == 0
    out = capsys.readouterr().out
    assert "TOKEN_BUDGET" in out and "max_num_batched_tokens" in out
    assert main(["constants", "--json"]) == 0
    assert {row["name"] for row in json.loads(capsys.readouterr().out)} >= {"SEED", "REQUESTS", "FOLLOW"}


def test_a_letter_that_the_terminal_cannot_say_is_escaped(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["run", "--block", "1"]) == 0
    assert b"\\u" in raw.getvalue()


def test_a_reader_who_has_gone_is_no_traceback(monkeypatch, capsys):
    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError
    monkeypatch.setattr("sys.stdout", Gone())
    assert main([]) == 1
    assert capsys.readouterr().err == ""


def test_a_full_disk_is_said_in_a_sentence(monkeypatch, capsys):
    class Full(io.StringIO):
        def write(self, text):
            raise OSError(28, "No space left on device")
    monkeypatch.setattr("sys.stdout", Full())
    assert main([]) == 1
    assert "không ghi được kết quả" in capsys.readouterr().err


def test_arguments_that_make_no_sense_end_with_status_2_and_a_sentence(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", "--block", "0"])
    assert ended.value.code == 2 and capsys.readouterr().err.startswith("Lỗi: tham số không hợp lệ")


@pytest.mark.skipif(sys.platform == "emscripten", reason="the command line is native; WebAssembly's stack ends before Python's limit")
def test_a_value_nested_too_deep_is_refused_in_words(capsys):
    assert main(["run", "--set", "SLOTS=" + "[" * 100_000]) == 2
    assert "Traceback" not in capsys.readouterr().err
