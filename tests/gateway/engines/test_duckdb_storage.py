"""How a table lies on disk, read from a real file, and names taken apart."""

from datetime import datetime
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engines.duckdb_storage import quote, read_storage, unquote


def test_rows_blocks_and_ranges_are_those_of_the_file(shop: Path) -> None:
    with duckdb.connect(str(shop), read_only=True) as database:
        storage = read_storage(database.cursor(), catalog="shop", schema="main", table="events")
        ((size,),) = database.execute("SELECT block_size FROM pragma_database_size()").fetchall()
    assert sum(storage.rows) == 1_000_000
    assert storage.block_size == size
    groups = range(len(storage.rows))
    everything = storage.bytes_of(storage.columns, groups)
    assert storage.bytes_of(["visitor"], groups) >= 8_000_000
    assert everything <= shop.stat().st_size
    spans = storage.columns["event_time"].spans
    assert spans[0] is not None
    assert spans[0][0] == datetime(2023, 1, 1)
    assert all(early[1] <= late[0] for early, late in pairwise(spans) if early and late)
    assert set(storage.columns["kind"].spans) == {None}


@pytest.mark.parametrize(
    ("kind", "first"), [("DATE", "2024-01-01"), ("TIMESTAMPTZ", "2024-01-01 00:00:00+00")]
)
def test_every_type_of_time_has_a_range(tmp_path: Path, kind: str, first: str) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute(f'CREATE TABLE "odd.""name" AS SELECT \'{first}\'::{kind} AS "At It"; CHECKPOINT')
        storage = read_storage(database, catalog="t", schema="main", table='odd."name')
    assert storage.columns["At It"].spans == ((datetime(2024, 1, 1), datetime(2024, 1, 1)),)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=3))
def test_a_quoted_name_comes_apart_as_it_was_put_together(parts: list[str]) -> None:
    assert unquote(".".join(quote(part) for part in parts)) == tuple(parts)


def test_plain_names_come_apart_at_the_dots() -> None:
    assert unquote("src.main.orders") == ("src", "main", "orders")
