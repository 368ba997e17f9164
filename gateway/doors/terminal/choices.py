"""Prints the readings of open terms that teams chose."""

from gateway.choices import ChoiceList
from gateway.doors.terminal.screen import Terminal


def print_choices(terminal: Terminal, found: ChoiceList) -> None:
    """Print how teams read open terms, and which readings count no more."""
    if found.revoked:
        terminal.verdict("ok", f"{found.revoked} is asked again from now on")
    rows = [
        (
            line.term,
            f"{line.option} v{line.version}" if line.version else line.option,
            line.team or "you alone",
            line.by,
            line.at,
            "" if line.in_force else "its definition changed: asked again",
        )
        for line in found.choices
    ]
    terminal.table(("term", "read as", "team", "chosen by", "at (UTC)", ""), rows)
