"""The DuckDB engine: prices without running, rows up to the caps, stops, roles apart."""

import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from gateway.engines.base import (
    EngineError,
    Identity,
    Limits,
    Relation,
    RoleScope,
)
from gateway.engines.duckdb import DuckDBEngine

ENDLESS = "SELECT count(*) FROM events a, events b WHERE a.kind <> b.kind"


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
