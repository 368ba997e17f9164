"""Prints what was found among recorded questions, and how one came about, on one screen."""

from collections.abc import Mapping, Sequence

from gateway.doors.terminal.screen import Terminal, counted, minute
from gateway.reply import Refusal, TraceView
from gateway.tracing.explained import NumberTold, WhyReport
from gateway.tracing.found import Export, FoundTraces

HASHES = ("layer", "policy", "entitlement", "thresholds", "allowlist", "calendar")
"""The pins of a record that are hashes."""


def print_found(terminal: Terminal, found: FoundTraces) -> None:
    """Print the questions that were found, newest first."""
    rows = [
        (line.trace_id, minute(line.at), line.outcome, line.role, line.subject, ", ".join(line.metrics))
        for line in found.traces
    ]
    if rows:
        names = ("trace", "at", "outcome", "role", "asker", "metrics")
        terminal.table(names, rows, whole=("trace", "at", "outcome"))
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
        (_said_by(found), found.answer.splitlines() if not found.followed else ()),
        ("numbers", tuple(map(_number, found.numbers))),
        ("not shown", found.missing),
        ("on record", (found.record,)),
    )
    for name, sentences in parts:
        for place, sentence in enumerate(filter(None, sentences)):
            terminal.line(f"{'' if place else name:<12} {sentence}")
    if found.left_off:
        terminal.line(f"{'':<12} and {found.left_off} more; --number follows one of them", "dim")


class Summarised:
    """Prints a trace as people read it: its story first, then one line for each record."""

    def __init__(self, story: WhyReport | Refusal | None) -> None:
        self._story = story

    def print(self, terminal: Terminal, view: TraceView) -> None:
        """Print what `trace why` says where it has a story, and the kinds and hashes of the records."""
        if isinstance(self._story, WhyReport):
            print_why(terminal, self._story)
        else:
            terminal.verdict(view.outcome, f"trace {view.trace_id}")
            terminal.line(view.answer)
        for place, record in enumerate(view.records):
            terminal.line(f"{'' if place else 'records':<12} {_in_short(record)}")
        terminal.line(f"{'':<12} --json has each of them whole", "dim")


def _in_short(record: Mapping[str, object]) -> str:
    """Return the kind of a record, when it was written, what it came to, and the hashes that it pins."""
    said = [str(record.get("kind", "record")), minute(str(record.get("at") or ""))]
    said += [str(record[key]) for key in ("outcome", "verdict") if record.get(key)]
    pins = record.get("pins")
    if isinstance(pins, Mapping):
        said += [f"{name} {str(pins[name])[:12]}" for name in HASHES if pins.get(name)]
    return "  ".join(filter(None, said))


def _said_by(found: WhyReport) -> str:
    """Return whose words the answer is: a draft of the calling agent that passed, or our own sentence."""
    return "draft passed" if found.drafted else "answer"


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
