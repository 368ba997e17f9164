"""Verbs of the command line over what was recorded: `trace list|show|verify`, `replay`."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from gateway.doors.ask_body import pydantic_errors
from gateway.doors.cli_input import read_json_file
from gateway.doors.cli_options import AsJson, AsUser, Limit, Project, leave
from gateway.doors.json_input import BadInput
from gateway.doors.terminal import Terminal
from gateway.doors.terminal_lists import print_replay, print_trace, print_traces, print_verification
from gateway.reply import Refusal, TraceLine
from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.vocabulary import near
from traces.records import Receipt

AGAINST = ("layer", "policy")
TraceId = Annotated[str, typer.Argument(metavar="TRACE", help="The trace id of an answer.")]


class TraceList(Record):
    """Traces, newest first."""

    traces: tuple[TraceLine, ...]


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
    from gateway.doors.cli_open import opened
    from gateway.doors.faults import unknown_trace

    if html or out is not None:
        raise _show_page(trace_id, out, user, as_json=as_json, project=project)
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


def _show_page(
    trace_id: str, out: Path | None, user: str, *, as_json: bool, project: Path | None
) -> typer.Exit:
    """Write the page of one answer and say where it is. Raises BadInput, and OSError for a bad place."""
    from gateway.doors.cli_open import opened
    from gateway.doors.evidence_page import evidence_page
    from gateway.doors.faults import unknown_trace
    from gateway.doors.private_file import write_private

    if as_json:
        message = "A page is not a JSON object."
        raise BadInput(Issue(code="html_and_json", message=message, next_step="Give --html or --json."))
    with opened(project) as house:
        found = house.gateway.evidence(house.callers.for_cli(user), trace_id) or unknown_trace(trace_id)
    terminal = Terminal()
    if isinstance(found, Refusal):
        terminal.issues(found.issues, to_stderr=True)
        return leave(found)
    page = evidence_page(found)
    if out is None and not sys.stdout.isatty():
        sys.stdout.buffer.write(page)
        return leave(found)
    path = out or Path(f"evidence-{found.trace_id}.html")
    write_private(path, page)
    terminal.line(str(path))
    return leave(found)


def verify(
    receipts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RECEIPT.json]...", help="Receipts or whole replies you kept."),
    ] = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Check every record byte for byte, and that the receipts you kept still hold."""
    from gateway.doors.cli_open import opened

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
    from gateway.doors.cli_open import candidate_of, opened
    from gateway.doors.faults import unknown_trace

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


def split_against(given: str) -> tuple[str, str]:
    """Return `K=PATH` as a pair. Raises BadInput for an unknown K."""
    key, _, path = given.partition("=")
    if key not in AGAINST or not path:
        raise BadInput(
            Issue(
                code="bad_against",
                message=f"{given!r} does not say what to replay against.",
                seen=given,
                candidates=near(key, AGAINST),
                next_step="Write layer=DIR or policy=DIR.",
            )
        )
    return key, path


def read_receipt(file: str) -> Receipt:
    """Return the receipt in a file; the file may hold a whole reply. Raises BadInput."""
    found = read_json_file(file)
    if isinstance(found, Mapping) and "receipt" in found:
        found = found["receipt"]
    try:
        return Receipt.model_validate(found)
    except ValidationError as fault:
        seen = ", ".join(str(error["loc"][0]) for error in pydantic_errors(fault) if error["loc"])
        raise BadInput(
            Issue(
                code="bad_receipt",
                message="The file holds no receipt.",
                place=file,
                seen=seen,
                next_step="Save `receipt` of a reply, or the whole reply.",
            )
        ) from fault
