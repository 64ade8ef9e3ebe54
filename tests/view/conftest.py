"""On CPython the view's modules are found here; on MicroPython the runner puts them on the path."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path += [str(ROOT / "static" / "view"), str(ROOT / "py" / "inference_lab" / "reports")]  # of the latter, `trees` alone is the view's too
