"""The source text of what a panel shows: «Xem mã» reads the engine's own files.

In: names such as "kv_cache.KVPool" or "engine.Engine.step". Out: file, name, first line and text of each.
"""
import importlib
import inspect
import textwrap


def source_of(name):
    """-> [file, name, first line, text]. Raises AttributeError if the package has no such thing."""
    module_name, *path = name.split(".")
    module = importlib.import_module(f".{module_name}", __package__)
    thing = module
    for part in path:
        thing = getattr(thing, part)
    lines, first = inspect.getsourcelines(thing)
    return [f"{module_name}.py", ".".join(path), first, textwrap.dedent("".join(lines)).rstrip()]
