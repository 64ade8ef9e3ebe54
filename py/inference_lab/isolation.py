"""Keeps what a script does to the interpreter away from the runs that come after it.

What a script replaces in a module (of this package, NumPy, builtins, json, …) or in a class of this package is put back,
what it adds to this package or to the builtins is taken away. What gets past this (a changed class of the standard
library, say) is for the caller to notice: src/serve.js compares figures.
"""
import builtins
import sys
import warnings
from functools import partial
from types import ModuleType

PACKAGE = __package__


class Isolation:
    """A context: inside, `main` is the module __main__ and `stream` its stdout and stderr; afterwards all is as it was before."""

    def __init__(self, main, stream):
        self.main, self.stream = main, stream

    def __enter__(self):
        self.modules, self.path, self.recursion_limit = dict(sys.modules), list(sys.path), sys.getrecursionlimit()
        self.namespaces = [(vars(module), dict(vars(module))) for module in self.modules.values() if isinstance(module, ModuleType)]
        own = [(names, values) for names, values in self.namespaces if is_of_package(values.get("__name__"))]
        things = [thing for _, values in own for name, thing in values.items() if not name.startswith("__")]
        self.closed = [*own, (vars(builtins), dict(vars(builtins)))]              # nothing may be added to these
        self.classes = [(thing, dict(vars(thing))) for thing in {t for t in things if isinstance(t, type)} if is_of_package(thing.__module__)]
        self.containers = [(thing, thing.copy()) for thing in things if type(thing) in (dict, list, set)]
        self.put_back_builtins = partial(vars(builtins).update, dict(vars(builtins)))
        self.warnings = warnings.catch_warnings()
        self.warnings.__enter__()
        sys.modules["__main__"] = self.main
        sys.stdin, sys.stdout, sys.stderr, sys.argv = NoInput(), self.stream, self.stream, [self.main.__file__]

    def __exit__(self, *raised):
        self.put_back_builtins()                                                  # first: everything else needs them
        for names, values in self.namespaces:
            names.update(values)
        for names, values in self.closed:
            take_away_added(names, values)
        put_back_classes(self.classes)
        for thing, content in self.containers:
            put_back_container(thing, content)
        self.warnings.__exit__(None, None, None)
        sys.path[:] = self.path
        sys.setrecursionlimit(self.recursion_limit)
        for name in [name for name in sys.modules if name not in self.modules and is_of_package(name)]:
            del sys.modules[name]                                                 # it may hold on to what the script had replaced
        sys.modules.update(self.modules)


def is_of_package(name):
    return isinstance(name, str) and (name == PACKAGE or name.startswith(PACKAGE + "."))


def take_away_added(names, values):
    """A module that was imported meanwhile stays an attribute of its package."""
    for name in [name for name in names if name not in values and not isinstance(names[name], ModuleType)]:
        del names[name]


def put_back_classes(classes):
    for thing, values in classes:
        now = vars(thing)
        for name in [name for name in now if name not in values]:
            delattr(thing, name)
        for name, value in values.items():
            if now.get(name, now) is not value:
                setattr(thing, name, value)


def put_back_container(thing, content):
    thing.clear()
    (thing.extend if type(thing) is list else thing.update)(content)


class NoInput:
    """Nobody can type into a script while it runs."""

    encoding, errors, closed = "utf-8", "strict", False

    def readline(self, size=-1):
        raise InputUnavailable("input() không dùng được ở đây")

    read = readlines = __iter__ = readline

    def fileno(self):
        raise OSError("không có bàn phím")

    def isatty(self):
        return False


class InputUnavailable(RuntimeError):
    """A script asked for input."""
