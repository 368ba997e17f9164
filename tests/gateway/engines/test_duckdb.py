"""The DuckDB engine: prices without running, rows up to the caps, stops, roles apart."""

import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from gateway.engines.base import (
    Engine,
    EngineCancelled,
    EngineError,
    EngineTimeout,
    Identity,
    Limits,
    Relation,
    RoleScope,
)
from gateway.engines.duckdb import DuckDBEngine

ENDLESS = "SELECT count(*) FROM events a, events b WHERE a.kind <> b.kind"


def test_the_engine_speaks_the_protocol(engine: DuckDBEngine) -> None:
    spoken: Engine = engine
    assert spoken.dialect == "duckdb"
    assert spoken.capabilities().read_only


@pytest.mark.parametrize(
    "loud",
    [
        "SELECT error('it ran')",
        "SELECT CASE WHEN count(*) >= 0 THEN error('it ran') END FROM orders",
        "SELECT CAST(region AS INTEGER) FROM orders WHERE region = 'north'",
        "SELECT * FROM orders WHERE amount = error('it ran')::DECIMAL(18, 2)",
    ],
)
def test_explain_does_not_run_what_fails_when_it_runs(
    engine: DuckDBEngine, analyst: Identity, limits: Limits, loud: str
) -> None:
    engine.explain(loud, analyst, limits)
    with pytest.raises(EngineError) as caught:
        engine.run(loud, analyst, limits, "q")
    assert caught.value.code == "data_error"
    assert "it ran" not in str(caught.value)


