"""The verb of the command line that serves others over HTTP."""

import signal
from types import FrameType
from typing import Annotated, NoReturn

import typer

from gateway.doors.cli.options import Project


def add_to(app: typer.Typer) -> None:
    """Give an application this verb."""
    app.command("serve")(serve)


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on; server.host otherwise.")] = "",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port, 0 for a free one; server.port otherwise."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, max=64, help="Processes that share the port; server.processes otherwise."
        ),
    ] = None,
    project: Project = None,
) -> None:
    """Serve /v1, /mcp and the console over HTTP to people and programs with a bearer token."""
    from gateway.doors.serving.project import serve_project

    signal.signal(signal.SIGTERM, _end)
    raise SystemExit(serve_project(project, host, port, workers))


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """A signal to end unwinds the process, so that the database and the stores are given back."""
    raise SystemExit(0)
