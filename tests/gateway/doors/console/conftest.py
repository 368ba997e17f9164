"""The shop's console on a real port, with tokens for its people and the rights of every kind of visitor."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
import uvicorn

from gateway.doors.console.app import Console
from gateway.doors.console.personal_pages import discovered_in
from gateway.doors.console.signin import TokenSignIn
from gateway.doors.identity import Callers
from gateway.doors.identity.entrance import Entrance
from gateway.doors.serving.app import build_http
from gateway.doors.serving.server import listen
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from tests.gateway.doors.console.visitor import Visitor

PEOPLE = {
    "ana": "analyst",
    "emil": "emea_analyst",
    "fay": "finance",
    "rita": "reviewer",
    "rob": "reviewer",
    "ada": "admin",
}
ADMIN = """
  admin:
    datasets: [customers, orders, order_lines, products]
    may: [ask, review, audit, evaluate, admin]
"""


def token_of(user: str) -> str:
    return f"token of {user} for the tests"


@pytest.fixture
def console_shop(shop: Path) -> Path:
    """A shop in which reviewers review, an administrator exists, and everybody has a token."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    head, reviewer = text.split("\n  reviewer:\n")
    reviewer = re.sub(
        r"may: \[[^]]*\]\n", f"may: [ask, check_sql, audit, evaluate, review]\n{ADMIN}", reviewer, count=1
    )
    policy.write_text(f"{head}\n  reviewer:\n{reviewer}", encoding="utf-8")
    settings = shop / "cellbound.toml"
    kept = settings.read_text(encoding="utf-8").split("[[identity.tokens]]")
    tail = kept[-1].partition("[server]")
    users = "".join(
        f'[identity.users.{user}]\nroles = ["{role}"]\ntenant = "shop"\n'
        for user, role in PEOPLE.items()
        if f"[identity.users.{user}]" not in kept[0]
    )
    tokens = "".join(
        f'[[identity.tokens]]\nuser = "{user}"\nsha256 = "{sha256(token_of(user).encode()).hexdigest()}"\n'
        for user in PEOPLE
    )
    settings.write_text(f"{kept[0]}{users}{tokens}{tail[1]}{tail[2]}", encoding="utf-8")
    return shop


@contextmanager
def serving(
    gateway: Gateway, folder: Path, *, console: bool = True, door: Entrance | None = None
) -> Iterator[str]:
    """Serve a gateway, with its console or without, on a free port, and say where."""
    settings = load_settings(folder)
    callers = door.callers if door else Callers(settings.identity)
    runs = settings.at(settings.paths.runs)
    cases = settings.at(settings.paths.cases)
    pages = Console(gateway, TokenSignIn(callers), runs, discovered=discovered_in(settings), cases=cases)
    listening = listen("127.0.0.1", 0)
    app = build_http(gateway, door or callers, settings.server, pages if console else None)
    with background(uvicorn.Config(app, log_level="error", access_log=False), listening):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def background(config: uvicorn.Config, listening: socket.socket) -> Iterator[None]:
    """Run a server beside the test."""
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.01)
    yield
    server.should_exit = True
    thread.join(20)


@pytest.fixture
def gateway(console_shop: Path) -> Iterator[Gateway]:
    opened = open_gateway(console_shop)
    yield opened
    opened.close()


@pytest.fixture
def address(gateway: Gateway, console_shop: Path) -> Iterator[str]:
    with serving(gateway, console_shop) as where:
        yield where


@pytest.fixture
def visitor(address: str) -> Iterator[Callable[[str], Visitor]]:
    """Signs somebody in and closes their connections afterwards."""
    visitors: list[httpx.Client] = []

    def signed_in(user: str = "") -> Visitor:
        visitor = Visitor(address)
        visitors.append(visitor.http)
        return visitor.signed_in(token_of(user)) if user else visitor

    yield signed_in
    for client in visitors:
        client.close()
