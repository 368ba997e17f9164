"""Serves an application as the product serves itself: our server, its limits, every layer before /mcp."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.doors.http.body import BodyLimit
from gateway.doors.http.host import KnownHost
from gateway.doors.mcp.mounted import Mounted
from gateway.doors.serving.connection import GuardedConfig
from gateway.doors.serving.server import GuardedServer, listen
from gateway.settings.server import ServerSettings
from tests.gateway.doors.suites.fixture_server import build_fixtures


class WithToken:
    """Puts a token in front of every request, for a client that cannot send one."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._header = (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], self._header]}
        await self._app(scope, receive, send)


def fixture_application(settings: ServerSettings) -> ASGIApp:
    """Return the suite's own server behind our mounting, host check and body limit."""
    mounted = Mounted(build_fixtures(b"a key of the suite's own: 32 byte"), settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with mounted.run():
            yield

    app: ASGIApp = Starlette(routes=[mounted.route], lifespan=lifespan)
    return KnownHost(BodyLimit(app, settings.body_bytes, settings.body_seconds), settings.allowed_hosts)


@contextmanager
def serving(app: ASGIApp, settings: ServerSettings) -> Iterator[str]:
    """Give the address of /mcp of an application that our own server serves in a thread."""
    listening = listen("127.0.0.1", 0)
    server = GuardedServer(GuardedConfig(app, settings))
    thread = threading.Thread(target=asyncio.run, args=(server.serve(sockets=[listening]),))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
