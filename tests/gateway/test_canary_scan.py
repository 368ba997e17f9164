"""Planted words and secrets of askers stand in no byte of any store, log, error or page of somebody else.

The report BR-085 is of this kind. A producer plants canaries through one door; the scan after it is the same
for all.
"""

import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import psycopg.sql
import pytest

from gateway.doors.cli.main import run
from gateway.wiring import open_gateway
from tests.canaries import forgive
from tests.gateway.planting import (
    PERSON,
    PRODUCERS,
    QUOTED,
    Planted,
    by_the_command_line,
    project_in,
    seen_by_an_auditor,
    silent,
)
from tests.servers.postgres import DEFAULT_VERSION, Server, versions, why_missing
from tests.servers.state import StateDatabase
from tests.traces.store.conftest import set_up_on

NEEDS_POSTGRES = pytest.mark.skipif(DEFAULT_VERSION not in versions(), reason=why_missing(DEFAULT_VERSION))
BYTES = re.compile(r"\\x((?:[0-9a-f]{2})+)")
ROWS = psycopg.sql.SQL("SELECT t::text FROM {}.{} AS t")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def planted(tmp_path: Path, shop_file: Path) -> Iterator[Planted]:
    """The shop over files of its own."""
    project = project_in(tmp_path / "shop", shop_file)
    gateway = open_gateway(project)
    yield Planted(project, gateway, [])
    gateway.close()


@pytest.fixture
def planted_shared(
    tmp_path: Path, shop_file: Path, postgres_server: Server, state_database: StateDatabase
) -> Iterator[Planted]:
    """The shop whose traces and state are in PostgreSQL, as replicas share them."""
    project = project_in(tmp_path / "shop", shop_file)
    with set_up_on(postgres_server) as traces:
        places = f'\n[traces]\nstore = "{traces.url}"\n\n[state]\nurl = "{state_database.url}"\n'
        with (project / "cellbound.toml").open("a", encoding="utf-8") as settings:
            settings.write(places)
        gateway = open_gateway(project)
        databases = tuple(postgres_server.dsn(database=each.name) for each in (traces, state_database))
        yield Planted(project, gateway, [], databases)
        gateway.close()


def kept(at: Planted) -> Iterator[tuple[str, bytes]]:
    """Yield every file and row that the house keeps; the database that is asked is not the house's."""
    for file in sorted((at.project / "var").rglob("*")):
        if file.is_file() and file.suffix != ".duckdb":
            yield file.name, file.read_bytes()
    for dsn in at.databases:
        with psycopg.connect(dsn) as connection:
            yield from rows_of(connection)


def rows_of(connection: psycopg.Connection[Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the rows of each table as text, and the bytes that stand in them as digits."""
    named = connection.execute(
        "SELECT schemaname, tablename FROM pg_tables WHERE schemaname LIKE 'cellbound%'"
    ).fetchall()
    for schema, table in named:
        told = ROWS.format(psycopg.sql.Identifier(schema), psycopg.sql.Identifier(table))
        for (row,) in connection.execute(told).fetchall():
            yield table, row.encode()
            yield from ((table, bytes.fromhex(digits)) for digits in BYTES.findall(row))


@pytest.mark.anyio
@pytest.mark.parametrize("produce", PRODUCERS, ids=lambda produce: produce.__name__)
async def test_what_askers_write_is_in_no_byte_that_others_can_read(
    planted: Planted,
    produce: Callable[[Planted], object],
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    await produce(planted)  # type: ignore[misc]
    planted.house.tracing.index(rebuild=True)
    for place, content in kept(planted):
        silent(place, content)
    for said in (*planted.overheard, *seen_by_an_auditor(planted)):
        silent("what is shown to others", said.encode())
    told = capfd.readouterr()
    silent("stderr", told.err.encode() if produce is not by_the_command_line else b"")
    libraries = ("httpx", "mcp")  # they speak below the level at which a door lets anybody speak
    records = [
        record.getMessage()
        for record in caplog.records
        if record.levelno >= logging.WARNING or not record.name.startswith(libraries)
    ]
    silent("the log", "\n".join(records).encode())
    assert {"state.sqlite", "index.sqlite"} <= {name for name, _ in kept(planted)}


@NEEDS_POSTGRES
@pytest.mark.anyio
async def test_what_askers_write_is_in_no_row_of_the_databases_that_replicas_share(
    planted_shared: Planted,
) -> None:
    for produce in PRODUCERS:
        await produce(planted_shared)
    seen = set()
    for place, content in kept(planted_shared):
        seen.add(place)
        silent(place, content)
    for said in (*planted_shared.overheard, *seen_by_an_auditor(planted_shared)):
        silent("what is shown to others", said.encode())
    assert {"records", "review_holds", "results", "replies"} <= seen
    assert "state.sqlite" not in seen


@NEEDS_POSTGRES
def test_the_scan_hears_a_canary_in_a_row(planted_shared: Planted) -> None:
    told = f"CREATE TABLE cellbound.leak AS SELECT 1 AS n, convert_to('it was {QUOTED}', 'UTF8') AS said"
    with psycopg.connect(planted_shared.databases[0]) as connection:
        connection.execute(told.encode())
    with pytest.raises(AssertionError, match="sings in leak"):
        for place, content in kept(planted_shared):
            silent(place, content)


def test_the_scan_hears_a_canary_that_sings(planted: Planted) -> None:
    leak = planted.project / "var" / "leak.txt"
    leak.write_text(f"it was {PERSON}", encoding="utf-16-le")
    forgive(leak)
    with pytest.raises(AssertionError, match=r"sings in leak\.txt"):
        for place, content in kept(planted):
            silent(place, content)


@pytest.mark.parametrize(
    "engine",
    [
        'url = "postgres://ana:canary-secret-5d1f@127.0.0.1:1/shop"',
        'url = "postgres://127.0.0.1:1/shop"\ncredentials = "passfile:var/pgpass"',
        'url = "postgres://127.0.0.1:1/shop?password=canary-secret-5d1f"',
    ],
    ids=["in the url", "in a password file", "as a parameter"],
)
def test_the_password_of_a_database_that_is_not_there_is_said_to_nobody(
    planted: Planted, engine: str, capfd: pytest.CaptureFixture[str]
) -> None:
    planted.house.close()
    settings = planted.project / "cellbound.toml"
    text = settings.read_text(encoding="utf-8").replace('url = "duckdb:var/shop.duckdb"', engine, 1)
    settings.write_text(text.replace("[engine.duckdb]\nmode", "[engine.duckdb]\n#"), encoding="utf-8")
    passwords = planted.project / "var" / "pgpass"
    passwords.write_text("127.0.0.1:1:shop:*:canary-secret-5d1f\n", encoding="utf-8")
    passwords.chmod(0o600)
    for place in (settings, passwords):
        forgive(place)
    plan = planted.project / "plan.json"
    plan.write_text(json.dumps({"metrics": ["net_revenue"]}), encoding="utf-8")
    assert run(["ask", str(plan), "--json", "--project", str(planted.project)]) not in (0, 3)
    assert run(["doctor", "--project", str(planted.project)]) == 3
    told = capfd.readouterr()
    assert told.out
    silent("stdout and stderr", (told.out + told.err).encode())
    for name, content in kept(planted):
        if name != "pgpass":
            silent(name, content)
