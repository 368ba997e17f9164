"""Verbs of the command line that serve others: `serve` over HTTP, `mcp` over stdio."""

import signal
from types import FrameType
from typing import Annotated, NoReturn

import typer

from gateway.doors.cli_options import Project
from gateway.doors.terminal import Terminal
from gateway.errors import IdentityRefused
from gateway.memory import settle
from gateway.settings import FILE, IdentitySettings
from metric_layer.issues import Issue


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
    from gateway.proof import require_proof

    signal.signal(signal.SIGTERM, _end)
    with opened(project) as house:
        require_tokens(house.settings.identity)
        require_proof(house.gateway.house)
        settle()
        server = house.settings.server
        with listen(host or server.host, server.port if port is None else port) as listening:
            address, bound, *_ = listening.getsockname()
            Terminal().note(f"cellbound listens on http://{address}:{bound} (/v1, /mcp, /health/ready)")
            serve_http(house.gateway, house.callers, server, listening)


def mcp(project: Project = None) -> None:
    """Serve one MCP client over stdin and stdout, as identity.stdio_user."""
    from gateway.doors.cli_open import opened
    from gateway.doors.mcp import serve_stdio
    from gateway.proof import require_proof

    signal.signal(signal.SIGTERM, _end)
    with opened(project) as house:
        caller = house.callers.for_stdio()
        require_proof(house.gateway.house)
        settle()
        serve_stdio(house.gateway, caller, house.settings.server.workers)


def require_tokens(identity: IdentitySettings) -> None:
    """Raise IdentityRefused when nobody could come in over HTTP."""
    if not identity.tokens:
        raise IdentityRefused(
            (
                Issue(
                    code="no_tokens",
                    message="Nobody has a bearer token, so nobody could ask over HTTP.",
                    place=FILE,
                    next_step="Add [[identity.tokens]] with a user and the SHA-256 of a token in hex.",
                ),
            )
        )


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """A signal to end unwinds the process, so that the database and the stores are given back."""
    raise SystemExit(0)
