"""What a query would cost, by the database's own word, and what it took."""

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict

from metric_layer.record import Record

Bound = Literal["exact", "upper", "guess", "unknown"]


class Scan(Record):
    """A relation the database would read; `rows` and `bytes` are upper bounds where it knows them."""

    relation: str
    rows: int | None = None
    bytes: int | None = None
    full: bool = False


class Measured(Record):
    """A record whose floats may be infinite or undefined: JSON has no such number, so they become text."""

    model_config = ConfigDict(ser_json_inf_nan="strings")


class JoinGrowth(Measured):
    """A join of the plan whose estimated output is `growth` times its larger input."""

    kind: str
    rows: int
    growth: float


class Estimate(Measured):
    """What the database says the query would cost. Nothing ran. `bound` says how far it can be trusted.

    `row_secured` says that the database hides rows from the asker which its figures count.
    """

    rows: int | None = None
    bytes: int | None = None
    cost: float | None = None
    scans: tuple[Scan, ...] = ()
    joins: tuple[JoinGrowth, ...] = ()
    bound: Bound = "unknown"
    row_secured: bool = False
    notes: tuple[str, ...] = ()


class Explained(Estimate):
    """An estimate, and what else the database names of the statement; that stays in the gateway.

    `functions` are those that it calls, `columns` those that it computes with, as `relation.column`.
    Without `one_select` it counts something else than one SELECT.
    """

    functions: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    one_select: bool = True


class RunLimits(Measured):
    """What a run was limited to, whatever it came to; `seconds` were left of the question's time."""

    rows: int
    bytes: int
    seconds: float
    memory_mb: int
    spill_mb: int


class Run(Record):
    """A query as it was given to the database: under which limits, since when, and under which names.

    `query_id` is the database's own name for it, where it has one, else the trace's, under which a session
    shows it. `backend` is the process that served it, where one did and the run came to its end.
    """

    limits: RunLimits
    started: datetime
    query_id: str
    backend: str = ""


class Actual(Measured):
    """What the run really took. Milliseconds are the engine's own."""

    rows: int
    bytes: int | None = None
    ms: float


class Spent(Record):
    """What a user's other questions of the day were counted with when a question was judged."""

    bytes: int = 0
    rows: int = 0
    cost: int = 0
