"""Prints the release ladder for the people who decide about it; a figure over nothing is a dash."""

from gateway.doors.release_work import ShadowReport
from gateway.doors.terminal.screen import Terminal, counted
from gateway.ladder.families import COUNTED
from gateway.ladder.view import ClassLine, ClassView, ReleaseList, Sweep
from gateway.reply import Refusal
from traces.release_records import EvidenceFigure

FIRED = "fired "
"""How the figures of checks begin."""


def print_classes(terminal: Terminal, found: ReleaseList) -> None:
    """Print every class as one line."""
    rows = [
        (each.name, each.match, each.stage, each.start, each.most, _decided(each)) for each in found.classes
    ]
    if rows:
        terminal.table(("class", "of", "stage", "policy says", "at most", "last decision"), rows)
    else:
        terminal.line("The policy names no class: every question runs dry.")
    for each in found.classes:
        if each.fault:
            terminal.verdict("hard", f"{each.name}: {each.fault}")


def print_class(terminal: Terminal, found: ClassView) -> None:
    """Print one class with its evidence and its decisions."""
    line = found.line
    policy = f"the policy says {line.start}, at most {line.most}"
    terminal.line(f"{line.name} ({line.match}): {line.stage}; {policy}")
    if line.fault:
        terminal.verdict("hard", line.fault)
    since = f" since {found.since:%Y-%m-%d %H:%M} UTC" if found.since else ""
    questions = counted(found.questions, "question")
    terminal.line(f"{questions}{since}; evaluation: {found.run or 'none of this class'}")
    told = [each for each in found.evidence if each.value or not each.name.startswith(FIRED)]
    rows = [(each.name, figure_text(each), str(each.n)) for each in told]
    terminal.table(("evidence", "value", "n"), rows, right=(False, True, True))
    if len(told) < len(found.evidence):
        never = counted(len(found.evidence) - len(told), "check")
        terminal.line(f"{never} never fired; --json has each with its n.", "dim")
    for each in found.decisions:
        by = each.rule or f"by {each.by}"
        why = f": {each.reason}" if each.reason else ""
        terminal.line(f"{each.number}. {each.at:%Y-%m-%d %H:%M} UTC {each.was} -> {each.stage}, {by}{why}")


def print_compared(terminal: Terminal, found: ShadowReport | Refusal) -> None:
    """Print what a comparison found, and the case that came of it."""
    if isinstance(found, Refusal):
        terminal.issues(found.issues, to_stderr=True)
        return
    compared = found.compared
    verdict = "agrees" if compared.agreed else "disagrees"
    recorded = f"recorded {compared.ours}, " if compared.ours else ""
    sides = f"{recorded}yours {compared.theirs}"
    terminal.verdict("ok" if compared.agreed else "hard", f"{verdict}: {sides}")
    if found.case is not None:
        terminal.line(f"Case {found.case.case.id} in {found.case.file}")
        terminal.line("Next: cellbound eval run --agent gateway --tag shadow")
    if compared.demoted:
        terminal.line(f"A rule of the policy took {compared.question_class} down to {compared.demoted}.")


def print_sweep(terminal: Terminal, found: Sweep | Refusal) -> None:
    """Print what looking at every class gave."""
    if isinstance(found, Refusal):
        terminal.issues(found.issues, to_stderr=True)
        return
    for each in found.demoted:
        terminal.verdict("hard", f"{each.name} went down to {each.stage}")
    if found.recovered:
        terminal.line(f"Taken back from the log: {counted(found.recovered, 'decision')}.")
    terminal.line(f"{counted(len(found.looked_at), 'class', 'classes')} looked at.")


def figure_text(figure: EvidenceFigure) -> str:
    """Return a figure as people read it: seconds and counts as such, everything else as a share."""
    if figure.value is None:
        return "-"
    if figure.name in COUNTED:
        return f"{figure.value:.1f}"
    return f"{figure.value:.1f} s" if figure.name.startswith("turnaround") else f"{figure.value:.3f}"


def _decided(line: ClassLine) -> str:
    return f"{line.decided}. {line.at:%Y-%m-%d %H:%M}" if line.at else "-"
