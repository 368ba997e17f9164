"""Two sides of one row in a score or a vote ("carried by 104 to 91"): which of them is told first."""

import re

from gateway.ground.compared.extremes import LOW_WINS
from gateway.ground.lexing.lexicon import one_of
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.bound import Binding
from gateway.ground.table.sheet import CellAt, Sheet

TO = re.compile(
    r"(?:\s(?:votes?|points?|goals?|seats?|runs?|games?|ballots?))?(?:\sto\s|\s?[-\u2013\u2014]\s?)",
    re.IGNORECASE,
)
WON = one_of(
    "carried", "carries", "pass(?:ed|es)?", "approv(?:ed|es|al)", "adopt(?:ed|s)", "ratified", "accepted",
    "enacted", "endorsed", "won", "wins?", "winning", "victor(?:y|ious)", "beat", "beats", "beating", "edged",
    "defeated", "defeating", "overcame", "prevailed", "survived", "scraped", "upheld", "elected", "agreed",
)  # fmt: skip
LOST = one_of(
    "lost", "los(?:es|ing|s)", "reject(?:ed|s|ing|ion)", "defeat", "beaten", "fell", "fail(?:ed|s|ing|ure)",
    "(?:was|were|been|being|is) (?:narrowly |heavily )?(?:defeated|outscored)",
    "(?:turned|voted|went) down", "thrown out",
    "(?:voted|went|decided|decision) against", "no", "not", "never", "neither", "trail(?:ed|ing)", "lower",
    "fewer", "vetoed", "blocked", "negatived",
)  # fmt: skip
AGAINST = re.compile(
    r"(?:(?:votes|points|goals|runs|seats)\s)?(?:against|no|noes?|nays?|opposed|conceded|lost|loss(?:es)?)"
    r"|(?:pts\s|[gpr])a",
    re.IGNORECASE,
)
FOR = re.compile(
    r"(?:(?:votes|points|goals|runs|seats)\s)?(?:for|yes|ayes?|yeas?|in\sfavou?r|scored|won|wins?)|(?:pts\s|[gpr])f",
    re.IGNORECASE,
)
BEAT = one_of(
    "defeat(?:s|ed|ing)", "beat", "beats", "beating", "edged", "ousted", "unseated", "outpolled", "overcame"
)
MOVED = re.compile(r"\b(?:from|between)\s\W?\Z", re.IGNORECASE)
REACH = 90


def sides_of(text: str, sheet: Sheet, first: Binding, second: Binding) -> tuple[CellAt, CellAt] | None:
    """Return the two sides of a row's vote or score that two numbers show, whose columns none names."""
    if first.quantity.measure != second.quantity.measure or (first.grounded and second.grounded):
        return None
    rows = first.place.rows or frozenset()
    if not _is_score(text, first.quantity, second.quantity) or len(rows) != 1:
        return None
    ours, theirs = ([c for c in sheet.figured if side.fullmatch(sheet.label(c))] for side in (FOR, AGAINST))
    if rows != second.place.rows or len(ours) != 1 or len(theirs) != 1:
        return None
    row = next(iter(rows))
    for one, other in (((row, ours[0]), (row, theirs[0])), ((row, theirs[0]), (row, ours[0]))):
        if _may_show(first, one) and _may_show(second, other):
            return one, other
    return None


def _is_score(text: str, first: Quantity, second: Quantity) -> bool:
    """Tell whether two numbers are told as the sides of a score ("29 to 20", "29-20")."""
    gap = text[first.end : second.start]
    joined = not gap and not second.sign and second.text.startswith("-")
    return joined or TO.fullmatch(gap) is not None


def _may_show(binding: Binding, cell: CellAt) -> bool:
    """Tell whether a number is bound to a cell, or is free and shows it."""
    return binding.cell == cell if binding.grounded else cell in binding.elsewhere


def is_turned_round(text: str, sheet: Sheet, since: int, first: Binding, second: Binding) -> bool:
    """Tell whether two figures are told as a score whose sides are the other way round.

    The side for comes before that against, and who won has the larger one; what was lost is told in either
    order.
    """
    if first.cell is None or second.cell is None:
        return False
    apart = first.cell[0] != second.cell[0]
    if apart and first.cell[1] != second.cell[1]:
        return False
    quantity, other = first.quantity, second.quantity
    if quantity.measure != other.measure or not _is_score(text, quantity, other):
        return False
    if MOVED.search(text, max(since, quantity.start - 12), quantity.start):
        return False
    sides = [sheet.label(column) for _, column in (first.cell, second.cell)]
    lead = text[max(since, quantity.start - REACH) : quantity.start]
    if LOST.search(lead) or any(map(LOW_WINS.search, sides)) or first.value is None or second.value is None:
        return False
    if apart:  # "Reed defeated Vale 38.8% to 61.2%"
        return BEAT.search(lead) is not None and first.value < second.value
    against = AGAINST.fullmatch(sides[0]) is not None and FOR.fullmatch(sides[1]) is not None
    return against or (WON.search(lead) is not None and first.value < second.value)
