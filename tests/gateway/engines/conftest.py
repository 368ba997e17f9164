"""A small shop in a DuckDB file, two roles over it, and an engine on both."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gateway.engines.base import Identity, Limits, Relation, RoleScope
from gateway.engines.duckdb import DuckDBEngine

MakeEngine = Callable[..., DuckDBEngine]

EVENTS_COLUMNS = ("event_id", "event_time", "event_day", "kind", "visitor")
LIMITS = Limits(rows=1000, bytes=1_000_000, seconds=20.0, memory_mb=512, spill_mb=0)

_SHOP = """
    CREATE TABLE orders AS
        SELECT i AS order_id, i % 100 AS customer_id,
               DATE '2024-01-01' + CAST(i % 366 AS INTEGER) AS order_date,
               CAST(i % 1000 AS DECIMAL(18, 2)) AS amount, ['north', 'south', NULL][1 + i % 3] AS region
        FROM range(30000) t(i);
    CREATE TABLE customers AS
        SELECT i AS customer_id, 'person' || i || '@example.org' AS email,
               ['gold', 'basic'][1 + i % 2] AS tier
        FROM range(100) t(i);
    CREATE TABLE events AS
        SELECT i AS event_id, TIMESTAMP '2023-01-01' + to_seconds(i * 60) AS event_time,
               CAST(TIMESTAMP '2023-01-01' + to_seconds(i * 60) AS DATE) AS event_day,
               ['view', 'cart', 'buy'][1 + i % 3] AS kind, hash(i) AS visitor
        FROM range(1000000) t(i);
    CREATE TABLE salaries AS SELECT 'ann' AS name, 90000 AS pay;
    CREATE SCHEMA crm;
    CREATE TABLE crm.tickets AS SELECT i AS ticket_id, 'open' AS state FROM range(10) t(i);
    CREATE SEQUENCE counter;
    CHECKPOINT
"""


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a DuckDB file that no test writes to."""
    path = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute(_SHOP)
    return path


@pytest.fixture(scope="session")
def scopes() -> dict[str, RoleScope]:
    """Return an analyst who sees all rows, and a clerk of the north who sees fewer rows and columns."""
    events = ", ".join(f'"{name}"' for name in EVENTS_COLUMNS)
    return {
        "analyst": RoleScope(
            role="analyst",
            relations=(
                Relation("orders", 'SELECT * FROM {source}."main"."orders"'),
                Relation("customers", 'SELECT "customer_id", "tier" FROM {source}."main"."customers"'),
                Relation("events", f'SELECT {events} FROM {{source}}."main"."events"', EVENTS_COLUMNS),
                Relation("crm.tickets", 'SELECT * FROM {source}."crm"."tickets"'),
            ),
            digest="a",
        ),
        "clerk": RoleScope(
            role="clerk",
            relations=(
                Relation(
                    name="orders",
                    select='SELECT "order_id", "amount", "region" FROM {source}."main"."orders"'
                    " WHERE \"region\" = 'north'",
                    columns=("order_id", "amount", "region"),
                    probe="SELECT count(*) FROM orders WHERE region IS DISTINCT FROM 'north'",
                ),
            ),
            digest="c",
        ),
    }


@pytest.fixture
def make_engine(shop: Path, scopes: dict[str, RoleScope], tmp_path: Path) -> Iterator[MakeEngine]:
    """Return a maker of engines that are closed after the test; limits are given by name."""
    made: list[DuckDBEngine] = []

    def make(path: Path = shop, roles: dict[str, RoleScope] = scopes, **limits: Any) -> DuckDBEngine:
        engine = DuckDBEngine(path, roles, replace(LIMITS, **limits), tmp_path / "spill")
        made.append(engine)
        return engine

    yield make
    for engine in made:
        engine.close()


@pytest.fixture
def engine(make_engine: MakeEngine) -> DuckDBEngine:
    """Return an engine over the shop."""
    return make_engine()


@pytest.fixture
def limits() -> Limits:
    """Return limits that no honest query of these tests meets."""
    return LIMITS


@pytest.fixture
def analyst() -> Identity:
    """Return somebody who sees every row."""
    return Identity(user="ann", role="analyst")


@pytest.fixture
def clerk() -> Identity:
    """Return somebody who sees the north."""
    return Identity(user="carl", role="clerk")
