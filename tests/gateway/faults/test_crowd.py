"""A thousand callers at once: each is answered, or told why not and when to come back; nobody is lost."""

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from gateway.wiring import open_gateway
from tests.servers.served import Served, with_tokens
from traces.chain import Verified

pytestmark = [pytest.mark.anyio, pytest.mark.faults, pytest.mark.slow]
CALLERS = 1_000
PLAN = {
    "metrics": ["order_count"],
    "dimensions": ["region"],
    "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"},
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def ask(port: int, start: asyncio.Event) -> tuple[int, bytes, bytes]:
    """Open a connection of one's own, ask together with all others, and return status, head and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps(PLAN).encode()
    await start.wait()
    writer.write(
        b"POST /v1/questions HTTP/1.1\r\nHost: 127.0.0.1:1\r\nAuthorization: Bearer ana\r\n"
        b"Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b"
        % (len(body), body)
    )
    answer = await reader.read()
    writer.close()
    head, _, rest = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.lower(), rest


async def test_of_a_thousand_callers_each_is_answered_or_told_why_and_nobody_is_lost(shop: Path) -> None:
    with_tokens(shop, ("ana",))
    with Served(shop) as served:
        start = asyncio.Event()
        async with asyncio.timeout(180):
            asking = [asyncio.ensure_future(ask(served.port, start)) for _ in range(CALLERS)]
            await asyncio.sleep(1)
            start.set()
            told = await asyncio.gather(*asking)
    statuses = Counter(status for status, _, _ in told)
    assert set(statuses) <= {200, 503} and statuses[200] >= 8, statuses
    for status, head, body in told:
        said = json.loads(body)
        if status == 503:
            assert b"\r\nretry-after:" in head and said["issues"][0]["code"] == "busy"
        else:
            assert said["outcome"] == "answered" and said["trace_id"]
    gateway = open_gateway(shop)
    kept = [line.outcome for line in gateway.traces.list(limit=2 * CALLERS)]
    assert kept == ["answered"] * statuses[200], "those who were sent away fill no disk"
    assert all(isinstance(verdict, Verified) for verdict in gateway.traces.verify())
    gateway.close()
