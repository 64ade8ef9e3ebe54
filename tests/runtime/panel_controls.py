"""For frame.test.mjs: which of the controls that a panel offers in a lesson change what the panel says.

In: static/data/blocks.json as argument, the engine on PYTHONPATH. Out: {block: {constant: whether some value changes its report}}.
"""
import json
import sys

from inference_lab.service import Service

SHOWN = ("headline", "observations", "tables")


def reports(service, constants):
    answer = json.loads(service.answer("run", json.dumps({"constants": constants})))
    return answer["ok"]["reports"] if "ok" in answer else None


def values(row):
    """The ends of the slider, and what is near the default."""
    near = (row["default"] - row["step"], row["default"] + row["step"])
    return [value for value in (row["minimum"], row["slider_maximum"], *near) if row["minimum"] <= value <= row["slider_maximum"]]


def main(file):
    service = Service()
    table = {row["name"]: row for row in json.loads(service.answer("constants", "{}"))["ok"]}
    base = reports(service, {})
    with open(file, encoding="utf-8") as source:
        blocks = json.load(source)
    wanted = {name for block in blocks for name in block["controls"] if name != "REQUESTS"}
    runs = {name: [one for one in (reports(service, {name: value}) for value in values(table[name])) if one] for name in wanted}
    fewer = [request for request in table["REQUESTS"]["default"] if request["id"] != "D"]
    runs["REQUESTS"] = [reports(service, {"REQUESTS": [request | {"temperature": 0} for request in fewer]})]

    def matters(block, name):
        at = block["number"] - 1
        return any(run[at][key] != base[at][key] for run in runs[name] for key in SHOWN)

    print(json.dumps({block["number"]: {name: matters(block, name) for name in block["controls"]} for block in blocks}))


main(sys.argv[1])
