"""Verbs of the command line for MCP clients: `mcp` serves one over stdio, `mcp install` sets one up."""

import signal
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer

from gateway.doors.cli.options import AsJson, Project, one_of

NAMES = ("claude-code", "claude-desktop", "cursor", "vscode")


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    verbs = typer.Typer(help="Serve an MCP client over stdin and stdout; `mcp install` sets a client up.")
    verbs.callback(invoke_without_command=True)(mcp)
    verbs.command("install")(install)
    app.add_typer(verbs, name="mcp")


def mcp(context: typer.Context, project: Project = None) -> None:
    """Serve one MCP client over stdin and stdout, as identity.stdio_user; `mcp install` sets a client up."""
    if context.invoked_subcommand is not None:
        return
    from gateway.doors.mcp.server import serve_stdio
    from gateway.doors.opened import opened
    from gateway.doors.terminal.screen import Terminal
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


def install(
    client: Annotated[
        str, typer.Option("--client", metavar="|".join(NAMES), parser=one_of(*NAMES), help="Which client.")
    ],
    http: Annotated[
        str, typer.Option("--http", metavar="URL", help="A served gateway; the project over stdio otherwise.")
    ] = "",
    token_env: Annotated[
        str, typer.Option("--token-env", metavar="NAME", help="Variable with the token for --http.")
    ] = "CELLBOUND_TOKEN",
    write: Annotated[
        bool, typer.Option("--write", help="Write the client's file; it is only shown otherwise.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Another file than the client's usual one.")
    ] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What the client calls this gateway.")
    ] = "cellbound",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Show a client's configuration with this gateway in it, or write it beside what is there."""
    from gateway.doors.mcp.install import Wanted
    from gateway.doors.mcp.install import install as put
    from gateway.doors.terminal.install import print_config
    from gateway.doors.terminal.screen import Terminal

    found = put(Wanted(client, name, project, http, token_env, file), write=write)
    terminal = Terminal()
    terminal.object(found) if as_json else print_config(terminal, found)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """A signal to end unwinds the process, so that the database and the stores are given back."""
    raise SystemExit(0)
