"""Verbs of the command line over what was recorded: `trace list|show|verify`, `replay`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli_options import AsJson, AsUser, Limit, Project

TraceId = Annotated[str, typer.Argument(metavar="TRACE", help="The trace id of an answer.")]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    trace = typer.Typer(no_args_is_help=True, help="Read and verify what was recorded.")
    trace.command("list")(list_traces)
    trace.command("show")(show_trace)
    trace.command("verify")(verify)
    app.add_typer(trace, name="trace")
    app.command("replay")(replay)


def list_traces(
    limit: Limit = 50, user: AsUser = "", as_json: AsJson = False, project: Project = None
) -> None:
    """List the newest traces you may read."""
    from gateway.doors.cli_open import opened
    from gateway.doors.cli_shapes import TraceList
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_lists import print_traces

    with opened(project) as house:
        found = TraceList(traces=house.gateway.list_traces(house.callers.for_cli(user), limit))
    terminal = Terminal()
    terminal.object(found) if as_json else print_traces(terminal, found.traces)


def show_trace(
    trace_id: TraceId,
    html: Annotated[
        bool, typer.Option("--html", help="Make a page on which every number leads to its cell.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to put the page; implies --html.")
    ] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Show how an answer came about, record by record, without rows; or as a page, with them.

    The page goes to FILE, else to standard output, or on a terminal to evidence-TRACE.html in this folder.
    """
    from gateway.doors.cli_exit import leave
    from gateway.doors.cli_open import opened
    from gateway.doors.cli_page import show_page
    from gateway.doors.faults import unknown_trace
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_lists import print_trace
    from gateway.reply import Refusal

    if html or out is not None:
        raise show_page(trace_id, out, user, as_json=as_json, project=project)
    with opened(project) as house:
        found = house.gateway.get_trace(house.callers.for_cli(user), trace_id) or unknown_trace(trace_id)
    terminal = Terminal()
    if as_json:
        terminal.object(found)
    elif isinstance(found, Refusal):
        terminal.issues(found.issues, to_stderr=True)
    else:
        print_trace(terminal, found)
    raise leave(found)


def verify(
    receipts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RECEIPT.json]...", help="Receipts or whole replies you kept."),
    ] = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Check every record byte for byte, and that the receipts you kept still hold."""
    from gateway.doors.cli_exit import leave
    from gateway.doors.cli_kept import read_receipt
    from gateway.doors.cli_open import opened
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_lists import print_verification

    kept = [read_receipt(file) for file in receipts or ()]
    with opened(project) as house:
        found = house.gateway.verify_traces(kept)
    terminal = Terminal()
    terminal.object(found) if as_json else print_verification(terminal, found)
    raise leave(found)


def replay(
    trace_id: TraceId,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="K=PATH", help="Replay under another layer=DIR or policy=DIR."),
    ] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Ask a recorded question again and name what made a difference, if anything did."""
    from gateway.doors.cli_exit import leave
    from gateway.doors.cli_kept import split_against
    from gateway.doors.cli_open import candidate_of, opened
    from gateway.doors.faults import unknown_trace
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_lists import print_replay
    from gateway.reply import Refusal

    others = {key: Path(path) for key, path in map(split_against, against or ())}
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        with candidate_of(house, others) as other:
            found = house.gateway.replay(caller, trace_id, other) or unknown_trace(trace_id)
    terminal = Terminal()
    if as_json:
        terminal.object(found)
    elif isinstance(found, Refusal):
        terminal.issues(found.issues, to_stderr=True)
    else:
        print_replay(terminal, found)
    raise leave(found)
