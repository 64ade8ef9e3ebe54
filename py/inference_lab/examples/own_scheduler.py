"""Tự viết scheduler

Prompt ngắn nhất được chỗ trống trước, và trong mỗi bước prefill đi trước decode.
"""
import inference_lab as lab


class Scheduler:
    def pick(self, waiting):
        """Ai được chỗ trống: một trong các yêu cầu đang chờ."""
        return min(waiting, key=lambda request: request.prompt_tokens)

    def share(self, running, budget):
        """Ai làm việc trong bước này, bao nhiêu token: các cặp (yêu cầu, số token)."""
        for request in running:
            if request.phase == "prefill":
                return [(request, min(request.uncomputed, budget))]
        return [(request, 1) for request in running]


config = lab.Config.of(lab.constants(globals()))
run = lab.run(config, scheduler=Scheduler())
print(lab.transcript(run))
