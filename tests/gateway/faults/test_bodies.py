"""Bodies that are too much: refused early, in words, in flat memory."""

import json
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.gateway.conftest import shop_in
from tests.servers.served import Served, with_tokens

pytestmark = [pytest.mark.faults, pytest.mark.slow]
MIB = 1024 * 1024
SENT = 200 * MIB
MORE = 64 * MIB
"""How much a server may grow by while somebody sends it 200 MiB."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shop_file: Path) -> Iterator[Served]:
    """One server for all of it: each body finds it as able to answer as the first did."""
    shop = shop_in(tmp_path_factory.mktemp("bodies"), shop_file)
    with_tokens(shop, ("ana",))
    with Served(shop) as found:
        yield found


def resident(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_far_over_the_limit_costs_no_memory(served: Served, declared: bool) -> None:
    before = resident(served.process.pid)
    head = b"POST /v1/questions HTTP/1.1\r\nHost: 127.0.0.1:1\r\nAuthorization: Bearer ana\r\n"
    head += b"Content-Type: application/json\r\n"
    head += b"Content-Length: %d\r\n\r\n" % SENT if declared else b"Transfer-Encoding: chunked\r\n\r\n"
    most = before
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as caller:
        caller.sendall(head)
        part = b" " * MIB
        try:
            for _ in range(SENT // MIB):
                caller.sendall(part if declared else b"%x\r\n%b\r\n" % (MIB, part))
                most = max(most, resident(served.process.pid))
            answer = caller.recv(4096)
        except ConnectionError:
            answer = b""
    assert answer == b"" or answer.startswith(b"HTTP/1.1 413 ")
    assert most - before < MORE
    assert httpx.get(f"{served.address}/health/live").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"metrics": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
        json.dumps({"metrics": ["net_revenue"] * 20_000}).encode(),
        json.dumps(
            {"metrics": ["net_revenue"], "filters": [{"field": "region", "op": "in"}] * 9_000}
        ).encode(),
        b'{"metrics": ["net_revenue"], "limit": ' + b"9" * 100_000 + b"}",
    ],
    ids=["brackets", "deep list", "deep object", "many metrics", "many filters", "a long number"],
)
def test_deep_json_and_huge_plans_are_refused_in_words(served: Served, body: bytes) -> None:
    headers = {"Authorization": "Bearer ana", "Content-Type": "application/json"}
    answer = httpx.post(f"{served.address}/v1/questions", content=body, headers=headers, timeout=60)
    assert answer.status_code in (400, 413, 422), answer.text[:300]
    told = answer.json()
    assert told["issues"] and all(issue["code"] and issue["next_step"] for issue in told["issues"])
    assert len(answer.content) < MIB
