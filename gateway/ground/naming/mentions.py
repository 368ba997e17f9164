"""A stretch of text that names rows or columns of a result."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Mention(NamedTuple):
    """A stretch of text that names rows (`column` is the key column) or columns (`column` is -1).

    `full` is false where only a word of a longer name is there.
    """

    start: int
    end: int
    column: int
    rows: frozenset[int]
    columns: frozenset[int]
    full: bool

    @property
    def names_rows(self) -> bool:
        """Tell whether rows are named, not columns."""
        return self.column >= 0


def without_inner(found: Iterable[Mention]) -> Iterator[Mention]:
    """Yield mentions, sorted by start and falling end, that do not lie inside a longer one."""
    start = end = -1
    for mention in found:
        if mention.end <= end and (mention.start, mention.end) != (start, end):
            continue
        if mention.end > end:
            start, end = mention.start, mention.end
        yield mention


def rows_by_span(mentions: Iterable[Mention]) -> dict[tuple[int, int], frozenset[int]]:
    """Return the rows that each stretch names, in whatever columns, in the order met."""
    found: dict[tuple[int, int], frozenset[int]] = {}
    for mention in mentions:
        span = mention.start, mention.end
        found[span] = found.get(span, frozenset()) | mention.rows
    return found


def is_name(text: str, mention: Mention) -> bool:
    """Tell whether a name is full, or the one capital word that only one row has."""
    return mention.full or (len(mention.rows) == 1 and text[mention.start].isupper())
