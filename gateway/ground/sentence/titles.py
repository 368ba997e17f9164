"""Names that stand together for one row: "Labour nominee Tom Pell", "Tom Pell (Labour)"."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence

# What says who somebody is, beside a name.
ROLES = (
    r"candidates?|nominees?|challengers?|incumbents?|rivals?|opponents?|party|leaders?|members?|senators?|governors?"
    r"|mayors?|presidents?|captains?|teammates?|compatriots?|fellow|independents?|former|newcomers?|runners?|drivers?"
)
WORDS = rf"(?:(?:[A-Z][\w.'\u2019-]*|{ROLES}),?\s){{0,5}}"
# Between two names of one row.
TOGETHER = re.compile(
    rf"(?:['\u2019]s?)?(?:-|\s?\(|\s{WORDS}(?:of|from|for|at|in|on)\s(?:the\s)?{WORDS}|\s(?:the\s)?{WORDS}|,\s(?:the\s|an?\s)?{WORDS})"
)
OF_SIDE = (
    r"(?:\s\([^()]{1,40}\)|,?\s(?:of|from|for)\s(?:the\s)?[A-Z][\w.'\u2019-]*"
    r"(?:\s(?:of\s)?[\w.'\u2019-]+){0,4}?)?"
)
# Between two names of a list: "and", and who they are.
LIST_GAP = re.compile(rf"{OF_SIDE}(?:,|,?\s(?:and|&))\s(?:the\s|an?\s)?{WORDS}(?:['\u2019]s?\s)?")
FAR = 60


class Thing(NamedTuple):
    """One row as it is called in a text: by one name, or by several of different columns side by side."""

    names: tuple[Mention, ...]
    rows: frozenset[int]

    def holds(self, column: int) -> bool:
        """Tell whether one of its names is of a column."""
        return any(mention.column == column for mention in self.names)


def things_of(text: str, sentence: Sentence) -> dict[tuple[int, int], Thing]:
    """Return what the names of rows in a sentence stand for together, by start and column of each name."""
    groups: list[list[Mention]] = []
    rows: frozenset[int] = frozenset()
    for mention in sorted(sentence.rows, key=lambda m: (m.start, not m.full)):
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and rows & mention.rows
            and (_are_together(text, last, mention) or _are_running(text, last, mention))
        ):
            groups[-1].append(mention)
            rows &= mention.rows
        else:
            groups.append([mention])
            rows = mention.rows
    found: dict[tuple[int, int], Thing] = {}
    for group in groups:
        thing = Thing(tuple(group), frozenset.intersection(*(m.rows for m in group)))
        found.update(((m.start, m.column), thing) for m in group)
    return found


def _are_together(text: str, first: Mention, second: Mention) -> bool:
    """Tell whether nothing stands between two names but what says who somebody is."""
    if second.start < first.end or second.start - first.end > FAR:
        return second.start == first.start
    return TOGETHER.fullmatch(text, first.end, second.start) is not None


def _are_running(text: str, first: Mention, second: Mention) -> bool:
    """Tell whether two names of one row and two columns are joined ("Hugh Carver and Dale Ames")."""
    one = first.rows == second.rows and len(first.rows) == 1 and first.column != second.column
    return one and text[first.end : second.start] in (" and ", " & ")


def are_listed(text: str, first: Mention, second: Mention) -> bool:
    """Tell whether two names follow each other in a list, with no more than who they are between."""
    near = second.start - first.end <= 2 * FAR
    return near and LIST_GAP.fullmatch(text, first.end, second.start) is not None


def of_another(
    mention: Mention, chosen: Sequence[tuple[Mention, bool]], things: Mapping[tuple[int, int], Thing]
) -> bool:
    """Tell whether a name only says who somebody is that a number is not about, the names chosen for it told.

    The flag of a chosen name says that an order of two lists chose it.
    """
    own = things[mention.start, mention.column]
    if len({name.start for name in own.names}) < 2:
        return False
    for other, listed in chosen:
        thing = things[other.start, other.column]
        if thing is not own and own.holds(other.column) and (listed or not thing.holds(mention.column)):
            return True
    return False
