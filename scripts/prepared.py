"""The default run and the exercises' texts as the page gets them from its worker, for where no worker can be.

In: the engine (py/) and the modules that it shares with the view, on PYTHONPATH. Out: one JSON object on stdout:
{"result": the answer to `run` with its panels, "exercises": texts}.
"""
import json

from inference_lab.service import Service

BLOCKS = range(1, 14)


def prepared():
    service = Service()

    def ask(command, body):
        answer = json.loads(service.answer(command, json.dumps(body)))
        if "error" in answer:
            raise SystemExit(f"{command}: {answer['error']['message']}")
        return answer["ok"]

    return dict(result=ask("run", {"panels": list(BLOCKS)}), exercises=ask("exercises", {}))


print(json.dumps(prepared(), ensure_ascii=False, allow_nan=False))
