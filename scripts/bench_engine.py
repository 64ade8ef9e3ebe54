"""What a request costs the engine, natively: time and memory for 100, 1,000 and 10,000 requests of the course's size.

usage: bench_engine.py [YARDSTICK.py]      with the course's script, also its time for 1,000 requests and the ratio

Everyone arrives within a moment and queues: SLOTS 8, QUEUE_LIMIT as large as the crowd. A run is the whole lab: three
policies, the proof, quantization, the gate, 13 reports and the printout. Times are processor seconds of one process
each, the least of REPEATS; memory is what the process grew by.
"""
import ast
import contextlib
import io
import json
import multiprocessing
import resource
import sys
import time

from inference_lab import Config
from inference_lab.service import Service

SIZES = (100, 1_000, 10_000)
COMPARED = 1_000
REPEATS = {100: 3, 1_000: 3, 10_000: 1}


def crowd(n):
    """The course's requests over and over, a new seed for each; A0 is followed."""
    course = [r for r in Config().plain()["REQUESTS"] if r["id"] != "E"]         # E asks for too much and would only be refused
    return [dict(course[i % len(course)], id=f"{course[i % len(course)]['id']}{i // len(course)}", arrival=i, seed=i) for i in range(n)]


def constants(n):
    return dict(SLOTS=8, QUEUE_LIMIT=max(1000, n), POOL_BLOCKS=64, REQUESTS=crowd(n), FOLLOW="A0")


def run_lab(n, script):
    answer = json.loads(Service().answer("run", json.dumps({"constants": constants(n)})))
    assert answer["ok"]["passed"], answer["ok"]["verdict"]


def run_yardstick(n, script):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(substituted(script, constants(n)), script, "exec"), {"__name__": "__main__"})


def substituted(script, values):
    """The script's syntax tree with its top-level constants of these names replaced."""
    with open(script, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) in values:
            node.value = ast.parse(repr(values[node.targets[0].id]), mode="eval").body
    return ast.fix_missing_locations(tree)


def measure(job):
    """-> (processor seconds, bytes grown) of one run, in a process of its own."""
    what, n, script = job
    run_lab(1, script)                                                           # imports and first-time costs
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    what(n, script)
    return time.process_time() - began, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024


def best(what, n, script, repeats):
    fresh = multiprocessing.get_context("spawn")
    with fresh.Pool(1, maxtasksperchild=1) as pool:
        results = pool.map(measure, [(what, n, script)] * repeats, chunksize=1)
    return min(seconds for seconds, _ in results), max(grown for _, grown in results)


def main(script=None):
    print(f"{'requests':>9} {'seconds':>9} {'ms a request':>13} {'kB a request':>13}")
    times = {}
    for n in SIZES:
        times[n], grown = best(run_lab, n, script, REPEATS[n])
        print(f"{n:>9} {times[n]:>9.2f} {1e3 * times[n] / n:>13.2f} {grown / n / 1e3:>13.1f}")
    if script:
        seconds, _ = best(run_yardstick, COMPARED, script, 1)
        print(f"yardstick, {COMPARED} requests: {seconds:.2f} s; the lab takes {times[COMPARED] / seconds:.2f} of it")


if __name__ == "__main__":
    main(*sys.argv[1:])
