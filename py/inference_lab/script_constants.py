"""What a script that ran does not set: constants at their default, and names that look like a constant and are none.

In: the script's text, which constants it left set, and the configuration of its run. Out: sentences in Vietnamese. A constant
that the run has at another value than its default is set in some way, and nothing is said of it.
"""
import ast
import difflib

from .config import CONSTANTS, Config

ALIKE = 0.8                     # difflib's ratio from which a name is taken for a misspelt constant
NAMED = 4                       # constants in one sentence


def assigned(text):
    """-> {name: line} of the assignments at the script's top level, the last one of each name"""
    lines = {}
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value:
            for target in getattr(node, "targets", None) or [node.target]:
                lines |= {name.id: name.lineno for name in ast.walk(target) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    return lines


def notices(text, set_names, config):
    """-> str, or None where there is nothing to say"""
    default = Config()
    unset = [name for name in CONSTANTS if name not in set_names and getattr(config, name) == getattr(default, name)]
    meant = {constant: (name, line) for name, line in assigned(text).items() if name.isupper() and name not in CONSTANTS
             for constant in difflib.get_close_matches(name, unset, n=1, cutoff=ALIKE)}
    left_out = [name for name in unset if name not in meant] if set_names else []
    sentences = [f"Dòng {line}: {name} không phải hằng số của lab; ý bạn là {constant}? {at_default([constant])}" for constant, (name, line) in meant.items()]
    return " ".join([*sentences, *([at_default(left_out)] if left_out else [])]) or None


def at_default(names):
    if len(names) > NAMED:
        return f"Script không gán {len(names)} trong {len(CONSTANTS)} hằng số, nên các hằng số đó giữ giá trị mặc định."
    return f"Script không gán {', '.join(names)}, nên {'các hằng số này giữ' if len(names) > 1 else 'hằng số này giữ'} giá trị mặc định."
