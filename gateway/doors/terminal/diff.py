"""Prints two versions of a layer side by side, in words."""

from collections.abc import Iterator

from gateway.doors.shapes import LayerDiff
from gateway.doors.terminal.screen import Terminal, counted
from gateway.replay.revision import RevisedQuestion, Revision
from metric_layer.change import DefinitionChange

SLIPS = {
    "no_new_version": "means something else without a new version",
    "version_without_change": "has a new version and is as it was",
    "version_went_back": "has an older version than before",
}
BECOMES = {
    "other_sql": "other SQL",
    "other_output": "read as something else",
    "not_answerable": "no longer answerable",
    "answerable": "answerable now",
}


def print_diff(terminal: Terminal, found: LayerDiff) -> None:
    """Print what changed, what that reaches, what was forgotten, and what becomes of recorded questions."""
    change = found.change
    if not change.definitions:
        terminal.verdict("same", "every definition is what it was")
    for each in change.definitions:
        for text in _definition(each):
            terminal.line(text)
    for grain in change.grains:
        terminal.line(f"Questions by {grain.replace('_', ' ')} are cut or named otherwise.")
    if change.affected:
        terminal.line("Affected, although their own definitions stand:", "bold")
    for metric in change.affected:
        because = "; ".join(f"the {reason.kind} {reason.name} {reason.why}" for reason in metric.because)
        terminal.line(f"  {metric.metric}: {because}")
    for slip in change.slips:
        terminal.verdict("wrong", f"{slip.kind} {slip.name} {SLIPS[slip.slip]} (v{slip.new_version})")
    if found.questions:
        _print_questions(terminal, found.questions)


def _definition(change: DefinitionChange) -> Iterator[str]:
    if change.how == "changed" and change.old_version != change.new_version:
        version = f" v{change.old_version} -> v{change.new_version}"
    else:
        known = change.new_version or change.old_version
        version = f" v{known}" if known else ""
    how = f"looks renamed from {change.was}" if change.how == "renamed" else change.how
    name = "" if change.kind == change.name else f" {change.name}"
    yield f"{change.kind}{name}{version}: {how}"
    for field in change.fields:
        yield f"  {field.field}: {field.old or '(nothing)'} -> {field.new or '(nothing)'}"


def _print_questions(terminal: Terminal, found: Revision) -> None:
    whose = " of yours" if found.own_only else ""
    changed = found.questions - found.same - found.refused
    end = ":" if changed else "."
    asked = counted(found.questions, "recorded question")
    terminal.line(f"{changed or 'None'} of {asked}{whose} would change{end}", "bold")
    for question in found.changed:
        terminal.line(_question(question))
        for issue in question.issues:
            terminal.line(f"    {issue.code}: {issue.message}", "dim")
    if found.left_off:
        terminal.line(f"  Not listed: {found.left_off} more.", "dim")
    if found.refused:
        terminal.line(f"  Answered by neither: {found.refused}.", "dim")


def _question(question: RevisedQuestion) -> str:
    by = f" by {', '.join(question.dimensions)}" if question.dimensions else ""
    times = "once" if question.times == 1 else f"{question.times} times"
    because = f": {'; '.join(question.because)}" if question.because else ""
    asked = (
        f"{', '.join(question.metrics)}{by}, asked {times} as {question.role}, last in {question.trace_id}"
    )
    return f"  {BECOMES[question.becomes]}: {asked}{because}"
