"""Figures of a text cell that stand behind a name: "Ellen Tait (D) 61.2% Rob Finch (R) 38.8%"."""

import re
from decimal import Decimal

from gateway.ground.lexing.amounts import LISTED
from gateway.ground.lexing.match import intervals
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity

PIECE = re.compile(r"(?P<said>[^\d]*[^\W\d_][^\d]*?)(?P<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
NAME = re.compile(r"[^\W\d_a-z][^\W\d_]{2,}")


def is_anothers(quantity: Quantity, cell: object, said: str, *, alone: bool = False) -> bool:
    """Tell whether a text cell holds a number behind a name, and a text speaks of other names of it.

    Where it speaks of names of the same column, of other rows, the name may be `alone` in its cell.
    """
    if not isinstance(cell, str) or len(cell) > 400:
        return False
    named: list[tuple[frozenset[str], Decimal]] = []
    for piece in PIECE.finditer(cell):
        names = frozenset(name for word in NAME.findall(piece["said"]) for name in split_words(word))
        named.append((names, Decimal(piece["figure"].replace(",", ""))))
    if len(named) < (1 if alone else 2) or not all(names for names, _ in named):
        return False
    spoken = frozenset(split_words(said))
    if len(named) == 1:
        return not named[0][0] & spoken
    shown = [names for names, value in named if any(i.holds(value) for i in intervals(quantity))]
    meant = any(names & spoken for names in shown)
    listed = LISTED.fullmatch(cell) is not None  # of none of those listed: no figure of theirs all
    return bool(shown) and not meant and (listed or any(names & spoken for names, _ in named))
