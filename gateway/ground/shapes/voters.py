"""Those who voted and those who may vote, counted right before they are called so ("9,508 voted")."""

import re
from decimal import Decimal

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.table.sheet import Sheet
from gateway.ground.table.turnouts import HUNDRED, is_roll

WHO = r"\s(?:(?:people|voters|electors|persons|citizens|of\s(?:them|whom))\s)?(?:who\s)?"
# Of all that voted, and not for one of them.
VOTED = re.compile(
    rf"{WHO}(?:actually\s)?voted\b(?!\s(?:for|against|yes|no|to|him|her|them|in\sfavou?r)\b)", re.IGNORECASE
)
MAY_VOTE = re.compile(
    rf"{WHO}(?:(?:were|are|was)\s)?(?:on\sthe\s(?:electoral\s)?(?:rolls?|register)\b|(?:registered|enrolled|eligible|entitled)"
    r"(?:\sto\svote|\s(?:voters|electors))\b|(?<=voters\s)(?:registered|enrolled)\b|(?<=electors\s)(?:registered|enrolled)\b)",
    re.IGNORECASE,
)

# "A voter turn-out of 76.3%".
TURNOUT = re.compile(
    r"\bturn[- ]?out\s(?:rate\s)?(?:(?:of|was|is|at|(?:stood|came)\sat|reached|reaching)\s)?"
    r"(?:about\s|only\s)?\W?\Z",
    re.IGNORECASE,
)
REACH = 40
HALF = Decimal("0.5")


def of_voters(text: str, sheet: Sheet, quantity: Quantity, place: Place) -> Place:
    """Return the place of a number: in the row of those who voted, or may vote, where it counts them."""
    if not sheet.totals:
        return place
    if quantity.measure == "percent":
        return _of_turnout(text, sheet, quantity, place)
    if quantity.measure != "plain":
        return place
    if VOTED.match(text, quantity.end):
        rows = sheet.turnouts
    elif MAY_VOTE.match(text, quantity.end):
        rows = _rolls(sheet)
    else:
        return place
    return place._replace(rows=rows, firm=True) if len(rows) == 1 else place


def _rolls(sheet: Sheet) -> frozenset[int]:
    return frozenset(row for row in sheet.totals if any(map(is_roll, sheet.row_key(row))))


def _of_turnout(text: str, sheet: Sheet, quantity: Quantity, place: Place) -> Place:
    """Return the place of a turnout: the share in the row of votes cast, where it is a share of the roll."""
    if TURNOUT.search(text, max(0, quantity.start - REACH), quantity.start) is None:
        return place
    rolls, cast = _rolls(sheet), sheet.turnouts
    if len(rolls) != 1 or len(cast) != 1 or "turnout" in " ".join(_names(sheet)).lower():
        return place
    columns = frozenset(c for c in sheet.numeric if _is_share(sheet, min(cast), min(rolls), c))
    return Place(cast, columns, firm=True, named=True) if columns else place


def _names(sheet: Sheet) -> list[str]:
    return [name for row in sheet.totals for name in sheet.row_key(row)]


def _is_share(sheet: Sheet, cast: int, roll: int, column: int) -> bool:
    """Tell whether a figure is what share of one row's count another row's is, as exactly as it is shown."""
    share = sheet.number(cast, column)
    if share is None or not 0 < share <= HUNDRED:
        return False
    step = Decimal(1).scaleb(min(0, int(share.normalize().as_tuple().exponent)))
    for other in (c for c in sheet.numeric if c != column):
        votes, voters = sheet.number(cast, other), sheet.number(roll, other)
        if votes and voters and abs(votes / voters * HUNDRED - share) <= step * HALF:
            return True
    return False
