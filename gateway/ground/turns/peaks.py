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
_TIMES = (
    r"day|night|weekend|week|month|quarter|half|year|season|summer|winter|spring|autumn"
    r"|crowd|attendance|turnout|total"
)
# "A record month for visits, at 244", "reached their high of the period, at 244".
RECORD = re.compile(
    rf"\b(?:an?|its|his|her|our|their|the)\s(?:new\s|all-time\s)?record\s(?:(?:{_TIMES})\b|(?P<end>high|low)\b)[^;.\d()]{{0,40}}\Z"
    r"|\bset\s(?:an?|its|their|our)\s(?:new\s)?record\s(?:of|with|at)\s[^\w\s]?\Z"
    rf"|\b(?:an?|its|his|her|our|their|the)\s(?P<other>high|low|peak)\s(?:of|for)\s(?:the|this)\s(?:{_TIMES}|period)\b"
    r"[^;.\d()]{0,30}\Z",
    re.IGNORECASE,
)
REACH, FAR = 60, 100
# One of these is in any text that says so.
PEAKS = frozenset(("high", "low", "peak", "record"))
LABELLED = frozenset(("high", "low", "peak", "highest", "lowest", "max", "min", "maximum", "minimum"))


def is_no_peak(text: str, sheet: Sheet, quantity: Quantity, cell: CellAt, place: Place) -> bool:
    """Tell whether a number is called a high or a low, and other rows it is said among go beyond it."""
    end = _end(text, quantity.start)
    if not end or sheet.table.truncated or not LABELLED.isdisjoint(sheet.label_words[cell[1]]):
        return False
    among = place.rows if place.rows is not None and len(place.rows) > 1 else None
    if among is None and place.rows is not None and len(set(sheet.keys) - sheet.figured) > 1:
        return False
    rows = {row: value for row, value in sheet.column_values(cell[1]) if row not in sheet.totals}
    values = [value for row, value in rows.items() if among is None or row in among]
    own = sheet.number(*cell)
    if own is None or not values:
        return False
    return own != (min(values) if end == "low" else max(values))


def _end(text: str, start: int) -> str:
    """Return which end a number is called by the words before it; empty for none."""
    led = LED.search(text[max(0, start - REACH) : start])
    if led is not None:
        return led["end"].lower()
    said = RECORD.search(text[max(0, start - FAR) : start])
    return (said["end"] or said["other"] or "high").lower() if said is not None else ""
