"""A client that takes a call back: the database stops, the server goes on. BR-078 is of this kind."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import psycopg
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.gateway.faults.post_office import PLAN, TOKEN, PostOffice
from tests.servers.served import ENVIRONMENT, MAIN, Served

pytestmark = [pytest.mark.anyio, pytest.mark.faults, pytest.mark.slow, pytest.mark.engine("postgres")]
AT_WORK = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'post_ana' AND wait_event = 'PgSleep'"
SECONDS = 20.0
"""How long each question takes that nobody stops."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def project(office: PostOffice, tmp_path: Path) -> Path:
    office.slow(SECONDS)
    folder = office.project(tmp_path / "post", office.server.port)
    settings = folder / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    text = text.replace("127.0.0.1:", str(office.server.folder).replace("/", "%2F") + ":")
    text = text.replace('cli_user = "post_ana"', 'cli_user = "post_ana"\nstdio_user = "post_ana"')
    settings.write_text(text, encoding="utf-8")
    return folder


@asynccontextmanager
async def connected(project: Path, door: str, mode: str) -> AsyncIterator[Client]:
    if door == "stdio":
        server = StdioServerParameters(
            command=sys.executable, args=[*MAIN, "mcp", "--project", str(project)], env=ENVIRONMENT
        )
        async with Client(server, mode=mode) as client:
            yield client
        return
    with Served(project) as served:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(f"{served.address}/mcp", http_client=http), mode=mode) as client,
        ):
            yield client


async def until_at_work(office: PostOffice, count: int, seconds: float) -> None:
    """Wait until so many questions run in the database."""

    def look() -> bool:
        with psycopg.connect(office.server.dsn(database=office.database)) as connection:
            return connection.execute(AT_WORK).fetchone() == (count,)

    deadline = time.monotonic() + seconds
    while not await asyncio.to_thread(look):
        assert time.monotonic() < deadline, f"not {count} at work within {seconds} s"
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("door", ["stdio", "http"])
async def test_a_call_taken_back_stops_its_query_and_the_next_call_works(
    project: Path, office: PostOffice, door: str, mode: str
) -> None:
    async with asyncio.timeout(90), connected(project, door, mode) as client:
        for _ in range(3):
            call = asyncio.ensure_future(client.call_tool("ask_metric", dict(PLAN)))
            await until_at_work(office, 1, 30)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await until_at_work(office, 0, 1)
            listed = await client.call_tool("list_metrics", {})
            assert not listed.is_error and "parcel_count" in str(listed.structured_content)


async def test_a_storm_of_calls_taken_back_leaves_no_query_and_no_place_taken(
    project: Path, office: PostOffice
) -> None:
    async with asyncio.timeout(90), connected(project, "http", "auto") as client:
        calls = [asyncio.ensure_future(client.call_tool("ask_metric", dict(PLAN))) for _ in range(12)]
        await until_at_work(office, 4, 30)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        await until_at_work(office, 0, 5)
        office.execute(
            "CREATE OR REPLACE FUNCTION waited(seconds float8) RETURNS bool LANGUAGE sql AS 'SELECT true'"
        )
        asked = await client.call_tool("ask_metric", dict(PLAN))
        assert (asked.structured_content or {})["outcome"] == "answered"
