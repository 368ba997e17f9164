"""A result as the scorer sees it: columns of values, their origins, and whether it was cut."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Columns of equal length, each a Python sequence or an Arrow array. Names are never read.

    `origins` has `table.column` per column, None where it is computed; None as a whole where nobody knows.
    """

    columns: tuple[Any, ...]
    row_count: int
    origins: tuple[str | None, ...] | None = None
    truncated: bool = False

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return len(self.columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Return (rows, columns)."""
        return self.row_count, len(self.columns)

    def origin(self, column: int) -> str | None:
        """Return where a column comes from, where it is known and plain."""
        if self.origins is None or len(self.origins) != len(self.columns):
            return None
        return self.origins[column]


@dataclass(frozen=True, slots=True)
class Failure:
    """A query that gave no table: it failed, or never ran. `other_identity`: its asker may not read it."""

    reason: str
    code: Literal["", "other_identity"] = ""


Result = ResultTable | Failure

Execute = Callable[[str], Result]
"""Run one SELECT as the case's asker, under the gateway's limits; what goes wrong is a `Failure`."""

Together = Callable[[str, str], tuple[Result, Result] | None]
"""Run two SELECTs as `Execute` does, in one snapshot; None where each has to run alone."""


def table_from_rows(
    rows: Sequence[Sequence[Any]],
    width: int,
    *,
    origins: tuple[str | None, ...] | None = None,
    limit: int | None = None,
) -> ResultTable:
    """Return rows as a table of `width` columns. More rows than `limit` are cut, and the table says so."""
    kept = rows if limit is None else rows[:limit]
    columns = tuple(zip(*kept, strict=True)) if kept else ((),) * width
    return ResultTable(columns, len(kept), origins, truncated=len(kept) < len(rows))


def table_from_arrow(table: pa.Table, *, truncated: bool = False) -> ResultTable:
    """Return an Arrow table without copying it."""
    return ResultTable(tuple(table.columns), table.num_rows, None, truncated)
