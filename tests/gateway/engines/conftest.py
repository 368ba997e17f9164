"""A small shop in a DuckDB file and in PostgreSQL, two roles over it, and engines on both."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gateway.engines.base import Identity, Limits, Relation, RoleScope
from gateway.engines.bigquery import BigQueryEngine, open_bigquery
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.snowflake import SnowflakeEngine, open_snowflake
from gateway.settings.file import DuckDBSettings, EngineSettings
from tests.gateway.engines.bigquery_house import LIMITS as BIGQUERY_LIMITS
from tests.gateway.engines.bigquery_house import LIVE as BIGQUERY_LIVE
from tests.gateway.engines.bigquery_house import MEMBERS as BIGQUERY_MEMBERS
from tests.gateway.engines.bigquery_house import Bighouse, shop_project
from tests.gateway.engines.snowflake_house import LIMITS as SNOWFLAKE_LIMITS
from tests.gateway.engines.snowflake_house import LIVE, Snowhouse, shop_account
from tests.gateway.engines.snowflake_house import MEMBERS as SNOWFLAKE_MEMBERS
from tests.gateway.engines.warehouse import Warehouse, build
from tests.servers.bigquery import Standin as BigQueryStandin
from tests.servers.bigquery import running as bigquery_running
from tests.servers.postgres import DEFAULT_VERSION, Server, running, versions, why_missing
from tests.servers.proxy import Proxy
from tests.servers.snowflake import Standin
from tests.servers.snowflake import running as snowflake_running

MakeEngine = Callable[..., DuckDBEngine]

EVENTS_COLUMNS = ("event_id", "event_time", "event_day", "kind", "visitor")
SOFT = DuckDBSettings(mode="soft")
LIMITS = Limits(rows=1000, bytes=1_000_000, seconds=60.0, memory_mb=512, spill_mb=0)

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

    def make(
        path: Path = shop,
        roles: dict[str, RoleScope] = scopes,
        duckdb: DuckDBSettings = SOFT,
        extracts: Path = tmp_path / "extracts",
        **limits: Any,
    ) -> DuckDBEngine:
        engine = DuckDBEngine(
            path, roles, replace(LIMITS, **limits), tmp_path / "spill", settings=duckdb, extracts=extracts
        )
        made.append(engine)
        return engine

    yield make
    for engine in made:
        engine.close()


@pytest.fixture
def engine(make_engine: MakeEngine) -> DuckDBEngine:
    """Return an engine over the shop."""
    return make_engine()


@pytest.fixture(scope="session")
def kept_extracts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the shop's extracts stay from test to test."""
    return tmp_path_factory.mktemp("extracts") / "kept"


@pytest.fixture
def hard_engine(make_engine: MakeEngine, kept_extracts: Path) -> DuckDBEngine:
    """Return an engine over the shop whose roles read extracts of their own."""
    return make_engine(duckdb=DuckDBSettings(), extracts=kept_extracts)


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


@pytest.fixture(scope="session")
def built_servers() -> Iterator[Callable[[int], Server]]:
    """Give a server of a major version with the shop and its askers in it; one that is missing here skips.

    These are servers of their own, because roles belong to a whole server.
    """
    with ExitStack() as stack:
        started: dict[int, Server] = {}

        def server(version: int) -> Server:
            if version not in versions():
                pytest.skip(why_missing(version))
            if version not in started:
                started[version] = stack.enter_context(running(version))
                build(started[version])
            return started[version]

        yield server


@pytest.fixture
def warehouse(built_servers: Callable[[int], Server]) -> Iterator[Warehouse]:
    """The shop in PostgreSQL, where every asker has a login."""
    found = Warehouse(built_servers(DEFAULT_VERSION), "shop")
    yield found
    found.close()


@pytest.fixture
def switched(built_servers: Callable[[int], Server]) -> Iterator[Warehouse]:
    """The shop in PostgreSQL, fit for one login that switches roles."""
    found = Warehouse(built_servers(DEFAULT_VERSION), "switched")
    yield found
    found.close()


@pytest.fixture(scope="session")
def snowflake_standin() -> Iterator[Standin]:
    """The shop in the stand-in for Snowflake."""
    with snowflake_running(shop_account()) as found:
        yield found


@pytest.fixture
def snowhouse(snowflake_standin: Standin) -> Iterator[Snowhouse]:
    """The shop in the stand-in for Snowflake, where every asker has a token."""
    found = Snowhouse(snowflake_standin)
    yield found
    found.close()


@pytest.fixture
def live_snowflake() -> Iterator[SnowflakeEngine]:
    """The shop in an account of yours; without one the test is skipped."""
    url = os.environ.get(LIVE)
    if not url:
        pytest.skip(f"no Snowflake account: set {LIVE} as docs/engines.md says")
    engine = open_snowflake(
        EngineSettings(url=url, credentials="environment"), SNOWFLAKE_LIMITS, SNOWFLAKE_MEMBERS, Path()
    )
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def bigquery_standin() -> Iterator[BigQueryStandin]:
    """The shop in the stand-in for BigQuery."""
    with bigquery_running(shop_project()) as found:
        yield found


@pytest.fixture
def bighouse(bigquery_standin: BigQueryStandin) -> Iterator[Bighouse]:
    """The shop in the stand-in for BigQuery, where every asker has a token."""
    found = Bighouse(bigquery_standin)
    yield found
    found.close()


@pytest.fixture
def live_bigquery() -> Iterator[BigQueryEngine]:
    """The shop in a project of yours; without one the test is skipped."""
    url = os.environ.get(BIGQUERY_LIVE)
    if not url:
        pytest.skip(f"no BigQuery project: set {BIGQUERY_LIVE} as docs/engines.md says")
    engine = open_bigquery(
        EngineSettings(url=url, credentials="environment"), BIGQUERY_LIMITS, BIGQUERY_MEMBERS, Path()
    )
    yield engine
    engine.close()


@pytest.fixture
def proxy(warehouse: Warehouse) -> Iterator[Proxy]:
    """A network between the engine and the server's private socket."""
    with Proxy(f"{warehouse.server.folder}/.s.PGSQL.{warehouse.server.port}") as found:
        yield found
