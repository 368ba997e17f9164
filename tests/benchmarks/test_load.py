"""The load benchmark's driver and floors: what it sends is what is counted, and nothing is lost unsaid."""

import asyncio
import json
from pathlib import Path

import pytest

from benchmarks.load import http_request, mcp_request, over_http_became, over_mcp_became
from benchmarks.loading.driver import Seen, Wire, closed_loop, open_loop, percentile
from benchmarks.loading.served import floor


@pytest.mark.slow
def test_the_floors_answer_every_request_that_was_due(tmp_path: Path) -> None:
    reply = tmp_path / "reply.json"
    reply.write_text(json.dumps({"outcome": "answered", "rows": [[1, "a"]]}), encoding="utf-8")

    async def asked(port: int, request: bytes) -> Seen:
        wire = Wire(port, 20)
        await wire.open(5)
        became = over_mcp_became if b"/mcp" in request else over_http_became
        await closed_loop(wire, request, became, 2, 0.2)
        seen = await open_loop(wire, request, became, 20, 1.0)
        wire.close()
        return seen

    for kind, request in (("empty", http_request()), ("sdk", mcp_request("test"))):
        with floor(kind, reply) as served:
            before = served.cpu_ms()
            seen = asyncio.run(asked(served.port, request))
            assert served.resident_mb() > 1
            assert served.cpu_ms() >= before
        assert (seen.asked, len(seen.answered), seen.lost, seen.other) == (20, 20, 0, []), kind


def test_what_nobody_answers_is_lost_and_said() -> None:
    async def asked() -> Seen:
        async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
        async with server:
            wire = Wire(server.sockets[0].getsockname()[1], 5)
            return await open_loop(wire, http_request(), over_http_became, 20, 0.25)

    seen = asyncio.run(asked())
    assert (seen.asked, seen.lost, len(seen.other)) == (5, 5, 5)


def test_refusals_and_answers_are_told_apart() -> None:
    assert over_http_became(200, b"{}") == "answered"
    assert over_http_became(503, b"{}") == over_http_became(429, b"{}") == "refused"
    assert over_http_became(500, b"oh").startswith("500")
    assert over_mcp_became(200, b'{"outcome":"answered"}') == "answered"
    assert over_mcp_became(200, b'{"code":"busy"}') == "refused"


def test_percentiles_are_of_what_was_seen() -> None:
    assert [percentile(list(map(float, range(1, 101))), q) for q in (50, 95, 99)] == [51.0, 96.0, 100.0]
    assert percentile([], 95) == -1.0
