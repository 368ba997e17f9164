"""The command line: its verbs, and the outermost door that no traceback gets past.

The verbs' own files load nothing but their options: what a verb works with is imported when it runs, so
that `--help` is there at once and a list of metrics waits for no database driver.
"""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from gateway import __version__
from gateway.doors.cli import (
    analyses,
    ask,
    discover,
    eval,
    help,
    keys,
    mcp,
    metrics,
    policy,
    project,
    release,
    review,
    serve,
    setup,
    tokens,
    traces,
)
from gateway.doors.cli.verbs import in_our_words

INTERRUPTED = 130
UNHEARD = 1
VERBS = (
    project,
    ask,
    analyses,
    metrics,
    policy,
    traces,
    keys,
    tokens,
    review,
    release,
    discover,
    eval,
    serve,
    mcp,
    setup,
    help,
)


def main() -> None:
    """Run the command of this process and exit with the status of the table."""
    sys.exit(_said(run(sys.argv[1:]), sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status. Nothing but SystemExit's own cases is ever raised."""
    try:
        _refuse_half_characters(arguments)
        build_cli()(list(arguments), prog_name="cellbound")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as fault:
        # The last door: a broken house says how, a defect of ours where; never a traceback.
        return _told_if_heard(fault, arguments)
    return 0


def build_cli() -> typer.Typer:
    """Return the command line with all its verbs."""
    app = typer.Typer(
        pretty_exceptions_enable=False,
        help="A guarded analytics-agent gateway: no number leaves without a cell.",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_version)
    for verbs in VERBS:
        verbs.add_to(app)
    in_our_words(app)
    return app


def _version(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        sys.stdout.write(f"cellbound {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")
        raise typer.Exit(2)


def _refuse_half_characters(arguments: Sequence[str]) -> None:
    """Raise BadJson for an argument that is no text; what names it is loaded only then."""
    try:
        "".join(arguments).encode()
    except UnicodeEncodeError:
        from gateway.doors.json_input import refuse_half_characters

        refuse_half_characters(arguments, "command line")


def _said(status: int, arguments: Sequence[str]) -> int:
    """Return the exit status once all that was printed is out; what cannot be written fails the command."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as fault:
            status = _told_if_heard(fault, arguments)
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status


def _told_if_heard(fault: Exception, arguments: Sequence[str]) -> int:
    """Say what is wrong, or nothing where nobody is left to hear it: a terminal was closed, a pipe ended."""
    if isinstance(fault, BrokenPipeError):
        return UNHEARD
    try:
        return _told(fault, arguments)
    except OSError:
        return UNHEARD


def _told(fault: Exception, arguments: Sequence[str]) -> int:
    """Say what is wrong on stderr, and as one object on stdout for a caller who asked for JSON."""
    from gateway.doors.faults import refusal_for, status_for
    from gateway.doors.terminal.screen import Terminal

    refusal = refusal_for(fault, local=True)
    terminal = Terminal()
    terminal.issues(refusal.issues, to_stderr=True)
    if "--json" in arguments:
        terminal.object(refusal)
    return status_for(fault).exit
