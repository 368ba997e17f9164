"""Whether those of a list of the first few ("The three largest groups are ...") are the first in order."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from gateway.ground.binding import Binding
from gateway.ground.clauses import Sentence
from gateway.ground.extremes import figure_of
from gateway.ground.first_few import top_list
from gateway.ground.sheet import Sheet
from gateway.ground.verdict import SOME, Verdict

HUNDRED = Decimal(100)


def top_lists(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether the names of each list of the first few stand first in the order of their figures."""
    for at, binding in enumerate(bindings):
        names, high = top_list(text, binding.quantity, sentence)
        if len(names) < 2 or sheet.table.truncated or SOME.search(text, sentence.start, sentence.end):
            continue
        rows = frozenset().union(*(m.rows for m in names))
        told = [b.cell[1] for b in bindings[at + 1 :] if b.cell is not None and b.cell[0] in rows]
        columns = told[:1] or sorted(sheet.figured - sheet.running)
        first = [column for column in columns if _are_first(sheet, rows, column, high=high)]
        if columns:
            label = sheet.label((first or columns)[0])
            order = "are" if first else "are not"
            yield Verdict(
                bool(first), f"{label}: these {order} the first {len(names)}", binding.quantity.text
            )


def _are_first(sheet: Sheet, rows: frozenset[int], column: int, *, high: bool) -> bool:
    """Tell whether rows have the greatest (or the least) figures of a column, totals left out."""
    kept = (row for row in range(sheet.height) if row in rows or row not in sheet.totals)
    figures = [(row, figure) for row in kept if (figure := figure_of(sheet, row, column)) is not None]
    whole = sheet.measured[column].carrier == "percent"
    own = [f for row, f in figures if row in rows]
    others = [f for row, f in figures if row not in rows and not (whole and f == HUNDRED)]
    if len(own) < len(rows) or not others:
        return False
    return min(own) >= max(others) if high else max(own) <= min(others)
