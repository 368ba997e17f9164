"""What a sentence claims of a row without a number: an extreme, a vote won, or that something was not so."""

import re
from collections.abc import Iterator
from decimal import Decimal

from gateway.ground.compared.verdict import SOME, Verdict
from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.naming.mentions import Mention, is_name
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

BESIDE = re.compile(r"\s(?:[a-z]+\s)?|\s(?:of|by|in)\s(?:the\s)?", re.IGNORECASE)
SAID_OF = re.compile(r"\s(?:was|is|were|are|remained|stood|came\sin)\s(?:the\s)?", re.IGNORECASE)
DENIED = re.compile(
    r"\b(?:did\snot|didn't|failed\sto|never|has\snot|had\snot|without)\s"
    r"(?:scor\w+|w[io]n\w*|earn\w*|receiv\w+|gett?\w*|got|tak\w+|hav\w+|los\w+|mak\w+|made|conced\w+|record\w*)\s",
    re.IGNORECASE,
)
WON_IT = re.compile(
    r"\b(?:won|holds?|held|gained|took|wins)\s(?:the|her|his)\s(?:\d{4}\s)?"
    r"(?:seat|by-?election|election|race|constituency|contest|poll|vote|presidency)\b",
    re.IGNORECASE,
)
LOST_IT = re.compile(
    r"\b(?:lost|loses|losing)\s(?:(?:the|her|his|their)\s(?:[\w'\u2019-]+\s){0,6}?"
    r"(?:seat|by-?election|elections?|race|constituency|contest|poll|vote|presidency)|with)\b",
    re.IGNORECASE,
)
HAVING = re.compile(
    r"\b(?:with|having|has|boasts|boasting)\s(?:by\sfar\s)?(?:the\s|our\s|its\s)?\Z", re.IGNORECASE
)
Field = frozenset[int]


def bare_extreme(
    text: str, sheet: Sheet, sentence: Sentence, word: re.Match[str], *, high: bool
) -> Verdict | None:
    """Judge "Iberia has the highest return rate" by that column; None where row or column is left open."""
    start, end = clause_of(text, sentence, word.start(), word.end())
    named = [m for m in sentence.rows if m.full and start <= m.start and m.end <= end]
    columns = {m.columns for m in sentence.columns if m.full and _is_said_of(text, m, word)}
    if any(owns(text, mention, word.start()) for mention in named):
        return None  # "Lund's highest rank": of what Lund has done, not of the rows
    if len(columns) != 1 or SOME.search(text, start, end) or sheet.table.truncated:
        return None
    column, rows = next(iter(columns)), _agreed(named) or _having(text, sentence, word)
    if len(column) != 1 or len(rows) != 1:
        return None
    fields = [frozenset(range(sheet.height)) - sheet.totals, *(m.rows for m in named if len(m.rows) > 1)]
    return _top(sheet, next(iter(rows)), next(iter(column)), fields, word.group().lower(), high=high)


def _having(text: str, sentence: Sentence, word: re.Match[str]) -> Field:
    """Return the one row of a sentence that is said to have an extreme ("with the most staff, Lund")."""
    led = HAVING.search(text, max(sentence.start, word.start() - 16), word.start())
    rows = _agreed([m for m in sentence.rows if m.full]) if led else frozenset()
    return rows if len(rows) == 1 else frozenset()


def owns(text: str, mention: Mention, start: int) -> bool:
    """Tell whether a name owns what is said right behind it ("Lund's highest rank")."""
    said = text[mention.start : mention.end]
    return said.endswith(("'s", "\u2019s", "s'", "s\u2019")) and mention.end == start - 1


def _is_said_of(text: str, mention: Mention, word: re.Match[str]) -> bool:
    """Tell whether a column is what a superlative ranks: right behind it, or its subject."""
    if mention.start > word.end():
        return BESIDE.fullmatch(text, word.end(), mention.start) is not None
    return mention.end <= word.start() and SAID_OF.fullmatch(text, mention.end, word.start()) is not None


