"""Prints what the checks say of a text: the text with its places marked, then one line per finding."""

from collections.abc import Iterator, Sequence

from gateway.doors.terminal.screen import Terminal
from gateway.reply import SqlReport
from traces.records import Decision

MARK = "^"


def print_sql_report(terminal: Terminal, report: SqlReport) -> None:
    """Print a text, marks under what was found, the findings by number, and the text that would run."""
    terminal.verdict(report.verdict, "nothing was executed")
    findings = [decision for decision in report.decisions if decision.verdict not in ("allow", "skipped")]
    for line, is_mark in marked(report.sql, findings):
        terminal.line(line, "yellow" if is_mark else "")
    for number, finding in enumerate(findings, start=1):
        _print_finding(terminal, number, finding)
    allowed = [decision.check for decision in report.decisions if decision.verdict == "allow"]
    terminal.line(f"allowed by {', '.join(allowed)}", "dim")
    if report.regenerated and report.verdict != "hard":
        terminal.line(f"would run as: {report.regenerated}", "dim")


def marked(sql: str, findings: Sequence[Decision]) -> Iterator[tuple[str, bool]]:
    """Yield each line of a text, and after it a line of marks where findings stand in it.

    Every run of marks ends in the numbers of its findings, counted from 1 in the order given.
    """
    at = 0
    for text in sql.splitlines(keepends=True) or [""]:
        line = text.rstrip("\r\n")
        yield f"  {line}", False
        places: dict[tuple[int, int], list[int]] = {}
        for number, finding in enumerate(findings, start=1):
            if (place := _within(finding.span, at, len(line))) is not None:
                places.setdefault(place, []).append(number)
        for (start, end), numbers in sorted(places.items()):
            indent = "".join("\t" if sign == "\t" else " " for sign in line[:start])
            yield f"  {indent}{MARK * (end - start)} {', '.join(map(str, numbers))}", True
        at += len(text)


def _within(span: tuple[int, int] | None, at: int, length: int) -> tuple[int, int] | None:
    """Return the part of a span that stands in the line that begins at `at`."""
    if span is None:
        return None
    start, end = max(span[0] - at, 0), min(span[1] - at, length)
    return (start, end) if start < end else None


def _print_finding(terminal: Terminal, number: int, finding: Decision) -> None:
    near = f"; near: {', '.join(finding.candidates)}" if finding.candidates else ""
    step = f"; next: {finding.next_step}" if finding.next_step else ""
    retry = "; a new query may be tried" if finding.retry else ""
    terminal.verdict(finding.verdict, f"{number} {finding.check}: {finding.reason}{near}{step}{retry}")
