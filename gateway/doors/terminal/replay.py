"""Prints replays: one, a sample with what changed in it, and two traces side by side."""

from collections.abc import Sequence

from gateway.agent.candidate_report import CandidateReport
from gateway.doors.terminal.screen import Terminal
from gateway.replay.sample import ReplaySample
from gateway.replay.side_by_side import Changed, TraceDifference
from gateway.reply import NumberChange, Refusal, ReplayReport


def print_replayed(
    terminal: Terminal, found: ReplayReport | ReplaySample | CandidateReport | Refusal
) -> None:
    """Print what replaying one question, a sample, or a sample against a candidate gave."""
    match found:
        case CandidateReport():
            _print_candidate(terminal, found)
        case Refusal():
            terminal.issues(found.issues, to_stderr=True)
        case ReplaySample():
            _print_sample(terminal, found)
        case ReplayReport():
            print_replay(terminal, found)


def print_replay(terminal: Terminal, report: ReplayReport) -> None:
    """Print what a replay found, with old and new numbers."""
    terminal.verdict(report.verdict, report.detail)
    if report.first_step:
        terminal.line(f"  parts at: {report.first_step}", "dim")
    if report.ran_as:
        terminal.line(f"  its SQL ran with the access of the {report.ran_as}", "dim")
    for name, old, new in report.changed_pins:
        terminal.line(f"  {name}: {old} -> {new}", "dim")
    _print_numbers(terminal, "number", report.numbers)
    _print_numbers(terminal, "total of column", report.totals)
    terminal.issues(report.issues)


def _print_numbers(terminal: Terminal, what: str, numbers: Sequence[NumberChange]) -> None:
    if numbers:
        rows = [(number.name, number.old, number.new) for number in numbers]
        terminal.table((what, "recorded", "now"), rows, right=(False, True, True))


def _print_candidate(terminal: Terminal, found: CandidateReport) -> None:
    plans = ", ".join(f"{count} {name}" for name, count in found.plans.items()) or "none"
    said = f"{found.model}: {found.n} of {found.questions} questions asked again; plans: {plans}"
    terminal.verdict(found.verdict, said)
    numbers = f"{found.numbers_differ} of {found.numbers_compared} that ran tell other numbers"
    tokens, size = found.tokens, found.bytes
    terminal.line(f"  {numbers}", "dim")
    cost = f"tokens {tokens[0]:,} -> {tokens[1]:,}; bytes {size[0]:,} -> {size[1]:,}"
    terminal.line(f"  {cost}", "dim")
    for reason, times in found.skipped.items():
        terminal.line(f"  {times} left out: {reason}", "dim")
    if found.fired:
        rows = [(check, str(old), str(new)) for check, (old, new) in found.fired.items()]
        terminal.table(("check fired in", "recorded", "candidate"), rows, right=(False, True, True))
    for each in found.changed:
        ends = f"{each.recorded.outcome} -> {each.candidate.outcome}"
        why = " + ".join(each.causes)
        terminal.line(f"{each.trace_id}  {each.at}  {why}: plan {each.plan}  {ends}", "bold")
        _print_numbers(terminal, "number", each.numbers)
    if found.left_off:
        terminal.line(f"{found.left_off} more differ and are not listed", "dim")


def _print_sample(terminal: Terminal, found: ReplaySample) -> None:
    whose = " of your own" if found.own_only else ""
    said = f"{found.same} of {found.n} replayed are the same; {found.questions} questions{whose} on record"
    terminal.verdict(found.verdict, said)
    for verdict, times in found.verdicts.items():
        terminal.line(f"  {times} {verdict}", "dim")
    for each in found.changed:
        terminal.line(f"{each.trace_id}  {each.at}  {each.role}  {', '.join(each.metrics)}", "bold")
        print_replay(terminal, each.report)
    if found.unplanned:
        terminal.line(f"{found.unplanned} left out: they came to no plan and no SQL when asked.", "dim")
    if found.left_off:
        terminal.line(f"{found.left_off} more differ.", "dim")


def print_side_by_side(terminal: Terminal, found: TraceDifference) -> None:
    """Print what parts two traces, in the order of the pipeline."""
    terminal.verdict("parted" if found.parted else "same", f"{found.old} and {found.new}")
    if found.parted:
        terminal.line(f"  differ: {', '.join(found.parted)}", "dim")
    outcome = (found.outcome,) if found.outcome else ()
    parts: tuple[tuple[str, Sequence[Changed]], ...] = (
        ("outcome", outcome),
        ("pin", found.pins),
        ("plan", found.plan),
        ("estimate", found.estimate),
        ("shape", found.shape),
        ("number", found.numbers),
    )
    for what, changes in parts:
        if changes:
            rows = [(each.name, each.old, each.new) for each in changes]
            terminal.table((what, "first", "second"), rows)
    for sign, pieces in (("-", found.sql.only_old), ("+", found.sql.only_new)):
        for piece in pieces:
            terminal.line(f"{sign} {piece}")
    if not found.rows_comparable:
        terminal.line("The hashes of their rows were made under different keys.", "dim")
