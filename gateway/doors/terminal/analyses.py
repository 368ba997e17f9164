"""Prints saved analyses and what became of one that ran."""

import shlex

from gateway.analyses.view import AnalysisCard, AnalysisList, AnalysisReply
from gateway.doors.terminal.reply import cell_text, print_reply
from gateway.doors.terminal.screen import Terminal
from gateway.reply import Refusal


def print_analyses(terminal: Terminal, found: AnalysisList) -> None:
    """Print the analyses a caller may run, each with its parameters and a call that works."""
    if not found.analyses:
        terminal.line("There is no saved analysis that you may run.", "dim")
    for card in found.analyses:
        terminal.line(f"{card.name} v{card.version}  {card.owner}", "bold")
        terminal.line(card.description)
        for parameter in card.parameters:
            fixed = f" Otherwise {parameter.default}." if parameter.default else ""
            terminal.line(f"  {parameter.takes}{fixed} {parameter.description}".rstrip())
        terminal.line(f"  {_call(card)}", "dim")


def print_run(terminal: Terminal, result: AnalysisReply | Refusal) -> None:
    """Print the one answer, and the rows of each step where there are several."""
    if isinstance(result, Refusal):
        terminal.issues(result.issues, to_stderr=True)
        return
    for step in result.steps if len(result.steps) > 1 else ():
        terminal.verdict(step.outcome, f"{step.id}  trace {step.trace_id}")
        if step.rows:
            numeric = [column.kind == "metric" for column in step.columns]
            names = [column.label or column.name for column in step.columns]
            rows = [[cell_text(*each) for each in zip(row, numeric, strict=True)] for row in step.rows]
            terminal.table(names, rows, right=numeric)
    print_reply(terminal, result)


def _call(card: AnalysisCard) -> str:
    """Return the example as a line for a shell."""
    given = (
        f"--set {shlex.quote(f'{name}={part}')}"
        for name, value in card.example.items()
        for part in (value if isinstance(value, list | tuple) else (value,))
    )
    return " ".join(("cellbound analyses run", card.name, *given))
