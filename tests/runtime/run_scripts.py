"""What CPython makes of scripts: the other implementation that src/script.js must agree with.

In (stdin): JSON, a list of [text, names]. Out: JSON, for each text {"values": {name: value}, "comments": [text]} after running
it, or {"error": text}. A value that JSON cannot hold is left out.
"""
import io
import json
import sys
import tokenize


def run(text, names):
    space = {}
    try:
        exec(compile(text, "script.py", "exec"), space)
        lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n")).readline
        comments = [token.string for token in tokenize.generate_tokens(lines) if token.type == tokenize.COMMENT]
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"values": {name: space[name] for name in names if name in space and holds(space[name])}, "comments": comments}


def holds(value):
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, dict) or all(isinstance(key, str) for key in value)


json.dump([run(text, names) for text, names in json.load(sys.stdin)], sys.stdout, allow_nan=False)
