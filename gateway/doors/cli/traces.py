"""Puts the verbs over recorded questions together; `trace list|show|why` stand here."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli import custody
from gateway.doors.cli.find import export, find, index
from gateway.doors.cli.options import AsJson, AsUser, Limit, Project
from gateway.doors.cli.replay import diff_traces, replay
from gateway.doors.cli.verify import checkpoint, verify

TraceId = Annotated[str, typer.Argument(metavar="TRACE", help="The trace id of an answer.")]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    trace = typer.Typer(no_args_is_help=True, help="Read and verify what was recorded.")
    trace.command("list")(list_traces)
    trace.command("show")(show_trace)
    trace.command("verify")(verify)
    trace.command("diff")(diff_traces)
    trace.command("checkpoint")(checkpoint)
    custody.add_to_traces(trace)
    for name, verb in (("find", find), ("why", why), ("index", index), ("export", export)):
        trace.command(name)(verb)
    app.add_typer(trace, name="trace")
    app.command("replay")(replay)


def list_traces(
    limit: Limit = 50, user: AsUser = "", as_json: AsJson = False, project: Project = None
) -> None:
    """List the newest traces you may read."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.lists import print_traces
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import TraceList

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
    chart: Annotated[
        str,
        typer.Option(
            "--chart", metavar="[METRIC=]FILE", help="Draw the chart of its rows into FILE.svg or FILE.png."
        ),
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Show how an answer came about and its records in short, with --json in full; or as a page, with rows.

    The page goes to FILE, else to standard output, or on a terminal to evidence-TRACE.html in this folder.
    """
    from gateway.doors.cli.ids import whole_trace
    from gateway.doors.cli.page import show_chart, show_page
    from gateway.doors.faults import unknown_trace
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.tracing import Summarised
    from gateway.stores.rows import StoreUnusable

    if chart:
        raise show_chart(trace_id, chart, user, project=project)
    if html or out is not None:
        raise show_page(trace_id, out, user, as_json=as_json, project=project)
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        trace_id = whole_trace(house.gateway, caller, trace_id)
        found = house.gateway.get_trace(caller, trace_id) or unknown_trace(trace_id)
        story = None
        # On a full disk the kept rows cannot be opened; the records can.
        with suppress(StoreUnusable):
            story = None if as_json else house.gateway.tracing.why(caller, trace_id)
    raise told(found, Summarised(story).print, as_json=as_json)


def why(
    trace_id: TraceId,
    number: Annotated[
        str, typer.Option("--number", metavar="N", help="Follow this number of the answer only.")
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say in plain words how an answer came about, and where each of its numbers is from."""
    from gateway.doors.cli.ids import whole_trace
    from gateway.doors.faults import unknown_trace
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.tracing import print_why

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        trace_id = whole_trace(house.gateway, caller, trace_id)
        found = house.gateway.tracing.why(caller, trace_id, number) or unknown_trace(trace_id)
    raise told(found, print_why, as_json=as_json)
