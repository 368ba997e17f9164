"""Prints the tour: each promise, what was shown for it, and whether it was kept."""

from gateway.demo.showing import Shown, TourReport, TourStep
from gateway.doors.terminal import Terminal

TONES = {"plain": "", "good": "green", "refused": "red"}


def print_tour(terminal: Terminal, report: TourReport) -> None:
    """Print all steps and the closing line."""
    for step in report.steps:
        _print_step(terminal, step)
    kept = sum(step.kept for step in report.steps)
    word = "ok" if report.kept else "broken"
    terminal.verdict(word, f"{kept} of {len(report.steps)} promises kept in {report.seconds:.1f} s")


def _print_step(terminal: Terminal, step: TourStep) -> None:
    terminal.line(f"{step.number}. {step.title}", "bold")
    terminal.line(step.says, "dim")
    for shown in step.shows:
        _print_shown(terminal, shown)
    if not step.kept:
        terminal.verdict("broken", "this promise was not kept")
    terminal.line()


def _print_shown(terminal: Terminal, shown: Shown) -> None:
    terminal.line()
    terminal.line(f"  {shown.title}", "underline")
    if shown.kind == "table":
        terminal.table(shown.head, shown.rows)
        return
    for line in shown.text.splitlines():
        terminal.line(f"  {line}", "cyan" if shown.kind == "sql" else TONES[shown.tone])
