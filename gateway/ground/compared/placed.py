"""Places in an order that are said of a row by its figure ("came second with 900 votes"), from the cells."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.compared.extremes import DIRECT, LOW_WINS, Standing, standing_cells
from gateway.ground.compared.ordered import LOW_FIRST, ordered_by, places_in
from gateway.ground.compared.verdict import Verdict
from gateway.ground.lexing.cues import RANKS
from gateway.ground.naming.headers import LATER_NTH
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet, as_text

FIRST, LAST = ("first", "1st"), "last"
PLACES = "|".join((*FIRST, *LATER_NTH, LAST))
PLACED = re.compile(
    rf"\b(?:(?:came|comes|finish(?:ed|es|ing)|ranked|ranks|ranking|placed)\s(?:in\s)?(?P<nth>{PLACES})\b(?:\splace)?"
    rf"|(?:was|were|is|are)\s(?P<is>{'|'.join((*FIRST, *LATER_NTH, LAST))})(?=\s(?:with|at|on)\b|[.;]|\Z"
    r"|\s(?:in|for|by)\s[a-z][a-z\s-]{1,30}?\s(?:with|at)\s[^\w\s]?\d)"
    rf"|(?P<then>{'|'.join((*FIRST, *LATER_NTH))})(?=\s(?:with|at|on)\s[^\w\s]?\d))",
    re.IGNORECASE,
)
# Words behind a place by which it is one in something else, or in a smaller field.
IN_ELSE = re.compile(
    r"\s(?:in|by|for|on|among|behind|after|to|overall|at|within|nationally|per)\b", re.IGNORECASE
)
# "With 900 members, Rowing ranks second"; "Rowing has 900 members and ranks second".
LED_BY = re.compile(r"[^;:.()\d]{1,90}\Z")
SECOND_ONLY = re.compile(r"\bsecond\sonly\sto\s(?:the\s|that\sof\s)?", re.IGNORECASE)
SECOND_REACH = 30


def places(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield what the cells say of each place in an order that a sentence says."""
    bound = standing_cells(bindings)
    for found in SECOND_ONLY.finditer(text, sentence.start, sentence.end):
        yield from _second_only(text, sheet, sentence, bound, found)
    ends = {mention.end + 1 for mention in sentence.rows if mention.full}
    for found in PLACED.finditer(text, sentence.start, sentence.end):
        if found["then"] and found.start() not in ends:
            continue  # "B third with 700", behind the name of a row
        yield _placed(text, sheet, sentence, bound, found)


def _led(
    text: str, sheet: Sheet, sentence: Sentence, bound: Sequence[Binding], found: re.Match[str]
) -> Verdict:
    """Judge "with 33,870 votes, she came second" by the order of the number before the place."""
    unknown = Verdict(None, "", found.group())
    own = [b for b in bound if LED_BY.fullmatch(text, b.quantity.end, found.start())][-1:]
    ranked = any(RANKS & said for said in sheet.label_words)
    nth = next(filter(None, found.groups())).lower()
    if not own or ranked or sheet.table.truncated or nth == LAST or IN_ELSE.match(text, found.end()):
        return unknown
    standing, place = Standing(text, sheet, sentence, own[0]), LATER_NTH.get(nth, 1) - 1
    if standing.is_timed():
        return unknown
    other = _named_before(sentence, found, standing.row)
    if other is not None:  # "A placed third with 19.8% and B placed fourth": by the same figure
        standing.row = other
    elif not all(standing.row in m.rows for m in sentence.rows if m.full):
        return unknown
    label = sheet.label(standing.column)
    either = (LOW_WINS.search(label) or LOW_FIRST.search(label)) is not None
    holds = standing.stands(standing.column, place, high=True, either=either)
    return Verdict(holds, f"{label}: {nth if holds else 'another figure'} in this place", found.group())


def _named_before(sentence: Sentence, found: re.Match[str], row: int) -> int | None:
    """Return the one row named right before a place, where it is another than that of the figure before."""
    named = [m.rows for m in sentence.rows if m.full and m.end + 1 == found.start()]
    rows = frozenset.intersection(*named) if named else frozenset()
    return next(iter(rows)) if len(rows) == 1 and row not in rows else None


def _placed(
    text: str, sheet: Sheet, sentence: Sentence, bound: Sequence[Binding], found: re.Match[str]
) -> Verdict:
    """Judge "came second with 33,870 votes" by the order of that column."""
    own = next((b for b in bound if b.quantity.start >= found.end()), None)
    if own is None or sheet.table.truncated or text[found.end() : found.end() + 1] in (".", ";"):
        return _led(text, sheet, sentence, bound, found)
    nth = next(filter(None, found.groups())).lower()
    standing, place = Standing(text, sheet, sentence, own), LATER_NTH.get(nth, 1) - 1
    label = sheet.label(standing.column)
    either = LOW_WINS.search(label) is not None
    rank = _rank(sheet, standing.row)
    if nth == LAST:
        place = max((_rank(sheet, row) for row in range(sheet.height)), default=0) - 1 if rank else 0
    alone = all(standing.row in m.rows for m in sentence.rows if m.full)
    said_by = ordered_by(text, sheet, sentence, found.end()) if alone and nth != LAST else None
    if said_by is not None:
        holds = place + 1 in places_in(sheet, standing.row, said_by)
        return Verdict(holds, f"{sheet.label(said_by)}: {nth if holds else 'another row'}", found.group())
    if rank and rank != place + 1 and alone:
        return Verdict(False, f"{label}: the rank of this row is {rank}", found.group())
    high = standing.is_timed() == (nth == LAST)
    if rank == place + 1 or standing.stands(standing.column, place, high=high, either=either):
        return Verdict(True, f"{label}: {nth}", found.group())
    if DIRECT.fullmatch(text, found.end(), own.quantity.start) is None:
        return Verdict(None, "", found.group())
    return Verdict(False, f"{label} has another figure in this place", found.group())


def _second_only(
    text: str, sheet: Sheet, sentence: Sentence, bound: Sequence[Binding], found: re.Match[str]
) -> Iterator[Verdict]:
    """Yield whether "910,000 TEU, second only to B" is second in that column, and B the first."""
    own = [b for b in bound if b.quantity.end <= found.start() <= b.quantity.end + SECOND_REACH][-1:]
    above = [m for m in sentence.rows if m.full and m.start == found.end()]
    if not own or sheet.table.truncated:
        return
    standing = Standing(text, sheet, sentence, own[0])
    label, either = sheet.label(standing.column), LOW_WINS.search(sheet.label(standing.column)) is not None
    top = standing.order(standing.column, standing.groups[0], high=True)
    first = [sheet.figure(row, standing.column) for m in above for row in m.rows]
    holds = standing.stands(standing.column, 1, high=True, either=either)
    yield Verdict(holds and (either or not first or top[0] in first), f"{label}: second", found.group())


def _rank(sheet: Sheet, row: int) -> int:
    """Return what the only column of ranks says of a row; 0 where there is none or it says nothing."""
    ranks = [c for c in range(len(sheet.columns)) if RANKS & sheet.label_words[c]]
    found = (
        re.match(r"\d{1,3}(?![\d.,])", as_text(sheet.table.rows[row][ranks[0]])) if len(ranks) == 1 else None
    )
    return int(found.group()) if found else 0
