"""How a result becomes an exit of the command line."""

from collections.abc import Callable
from typing import TypeVar

import typer

from gateway.doors.status import status_of
from gateway.doors.terminal.screen import Terminal
from gateway.reply import Refusal
from metric_layer.record import Record

T = TypeVar("T", bound=Record)


def leave(result: Record) -> typer.Exit:
    """Return the exit that the table gives a result."""
    return typer.Exit(status_of(result).exit)


def told(found: T | Refusal, show: Callable[[Terminal, T], None], *, as_json: bool) -> typer.Exit:
    """Print what a verb found, or why it was refused, and return its exit."""
    terminal = Terminal()
    if as_json:
        terminal.object(found)
    elif isinstance(found, Refusal):
        terminal.issues(found.issues, to_stderr=True)
    else:
        show(terminal, found)
    return leave(found)
