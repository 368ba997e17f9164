"""Prints held questions for the people who decide them, plain words first."""

from gateway.doors.sql_shape import in_lines
from gateway.doors.terminal.screen import Terminal
from gateway.reviews.view import Calibration, HeldFindingView, HoldList, HoldView, UsualMeasure
from policies.checks.budget import size


def print_holds(terminal: Terminal, found: HoldList) -> None:
    """Print a list of holds, the one that expires first in front."""
    rows = [
        (
            each.hold_id,
            each.status,
            f"{each.expires:%Y-%m-%d %H:%MZ}",
            ", ".join(each.checks),
            each.summary,
            "yours" if each.own else each.asker,
        )
        for each in found.holds
    ]
    if rows:
        names = ("hold", "status", "until", "findings", "question", "asker")
        terminal.table(names, rows, whole=("hold", "until"))
    else:
        terminal.line("Nothing here.")
    if found.left_off:
        terminal.line(f"{found.left_off:,} more.")


def print_hold(terminal: Terminal, found: HoldView) -> None:
    """Print one hold with everything that somebody needs to decide it."""
    terminal.verdict("held" if found.status == "waiting" else found.status, f"hold {found.hold_id}")
    terminal.line(found.plan_words)
    for text in filter(None, (found.question, found.draft)):
        terminal.line(f"  {text}")
    asker = "you" if found.own else found.asker
    terminal.line(f"Asked by {asker} as {found.role}; until {found.expires:%Y-%m-%d %H:%M} UTC.")
    if found.changed:
        terminal.line(f"Changed since an earlier accept: {', '.join(found.changed)}.")
    for each in found.findings:
        _print_finding(terminal, each)
    for measure in found.usual:
        terminal.line(f"  {_usual(measure)}")
    for ruling in found.rulings:
        said = f": {ruling.reason}" if ruling.reason else ""
        terminal.line(f"{ruling.verdict} by {ruling.by or 'nobody'} at {ruling.at:%Y-%m-%d %H:%M} UTC{said}")
    if found.sql:
        terminal.line(in_lines(found.sql), style="dim")
    if found.link:
        terminal.line(found.link)
    terminal.line(found.why_not if found.status == "waiting" and found.why_not else found.next_step)


def print_calibration(terminal: Terminal, found: Calibration) -> None:
    """Print one line per finding and judge, then per reviewer; a figure without any decision is a dash."""
    rows = [
        (
            each.check,
            each.judge,
            str(each.opinions),
            str(each.faults),
            str(each.n),
            "-" if each.agreed is None else f"{each.agreed:.0%}",
            "-" if each.brier is None else f"{each.brier:.3f}",
            "-" if each.allow_at is None else f"{each.allow_at:g}",
            "-" if each.deny_at is None else f"{each.deny_at:g}",
            each.owner,
        )
        for each in found.findings
    ]
    names = ("finding", "judge", "opinions", "faults", "n", "agreed", "Brier", "allow at", "deny at", "owner")
    terminal.table(names, rows, right=(False, False, *([True] * 7), False))
    people = [
        (each.reviewer, str(each.n), f"{each.accepted:.0%}", f"{each.median_seconds:,.0f}")
        for each in found.reviewers
    ]
    if people:
        paces = ("reviewer", "n", "accepted", "median seconds")
        terminal.table(paces, people, right=(False, True, True, True))


def _print_finding(terminal: Terminal, each: HeldFindingView) -> None:
    seen = f"; seen {each.seen}" if each.seen else ""
    lines = f"; lines: {each.threshold}" if each.threshold else ""
    terminal.verdict("hold", f"{each.check} [{each.key}]: {each.reason}{seen}{lines}")
    if each.carried:
        terminal.line("  accepted before, and still counts")
    elif each.needed > 1:
        terminal.line(f"  {each.accepted} of {each.needed} people accepted it")
    if each.judge_said:
        chance = "" if each.chance is None else f" ({each.chance:.2f})"
        terminal.line(f"  judge {each.judge}: {each.judge_said}{chance}")


def _usual(measure: UsualMeasure) -> str:
    seen = size(measure.measure, int(measure.seen))
    if measure.median is None:
        return f"{seen}; no recent question of its class to compare with (n=0)"
    times = "" if measure.times is None else f", {measure.times:.1f} times as much"
    return f"{seen}; usual for its class {size(measure.measure, int(measure.median))} (n={measure.n}){times}"
