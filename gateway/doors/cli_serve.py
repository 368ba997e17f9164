"""Verbs of the command line that serve others: `serve` over HTTP, `mcp` over stdio."""

import os
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
    """Serve /v1, /mcp and the console over HTTP to people and programs with a bearer token."""
    from gateway.doors.cli_open import opened
    from gateway.doors.console.app import Console
    from gateway.doors.console.personal_pages import discovered_in
    from gateway.doors.console.signin import TokenSignIn
    from gateway.doors.console.single_sign_on import SECRET, sign_on_of
    from gateway.doors.http import listen, serve_http
    from gateway.doors.identity import require_tokens
    from gateway.doors.identity.entrance import entrance_of
    from gateway.doors.terminal import Terminal
    from gateway.doors.watch import watching
    from gateway.operation.memory import settle
    from gateway.operation.proof import require_proof

    signal.signal(signal.SIGTERM, _end)
    with opened(project) as house:
        identity = house.settings.identity
        require_tokens(identity, any_issued=bool(house.gateway.state.tokens.listed()))
        entrance = entrance_of(identity, house.callers, house.gateway.house.present, os.environ)
        require_proof(house.gateway.house)
        settle()
        server = house.settings.server
        runs = house.settings.at(house.settings.paths.runs)
        sign_on = sign_on_of(identity.oidc, entrance.oidc, os.environ.get(SECRET, ""))
        pages = Console(
            house.gateway, TokenSignIn(house.callers), runs, sign_on, discovered_in(house.settings)
        )
        console = pages if server.console else None
        with listen(host or server.host, server.port if port is None else port) as listening:
            address, bound, *_ = listening.getsockname()
            terminal = Terminal()
            places = "/console, /v1, /mcp" if console else "/v1, /mcp"
            terminal.note(f"cellbound listens on http://{address}:{bound} ({places}, /health/ready)")
            with watching(house.gateway, server.reload_seconds, terminal.note):
                serve_http(house.gateway, entrance, server, listening, console)


def mcp(project: Project = None) -> None:
    """Serve one MCP client over stdin and stdout, as identity.stdio_user."""
    from gateway.doors.cli_open import opened
    from gateway.doors.mcp import serve_stdio
    from gateway.doors.terminal import Terminal
    from gateway.doors.watch import watching
    from gateway.operation.memory import settle
    from gateway.operation.proof import require_proof

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
