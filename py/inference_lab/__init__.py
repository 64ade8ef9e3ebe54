"""A NumPy miniature of an LLM serving engine: one request through thirteen blocks.

    from inference_lab import Config, run
    result = run(Config.of({"SLOTS": 3}))

Modules import one way:
errors, notation -> config -> tokenizer -> request -> model -> sampling -> kv_cache -> gateway -> trace -> scheduler ->
engine -> quantization, quality_gate -> lab -> metrics -> reports -> figures, service, command line
"""
from .config import Config
from .errors import ConfigurationError, InferenceLabError
from .lab import run

__all__ = ["Config", "ConfigurationError", "InferenceLabError", "run"]
