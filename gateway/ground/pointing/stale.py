"""Which columns are of another period than the one that ran, and up to where a draft says nothing of it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from gateway.ground.naming.dated import year_window
from gateway.ground.naming.names import Names
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.read import Draft
from gateway.ground.table.asked import Scope
from gateway.ground.table.sheet import YEARS
from metric_layer.period_bounds import Window

# Words by which a draft speaks of another period without naming it.
BESIDE = re.compile(
    r"\b(?:years?|earlier|previous(?:ly)?|prior|last|ago|from|versus|vs|against|than|before|compared|yoy|mom|qoq"
    r"|chang\w*|differ\w*|both|up|down)\b",
    re.IGNORECASE,
)


class Stale(NamedTuple):
    """Columns that no number is of in a sentence that ends at `until` or before it."""

    columns: frozenset[int] = NOBODY
    until: int = 0

    def of(self, sentence: Sentence) -> frozenset[int]:
        """Return the columns that a sentence says nothing of: what follows it takes nothing back."""
        return self.columns if sentence.end <= self.until else NOBODY


NOT_STALE = Stale()


def stale_columns(seen: Draft, names: Names, scope: Scope) -> Stale:
    """Return the columns of other periods than the one that ran, up to where a draft speaks of another."""
    windows = names.column_windows if scope.known else names.dated
    own = {column for column, window in windows.items() if window in _meant(scope)}
    others = frozenset(windows) - own
    if not own or not others:
        return NOT_STALE
    text = seen.visible.text
    said = (m for m in seen.mentions if any(character.isdigit() for character in text[m.start : m.end]))
    named = next((mention.start for mention in said if others & mention.columns), len(text))
    beside = BESIDE.search(text)
    return Stale(others, min(named, beside.start() if beside else len(text)))


def _meant(scope: Scope) -> Sequence[Window | None]:
    """Return the window that ran; where nobody knows, the one year that the question's words name."""
    if scope.known:
        return [(scope.start, scope.end)] if scope.start and scope.end else []
    years = frozenset(YEARS.findall(scope.subject[:500]))
    return [year_window(int(year)) for year in years] if len(years) == 1 else []
