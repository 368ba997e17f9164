"""Prints what a look for personal data found, and what a data owner decided."""

from gateway.discovery.decisions import Decided
from gateway.discovery.reports import DiscoveryReport, Suggestion
from gateway.doors.terminal.screen import Terminal, counted
from gateway.reply import Refusal


def print_report(terminal: Terminal, report: DiscoveryReport) -> None:
    """Print suggestions, the open ones first, and what could not be looked at."""
    rows = [
        (each.column, each.kind, each.tag, f"{each.confidence:.2f}", _why(each), each.tagged or "open")
        for each in report.suggestions
    ]
    if rows:
        right = (False, False, False, True, False, False)
        terminal.table(("column", "kind", "tag", "confidence", "because", "decided"), rows, right=right)
    _print_unread(terminal, report)
    if report.unlisted:
        terminal.line(f"in no definition, so nobody can ask for them: {', '.join(report.unlisted)}", "dim")
    looked = f"{counted(len(report.profiles), 'column')}, at most {counted(report.rows, 'row')} each"
    terminal.line(
        f"{len(report.open)} open suggestions over {looked}. Nothing changes until one is accepted."
    )


def print_drift(terminal: Terminal, report: DiscoveryReport) -> None:
    """Print what changed since the last look, and what could not be looked at."""
    for each in report.drift:
        moved = f"{each.was} -> {each.now}" if each.was and each.now else each.now or each.was
        terminal.verdict(each.drift, f"{each.column}: {moved}")
    _print_unread(terminal, report)
    if not report.drift:
        terminal.verdict("ok", f"as at the last look: {counted(len(report.profiles), 'column')}")


def _print_unread(terminal: Terminal, report: DiscoveryReport) -> None:
    for each in report.unread:
        terminal.line(f"not looked at: {each.place} ({each.code})", "yellow")


def print_decided(terminal: Terminal, found: Decided | Refusal) -> None:
    """Print what was written down, or why nothing was."""
    if isinstance(found, Refusal):
        terminal.issues(found.issues, to_stderr=True)
        return
    for each in found.accepted:
        terminal.verdict("ok", f"{each.column} is {each.tag}, says {each.by}")
    terminal.line(f"Written into {found.file}; a running gateway takes it up by itself.", "dim")


def _why(each: Suggestion) -> str:
    said = (
        "its name" if each.evidence.name else "",
        f"{each.evidence.percent}% of {each.sampled} values" if each.evidence.percent else "",
    )
    return ", ".join(filter(None, said))
