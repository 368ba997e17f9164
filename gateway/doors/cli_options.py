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
Cases = Annotated[
    Path | None,
    typer.Option("--cases", metavar="FILE|DIR", help="Cases in YAML; the project's own otherwise."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=200, help="How many at most.")]


def metric_names(incomplete: str) -> list[str]:
    """Return the metrics a shell may offer; what reads them is loaded only then."""
    from gateway.doors.completion import metric_names as names

    return names(incomplete)


def code_names(incomplete: str) -> list[str]:
    """Return the codes a shell may offer; what reads them is loaded only then."""
    from gateway.doors.completion import codes

    return codes(incomplete)
