"""What a draft says of a row and one of its cells denies: the finding that names the cell and its value."""

from gateway.ground.lexing.text import Visible
from gateway.ground.table.sheet import Sheet
from traces.grounding import SpanFinding
from traces.records import Cell


def contradicted(
    visible: Visible, sheet: Sheet, span: tuple[int, int], cell: tuple[int, int], value: str, step: str
) -> SpanFinding:
    """Return the finding for a span of the visible text that the value of a cell (row, column) denies."""
    start, end = visible.span(*span)
    row, column = cell
    return SpanFinding(
        code="wrong_cell",
        start=start,
        end=end,
        text=visible.raw[start:end],
        message=f"{sheet.label(column)} of this row is {value}",
        belongs_to=Cell(row=row, column=sheet.columns[column].name),
        expected=value,
        next_step=step,
    )
