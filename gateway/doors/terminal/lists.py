"""Prints what there is: metrics, traces, findings, replays."""

import json
from collections.abc import Sequence

from gateway.doors.terminal.screen import Terminal, counted, minute
from gateway.reply import (
    Finding,
    MetricCard,
    MetricList,
    TraceLine,
    TraceView,
    Verification,
)


def print_metrics(terminal: Terminal, found: MetricList) -> None:
    """Print the metrics a caller may ask for."""
    names = ("metric", "unit", "version", "owner", "status", "description")
    rows = [
        (line.name, line.unit, f"v{line.version}", line.owner, line.status, line.description)
        for line in found.metrics
    ]
    terminal.table(names, rows, whole=("metric",))
    if found.left_off:
        terminal.line(f"{found.left_off} more; narrow with --search or raise --limit.", "dim")


def print_card(terminal: Terminal, card: MetricCard) -> None:
    """Print everything a caller may know of one metric."""
    terminal.line(f"{card.name} v{card.version}  {card.label}", "bold")
    terminal.line(card.description)
    facts = (
        ("formula", card.formula),
        ("type", card.type),
        ("unit", card.unit),
        ("owner", card.owner),
        ("status", card.status),
        ("synonyms", ", ".join(card.synonyms)),
        ("time field", card.time_field),
        ("grains", ", ".join(card.grains)),
    )
    for name, value in facts:
        if value:
            terminal.line(f"  {name}: {value}")
    terminal.table(
        ("dimension", "type", "description", "values"),
        [(d.name, d.type, d.description or d.label, ", ".join(d.values)) for d in card.dimensions],
        whole=("dimension",),
    )
    terminal.line("A plan that works:", "dim")
    terminal.line(json.dumps(dict(card.example), ensure_ascii=False, default=str))


def print_traces(terminal: Terminal, traces: Sequence[TraceLine]) -> None:
    """Print traces, newest first."""
    rows = [
        (line.trace_id, minute(line.at), line.outcome, line.role, ", ".join(line.metrics)) for line in traces
    ]
    terminal.table(("trace", "at", "outcome", "role", "metrics"), rows, whole=("trace", "at", "outcome"))


def print_trace(terminal: Terminal, view: TraceView) -> None:
    """Print one trace, record by record."""
    terminal.verdict(view.outcome, f"trace {view.trace_id}")
    if view.answer:
        terminal.line(view.answer)
    for record in view.records:
        terminal.line(json.dumps(record, indent=2, ensure_ascii=False, default=str))


def print_verification(terminal: Terminal, found: Verification) -> None:
    """Print whether every record is as it was written."""
    word = "intact" if found.ok else "damaged"
    said = [f"{counted(found.records, 'record')} in {counted(found.segments, 'segment')}"]
    said += [f"{found.checkpoints} checkpoints met"] if found.checkpoints else []
    said += [f"{counted(found.retired, 'record')} retired"] if found.retired else []
    terminal.verdict(word, ", ".join(said))
    if found.unvouched:
        terminal.line(f"{found.unvouched} more records stand after the last checkpoint, unvouched for")
    for each in found.findings:
        terminal.line(f"{each.damage} at {each.place}, record {each.seq}: {each.message}")
    if found.next_step:
        terminal.line(found.next_step, "dim")


def print_findings(terminal: Terminal, findings: Sequence[Finding]) -> None:
    """Print what was looked at, and what to do where something is wrong."""
    for finding in findings:
        word = "ok" if finding.ok else "wrong" if finding.needed else "advice"
        terminal.verdict(word, f"{finding.name}: {finding.detail}")
        if finding.next_step and not finding.ok:
            terminal.line(f"  next: {finding.next_step}", "dim")
