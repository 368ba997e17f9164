"""A high or a low said of a number ("an all-time high with 2.2 million"): the first or last of its column."""

import re

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.table.sheet import CellAt, Sheet

LED = re.compile(
    r"\b(?:an?|its|his|her|their|the)\s(?:(?:[a-z]+[\s-])?time\s|record\s|season\s|series\s|career\s|new\s)?"
    r"(?P<end>high|low|peak)\s(?:of|with|at)\s(?:just\s|only\s|about\s|nearly\s|over\s)?\W?\Z",
    re.IGNORECASE,
)
REACH = 60
# One of these is in any text that says so.
PEAKS = frozenset(("high", "low", "peak"))
LABELLED = frozenset(("high", "low", "peak", "highest", "lowest", "max", "min", "maximum", "minimum"))


def is_no_peak(text: str, sheet: Sheet, quantity: Quantity, cell: CellAt, place: Place) -> bool:
    """Tell whether a number is called a high or a low, and other rows it is said among go beyond it."""
    said = LED.search(text[max(0, quantity.start - REACH) : quantity.start])
    if said is None or sheet.table.truncated or not LABELLED.isdisjoint(sheet.label_words[cell[1]]):
        return False
    among = place.rows if place.rows is not None and len(place.rows) > 1 else None
    if among is None and place.rows is not None and len(set(sheet.keys) - sheet.figured) > 1:
        return False
    rows = {row: value for row, value in sheet.column_values(cell[1]) if row not in sheet.totals}
    values = [value for row, value in rows.items() if among is None or row in among]
    own = sheet.number(*cell)
    if own is None or not values:
        return False
    return own != (min(values) if said["end"].lower() == "low" else max(values))
