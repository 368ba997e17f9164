"""Prints what became of an act of custody."""

from gateway.custody.reports import (
    Erasure,
    HoldOnSubject,
    NamedTraces,
    Retirement,
    Rotation,
    TraceErasure,
)
from gateway.doors.keys import PASSPHRASE, KeyBackup, KeyList
from gateway.doors.terminal.lists import print_trace
from gateway.doors.terminal.screen import Terminal, counted, minute
from gateway.reply import Refusal, TraceView
from metric_layer.record import Record


def tell(terminal: Terminal, found: Record, *, as_json: bool) -> None:
    """Print one report, or why it was refused."""
    if as_json:
        terminal.object(found)
        return
    match found:
        case Refusal():
            terminal.issues(found.issues, to_stderr=True)
        case Retirement():
            _print_retirement(terminal, found)
        case NamedTraces():
            _print_named(terminal, found)
        case TraceView():
            print_trace(terminal, found)
        case Rotation(next_step=step) if step:
            terminal.verdict("ok", _in_one_line(found))
            terminal.line(step, "dim")
        case _:
            terminal.verdict("ok", _in_one_line(found))


def _in_one_line(found: Record) -> str:
    match found:
        case Erasure():
            rows = ", ".join(f"{counted(count, 'row')} from {name}" for name, count in found.purged.items())
            return f"{found.subject} is erased: {counted(found.keys, 'key')} destroyed, {rows} deleted"
        case TraceErasure():
            verb = "would be destroyed" if found.dry_run else "destroyed"
            keys, traces = counted(found.keys, "key"), counted(found.traces, "trace")
            return f"{verb}: {keys}; words are lost in {traces}"
        case HoldOnSubject():
            stands = "stands on" if found.held else "is lifted from"
            return f"a legal hold {stands} {found.subject}"
        case Rotation():
            ids = f": {', '.join(found.key_ids)}" if found.key_ids else ""
            return f"new keys in force for {', '.join(found.kinds)}{ids}"
    raise TypeError(type(found).__name__)


def print_keys(terminal: Terminal, found: KeyList) -> None:
    """Print the ids of keys."""
    terminal.line(f"The master key comes from the {found.master_from}.")
    rows = [(kind, ids[-1], ", ".join(ids[:-1])) for kind, ids in found.keys.items()]
    terminal.table(("kind", "in force", "older"), rows)
    terminal.line(
        f"{counted(found.subjects, 'person')} with a key, {found.held} under a legal hold;"
        f" destroyed: {counted(found.destroyed, 'key')}."
    )


def print_backup(terminal: Terminal, found: KeyBackup) -> None:
    """Print that a backup was written, and what it takes to open it."""
    terminal.verdict(
        "ok", f"wrote {found.file}; it opens with this passphrase only ({PASSPHRASE} when unasked)"
    )


def print_restored(terminal: Terminal, found: KeyBackup) -> None:
    """Print whose keys are back, and what proves that they fit."""
    persons = counted(found.subjects, "person")
    terminal.verdict("ok", f"the key file now holds the keys of {persons}; run `trace verify`")


def _print_named(terminal: Terminal, found: NamedTraces) -> None:
    rows = [(each.trace_id, minute(each.at), each.subject) for each in found.traces]
    terminal.verdict("ok", f"{len(rows)} of {counted(found.read, 'trace')} with it in the words")
    if rows:
        terminal.table(("trace", "asked", "by"), rows, whole=("trace", "asked"))
    if found.closed:
        terminal.line(f"{found.closed} more are erased or damaged: they cannot be read.", "dim")


def _print_retirement(terminal: Terminal, found: Retirement) -> None:
    verb = "would be deleted" if found.dry_run else "deleted"
    segments, records = counted(len(found.deleted), "segment"), counted(found.records, "record")
    terminal.verdict("ok", f"{segments} with {records} {verb}")
    for segment in found.deleted:
        terminal.line(f"  {segment}", "dim")
    for kept in found.kept:
        terminal.line(f"  {kept.segment} stays: {kept.why}", "dim")
