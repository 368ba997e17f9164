"""The benchmark of the SQL checks measures what it says, over texts that the checks let through."""

import pytest

from benchmarks.check import as_text, measured


@pytest.mark.slow
def test_the_figures_are_those_of_the_contract() -> None:
    figures = measured(rounds=1)
    assert {"ours_ms", "floor_ms", "p95_ms", "ratio", "lengths", "growth"} <= set(figures)
    assert figures["texts"] > 200
    assert "times the floor" in as_text(figures)
