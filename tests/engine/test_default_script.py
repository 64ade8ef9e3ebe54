"""inference-end-to-end.py as the package prints it: every constant once, its default, and a program that runs natively."""
import ast
import subprocess
import sys

import pytest

import inference_lab as lab
from inference_lab.__main__ import main
from inference_lab.config import CONSTANTS, Config
from inference_lab.default_script import default_script, quoted


def assigned(text):
    """name -> value of the plain assignments at the top of a script, in order."""
    return {node.targets[0].id: node.value for node in ast.parse(text).body if isinstance(node, ast.Assign)}


def test_every_constant_is_a_plain_assignment_of_its_default_in_the_order_of_the_table():
    values = assigned(default_script())
    names = [name for name in values if name in CONSTANTS]
    assert sorted(names) == sorted(CONSTANTS) and [n for n in values if n not in CONSTANTS] == ["config", "run"]
    namespace = {}
    exec(default_script().partition("import inference_lab")[0], namespace)
    assert Config.of(lab.constants(namespace)) == Config()


@pytest.mark.parametrize("name", ["SLOTS", "QUALITY_GATE", "FOLLOW"])
def test_each_has_its_label_range_default_and_help_above_it(name):
    above = default_script().partition(f"\n{name} = ")[0].splitlines()[-2:]
    constant = CONSTANTS[name]
    assert above[0].startswith(f"# {constant.label}") and constant.range in above[0]
    assert above[0].endswith(f"mặc định {quoted(constant.default)}.")
    assert above[1] == f"# {constant.help}"


def test_no_line_is_longer_than_a_reader_likes():
    assert max(map(len, default_script().splitlines())) <= 120


def test_constants_picks_the_names_of_the_table_and_nothing_else():
    assert lab.constants({"SLOTS": 3, "slots": 4, "SLOT": 5, "__name__": "x", "run": None}) == {"SLOTS": 3}


def test_the_command_prints_it(capsys):
    assert main(["script"]) == 0
    assert capsys.readouterr().out == default_script()


@pytest.mark.parametrize("text", ['a"b', "a'b", "xin chào", "a\\b\n", ""])
def test_a_text_is_quoted_as_python_reads_it(text):
    assert ast.literal_eval(quoted(text)) == text


@pytest.mark.skipif(sys.platform == "emscripten", reason="no processes there")
def test_it_runs_natively_and_prints_what_the_command_line_prints(tmp_path, capsys):
    script = tmp_path / "inference-end-to-end.py"
    script.write_text(default_script(), encoding="utf-8")
    done = subprocess.run([sys.executable, "-X", "utf8", script], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    main([])
    assert done.stdout.rstrip() == capsys.readouterr().out.rstrip()
