"""Writes the page of one answer, on which every number leads to its cell, and the chart of its rows."""

import sys
from pathlib import Path

import typer

from gateway.doors.charting import Form, chart_of
from gateway.doors.cli.ids import whole_trace
from gateway.doors.evidence_page import evidence_page
from gateway.doors.faults import unknown_trace
from gateway.doors.json_input import BadInput
from gateway.doors.opened import opened
from gateway.doors.private_file import write_private
from gateway.doors.terminal.exit import leave
from gateway.doors.terminal.screen import Terminal
from gateway.reply import Refusal
from metric_layer.issues import Issue


def show_page(
    trace_id: str, out: Path | None, user: str, *, as_json: bool, project: Path | None
) -> typer.Exit:
    """Write the page of one answer and say where it is. Raises BadInput, and OSError for a bad place."""
    if as_json:
        message = "A page is not a JSON object."
        raise BadInput(Issue(code="html_and_json", message=message, next_step="Give --html or --json."))
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        trace_id = whole_trace(house.gateway, caller, trace_id)
        found = house.gateway.evidence(caller, trace_id) or unknown_trace(trace_id)
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


def show_chart(trace_id: str, wanted: str, user: str, *, project: Path | None) -> typer.Exit:
    """Write the chart of an answer's rows, say where it is. Raises BadInput, and OSError for a bad place."""
    metric, _, name = wanted.rpartition("=")
    out = Path(name)
    forms: dict[str, Form] = {".svg": "svg", ".png": "png"}
    form = forms.get(out.suffix.lower())
    if form is None:
        raise BadInput(
            Issue(
                code="chart_form",
                message="A chart is an SVG or a PNG file.",
                seen=out.name,
                next_step="Name a file that ends in .svg or .png.",
            )
        )
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        found = house.gateway.evidence(caller, whole_trace(house.gateway, caller, trace_id))
    drawn = unknown_trace(trace_id) if found is None else chart_of(found, form, metric=metric)
    terminal = Terminal()
    if isinstance(drawn, Refusal):
        terminal.issues(drawn.issues, to_stderr=True)
        return leave(drawn)
    write_private(out, drawn.data)
    terminal.line(str(out))
    return typer.Exit(0)
