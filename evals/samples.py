"""A few questions of every day for a person to look at: so many allowed and so many stopped, per class."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date
from typing import Literal

from evals.firing import class_of, drawn_by_hash, was_allowed
from metric_layer.record import Record
from traces.records import Close, Open

Outcome = Literal["allowed", "stopped"]


class Drawn(Record):
    """Trace ids drawn of one class of questions that were allowed, or stopped; `n` is how many there were."""

    question_class: str
    outcome: Outcome
    n: int
    traces: tuple[str, ...]


class DayOfSamples(Record):
    """What was drawn of the questions that closed on one day (UTC), per tenant."""

    v: Literal[1] = 1
    day: date
    tenants: Mapping[str, tuple[Drawn, ...]]


def draw_days(
    ended: Iterable[tuple[Open, Close]], days: Collection[date], each: int
) -> tuple[DayOfSamples, ...]:
    """Draw `each` questions per day, tenant, class and outcome; days without questions are left out.

    They are drawn by hash: whoever draws gets the same, and nobody chooses.
    """
    found: dict[date, dict[str, dict[tuple[str, Outcome], list[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for opened, closed in ended:
        day = closed.at.astimezone(UTC).date()
        if day in days:
            outcome: Outcome = "allowed" if was_allowed(closed) else "stopped"
            found[day][opened.tenant][class_of(opened, closed), outcome].append(opened.trace_id)
    return tuple(
        DayOfSamples(
            day=day,
            tenants={
                tenant: tuple(
                    Drawn(question_class=name, outcome=did, n=len(ids), traces=drawn_by_hash(ids, each))
                    for (name, did), ids in sorted(kinds.items())
                )
                for tenant, kinds in sorted(tenants.items())
            },
        )
        for day, tenants in sorted(found.items())
    )
