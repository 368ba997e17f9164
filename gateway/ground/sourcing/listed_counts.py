"""Counts of what is then listed ("won four awards: Best Score, Best Sound, ..."): each item is of a row."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet, as_text

# What is counted, up to the colon or the dash that opens the list.
TO_LIST = re.compile(r"(?:\s(?!and\b|but\b)[\w'\u2019&.-]+){1,7}?(?::|\s[\u2013\u2014-])\s")
APART = re.compile(r",\s(?:and\s)?(?:the\s)?|\sand\s(?:the\s)?|;\s(?:and\s)?(?:the\s)?")
ENDS = re.compile(r"[.!?]?\s*\Z")
# A text cell that says how something ended, and the words of a sentence that say so.
RESULT = re.compile(
    r"(?P<won>W|Won|Win|Victory|Sunk|Passed)\b|(?:L|Lost|Loss|Defeat|Nominated|Damaged|Failed)\b"
)
WON = re.compile(r"\b(?:won|wins?|winning|took|sank|sunk|passed)\b", re.IGNORECASE)
LONGEST = 7


def counts_list(text: str, sheet: Sheet, quantity: Quantity, sentence: Sentence) -> bool:
    """Tell whether a number in words says how many items a list behind it has, each of them of a row.

    In digits it is a figure, which somebody has to declare.
    """
    value = quantity.readings[0].value
    if (
        quantity.text[:1].isdigit()
        or quantity.measure != "plain"
        or quantity.hedge
        or not 1 < value <= sheet.height
    ):
        return False
    opened = TO_LIST.match(text, quantity.end, sentence.end)
    if opened is None:
        return False
    items = list(_items(text, sentence, opened.end()))
    if len(items) != value or any(len(text[start:end].split()) > LONGEST for start, end in items):
        return False
    led = [m.rows for m in sentence.rows if m.full and m.end <= opened.end()]
    rows = [_rows(sentence, span, led) or _begun(sheet, text[slice(*span)], led) for span in items]
    return all(rows) and end_as_told(text[sentence.start : opened.end()], sheet, rows)


def end_as_told(lead: str, sheet: Sheet, listed: Sequence[frozenset[int]]) -> bool:
    """Tell whether none of what is listed as won ended otherwise, by the rows that each item may be."""
    return WON.search(lead) is None or all(_is_won(sheet, rows) for rows in listed)


def _items(text: str, sentence: Sentence, start: int) -> Iterator[tuple[int, int]]:
    """Yield where each item of a list stands; a name of a row is never cut in two."""
    names = [(m.start, m.end) for m in sentence.rows if m.full]
    end = ENDS.search(text, start, sentence.end)
    until = end.start() if end else sentence.end
    for gap in APART.finditer(text, start, until):
        if not any(first < gap.start() and gap.end() <= last for first, last in names):
            yield start, gap.start()
            start = gap.end()
    yield start, until


def _rows(sentence: Sentence, item: tuple[int, int], led: list[frozenset[int]]) -> frozenset[int]:
    """Return the rows that the names in an item agree on, of those named before the list where any is."""
    start, end = item
    found = [m.rows for m in sentence.rows if start <= m.start and m.end <= end]
    return _of_led(frozenset.intersection(*found) if found else frozenset(), led)


def _begun(sheet: Sheet, item: str, led: list[frozenset[int]]) -> frozenset[int]:
    """Return the rows with a text cell that begins like an item ("Best Actor" of Best Actor in a Musical)."""
    opens = f"{item.lower()} "
    rows = enumerate(sheet.table.rows)
    begun = (
        row for row, cells in rows if any(as_text(cells[key]).lower().startswith(opens) for key in sheet.keys)
    )
    return _of_led(frozenset(begun), led)


def _of_led(rows: frozenset[int], led: list[frozenset[int]]) -> frozenset[int]:
    """Return rows cut down to those that names before the list have too, where there are any."""
    for named in led:
        rows = rows & named or rows
    return rows


def _is_won(sheet: Sheet, rows: frozenset[int]) -> bool:
    """Tell whether one of some rows did not end badly by a text cell that says how it ended."""
    said = [[RESULT.fullmatch(as_text(cell).strip()) for cell in sheet.table.rows[row]] for row in rows]
    return any(all(result["won"] for result in results if result) for results in said)
