"""Prints what an import could not keep."""

from itertools import groupby

from gateway.doors.terminal.screen import Terminal, counted
from metric_layer.interchange.importing import ImportReport
from metric_layer.interchange.losses import Loss

LEVELS = {"error": "bold red", "degraded": "yellow", "info": "dim"}


def print_import(terminal: Terminal, report: ImportReport) -> None:
    """Print a line per construct that was refused or changed, then what was written."""
    for (level, code), lines in groupby(report.lines, key=_kind):
        found = list(lines)
        terminal.line(f"{level}[{code}] {found[0].next_step}".rstrip(), LEVELS[level])
        for line in found:
            seen = f" ({line.seen})" if line.seen else ""
            terminal.line(f"  {line.place}: {line.name}: {line.message}{seen}")
    what = (
        f"{counted(report.metrics, 'metric')} ({report.certified} certified), "
        f"{counted(report.dimensions, 'dimension')}, "
        f"{counted(report.datasets, 'dataset')}, {counted(report.relationships, 'relationship')}"
    )
    counts = ", ".join(
        f"{sum(1 for line in report.lines if line.level == level)} {level}" for level in LEVELS
    )
    terminal.verdict("ok" if report.ok else "incomplete", f"{what} in {report.folder}; lines: {counts}")
    for file in report.files:
        terminal.line(f"  {file}", "dim")


def _kind(line: Loss) -> tuple[str, str]:
    return line.level, line.code
