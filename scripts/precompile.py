"""Write an archive of Python files again with byte code in it. Runs inside Pyodide: the byte code is for its Python.

`rewrite` reads a zip and writes another with fixed dates, so that the same input always gives the same bytes. It is
deflated: few hosts compress a `.zip` or `.whl` on the way, and unpacking costs the boot nothing that could be measured. Byte code is "unchecked": the
interpreter never compares it with a source.
"""
import base64
import hashlib
import importlib.util
import re
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import PurePosixPath

EPOCH = (1980, 1, 1, 0, 0, 0)


def byte_code(source: bytes, name: str, optimize: int) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), checked=False))


def cached_name(name: str) -> str:
    path = PurePosixPath(name)
    return str(path.parent / "__pycache__" / f"{path.stem}.cpython-314.pyc")


def record(members: dict[str, bytes], record_name: str) -> bytes:
    """A wheel's RECORD for these members."""
    lines = []
    for name, data in members.items():
        sha256 = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        lines.append(f"{name},sha256={sha256},{len(data)}\n")
    return "".join([*lines, f"{record_name},,\n"]).encode()


def rewrite(source: str, target: str, optimize: int, keep_source: bool, leave_out: str) -> None:
    """Write `target`: the archive `source` with each `.py` compiled; with `keep_source`, next to its source, else in its place.

    Members whose name matches the regular expression `leave_out` are dropped.
    """
    unwanted = re.compile(leave_out)
    members: dict[str, bytes] = {}
    record_name = None
    with zipfile.ZipFile(source) as old:
        for name in old.namelist():
            if name.endswith("/") or unwanted.search(name):
                continue
            data = old.read(name)
            if name.endswith(".dist-info/RECORD"):
                record_name = name
            elif name.endswith(".py"):
                if keep_source:
                    members[name] = data
                    members[cached_name(name)] = byte_code(data, name, optimize)
                else:
                    members[name + "c"] = byte_code(data, name, optimize)
            else:
                members[name] = data
    if record_name:
        members[record_name] = record(members, record_name)
    with zipfile.ZipFile(target, "w") as new:
        for name, data in members.items():
            new.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED, 9)
