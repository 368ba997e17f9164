"""Prints the tour: each promise, what was shown for it, and whether it was kept."""

import re

from gateway.demo.showing import Shown, TourReport, TourStep
from gateway.doors.sql_shape import folded
from gateway.doors.terminal.screen import Terminal

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
SQL_WIDTH = 110
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
    terminal.paragraph(step.says, "dim")
    for shown in step.shows:
        _print_shown(terminal, shown)
    if not step.kept:
        terminal.verdict("broken", "this promise was not kept")
    terminal.line()


def _print_shown(terminal: Terminal, shown: Shown) -> None:
    terminal.line()
    terminal.paragraph(shown.title, "underline", "  ")
    if shown.kind == "table":
        columns = range(len(shown.head))
        right = [all(_NUMBER.fullmatch(row[column]) for row in shown.rows) for column in columns]
        terminal.table(shown.head, shown.rows, right=right)
        return
    if shown.kind == "sql":
        terminal.paragraph(folded(shown.text, min(SQL_WIDTH, terminal.width - 2)), "cyan", "  ")
    else:
        terminal.paragraph(shown.text, TONES[shown.tone], "  ")
