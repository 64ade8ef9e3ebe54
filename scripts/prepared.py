"""The default run and the exercises' texts as the page gets them from its worker, for where no worker can be.

In: the engine (py/) and the view's own trees (static/view), both on PYTHONPATH. Out: one JSON object on stdout:
{"result": the answer to `run`, "pictures": {block: data}, "exercises": texts, "panels": {block: HTML}}.
"""
import json

import render
from inference_lab.service import Service


def prepared():
    service = Service()

    def ask(command, body):
        answer = json.loads(service.answer(command, json.dumps(body)))
        if "error" in answer:
            raise SystemExit(f"{command}: {answer['error']['message']}")
        return answer["ok"]

    result = ask("run", {})
    blocks = [report["number"] for report in result["reports"]]
    pictures = ask("picture", {"key": result["key"], "constants": result["constants"], "blocks": blocks})["pictures"]
    panels = {report["number"]: render.to_html(*render.panel(report)) for report in result["reports"]}
    return dict(result=result, pictures=pictures, exercises=ask("exercises", {}), panels=panels)


print(json.dumps(prepared(), ensure_ascii=False, allow_nan=False))
