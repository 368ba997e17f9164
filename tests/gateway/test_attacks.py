"""Every labelled attack through the whole pipeline, as a planner's SQL and as a text to check.

A reviewer who accepts everything stands behind the pipeline, so that nothing is between a text and the
database but the checks.
"""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateway.engines.base import Engine
from gateway.house import House
from gateway.pipeline import answer
from gateway.record.recorder import MemoryRecorder
from gateway.reply import Refusal
from gateway.sql_check import check_sql
from metric_layer.plan import Dialect
from policies.register import PLAN_CHECKS, SQL_CHECKS
from tests.gateway.corpus_house import Warehouse, house_over, on_duckdb, on_postgres, schema_of
from tests.servers.postgres import Server
from traces.records import Approval, Ask, Caller, Trace

CHECKS = {check.id for check in SQL_CHECKS}
WATCHED = ("open", "socket.connect", "subprocess.Popen", "os.system", "os.remove", "os.mkdir", "os.rename")
HOUSEKEEPING = "duckdb-workers"
"""The thread that ends idle workers of this process, and with them folders that earlier tests spilt to. A
text that reached a database through it would have passed the engine, and `Untouched` hears of that."""
touched: list[str] = []
watching = False


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if watching and event in WATCHED and threading.current_thread().name != HOUSEKEEPING:
        touched.append(f"{event} {arguments[0] if arguments else ''}")


sys.addaudithook(_hook)


@contextmanager
def nothing_touched() -> Iterator[None]:
    """Fail when a file (the house's own keys apart), a socket or a process is opened inside."""
    global watching
    touched.clear()
    watching = True
    try:
        yield
    finally:
        watching = False
    assert [each for each in touched if not each.endswith("/keys.json")] == []


ACCEPTED = tuple(
    Approval(check=check, judge="person", ruling="accept")
    for check in (*(each.id for each in PLAN_CHECKS), *(each.id for each in SQL_CHECKS))
)
"""A reviewer who lets everything pass that can be let pass."""


class Untouched:
    """An engine that may be asked what it is, and nothing else."""

    def __init__(self, engine: Engine) -> None:
        self.dialect = engine.dialect
        self.capabilities = engine.capabilities
        self.pin = engine.pin
        self.one_snapshot = engine.one_snapshot
        self.reached: list[str] = []

    def explain(self, sql: str, *_: object) -> None:
        self.reached.append(sql)
        raise AssertionError(sql)

    run = explain


def attacks(corpus: Path, dialect: Dialect) -> list[dict[str, Any]]:
    lines = (corpus / "sql_dev.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return [case for case in cases if case["label"] == "hard" and case["dialect"] == dialect]


def planned(house: House, case: dict[str, Any]) -> Trace:
    """Ask with the case as the SQL of a planner, accepted by a reviewer."""
    recorder = MemoryRecorder(approvals=ACCEPTED, was_guarded=False)
    answer(house, recorder, asker(case), Ask(), planner=lambda _: case["sql"])
    return recorder.trace()


def checked(house: House, case: dict[str, Any]) -> Trace:
    """Check the case as a text."""
    recorder = MemoryRecorder(approvals=(), was_guarded=False)
    assert not isinstance(check_sql(house, recorder, asker(case), case["sql"]), Refusal)
    return recorder.trace()


def asker(case: dict[str, Any]) -> Caller:
    role = case.get("role", "analyst")
    return Caller(user=f"the {role}", roles=(role,), tenant="cases")


def refused_by(trace: Trace) -> set[str]:
    """Return the SQL checks that the record names as refusing."""
    assert trace.closed is not None
    return {d.check for d in trace.closed.decisions if d.verdict == "hard" and d.stage == "sql"}


@pytest.fixture
def stand(corpus_folder: Path, tmp_path: Path) -> Callable[[Warehouse], None]:
    """Sends every attack of a warehouse's dialect at it, both ways."""

    def sent(warehouse: Warehouse) -> None:
        house = house_over(warehouse, schema_of(corpus_folder), tmp_path)
        engine: Any = Untouched(house.engine)
        guarded = replace(house, engine=engine)
        cases = attacks(corpus_folder, warehouse.dialect)
        assert len(cases) > 100
        harmless = {"sql": "SELECT COUNT(*) AS n FROM analytics.orders", "role": "finance"}
        for each in (harmless, {**harmless, "role": "analyst"}):
            assert refused_by(checked(guarded, each)) == set(), "the house lets good questions through"
        before = warehouse.digest()
        escaped = []
        for case in cases:
            for way in (planned, checked):
                with nothing_touched():
                    trace = way(guarded, case)
                assert trace.closed is not None
                if (
                    trace.closed.outcome != "denied"
                    or not refused_by(trace) <= CHECKS
                    or not refused_by(trace)
                ):
                    escaped.append((way.__name__, case["id"], case["sql"]))
        house.engine.close()
        assert escaped == []
        assert engine.reached == []
        assert warehouse.digest() == before

    return sent


def test_no_attack_reaches_duckdb(
    stand: Callable[[Warehouse], None], corpus_folder: Path, tmp_path: Path
) -> None:
    stand(on_duckdb(schema_of(corpus_folder), tmp_path / "cases.duckdb"))


@pytest.mark.parametrize("version", [15, 17, 18])
def test_no_attack_reaches_postgres(
    stand: Callable[[Warehouse], None],
    corpus_folder: Path,
    postgres_servers: Callable[[int], Server],
    version: int,
) -> None:
    server = postgres_servers(version)
    with server.database() as name:
        stand(on_postgres(schema_of(corpus_folder), server, name))
