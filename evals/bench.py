"""What the questions of one asker stand on in an evaluation: queries, retriever, answer check."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from evals.subject import Asked
from evals.tables import Execute, Together
from metric_layer.plan import MetricPlan
from metric_layer.record import Record
from metric_layer.sql.components import Warehouse

Retrieve = Callable[[Asked], Iterable[str] | None]
"""Call the retriever directly, with the same question and the same cases left out."""


class GroundingScore(Record):
    """What the product's own check says of the final text: numbers with a cell, and findings without one."""

    outcome: str
    bound: int = 0
    findings: int = 0


@dataclass(frozen=True, slots=True)
class Bench:
    """What the questions of one asker stand on. `data` names the data; `clock` counts seconds.

    `together` runs both queries in one snapshot, where the engine has one. `pin` names the data of this
    moment, empty where equal names would not say equal data. `repeats` says that a query run again shows what
    the asker was shown, groups too small to show being the exception. `write` turns a gold plan into SQL,
    `ground` checks a final text against its traces. Tables of at most `shown_rows` rows are kept for the
    report.
    """

    warehouse: Warehouse
    execute: Execute
    together: Together | None = None
    pin: Callable[[], str] | None = None
    repeats: bool = True
    retrieve: Retrieve | None = None
    write: Callable[[MetricPlan], str | None] | None = None
    ground: Callable[[str, tuple[str, ...]], GroundingScore] | None = None
    data: str = ""
    shown_rows: int = 0
    clock: Callable[[], float] = monotonic

    def of(self, asker: str) -> "Bench":
        """Return the bench of an asker: this one, whoever it is."""
        return self


class Benches(Protocol):
    """The benches of a run, one per asker; the empty name is the run's own."""

    def of(self, asker: str) -> Bench:
        """Return the bench of an asker."""
        ...
