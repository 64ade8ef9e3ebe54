"""The default run and the exercises' texts as the page gets them from its worker, for where no worker can be.

In: the engine (py/) and the view's own trees (static/view), both on PYTHONPATH. Out: one JSON object on stdout:
{"result": the answer to `run` with its panels, "pictures": {block: data}, "exercises": texts, "panels": {block: HTML}}.
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

    result = ask("run", {"panels": list(range(1, 14))})
    pictures = [[number, drawn] for number, _, _, _, drawn in result["panels"]]
    panels = {number: render.to_html(*body) for number, _, _, body, _ in result["panels"]}
    return dict(result=result, pictures=pictures, exercises=ask("exercises", {}), panels=panels)


print(json.dumps(prepared(), ensure_ascii=False, allow_nan=False))
