"""What is kept of a DuckDB file while it is that file: prices of texts asked before, and its hash."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from gateway.engines.base import (
    EngineBusy,
    EngineCancelled,
    EngineError,
    Identity,
    Limits,
    Relation,
    RoleScope,
)
from gateway.engines.content_hash import ContentHashes
from gateway.engines.duckdb import KEPT, DuckDBEngine
from gateway.settings.file import DuckDBSettings
from traces.cost_records import Explained

MakeEngine = Callable[..., DuckDBEngine]
SUM = "SELECT region, sum(amount) FROM orders GROUP BY region"
WHO = Identity("u", "r")
SCOPE = {"r": RoleScope("r", (Relation("t", 'FROM {source}."main"."t"'),), "d")}


def _build(path: Path, rows: int) -> Path:
    with duckdb.connect(str(path)) as database:
        database.execute(f"CREATE TABLE t AS SELECT i AS a FROM range({rows}) AS x(i)")
    return path


@pytest.mark.parametrize("mode", ["soft", "hard"])
def test_a_price_asked_before_is_the_same_and_says_that_it_was_kept(
    make_engine: MakeEngine,
    kept_extracts: Path,
    analyst: Identity,
    clerk: Identity,
    limits: Limits,
    mode: str,
) -> None:
    engine = make_engine(duckdb=DuckDBSettings.model_validate({"mode": mode}), extracts=kept_extracts)
    first, again = (engine.explain(SUM, analyst, limits) for _ in range(2))
    assert KEPT not in first.notes and again.notes == (*first.notes, KEPT)
    assert again.model_copy(update={"notes": first.notes}) == first
    assert isinstance(again, Explained) and again.functions == ("sum",)
    assert engine.explain(SUM, analyst, limits) == again
    other = engine.explain(SUM, clerk, limits)
    assert KEPT not in other.notes, "another role sees other relations"


def test_a_price_is_not_kept_beyond_its_file(make_engine: MakeEngine, tmp_path: Path, limits: Limits) -> None:
    engine = make_engine(_build(tmp_path / "data.duckdb", 10), SCOPE)
    assert [engine.explain("SELECT a FROM t", WHO, limits).rows for _ in range(2)] == [10, 10]
    _build(tmp_path / "new.duckdb", 70).replace(tmp_path / "data.duckdb")
    fresh = engine.explain("SELECT a FROM t", WHO, limits)
    assert (fresh.rows, KEPT in fresh.notes) == (70, False)


def test_a_changed_schema_is_noticed_and_never_answered_from_what_is_kept(
    make_engine: MakeEngine, tmp_path: Path, limits: Limits
) -> None:
    engine, sql = make_engine(_build(tmp_path / "data.duckdb", 10), SCOPE), "SELECT max(a) FROM t"
    engine.explain(sql, WHO, limits)
    assert engine.run(sql, WHO, limits, "a").rows == ((9,),)
    new = _build(tmp_path / "new.duckdb", 10)
    with duckdb.connect(str(new)) as database:
        database.execute("ALTER TABLE t RENAME COLUMN a TO b")
    new.replace(tmp_path / "data.duckdb")
    for ask in (lambda: engine.explain(sql, WHO, limits), lambda: engine.run(sql, WHO, limits, "b")):
        with pytest.raises(EngineError) as caught:
            ask()
        assert caught.value.code == "bad_sql"
    assert engine.run("SELECT max(b) FROM t", WHO, limits, "c").rows == ((9,),)


def test_a_kept_price_is_not_given_to_who_has_left(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    engine.explain(SUM, analyst, limits)
    engine.cancel("left")
    with pytest.raises(EngineCancelled):
        engine.explain(SUM, analyst, limits, "left")


def test_who_cannot_wait_for_a_new_file_to_be_read_is_told_when_to_come_and_it_is_read_meanwhile(
    make_engine: MakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, may = make_engine(_build(tmp_path / "data.duckdb", 10), SCOPE), threading.Event()
    read = ContentHashes.of

    def slow(self: ContentHashes, path: Path) -> str:
        assert may.wait(10)
        return read(self, path)

    monkeypatch.setattr(ContentHashes, "of", slow)
    began = time.monotonic()
    with pytest.raises(EngineBusy) as busy:
        engine.pin(0.2, "q")
    assert time.monotonic() - began < 1.2
    assert busy.value.code == "database_reading" and busy.value.retry_after > 0
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(engine.pin, 30.0, "leaves")
        with pytest.raises(TimeoutError):
            asking.result(timeout=0.1)
        began = time.monotonic()
        engine.cancel("leaves")
        with pytest.raises(EngineCancelled):
            asking.result(timeout=5)
    assert time.monotonic() - began < 1
    may.set()
    assert engine.pin(5.0).value == engine.pin().value
