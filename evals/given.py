"""What an agent says it did, as JSON: the one shape for recorded answers, commands and URLs."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from pydantic import ValidationError

from evals.subject import Given, Said
from evals.tables import Failure, ResultTable
from metric_layer.record import Record
from metric_layer.validate import Problem, plain, pointer_text, problems_of

CellType = Literal[
    "string", "integer", "decimal", "float", "boolean", "date", "timestamp", "timestamptz", "any"
]
READERS: Mapping[str, Callable[[Any], Any]] = {
    "decimal": lambda value: Decimal(str(value)),
    "integer": int,
    "float": float,
    "date": date.fromisoformat,
    "timestamp": datetime.fromisoformat,
    "timestamptz": datetime.fromisoformat,
}
"""How a value that JSON carries as text is read back; other types stay as they came."""


class GivenAnswer(Record):
    """What an agent did with one question.

    `plan` is what it would ask the gateway; the run asks it and takes what comes back. Without one, `rows`
    with the `types` of their columns are the table it showed, or `sql` is run beside the gold query. `text`
    is the answer it would send, resting on `trace_ids`. `offered` names the tables whose DDL its retriever
    gave it; `retrieved` are the texts that came back instead, of which only the DDL counts.
    """

    case_id: str = ""
    phrasing: int = 0
    action: Said = "answer"
    plan: Mapping[str, Any] | None = None
    sql: str | None = None
    types: tuple[CellType, ...] = ()
    rows: tuple[tuple[Any, ...], ...] | None = None
    truncated: bool = False
    number: Decimal | None = None
    used: tuple[tuple[str, int], ...] | None = None
    offered: tuple[str, ...] | None = None
    retrieved: tuple[str, ...] | None = None
    checks: tuple[str, ...] = ()
    left_out: bool = False
    text: str = ""
    trace_ids: tuple[str, ...] = ()
    cost: Decimal | None = None

    def given(self) -> Given:
        """Return the answer as the run scores it."""
        return Given(
            action=self.action,
            sql=self.sql,
            result=None if self.rows is None else read_table(self.rows, self.types, self.truncated),
            number=self.number,
            used=self.used,
            offered=self.offered,
            retrieved=self.retrieved,
            checks=self.checks,
            left_out=self.left_out,
            trace_id=self.trace_ids[0] if self.trace_ids else "",
            cost=self.cost,
            text=self.text,
            trace_ids=self.trace_ids,
        )


def read_given(text: str | bytes) -> GivenAnswer | str:
    """Read one JSON object, or say what is wrong with it. Numbers keep every digit."""
    try:
        raw = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError):
        return "not JSON"
    try:
        return GivenAnswer.model_validate(raw)
    except ValidationError as fault:
        return "; ".join(_told(problem) for problem in problems_of(fault, plain(raw), GivenAnswer))


def _told(problem: Problem) -> str:
    said = problem.message.rstrip(".")
    return f"{pointer_text(problem.pointer)} {said[:1].lower()}{said[1:]}".strip()


def read_table(
    rows: Sequence[Sequence[Any]], types: Sequence[str], truncated: bool = False
) -> ResultTable | Failure:
    """Return rows that travelled as JSON as a table; a value that is not of its column's type fails it."""
    width = len(types) or (len(rows[0]) if rows else 0)
    if any(len(row) != width for row in rows):
        return Failure("the rows differ in length from their columns")
    readers = [READERS.get(name) for name in types] or [None] * width
    try:
        columns = tuple(
            tuple(row[at] if row[at] is None or reader is None else reader(row[at]) for row in rows)
            for at, reader in enumerate(readers)
        )
    except (ValueError, TypeError, InvalidOperation) as fault:
        return Failure(f"a value is not of its column's type: {fault}")
    return ResultTable(columns, len(rows), truncated=truncated)
