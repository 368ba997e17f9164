"""Places in an order that a sentence without a figure gives a row ("York ranks third by sales")."""

import re

from gateway.ground.compared.ordered import ordered_by, places_in
from gateway.ground.compared.verdict import SOME, Verdict
from gateway.ground.lexing.cues import RANKS
from gateway.ground.naming.headers import LATER_NTH
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

_HIGH = "largest|biggest|highest|greatest|strongest|most"
_LOW = "smallest|lowest|fewest|least|weakest"
PLACED = re.compile(
    r"\b(?:rank(?:s|ed|ing)?|c[ao]mes?|finish(?:es|ed)|is|was|are|were|place[ds]|stands?|stood|sits?|sat)\s"
    r"(?:only\s|just\s|in\s|at\s|the\s|our\s|its\s)*"
    rf"(?P<nth>{'|'.join(LATER_NTH)})(?:[\s-](?:(?P<high>{_HIGH})|(?P<low>{_LOW})))?(?:\splace)?(?:\s(?!by|in|on|for)[a-z]+){{0,2}}",
    re.IGNORECASE,
)


def misplaced(text: str, sheet: Sheet, sentence: Sentence) -> Verdict | None:
    """Return what the cells say against the place of the only row of a sentence, None where they do not.

    A column of places is held against it elsewhere.
    """
    if any(RANKS & said for said in sheet.label_words):
        return None
    rows = [m.rows for m in sentence.rows if m.full and len(m.rows) == 1]
    said = PLACED.search(text, sentence.start, sentence.end) if rows else None
    if said is None or SOME.search(text, sentence.start, sentence.end) or len(frozenset().union(*rows)) != 1:
        return None
    column = ordered_by(text, sheet, sentence, said.end())
    if column is None:
        return None
    row, place = next(iter(rows[0])), LATER_NTH[said["nth"].lower()]
    places = places_in(sheet, row, column)
    if said["low"] is not None:
        places = _from_below(sheet, row, column)
    if not places or place in places:
        return None
    return Verdict(False, f"{sheet.label(column)}: place {min(places)}", "place")


def _from_below(sheet: Sheet, row: int, column: int) -> frozenset[int]:
    """Return the place of a row from the lowest figure of a column on."""
    own = sheet.figure(row, column)
    order = sheet.ranking(column, sheet.totals - {row}, high=False)
    return frozenset((order.index(own) + 1,)) if own in order else frozenset()
