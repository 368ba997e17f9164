"""Prints what was found among recorded questions, and how one came about, on one screen."""

from collections.abc import Sequence

from gateway.doors.terminal.base import Terminal, counted
from gateway.tracing.explained import NumberTold, WhyReport
from gateway.tracing.found import Export, FoundTraces


def print_found(terminal: Terminal, found: FoundTraces) -> None:
    """Print the questions that were found, newest first."""
    rows = [
        (line.trace_id, line.at, line.outcome, line.role, line.subject, ", ".join(line.metrics))
        for line in found.traces
    ]
    if rows:
        terminal.table(("trace", "at (UTC)", "outcome", "role", "asker", "metrics"), rows)
    else:
        terminal.note("Nothing on record matches.")
    if found.near:
        terminal.note(f"Did you mean {', '.join(found.near)}?")
    if found.more:
        terminal.note("There are more; narrow the search or raise --limit.")
    if found.own_only:
        terminal.note("These are your own questions; others need the right audit.")


def print_why(terminal: Terminal, found: WhyReport) -> None:
    """Print the story of an answer, part by part."""
    terminal.verdict(found.outcome, f"trace {found.trace_id}")
    parts: tuple[tuple[str, Sequence[str]], ...] = (
        ("asked by", (found.who,)),
        ("asked", (found.asked,)),
        ("open terms", found.readings),
        ("defined as", found.definitions),
        ("how", found.query),
        ("checked", found.checks),
        ("cost", (found.cost,)),
        ("decided", found.decided),
        ("answer", found.answer.splitlines() if not found.followed else ()),
        ("numbers", tuple(map(_number, found.numbers))),
        ("not shown", found.missing),
        ("on record", (found.record,)),
    )
    for name, sentences in parts:
        for place, sentence in enumerate(filter(None, sentences)):
            terminal.line(f"{'' if place else name:<11} {sentence}")
    if found.left_off:
        terminal.line(f"{'':<11} and {found.left_off} more; --number follows one of them", "dim")


def told_of(found: Export) -> str:
    """Return what an export did, in one line."""
    whose = " of your own" if found.own_only else ""
    what = "requests" if found.place.startswith("http") else "lines"
    lost = f"; refused: {counted(found.rejected, 'span')}" if found.rejected else ""
    return f"{counted(found.questions, 'question')}{whose} in {found.lines} {what} to {found.place}{lost}"


def _number(told: NumberTold) -> str:
    metric = f" ({told.metric}{f' v{told.version}' if told.version else ''})" if told.metric else ""
    draft = ", in the draft that left" if told.draft else ""
    return f"{told.said or '(sealed)'}{metric} is {told.source}{draft}"
