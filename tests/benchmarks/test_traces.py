"""The benchmark of the trace log writes whole traces and gives the figures of the contract."""

from pathlib import Path

import pytest

from benchmarks.tracing.measure import CALLERS, measure


@pytest.mark.slow
def test_the_figures_are_those_of_the_contract(tmp_path: Path) -> None:
    figures = measure(tmp_path, rounds=1, seconds=0.2, traces=200)
    wanted = {"one_sync_each_per_s", "cpu_ms_per_question", "verify_per_s", "encode_us", "bytes_per_trace"}
    assert wanted | {f"durable_{callers}_per_s" for callers in CALLERS} <= set(figures)
    assert all(value > 0 for value in figures.values())
    assert 5_000 < figures["bytes_per_trace"] < 20_000
    assert list(tmp_path.iterdir()) == []
