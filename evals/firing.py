"""How often each check fires, per class and week, what moved suddenly, and a few questions to look at."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from math import sqrt

from metric_layer.record import Record
from traces.records import Close, Open

FIRED = frozenset({"soft", "hold", "hard"})
ALARM = 3.0
"""Standard errors between two shares from which a week is called a spike or a drop."""

LEAST = 20
"""Questions on either side below which nothing is called sudden."""


class WeekRate(Record):
    """How often a check fired in a week (ISO, `2026-W31`) among the questions that it judged."""

    week: str
    fired: int
    n: int


class CheckRates(Record):
    """One check over the questions of one class, week by week."""

    check: str
    question_class: str
    fired: int
    n: int
    weeks: tuple[WeekRate, ...]


class Sudden(Record):
    """A week whose share lies far from that of all weeks before it."""

    check: str
    question_class: str
    week: str
    kind: str
    fired: int
    n: int
    before_fired: int
    before_n: int


class Firing(Record):
    """Firing rates. `samples` are trace ids per week and outcome, the same ones whenever they are drawn."""

    questions: int
    rates: tuple[CheckRates, ...]
    sudden: tuple[Sudden, ...]
    samples: Mapping[str, tuple[str, ...]]


def firing(ended: Iterable[tuple[Open, Close]], *, sample: int = 3) -> Firing:
    """Count, for every check, class and week, the questions that it judged and those in which it fired.

    A question counts once however many findings it has. `sample` questions a week are drawn of those that
    were allowed and of those that were stopped.
    """
    judged: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    fired: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    drawn: dict[str, list[str]] = defaultdict(list)
    questions = 0
    for opened, closed in ended:
        questions += 1
        week = week_of(opened.at)
        question_class = class_of(opened, closed)
        for check, did in _verdicts(closed).items():
            judged[check, question_class][week] += 1
            fired[check, question_class][week] += did
        drawn[f"{week} {'allowed' if was_allowed(closed) else 'stopped'}"].append(opened.trace_id)
    rates = tuple(
        CheckRates(
            check=check,
            question_class=question_class,
            fired=fired[check, question_class].total(),
            n=weeks.total(),
            weeks=tuple(
                WeekRate(week=week, fired=fired[check, question_class][week], n=n)
                for week, n in sorted(weeks.items())
            ),
        )
        for (check, question_class), weeks in sorted(judged.items())
    )
    return Firing(
        questions=questions,
        rates=rates,
        sudden=tuple(found for rate in rates for found in _sudden(rate)),
        samples={name: drawn_by_hash(ids, sample) for name, ids in sorted(drawn.items())},
    )


def class_of(opened: Open, closed: Close) -> str:
    """Return the class of a question; one that was stopped before it had one is governed or free."""
    kind = "governed" if opened.origin == "plan" else "free"
    return closed.release.question_class if closed.release else kind


def was_allowed(closed: Close) -> bool:
    """Say whether the checks let a question through, whoever was told."""
    return (closed.came_to or closed.outcome) in ("answered", "no_rows", "dry_run")


def _verdicts(closed: Close) -> Mapping[str, bool]:
    found: dict[str, bool] = {}
    for decision in closed.decisions:
        if decision.verdict != "skipped":
            found[decision.check] = found.get(decision.check, False) or decision.verdict in FIRED
    return found


def week_of(moment: date) -> str:
    """Return the ISO week of a day, `2026-W31`."""
    year, week, _ = moment.isocalendar()
    return f"{year}-W{week:02d}"


def samples_by_week(found: Firing) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the samples as week -> allowed or stopped -> trace ids."""
    weeks: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, ids in found.samples.items():
        week, _, outcome = name.partition(" ")
        weeks.setdefault(week, {})[outcome] = ids
    return weeks


def _sudden(rate: CheckRates) -> list[Sudden]:
    found = []
    fired = n = 0
    for week in rate.weeks:
        if min(n, week.n) >= LEAST and abs(distance := _distance(week.fired, week.n, fired, n)) >= ALARM:
            found.append(
                Sudden(
                    check=rate.check,
                    question_class=rate.question_class,
                    week=week.week,
                    kind="spike" if distance > 0 else "drop",
                    fired=week.fired,
                    n=week.n,
                    before_fired=fired,
                    before_n=n,
                )
            )
        fired, n = fired + week.fired, n + week.n
    return found


def _distance(fired: int, n: int, before_fired: int, before_n: int) -> float:
    """Return how many standard errors a share lies above the one before it (two-proportion z)."""
    pooled = (fired + before_fired) / (n + before_n)
    error = sqrt(pooled * (1 - pooled) * (1 / n + 1 / before_n))
    return (fired / n - before_fired / before_n) / error if error else 0.0


def drawn_by_hash(ids: Sequence[str], sample: int) -> tuple[str, ...]:
    """Draw so many of some ids by hash, so that nobody chooses and everybody draws the same."""
    return tuple(sorted(ids, key=lambda name: sha256(name.encode()).digest())[:sample])
