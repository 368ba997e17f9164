"""A name that several rows share, told apart by a superlative ("while the Alda is the shortest at 31 km")."""

import re
from collections.abc import Iterator
from decimal import Decimal

from gateway.ground.lexing.lexicon import HIGHS, LOWS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.table.sheet import Sheet

TURN = re.compile(r"\b(?:while|whereas|and|but)\s", re.IGNORECASE)
NAME = re.compile(r"(?<![^\W\d_])[^\W\d_a-z][^\W\d_]{3,}")


# "The lowest fee was 12, paid by Vale, and the highest was 90".
OTHER_END = re.compile(
    r"\b(?:and|while|whereas|but)\s(?:the|its)\s(?P<said>[^\W\d_]+)(?:\s(?:one|figure|value|amount))?"
    r"\s(?:was|is|being|at)\s(?:just\s|only\s|about\s)?\W?\Z",
    re.IGNORECASE,
)


def told_apart(
    text: str, sheet: Sheet, quantity: Quantity, sentence: Sentence, place: Place, last: Binding | None = None
) -> Place:
    """Return the place of a number in the first or last row of its column, where its clause says so.

    A number before tells of another row; the clause names none, and a word of it stands in that row's name.
    """
    other = _other_end(text, sheet, quantity, sentence, last)
    if other is not None:
        return other
    columns = place.columns or frozenset()
    alone = len(sentence.quantities) < 2 or sheet.height < 2
    if alone or len(columns) != 1 or not place.named or sheet.table.truncated:
        return place
    before, _ = neighbours(quantity, sentence)
    turns = list(TURN.finditer(text, before, quantity.start))
    start = turns[-1].end() if turns else quantity.start
    said = text[start : quantity.start]
    high, low = HIGHS.search(said), LOWS.search(said)
    if bool(high) == bool(low) or any(start <= m.start < quantity.start for m in sentence.rows):
        return place
    row = _extreme(sheet, next(iter(columns)), high=high is not None)
    names = " ".join(sheet.row_key(row)).lower()
    named = any(word.lower() in names for word in NAME.findall(said))
    return place._replace(rows=frozenset((row,)), firm=True) if named else place


def _other_end(
    text: str, sheet: Sheet, quantity: Quantity, sentence: Sentence, last: Binding | None
) -> Place | None:
    """Return the cell at the other end of the column whose one end the number before is said to be."""
    cell = last.cell if last is not None else None
    if last is None or cell is None or sheet.table.truncated or cell[1] not in sheet.figured:
        return None
    start = last.quantity.start
    found = OTHER_END.search(text, last.quantity.end, quantity.start)
    if found is None or any(m.start < start or m.start > found.start() for m in _rows_to(sentence, quantity)):
        return None  # of one name's rows only, or of a row that is named
    lead, said = text[sentence.start : start], found["said"]
    high = HIGHS.search(said) is not None
    turned = LOWS.search(lead) if high else HIGHS.search(lead) and LOWS.search(said)
    first = sheet.number(*cell)
    if not turned or first != sheet.number(_extreme(sheet, cell[1], high=not high), cell[1]):
        return None
    top = sheet.number(_extreme(sheet, cell[1], high=high), cell[1])
    rows = frozenset(row for row, value in sheet.column_values(cell[1]) if value == top)
    return Place(rows - sheet.totals, frozenset((cell[1],)), firm=True, named=True)


def _rows_to(sentence: Sentence, quantity: Quantity) -> Iterator[Mention]:
    """Yield the names of rows that stand before a number."""
    return (m for m in sentence.rows if m.start < quantity.start)


def _extreme(sheet: Sheet, column: int, *, high: bool) -> int:
    """Return the row of the greatest or the least figure of a column, totals left out."""
    figures: list[tuple[Decimal, int]] = [
        (value, row) for row, value in sheet.column_values(column) if row not in sheet.totals
    ]
    return (max if high else min)(figures)[1] if figures else 0
