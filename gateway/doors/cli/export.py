"""Where an export goes: to a file, to standard output, or, for spans, to a collector."""

import os
import sys
from datetime import datetime
from pathlib import Path

from gateway.doors.json_input import BadInput
from gateway.doors.opened import Opened
from gateway.doors.private_file import write_private_lines
from gateway.tracing.exporting import Exporting, namespace_of
from gateway.tracing.found import FORMATS, Export, ExportFormat
from gateway.tracing.sending import TOKEN, Collector
from metric_layer.issues import Issue
from metric_layer.vocabulary import near
from traces.records import Caller


def export_traces(
    house: Opened, caller: Caller, form: str, since: datetime | None, out: Path | None, *, as_json: bool
) -> Export:
    """Write or send what the caller may read. Raises BadInput, and HouseError where a collector fails."""
    if form not in FORMATS:
        raise _refused(
            "bad_format",
            f"{form!r} is no format.",
            form,
            f"One of: {', '.join(FORMATS)}.",
            near(form, FORMATS),
        )
    chosen, settings = form, house.settings
    collector = settings.export.otlp if chosen == "otel" and out is None else ""
    if as_json and out is None and not collector:
        raise _refused(
            "json_and_lines", "Lines and a report cannot share standard output.", "--json", "Add --out FILE."
        )
    exporting = house.gateway.tracing.export(caller, since)
    if collector:
        sent = Collector(collector, os.environ.get(TOKEN, ""), settings.export.seconds)
        requests, rejected = 0, 0
        for request in exporting.requests():
            rejected += sent.send(request)
            requests += 1
        return _report(chosen, exporting, requests, sent.place).model_copy(update={"rejected": rejected})
    lines = exporting.lines(chosen, namespace_of(settings.engine.url, settings.project.name))
    if out is not None:
        return _report(chosen, exporting, write_private_lines(out, lines), str(out))
    written = 0
    for line in lines:
        sys.stdout.write(line + "\n")
        written += 1
    return _report(chosen, exporting, written, "standard output")


def _report(form: ExportFormat, exporting: Exporting, lines: int, place: str) -> Export:
    return Export(
        format=form,
        questions=exporting.counted["questions"],
        lines=lines,
        place=place,
        own_only=exporting.own_only,
    )


def _refused(
    code: str, message: str, seen: str, next_step: str, candidates: tuple[str, ...] = ()
) -> BadInput:
    return BadInput(
        Issue(code=code, message=message, seen=seen[:100], next_step=next_step, candidates=candidates)
    )
