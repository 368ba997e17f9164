"""Prints what a code means and which settings are in force."""

from gateway.doors.configuration import Configuration
from gateway.doors.explaining import Explained
from gateway.doors.terminal.screen import Terminal


def print_explained(terminal: Terminal, explained: Explained) -> None:
    """Print every meaning of a code."""
    for meaning in explained.meanings:
        stage = f", stage {meaning.stage}" if meaning.stage else ""
        terminal.line(f"{explained.code} ({meaning.kind}{stage})", "bold")
        for sentence in meaning.says:
            terminal.line(f"  {sentence}")
        for step in meaning.next_steps:
            terminal.line(f"  next: {step}", "dim")
        terminal.line(f"  read: {meaning.page}", "dim")


def print_configuration(terminal: Terminal, found: Configuration) -> None:
    """Print the settings as a table."""
    terminal.line(found.folder, "bold")
    rows = [(one.name, one.value, one.source) for one in found.settings]
    terminal.table(("setting", "value", "from"), rows)
