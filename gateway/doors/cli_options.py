"""The options that verbs of the command line share."""

from pathlib import Path
from typing import Annotated

import typer

Project = Annotated[
    Path | None,
    typer.Option("--project", metavar="DIR", help="Project folder; the nearest cellbound.toml otherwise."),
]
AsUser = Annotated[
    str, typer.Option("--as", metavar="USER", help="Ask as this user; identity.cli_user otherwise.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=200, help="How many at most.")]
