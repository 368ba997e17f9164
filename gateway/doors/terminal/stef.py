"""Prints scores that were given without a reference, for people."""

from collections.abc import Iterable

from evals.stef.against import AgainstFamilies
from evals.stef.batch import StefReport, Trend
from evals.stef.marks import Marks
from gateway.doors.terminal.eval import figure
from gateway.doors.terminal.screen import Terminal

WORST = 20
"""How many of the lowest scores are told one by one."""


def print_stef(terminal: Terminal, found: StefReport) -> None:
    """Print coverage first, then the scores with their parts, trends with n, and the worst questions."""
    reasons = ", ".join(f"{why} {count}" for why, count in sorted(found.unscored.items())) or "none"
    terminal.line(
        f"{found.scored} of {found.received} questions scored by {found.judge}; unscored: {reasons}"
    )
    of = found.scores
    terminal.line(f"mean {_points(of.mean)}, P10 {_points(of.p10)}, P90 {_points(of.p90)}")
    for title, counts in (
        ("band", found.bands),
        ("filters", found.alignment),
        ("verdict", found.verdicts),
    ):
        terminal.line(f"{title}: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}")
    terminal.line(f"no filter asked for and none there: {found.vacuous}")
    _print_trends(terminal, found.trends)
    for each in found.traces[:WORST]:
        if each.stef.judged.reasons:
            terminal.line(f"{each.trace_id} {each.stef.score:.0f}: {'; '.join(each.stef.judged.reasons)}")


def print_marks(terminal: Terminal, found: Marks) -> None:
    """Print the scores that questions closed with: coverage first, then figures and trends."""
    if not found.judge:
        terminal.line(f"none of {found.received} questions closed with a score; set `stef` under [evals]")
        return
    terminal.line(
        f"{found.scored} of {found.received} questions scored by {found.judge}, rulebook {found.rules[:12]}; "
        f"by others {found.others}"
    )
    of = found.scores
    terminal.line(f"mean {_points(of.mean)}, P10 {_points(of.p10)}, P90 {_points(of.p90)}")
    _print_trends(terminal, found.trends)


def print_against(terminal: Terminal, found: AgainstFamilies) -> None:
    """Print how far STEF agrees with the families, and which answers have no score."""
    cells, columns = figure(found.rank_correlation), figure(found.column_correlation)
    terminal.line(f"{found.n} answers judged by {found.judge}; rank correlation with cell recall {cells}")
    terminal.line(f"rank correlation with column recall {columns}")
    for title, counts in (("verdict", found.verdicts), ("left out", found.left_out)):
        for name, count in sorted(counts.items()):
            terminal.line(f"{title}: {name} {count}")


def _print_trends(terminal: Terminal, trends: Iterable[Trend]) -> None:
    rows = [
        (
            t.week,
            t.question_class,
            t.agent,
            t.model,
            t.prompt[:12],
            _points(t.scores.mean),
            str(t.scores.n),
            str(t.received),
            f"{t.coverage:.0%}",
        )
        for t in trends
    ]
    names = ("week", "class", "agent", "model", "prompt", "mean", "scored", "received", "coverage")
    terminal.table(names, rows, right=(*(False,) * 5, *(True,) * 4))


def _points(score: float | None) -> str:
    return "undefined" if score is None else f"{score:.1f}"