def _top(
    sheet: Sheet, row: int, column: int, fields: list[Field], word: str, *, high: bool
) -> Verdict | None:
    own = sheet.number(row, column)
    orders = [[v for r in field if (v := sheet.number(r, column)) is not None] for field in fields]
    if own is None or any(len(order) < 2 for order in orders):
        return None
    tops = [max(order) if high else min(order) for order in orders]
    if own in tops or (own == 1 and word.startswith("number")):
        return Verdict(True, f"{sheet.label(column)} {own} is the {'highest' if high else 'lowest'}", word)
    return Verdict(False, f"{sheet.label(column)} goes {'up' if high else 'down'} to {tops[0]}", word)


def bare_claims(text: str, sheet: Sheet, sentence: Sentence) -> Iterator[Verdict]:
    """Yield what the cells say of a vote that was won or lost, and of what is denied."""
    for won in WON_IT.finditer(text, sentence.start, sentence.end):
        yield from _won(sheet, _agreed([m for m in sentence.rows if m.full and m.end <= won.start()]), won)
    for lost in LOST_IT.finditer(text, sentence.start, sentence.end):
        led = [m for m in sentence.rows if is_name(text, m) and m.end <= lost.start()]
        yield from _lost(sheet, _agreed(led), lost)
    for denied in DENIED.finditer(text, sentence.start, sentence.end):
        _, end = clause_of(text, sentence, denied.end(), denied.end())
        held = [m for m in sentence.columns if m.full and denied.end() <= m.start and m.end <= end]
        about = _agreed([m for m in sentence.rows if m.full and m.end <= denied.start()])
        if len(held) == 1 and len(held[0].columns) == 1 and len(about) == 1:
            column = next(iter(held[0].columns))
            value = sheet.number(next(iter(about)), column)
            if value:
                yield Verdict(False, f"{sheet.label(column)} is {value}", denied.group())


def _won(sheet: Sheet, rows: frozenset[int], won: re.Match[str]) -> Iterator[Verdict]:
    """Yield that a row did not win a vote that the table holds whole: its shares make a hundred percent."""
    shares = [c for c in sheet.numeric if sheet.measured[c].carrier == "percent" and _is_whole(sheet, c)]
    if len(rows) == 1 and len(shares) == 1 and not sheet.table.truncated:
        own = sheet.number(next(iter(rows)), shares[0])
        top = max(value for row, value in sheet.column_values(shares[0]) if row not in sheet.totals)
        if own is not None and own < top:
            yield Verdict(False, f"{sheet.label(shares[0])} goes up to {top}", won.group())


def _lost(sheet: Sheet, rows: frozenset[int], lost: re.Match[str]) -> Iterator[Verdict]:
    """Yield that a row did not lose a vote that the table holds whole, its share being above all others."""
    shares = [c for c in sheet.numeric if sheet.measured[c].carrier == "percent" and _is_whole(sheet, c)]
    if len(rows) == 1 and len(shares) == 1 and not sheet.table.truncated:
        own = sheet.number(next(iter(rows)), shares[0])
        others = [v for row, v in sheet.column_values(shares[0]) if row not in sheet.totals | rows]
        if own is not None and others and own > max(others):
            yield Verdict(False, f"{sheet.label(shares[0])} {own} is above all others", lost.group())


def _is_whole(sheet: Sheet, column: int) -> bool:
    """Tell whether the shares of a column make a hundred percent."""
    parts = [value for row, value in sheet.column_values(column) if row not in sheet.totals]
    return len(parts) > 1 and min(parts) >= 0 and 97 <= sum(parts, Decimal(0)) <= 103


def _agreed(named: list[Mention]) -> frozenset[int]:
    """Return the rows that all names agree on; none where there is no name."""
    return frozenset.intersection(*(m.rows for m in named)) if named else frozenset()


def clause_of(text: str, sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the stretch around a place up to the next comma, bracket or conjunction on both sides."""
    before = [found.end() for found in PARTS.finditer(text, sentence.start, start)]
    after = PARTS.search(text, end, sentence.end)
    return before[-1] if before else sentence.start, after.start() if after else sentence.end
