"""The server: accepts within its bounds, looks after its connections, and ends within its grace."""

import asyncio
import logging
import resource
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn

from gateway.doors.serving.connection import GuardedConfig, GuardedConnection, Refusing, by_no_head
from gateway.doors.serving.short_turns import take_short_turns
from gateway.errors import HouseError
from gateway.settings.server import ServerSettings
from metric_layer.issues import Issue

SPARE_FILES = 256
"""Open files beside connections: stores, workers, libraries."""
TICKS_PER_LOOK = 5
SWITCH_SECONDS = 0.0005
"""How long the thread of a question may keep the loop from its turn: who is refused hears so at once."""

log = logging.getLogger("cellbound.server")


class GuardedServer(uvicorn.Server):
    """uvicorn's server, which also looks at every connection twice a second and says when its end begins."""

    def __init__(self, config: GuardedConfig, ending: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._when_ending = ending

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections; says whether to end."""
        if counter % TICKS_PER_LOOK == 0:
            self._look()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing new, let what runs end within the grace, then cancel it and cut who is left."""
        self._when_ending()
        looking = asyncio.create_task(self._keep_looking())
        try:
            await super().shutdown(sockets)
        finally:
            looking.cancel()
            for connection in tuple(self.server_state.connections):
                if isinstance(connection, GuardedConnection):
                    connection.transport.abort()

    async def _keep_looking(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(0.5)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, GuardedConnection):
                connection.look(now)


def listen(host: str, port: int, backlog: int = 1024) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises HouseError where the address is taken.

    Its connections send at once: without uvloop, asyncio would leave short answers to Nagle's algorithm.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=backlog)
    except OSError as fault:
        raise HouseError(
            (
                Issue(
                    code="address_unusable",
                    message=f"Cannot listen on {host} port {port}: {fault.strerror}.",
                    seen=f"{host}:{port}",
                    next_step="Name another address with --host or --port, or end what listens there.",
                ),
            )
        ) from fault
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def serve_application(
    app: Any,
    settings: ServerSettings,
    listening: socket.socket,
    ending: Callable[[], None] = lambda: None,
    refusing: Refusing = by_no_head,
) -> None:
    """Serve until a signal ends it; what runs gets its grace, then it is cancelled.

    `ending` is called as the end begins; `refusing` answers a request that its head alone refuses.
    """
    allow_files(settings.connections + SPARE_FILES)
    sys.setswitchinterval(SWITCH_SECONDS)
    take_short_turns()
    GuardedServer(GuardedConfig(app, settings, refusing), ending).run(sockets=[listening])


def allow_files(wanted: int) -> None:
    """Raise this process's limit of open files as far as it may, and say so where that is not enough."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    possible = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
    if possible < wanted:
        log.warning("Open files are limited to %d here; server.connections needs %d.", possible, wanted)
