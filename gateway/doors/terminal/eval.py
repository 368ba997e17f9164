"""Prints what an evaluation found for people, and writes its page and JUnit file."""

from collections import Counter
from pathlib import Path

import typer

from evals.compare import Comparison
from evals.firing import CheckRates, Firing
from evals.junit import as_junit
from evals.page import report_page
from evals.report import EvalReport, summarise_lines
from gateway.doors.evaluating.case import NewCase
from gateway.doors.evaluating.run import Imported, Told
from gateway.doors.private_file import write_private
from gateway.doors.terminal.exit import told
from gateway.doors.terminal.screen import Terminal, counted
from gateway.reply import Refusal


def tell_report(found: Told | Refusal, *, junit: Path | None, html: Path | None, as_json: bool) -> typer.Exit:
    """Print a run and write what else was asked for; whatever the figures say, the status is 0."""
    if isinstance(found, Refusal):
        return told(found, print_report, as_json=as_json)
    if junit is not None:
        write_private(junit, as_junit(found.lines, found.title))
    if html is not None:
        write_private(html, report_page(found.lines, found.dialect, found.title))
    report = summarise_lines(found.lines)
    if found.gateway:
        report = report.model_copy(update={"settings": {**report.settings, "gateway": found.gateway}})
    return told(report, print_report, as_json=as_json)


def print_report(terminal: Terminal, report: EvalReport) -> None:
    """Print families side by side, every mean with its n, and what was counted beside them."""
    settings = ", ".join(f"{name} {value}" for name, value in report.settings.items())
    terminal.line(f"{counted(report.runs, 'question')} asked; {settings}; cost {report.cost}")
    rows = [
        (family, name, figure(mean.mean), str(mean.n), _spread(report.spread.get(f"{family} {name}")))
        for family, names in report.families.items()
        for name, mean in names.items()
    ]
    names = ("family", "figure", "mean", "n", "repeats")
    terminal.table(names, rows, right=(False, False, True, True, True))
    ceilings = [(name, str(count)) for name, count in report.ceilings.items() if count]
    if ceilings:
        terminal.table(("ceiling", "counted"), ceilings, right=(False, True))
    for expected, given in report.answers.items():
        done = ", ".join(f"{action} {count}" for action, count in sorted(given.items()))
        terminal.line(f"expected to {expected}: {done}")
    for title, counts in (("fault", report.faults), ("stopped by", report.stopped_by)):
        for name, count in counts.items():
            terminal.line(f"{title}: {name} {count}")
    for case_id, codes in report.gold_issues.items():
        terminal.line(f"{case_id}: the gold answer is left to chance: {', '.join(codes)}")
    for word, count in report.readings.items():
        terminal.line(f"{counted(count, 'time')}: {word}")
    read = Counter((line.case_id, "; ".join(line.reading)) for line in report.cases if line.reading)
    for (case_id, words), count in read.items():
        often = f" ({count} times)" if count > 1 else ""
        terminal.line(f"{case_id}{often}: {words}")


def print_comparison(terminal: Terminal, found: Comparison) -> None:
    """Print what two runs differ in: ceilings, paired differences, questions that moved."""
    terminal.line(f"{counted(found.both, 'question')} in both runs")
    for title, names in (
        ("only in the earlier run", found.only_before),
        ("only in the later run", found.only_after),
        ("left out, because the case changed", found.changed_cases),
    ):
        if names:
            terminal.line(f"{title}: {', '.join(names)}")
    moved = [(name, str(old), str(new)) for name, (old, new) in found.ceilings.items() if old != new]
    if moved:
        terminal.table(("ceiling", "before", "after"), moved, right=(False, True, True))
    rows = [
        (
            d.family,
            d.name,
            figure(d.before),
            figure(d.after),
            f"{d.difference:+.3f}",
            str(d.n),
            str(d.better),
            str(d.worse),
        )
        for d in found.differences
    ]
    names = ("family", "figure", "before", "after", "difference", "n", "up", "down")
    terminal.table(names, rows, right=(False, False, True, True, True, True, True, True))
    for case in found.moved:
        moves = ", ".join(f"{name} {figure(old)} to {figure(new)}" for name, (old, new) in case.moves.items())
        given = "" if case.given[0] == case.given[1] else f" ({case.given[0]}, then {case.given[1]})"
        terminal.line(f"{case.case_id}{given}: {moves}")


def print_import(terminal: Terminal, found: Imported) -> None:
    """Print what was imported, and which cases ask the same gold query."""
    terminal.line(f"{counted(found.cases, 'case')} written to {found.file}")
    for twins in found.twins:
        terminal.line(f"the same gold query: {', '.join(twins)}")


def print_case(terminal: Terminal, found: NewCase) -> None:
    """Print the case that was made of a trace, and the cases that ask the same gold."""
    terminal.line(f"{found.case.id}: expects to {found.case.expect}; written to {found.file}")
    if found.twins:
        terminal.line(f"the same gold: {', '.join(found.twins)}")


def print_firing(terminal: Terminal, found: Firing) -> None:
    """Print how often each check fired, sudden weeks with their n, and questions to look at."""
    terminal.line(f"{counted(found.questions, 'question')} on record")
    fired = [rate for rate in found.rates if rate.fired]
    if fired:
        rows = [
            (rate.check, rate.question_class, str(rate.fired), str(rate.n), _weeks(rate)) for rate in fired
        ]
        names = ("check", "class", "fired", "n", "by week")
        terminal.table(names, rows, right=(False, False, True, True), whole=("check",))
    never = {rate.check for rate in found.rates} - {rate.check for rate in fired}
    if never:
        terminal.line(f"{counted(len(never), 'check')} never fired; --json has each with its n.", "dim")
    for each in found.sudden:
        before = f"{each.before_fired} of {each.before_n} before"
        where = f"{each.check}, {each.question_class}, {each.week}"
        terminal.line(f"{each.kind}: {where}: {each.fired} of {each.n}, {before}")
    for name, ids in found.samples.items():
        terminal.line(f"look at, {name}: {', '.join(ids)}")


def _weeks(rate: CheckRates) -> str:
    return ", ".join(f"{week.week} {week.fired}/{week.n}" for week in rate.weeks if week.fired)


def figure(value: float | None) -> str:
    """Return a figure as it is printed."""
    return "undefined" if value is None else f"{value:.3f}"


def _spread(values: tuple[float, float] | None) -> str:
    return f"{values[0]:.3f} to {values[1]:.3f}" if values else ""
