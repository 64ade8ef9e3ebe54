"""The 13 reports of a run, in order. Each module has one `build(run) -> Report`; none of them computes anything new."""
from dataclasses import replace

from . import (block_01_gateway, block_02_input, block_03_scheduler, block_04_prefill, block_05_transformer, block_06_kv_cache, block_07_decode,
               block_08_sampling, block_09_precision, block_10_memory, block_11_telemetry, block_12_benchmark, block_13_quality_gate)

BLOCKS = (block_01_gateway, block_02_input, block_03_scheduler, block_04_prefill, block_05_transformer, block_06_kv_cache, block_07_decode,
          block_08_sampling, block_09_precision, block_10_memory, block_11_telemetry, block_12_benchmark, block_13_quality_gate)


def build_reports(run):
    """-> tuple of 13 Reports, without tables that have no row"""
    return tuple(without_empty_tables(block.build(run)) for block in BLOCKS)


def without_empty_tables(report):
    return report if all(t.rows for t in report.tables) else replace(report, tables=tuple(t for t in report.tables if t.rows))
