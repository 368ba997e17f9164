"""The published trap suite: every question right, or refused for the reason that is due."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from benchmarks.traps.__main__ import Found, verdict
from benchmarks.traps.rows import same_rows
from tests.servers.postgres import DEFAULT_VERSION, versions, why_missing

ROOT = Path(__file__).resolve().parents[2]


def run(*options: str) -> dict[str, object]:
    command = [sys.executable, "-m", "benchmarks.traps", "--json", *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(ran.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["duckdb", pytest.param("postgres", marks=pytest.mark.engine("postgres"))])
def test_every_trap_is_met_with_the_right_rows_or_the_right_refusal(engine: str) -> None:
    if engine == "postgres" and DEFAULT_VERSION not in versions():
        pytest.skip(why_missing(DEFAULT_VERSION))
    figures = run("--engine", engine)
    cases = yaml.safe_load((ROOT / "benchmarks" / "traps" / "cases.yml").read_text())
    assert figures["failures"] == []
    assert figures["cases"] == figures["right"] == len(cases)


def test_an_inflated_total_is_wrong_and_a_needless_refusal_is_refused() -> None:
    case = {"id": "x", "truth": "SELECT 1"}
    assert verdict(case, Found(rows=[[2]]), [[1]]) == "wrong"
    assert verdict(case, Found(refused="invalid_plan: fan_out"), [[1]]) == "refused"
    assert verdict(case, Found(rows=[["1.0000000000"]]), [[1]]) == "right"


def test_a_refusal_for_another_reason_than_the_one_due_is_wrong() -> None:
    due = {"id": "x", "refuse": "fan_out"}
    assert verdict(due, Found(refused="invalid_plan: fan_out"), None) == "right"
    assert verdict(due, Found(refused="failed: relation_unreadable"), None) == "wrong"
    assert verdict(due, Found(rows=[[1]]), None) == "wrong"


def test_rows_are_compared_as_sets_with_their_repetitions() -> None:
    assert same_rows([["a", 1], ["b", 2]], [["b", 2], ["a", 1]])
    assert not same_rows([["a", 1], ["a", 1]], [["a", 1]])
    assert not same_rows([["a", None]], [["a", 0]])
