"""Worked examples of a script that puts a part of its own into the engine.

Each file is the program of a script; run as it stands it takes the default constants. Its docstring is a title and one
sentence. In: nothing. Out: plain data for the page.
"""
import ast
from importlib.resources import files

from ..default_script import script

NAMES = ("own_sample", "own_scheduler", "own_cost")


def examples():
    """-> [{"id", "title", "explanation", "program", "text"}]; `text` is the whole script: the constants, then the program."""
    return [example(name) for name in NAMES]


def example(name):
    program = files(__package__).joinpath(f"{name}.py").read_text(encoding="utf-8")
    title, explanation = ast.get_docstring(ast.parse(program)).split("\n\n")
    return dict(id=name, title=title, explanation=explanation, program=program, text=script(program))
