"""Prints what became of an act of custody."""

from gateway.custody.reports import Erasure, HoldOnSubject, Retirement, Rotation
from gateway.doors.keys import KeyList
from gateway.doors.terminal import Terminal
from gateway.reply import Refusal
from metric_layer.record import Record


def tell(terminal: Terminal, found: Record, *, as_json: bool) -> None:
    """Print one report, or why it was refused."""
    if as_json:
        terminal.object(found)
        return
    match found:
        case Refusal():
            terminal.issues(found.issues, to_stderr=True)
        case Erasure():
            rows = ", ".join(f"{count} rows from {name}" for name, count in found.purged.items())
            terminal.verdict("ok", f"{found.subject} is erased: {found.keys} keys destroyed, {rows} deleted")
        case HoldOnSubject():
            stands = "stands on" if found.held else "is lifted from"
            terminal.verdict("ok", f"a legal hold {stands} {found.subject}")
        case Retirement():
            _print_retirement(terminal, found)
        case Rotation():
            ids = f": {', '.join(found.key_ids)}" if found.key_ids else ""
            terminal.verdict("ok", f"new keys in force for {', '.join(found.kinds)}{ids}")
            if found.next_step:
                terminal.line(found.next_step, "dim")


def print_keys(terminal: Terminal, found: KeyList) -> None:
    """Print the ids of keys."""
    terminal.line(f"The master key comes from the {found.master_from}.")
    rows = [(kind, ids[-1], ", ".join(ids[:-1])) for kind, ids in found.keys.items()]
    terminal.table(("kind", "in force", "older"), rows)
    terminal.line(
        f"{found.subjects} persons have a key, {found.held} of them under a legal hold;"
        f" {found.destroyed} keys were destroyed."
    )


def _print_retirement(terminal: Terminal, found: Retirement) -> None:
    verb = "would be deleted" if found.dry_run else "deleted"
    terminal.verdict("ok", f"{len(found.deleted)} segments with {found.records} records {verb}")
    for segment in found.deleted:
        terminal.line(f"  {segment}", "dim")
    for kept in found.kept:
        terminal.line(f"  {kept.segment} stays: {kept.why}", "dim")
