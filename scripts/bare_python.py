"""Python without what only its readers need: docstrings and comments go, every line keeps its number, so that tracebacks are right.

In: a JSON list of sources, on standard input. Out: a JSON list of the same programs, on standard output.
"""

import ast
import io
import json
import sys
import tokenize

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def bare(source: str) -> str:
    lines = source.splitlines(keepends=True)
    docstrings = {start_of(node) for node in documented(ast.parse(source))}
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        (first, left), (last, right) = token.start, token.end
        if token.type == tokenize.COMMENT:
            lines[first - 1] = lines[first - 1][:left].rstrip() + lines[first - 1][right:]
        elif token.start in docstrings:
            rest = lines[last - 1][right:]
            lines[first - 1:last] = [lines[first - 1][:left] + "pass" + "\n" * (last - first) + rest]
            lines[first - 1:first] = lines[first - 1].splitlines(keepends=True)
    found = "".join(lines)
    assert outline(found) == outline(source), "another program"
    return found


def documented(tree: ast.Module) -> list:
    return [node for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None]


def start_of(node) -> tuple[int, int]:
    """Where its docstring begins: line from 1, column from 0 in letters, as tokens have it (the tree counts bytes, but only white space stands before it)."""
    return node.body[0].lineno, node.body[0].col_offset


def outline(source: str) -> str:
    """The program with its line numbers, `pass` where there is a docstring."""
    tree = ast.parse(source)
    for node in documented(tree):
        node.body[0] = ast.Pass(lineno=node.body[0].lineno)
    return "\n".join(f"{getattr(node, 'lineno', 0)} {ast.dump(node)}" for node in ast.walk(tree))


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    json.dump([bare(source) for source in json.load(sys.stdin)], sys.stdout, ensure_ascii=False)
