"""Verbs of the command line that serve others: `serve` over HTTP, `mcp` over stdio."""

import signal
from types import FrameType
from typing import Annotated, NoReturn

import typer

from gateway.doors.cli_options import Project


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    app.command("serve")(serve)
    app.command("mcp")(mcp)


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on; server.host otherwise.")] = "",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port, 0 for a free one; server.port otherwise."),
    ] = None,
    project: Project = None,
) -> None:
    """Serve /v1 and /mcp over HTTP to callers with a bearer token."""
    from gateway.doors.cli_open import opened
    from gateway.doors.http import listen, serve_http
    from gateway.doors.identity import require_tokens
    from gateway.doors.terminal import Terminal
    from gateway.doors.watch import watching
    from gateway.memory import settle
    from gateway.proof import require_proof

    signal.signal(signal.SIGTERM, _end)
    with opened(project) as house:
        require_tokens(house.settings.identity)
        require_proof(house.gateway.house)
        settle()
        server = house.settings.server
        with listen(host or server.host, server.port if port is None else port) as listening:
            address, bound, *_ = listening.getsockname()
            terminal = Terminal()
            terminal.note(f"cellbound listens on http://{address}:{bound} (/v1, /mcp, /health/ready)")
            with watching(house.gateway, server.reload_seconds, terminal.note):
                serve_http(house.gateway, house.callers, server, listening)


def mcp(project: Project = None) -> None:
    """Serve one MCP client over stdin and stdout, as identity.stdio_user."""
    from gateway.doors.cli_open import opened
    from gateway.doors.mcp import serve_stdio
    from gateway.doors.terminal import Terminal
    from gateway.doors.watch import watching
    from gateway.memory import settle
    from gateway.proof import require_proof

    signal.signal(signal.SIGTERM, _end)
    with opened(project) as house:
        caller = house.callers.for_stdio()
        require_proof(house.gateway.house)
        settle()
        server = house.settings.server
        with watching(house.gateway, server.reload_seconds, Terminal().note):
            serve_stdio(house.gateway, caller, server.workers)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """A signal to end unwinds the process, so that the database and the stores are given back."""
    raise SystemExit(0)
