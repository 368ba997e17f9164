"""What a search of recorded questions asks for, and what it gives."""

from datetime import datetime
from typing import Literal

from gateway.reply import TraceLine
from metric_layer.record import Record


class Wanted(Record):
    """What to find; what is empty does not count. `person` is a user or a pseudonym as traces show it.

    `metric` is any definition that the question used. `check` is a check or a code that stopped or held it.
    Times are UTC, and `until` is left out itself.
    """

    number: str = ""
    person: str = ""
    metric: str = ""
    version: int | None = None
    check: str = ""
    outcome: str = ""
    table: str = ""
    since: datetime | None = None
    until: datetime | None = None
    sql: str = ""
    limit: int = 50


class FoundTrace(TraceLine):
    """A question that was found, and the pseudonym of who asked it."""

    subject: str


class FoundTraces(Record):
    """What a search found, newest first. `more` says that the limit was reached.

    With `own_only` the searcher may see their own questions only; `near` are names like one that nothing has.
    """

    traces: tuple[FoundTrace, ...]
    more: bool = False
    own_only: bool = False
    near: tuple[str, ...] = ()


class IndexBuilt(Record):
    """The search index after it was brought up to date or made anew."""

    traces: int
    segments: int
    rebuilt: bool


ExportFormat = Literal["otel", "openlineage", "jsonl"]
FORMATS: tuple[ExportFormat, ...] = ("otel", "openlineage", "jsonl")


class Export(Record):
    """What an export wrote or sent: questions, lines or requests, and the spans a collector `rejected`."""

    format: ExportFormat
    questions: int
    lines: int
    place: str
    own_only: bool = False
    rejected: int = 0
