"""A NumPy miniature of an LLM serving engine: one request through thirteen blocks.

    import inference_lab as lab
    run = lab.run(lab.Config.of({"SLOTS": 3}))
    print(lab.transcript(run))

Modules import one way:
errors, notation -> config -> tokenizer -> request -> model -> sampling -> kv_cache -> gateway -> trace -> scheduler ->
engine -> extensions, quantization, quality_gate -> lab -> metrics -> reports -> transcript, figures, headlines, attribution, causes, changes, predictions, exercises, script, service, command line
"""
from .config import Config, constants
from .engine import step_cost
from .errors import ConfigurationError, ExtensionError, InferenceLabError
from .lab import LabRun, run
from .metrics import metrics, summary
from .reports import build_reports
from .sampling import Sample, sample
from .transcript import transcript

__all__ = [
    "Config", "ConfigurationError", "ExtensionError", "InferenceLabError", "LabRun", "Sample", "build_reports", "constants",
    "metrics", "run", "sample", "step_cost", "summary", "transcript"]
