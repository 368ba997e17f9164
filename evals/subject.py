"""The system under test, as one verb."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, Protocol

from evals.tables import Failure, ResultTable
from metric_layer.record import Record

Said = Literal["answer", "ask", "abstain", "refuse", "fail"]
Action = Said | Literal["not_asked"]
"""What was done; `not_asked`: the run itself had nothing to ask, and judges nobody by it."""


class Asked(Record):
    """A question as the subject gets it. `exclude` are cases its retriever must not serve: leave-one-out.

    `asker` is the user as whom it is asked, empty for the run's own.
    """

    case_id: str
    question: str
    exclude: tuple[str, ...]
    phrasing: int = 0
    asker: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What the subject did. Anything it cannot tell stays None and leaves its figures undefined.

    `result` is the table it showed; without one its `sql` is run beside the gold query. `offered` are the
    tables whose DDL it retrieved, or `retrieved` the texts among which that DDL is. `used` are the
    definitions it answered from, as (metric, version). `checks` names what stopped it, `held` that a person
    may still let it pass. `left_out` says whether `exclude` was honoured. `text` is the answer it sent,
    resting on the results of `trace_ids`. A `live` answer was given just now over the data at hand: its `sql`
    run again would show what `result` shows, were the data the same.
    """

    action: Action
    sql: str | None = None
    result: ResultTable | Failure | None = None
    number: Decimal | None = None
    used: tuple[tuple[str, int], ...] | None = None
    offered: tuple[str, ...] | None = None
    retrieved: tuple[str, ...] | None = None
    checks: tuple[str, ...] = ()
    held: bool = False
    left_out: bool = True
    live: bool = False
    trace_id: str = ""
    cost: Decimal | None = None
    text: str = ""
    trace_ids: tuple[str, ...] = ()

    def said_by(self, agent: "Given") -> "Given":
        """Return what a gateway did with an agent's plan, with what only the agent knows of itself."""
        return replace(
            self,
            offered=agent.offered,
            retrieved=agent.retrieved,
            left_out=agent.left_out,
            cost=agent.cost,
            text=agent.text,
            trace_ids=agent.trace_ids or self.trace_ids,
        )


class Subject(Protocol):
    """A deployed system that answers questions. Whatever goes wrong inside is an action, not an exception."""

    def answer(self, asked: Asked) -> Given:
        """Answer one question the way a user would get it answered."""
