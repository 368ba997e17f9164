"""An answer that may leave, and where each of its numbers is from."""

from typing import Literal

from metric_layer.record import Record


class Cell(Record):
    """A place in a result: 0-based row and column name."""

    row: int
    column: str


class Citation(Record):
    """A number at `start` to `end` of an answer and its source; `trace_id` says whose, of several results.

    `chance` is the most that random numbers of the same shape would have passed in its place, as a share;
    None where code printed the number.
    """

    start: int
    end: int
    text: str
    value: str
    kind: Literal["cell", "derivation", "row_count", "parameter"]
    cell: Cell | None = None
    row_key: tuple[str, ...] = ()
    expression: str = ""
    metric: str = ""
    version: int | None = None
    trace_id: str = ""
    chance: float | None = None


class Answer(Record):
    """A text that may leave: every number has a citation. `scope` is the line code wrote under it."""

    text: str
    citations: tuple[Citation, ...] = ()
    scope: str = ""
    flags: tuple[str, ...] = ()
