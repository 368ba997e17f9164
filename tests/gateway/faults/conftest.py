"""The post office on a database of its own, and gateways over it that are closed after the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.gateway.faults.post_office import PostOffice, post_office_on
from tests.servers.postgres import Server
from tests.servers.proxy import Proxy


@pytest.fixture
def office(postgres_server: Server, postgres_database: str) -> PostOffice:
    return post_office_on(postgres_server, postgres_database)


@pytest.fixture
def network(office: PostOffice) -> Iterator[Proxy]:
    """The network between the gateway and the database."""
    with Proxy(office.socket) as proxy:
        yield proxy


@pytest.fixture
def open_office(office: PostOffice, tmp_path: Path) -> Iterator[Callable[..., Gateway]]:
    """Opens a gateway over the post office, reached at a port, with so many seconds for a question."""
    opened: list[Gateway] = []

    def at(port: int, seconds: float = 30.0) -> Gateway:
        opened.append(open_gateway(office.project(tmp_path / f"post{len(opened)}", port, seconds)))
        return opened[-1]

    yield at
    for gateway in opened:
        gateway.close()
