"""How a result becomes an exit of the command line."""

import typer

from gateway.doors.status import status_of
from metric_layer.record import Record


def leave(result: Record) -> typer.Exit:
    """Return the exit that the table gives a result."""
    return typer.Exit(status_of(result).exit)