def test_explain_is_quick_where_the_run_would_never_end(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    started = time.monotonic()
    estimate = engine.explain(ENDLESS, analyst, limits)
    assert time.monotonic() - started < 5
    assert estimate.joins[0].growth > 1000


def test_an_estimate_grows_with_the_window(engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    def price(end: str) -> tuple[int, int, bool]:
        sql = (
            "SELECT kind, count(DISTINCT visitor) FROM events"
            " WHERE event_time >= CAST('2023-02-01' AS TIMESTAMP)"
            f" AND event_time < CAST('{end}' AS TIMESTAMP) GROUP BY kind"
        )
        estimate = engine.explain(sql, analyst, limits)
        assert estimate.bound == "upper"
        assert estimate.scans[0].relation == "main.events"
        return estimate.rows or 0, estimate.bytes or 0, estimate.scans[0].full

    week, year, beyond = price("2023-02-08"), price("2024-02-01"), price("2026-01-01")
    assert week[0] < year[0] < beyond[0] <= 1_000_000
    assert week[1] < year[1] < beyond[1]
    assert not beyond[2]


@pytest.mark.parametrize(
    ("start", "end"),
    [("2023-01-01", "2023-01-02"), ("2023-06-15", "2023-09-01"), ("2024-11-01", "2025-01-01")],
)
def test_an_estimate_is_never_below_the_rows_in_the_window(
    engine: DuckDBEngine, analyst: Identity, limits: Limits, start: str, end: str
) -> None:
    sql = f"SELECT count(*) FROM events WHERE event_day >= DATE '{start}' AND event_day < DATE '{end}'"
    ((counted,),) = engine.run(sql, analyst, limits, "q").rows
    assert isinstance(counted, int)
    assert counted <= (engine.explain(sql, analyst, limits).rows or 0) < counted + 3 * 122_880


def test_a_scan_without_a_range_of_time_is_full_and_only_projected_columns_cost(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    narrow = engine.explain("SELECT count(*) FROM events WHERE kind = 'buy'", analyst, limits)
    wide = engine.explain("SELECT * FROM events", analyst, limits)
    assert narrow.scans[0].full
    assert narrow.rows == wide.rows == 1_000_000
    assert 0 < (narrow.bytes or 0) < (wide.bytes or 0)


def test_a_recursive_query_has_no_known_price(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    sql = "WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t) SELECT * FROM t"
    assert engine.explain(sql, analyst, limits).bound == "unknown"


def test_two_roles_of_one_process_see_their_own_rows_and_columns(
    engine: DuckDBEngine, analyst: Identity, clerk: Identity, limits: Limits
) -> None:
    sql = "SELECT count(*), count(DISTINCT region) FROM orders"
    assert engine.run(sql, analyst, limits, "a").rows == ((30_000, 2),)
    assert engine.run(sql, clerk, limits, "c").rows == ((10_000, 1),)
    assert engine.run("SELECT * FROM orders", clerk, limits, "d").names == ("order_id", "amount", "region")


def test_a_relation_with_a_schema_keeps_its_name(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    assert engine.run("SELECT count(*) FROM crm.tickets", analyst, limits, "q").rows == ((10,),)


def test_values_keep_their_types(engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    rows = engine.run(
        "SELECT 12.50::DECIMAL(18, 2), 1000000000000000000000000000000::HUGEINT, DATE '2024-02-29',"
        " TIMESTAMP '2024-02-29 12:00:00',"
        " TIMESTAMPTZ '2024-02-29 12:00:00+02', true, 0.5::DOUBLE, 'x', NULL, TIME '10:30:00'",
        analyst,
        limits,
        "q",
    )
    assert rows.rows == (
        (
            Decimal("12.50"),
            10**30,
            date(2024, 2, 29),
            datetime(2024, 2, 29, 12),
            datetime(2024, 2, 29, 10, tzinfo=UTC),
            True,
            0.5,
            "x",
            None,
            "10:30:00",
        ),
    )
    assert str(rows.rows[0][0]) == "12.50"
    assert rows.types[:3] == ("DECIMAL(18,2)", "HUGEINT", "DATE")


@pytest.mark.parametrize("nested", ["[1, 2]", "{'a': 1}", "MAP {'a': 1}", "'x'::BLOB", "INTERVAL 1 DAY"])
def test_a_column_that_a_result_cannot_carry_is_named(
    engine: DuckDBEngine, analyst: Identity, limits: Limits, nested: str
) -> None:
    with pytest.raises(EngineError, match="odd") as caught:
        engine.run(f"SELECT 1 AS fine, {nested} AS odd", analyst, limits, "q")
    assert caught.value.code == "value_type"


@pytest.mark.parametrize(("wanted", "cut"), [(999, False), (1000, False), (1001, True)])
def test_the_row_cap_cuts_and_says_so(
    engine: DuckDBEngine, analyst: Identity, limits: Limits, wanted: int, cut: bool
) -> None:
    rows = engine.run(f"SELECT order_id FROM orders LIMIT {wanted}", analyst, limits, "q")
    assert (len(rows.rows), rows.truncated) == (min(wanted, 1000), cut)
    assert rows.limit_source == ("rows" if cut else "")
    assert rows.actual.rows == len(rows.rows)


def test_the_byte_cap_cuts_and_says_so(engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    rows = engine.run(
        "SELECT repeat('é', 50) FROM orders LIMIT 500", analyst, replace(limits, bytes=1000), "q"
    )
    assert len(rows.rows) == 10
    assert (rows.truncated, rows.limit_source) == (True, "bytes")


def test_the_time_limit_stops_a_query(engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    started = time.monotonic()
    with pytest.raises(EngineTimeout) as caught:
        engine.run(ENDLESS, analyst, replace(limits, seconds=0.3), "q")
    assert time.monotonic() - started < 3
    assert (caught.value.code, caught.value.retryable) == ("query_timeout", True)


def test_too_much_memory_is_said_and_the_engine_lives_on(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits
) -> None:
    engine = make_engine(memory_mb=64)
    hungry = "SELECT count(DISTINCT repeat('x', 100) || visitor) FROM events"
    with pytest.raises(EngineError) as caught:
        engine.run(hungry, analyst, limits, "q")
    assert caught.value.code == "query_too_large"
    assert engine.run("SELECT 1", analyst, limits, "r").rows == ((1,),)


def test_spilling_works_where_it_is_allowed(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits
) -> None:
    engine = make_engine(memory_mb=64, spill_mb=1000)
    sorted_ids = "SELECT event_id FROM events ORDER BY hash(event_id), event_time, kind OFFSET 999999"
    assert len(engine.run(sorted_ids, analyst, limits, "q").rows) == 1


def test_cancel_stops_a_running_query_within_a_second(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, analyst, limits, "endless")
        with pytest.raises(TimeoutError):
            running.result(timeout=0.3)
        started = time.monotonic()
        engine.cancel("endless")
        with pytest.raises(EngineCancelled):
            running.result(timeout=5)
    assert time.monotonic() - started < 1


def test_a_query_cancelled_before_it_begins_does_not_begin(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    engine.cancel("early")
    with pytest.raises(EngineCancelled):
        engine.run("SELECT 1", analyst, limits, "early")
    assert engine.run("SELECT 1", analyst, limits, "another").rows == ((1,),)


def test_cancelling_one_query_leaves_the_others_alone(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    slow = "SELECT sum(hash(a.event_id) % 7) FROM events a, range(20) t(i)"
    with ThreadPoolExecutor(2) as pool:
        kept = pool.submit(engine.run, slow, analyst, limits, "kept")
        stopped = pool.submit(engine.run, ENDLESS, analyst, limits, "stopped")
        with pytest.raises(TimeoutError):
            stopped.result(timeout=0.2)
        engine.cancel("stopped")
        assert len(kept.result(timeout=20).rows) == 1
        with pytest.raises(EngineCancelled):
            stopped.result(timeout=5)


def test_an_id_in_use_is_refused(engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, analyst, limits, "same")
        with pytest.raises(TimeoutError):
            running.result(timeout=0.2)
        with pytest.raises(EngineError) as caught:
            engine.run("SELECT 1", analyst, limits, "same")
        engine.cancel("same")
    assert caught.value.code == "duplicate_query"


def test_eight_threads_of_two_roles_get_their_own_answers(
    engine: DuckDBEngine, analyst: Identity, clerk: Identity, limits: Limits
) -> None:
    sql = "SELECT count(*), sum(amount) FROM orders"
    gate = threading.Barrier(8)

    def ask(number: int) -> bool:
        who = (analyst, clerk)[number % 2]
        gate.wait()
        engine.explain(sql, who, limits)
        counts = {engine.run(sql, who, limits, f"{number}-{again}").rows[0][0] for again in range(5)}
        return counts == {(30_000, 10_000)[number % 2]}

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))


def test_a_file_put_in_its_place_is_opened_and_pinned_anew(
    make_engine: Callable[..., DuckDBEngine], tmp_path: Path, limits: Limits
) -> None:
    def build(path: Path, value: int) -> None:
        with duckdb.connect(str(path)) as database:
            database.execute(f"CREATE TABLE t AS SELECT {value} AS a")

    path, who = tmp_path / "data.duckdb", Identity("u", "r")
    build(path, 1)
    engine = make_engine(path, {"r": RoleScope("r", (Relation("t", 'FROM {source}."main"."t"'),), "d")})
    before = engine.pin()
    assert engine.run("SELECT a FROM t", who, limits, "q").rows == ((1,),)
    build(tmp_path / "new.duckdb", 2)
    (tmp_path / "new.duckdb").replace(path)
    assert engine.run("SELECT a FROM t", who, limits, "q").rows == ((2,),)
    assert engine.pin() != before


def test_a_copy_has_the_same_pin(
    engine: DuckDBEngine, make_engine: Callable[..., DuckDBEngine], shop: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(shop, tmp_path / "copy.duckdb"))
    assert make_engine(copy).pin() == engine.pin()
    assert engine.pin().kind == "content_hash"


def test_an_unknown_role_is_refused(engine: DuckDBEngine, limits: Limits) -> None:
    with pytest.raises(EngineError) as caught:
        engine.run("SELECT 1", Identity("eve", "admin"), limits, "q")
    assert caught.value.code == "unknown_role"


def test_an_engine_opens_again_after_close(engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    engine.explain("SELECT count(*) FROM orders", analyst, limits)
    engine.close()
    assert engine.run("SELECT count(*) FROM orders", analyst, limits, "q").rows == ((30_000,),)


def test_a_file_that_goes_away_is_missed_and_found_again(
    make_engine: Callable[..., DuckDBEngine], shop: Path, tmp_path: Path, analyst: Identity, limits: Limits
) -> None:
    path = Path(shutil.copy(shop, tmp_path / "data.duckdb"))
    engine, sql = make_engine(path), "SELECT count(*) FROM orders"
    engine.run(sql, analyst, limits, "q")
    path.rename(tmp_path / "away")
    with pytest.raises(EngineError) as caught:
        engine.run(sql, analyst, limits, "q")
    assert caught.value.code == "database_missing"
    (tmp_path / "away").rename(path)
    assert engine.run(sql, analyst, limits, "q").rows == ((30_000,),)
