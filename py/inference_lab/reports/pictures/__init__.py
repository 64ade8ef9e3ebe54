"""The pictures of each report, as plain data: PICTURES[n](run) -> tuple of Pictures. Built when a panel is opened."""
from . import entry, memory, model, schedule

PICTURES = {
    1: entry.gateway, 2: entry.input, 3: schedule.scheduler, 4: model.prefill, 5: model.attention, 6: memory.pool, 7: memory.positions,
    8: model.sampling, 9: model.precision, 10: memory.budget, 11: schedule.telemetry, 12: schedule.benchmark, 13: model.gate,
}
