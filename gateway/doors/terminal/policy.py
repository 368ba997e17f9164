"""Prints how a policy did on labelled SQL, and what another policy would change."""

from gateway.doors.policy_input import PolicyDiff
from gateway.doors.terminal.screen import Terminal, counted
from gateway.replay.rejudge import Rejudgement
from policies.junit import difference
from policies.labelled import LabelReport


def print_label_report(terminal: Terminal, report: LabelReport) -> None:
    """Print every case that did not get what it should, and how many there were."""
    for result in report.results:
        if not result.passed:
            terminal.verdict("failed", f"{result.id} as {result.role}: {difference(result)}")
            for finding in result.findings:
                terminal.line(f"  {finding}", "dim")
    passed = report.cases - report.failed
    cases = counted(report.cases, "case")
    terminal.verdict("ok" if report.ok else "failed", f"{passed} of {cases} as labelled")


def print_policy_diff(terminal: Terminal, found: PolicyDiff) -> None:
    """Print the settings that differ, then the recorded questions that would stand otherwise."""
    if not found.changes:
        terminal.verdict("same", "no setting differs")
    for change in found.changes:
        terminal.line(f"{change.path}: {change.old or '(not set)'} -> {change.new or '(not set)'}")
    if found.questions is not None:
        _print_questions(terminal, found.questions)


def _print_questions(terminal: Terminal, found: Rejudgement) -> None:
    terminal.line()
    for each in found.changed:
        about = ", ".join(each.metrics) or "free SQL"
        why = f" ({', '.join(each.because)})" if each.because else ""
        terminal.line(f"{each.old} -> {each.new}{why}: {about} as {each.role}, {counted(each.times, 'time')}")
        terminal.line(f"  trace {each.trace_id}", "dim")
    if found.left_off:
        terminal.line(f"and {found.left_off} more distinct questions")
    whose = "your " if found.own_only else ""
    moved = found.questions - found.same - found.unread
    terminal.line(f"{moved} of {whose}{found.questions} recorded questions would get another verdict")
    if found.unread:
        terminal.line(f"{found.unread} could not be read: neither a plan nor SQL was kept", "dim")
