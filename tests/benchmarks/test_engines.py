"""The benchmark of the engines times what it says, and says so where an engine or its data cannot be had."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.engines import as_text, measured
from benchmarks.peers import BENCH, Unavailable
from benchmarks.tpch import on_duckdb, on_postgres
from benchmarks.tpch.timing import Taken, in_turns, summary
from tests.servers.postgres import versions


def test_every_way_is_called_as_often_and_one_call_is_not_counted() -> None:
    calls: list[str] = []
    ways: dict[str, Callable[[], object]] = {name: lambda name=name: calls.append(name) for name in "ab"}  # type: ignore[misc]
    taken = in_turns(ways, 10)
    assert set(taken) == {"a", "b"}
    assert calls.count("a") == calls.count("b") == 12


def _steady(ms: float, cpu_ms: float = 1) -> Taken:
    return Taken(ms, cpu_ms, (ms, ms, ms))


def test_a_ratio_is_of_the_sums() -> None:
    queries = {
        "q1": {"run": _steady(110, 90), "priced": _steady(120), "bare": _steady(100, 80)},
        "q3": {"run": _steady(10, 20), "priced": _steady(20), "bare": _steady(20, 20)},
    }
    figures = summary(queries)
    assert (figures["sf_ratio"], figures["sf_priced_ratio"]) == (1.0, 1.167)
    assert figures["sf_cpu_ratio"] == 1.1


def test_a_machine_that_slows_down_for_a_while_changes_no_ratio() -> None:
    slow = {"run": Taken(11, 1, (11, 33, 11)), "priced": _steady(20), "bare": Taken(10, 1, (10, 30, 10))}
    assert summary({"q1": slow})["sf_ratio"] == 1.1


def test_an_engine_that_cannot_be_had_is_said_to_be_unavailable() -> None:
    def none(_: float, __: int) -> dict[str, Any]:
        raise Unavailable("no generator")

    figures = measured({"duckdb": none}, 0.01, 1)
    assert figures == {"duckdb": {"unavailable": "no generator"}}
    assert "no generator" in as_text(figures)


@pytest.mark.slow
@pytest.mark.skipif(not (BENCH / "tpchgen" / "ready").is_file(), reason="make bench brings tpchgen-cli")
def test_the_figures_are_those_of_the_contract() -> None:
    figures = measured({"duckdb": on_duckdb.measure}, 0.01, 1)["duckdb"]
    assert {"sf_ratio", "sf_cpu_ratio", "worker_adds_ms", "first_ms", "extract_s"} <= set(figures)
    assert figures["cancel_deaf_ms"] < 2000
    if versions():
        over = measured({"postgres": on_postgres.measure}, 0.01, 1)["postgres"]
        assert {"extra_round_trips", "sf_ratio", "cancel_ms"} <= set(over)
        assert over["extra_round_trips"] <= 2
