"""On CPython the view's modules are found here; on MicroPython the runner puts them on the path."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "static" / "view"))
