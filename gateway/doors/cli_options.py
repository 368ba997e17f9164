"""What the verbs of the command line share: options, and how a result becomes an exit."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.status import status_of
from metric_layer.record import Record

Project = Annotated[
    Path | None,
    typer.Option("--project", metavar="DIR", help="Project folder; the nearest cellbound.toml otherwise."),
]
AsUser = Annotated[
    str, typer.Option("--as", metavar="USER", help="Ask as this user; identity.cli_user otherwise.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=200, help="How many at most.")]


def leave(result: Record) -> typer.Exit:
    """Return the exit that the table gives a result."""
    return typer.Exit(status_of(result).exit)
