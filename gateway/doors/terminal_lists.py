"""Prints what there is: metrics, traces, findings, replays."""

import json
from collections.abc import Sequence

from gateway.doors.terminal import Terminal
from gateway.reply import (
    Finding,
    MetricCard,
    MetricList,
    ReplayReport,
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
    terminal.table(names, rows)
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
    )
    terminal.line("A plan that works:", "dim")
    terminal.line(json.dumps(dict(card.example), ensure_ascii=False, default=str))


def print_traces(terminal: Terminal, traces: Sequence[TraceLine]) -> None:
    """Print traces, newest first."""
    rows = [(line.trace_id, line.at, line.outcome, line.role, ", ".join(line.metrics)) for line in traces]
    terminal.table(("trace", "at (UTC)", "outcome", "role", "metrics"), rows)


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
    terminal.verdict(word, f"{found.records} records in {found.segments} segments")
    if not found.ok:
        place = f" at {found.place}" if found.place else ""
        seq = f", record {found.seq}" if found.seq is not None else ""
        terminal.line(f"{found.damage}{place}{seq}")


def print_replay(terminal: Terminal, report: ReplayReport) -> None:
    """Print what a replay found, with old and new numbers."""
    terminal.verdict(report.verdict, report.detail)
    if report.first_step:
        terminal.line(f"  parts at: {report.first_step}", "dim")
    for name, old, new in report.changed_pins:
        terminal.line(f"  {name}: {old} -> {new}", "dim")
    if report.numbers:
        rows = [(number.name, number.old, number.new) for number in report.numbers]
        terminal.table(("number", "recorded", "now"), rows, right=(False, True, True))
    terminal.issues(report.issues)


def print_findings(terminal: Terminal, findings: Sequence[Finding]) -> None:
    """Print what was looked at, and what to do where something is wrong."""
    for finding in findings:
        terminal.verdict("ok" if finding.ok else "wrong", f"{finding.name}: {finding.detail}")
        if finding.next_step and not finding.ok:
            terminal.line(f"  next: {finding.next_step}", "dim")
