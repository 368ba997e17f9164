"""The commands that make files readable for the gateway alone: a database file, Parquet files, or both."""

import pytest

from gateway.engines.base import Limits
from gateway.engines.duckdb_setup import duckdb_setup
from gateway.engines.setup import Setup

LIMITS = Limits(rows=1, bytes=1, seconds=1, memory_mb=512, spill_mb=0)


@pytest.mark.parametrize(
    ("url", "parquet", "wanted", "unwanted"),
    [
        ("duckdb:data/a b.duckdb", (), "NEW.duckdb 'data/a b.duckdb'", "chown"),
        (
            "duckdb::memory:",
            ("lake/**/my orders.parquet",),
            "chmod 640 -- lake/**'/my orders.parquet'",
            "NEW.duckdb",
        ),
        ("duckdb:a.duckdb", ("p.parquet",), "chown root:cellbound -- p.parquet", ":memory:"),
    ],
)
def test_every_file_is_made_readable_for_the_gateway_alone(
    url: str, parquet: tuple[str, ...], wanted: str, unwanted: str
) -> None:
    text = duckdb_setup(
        Setup(
            project="shop",
            url=url,
            login="",
            connections=1,
            limits=LIMITS,
            roles=(),
            types={},
            parquet=parquet,
        )
    )
    assert wanted in text
    assert unwanted not in text
