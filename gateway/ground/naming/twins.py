"""One stretch of text that names several cells of a column ("Roda" of "Roda" and "Roda (loan)")."""

from collections.abc import Sequence

from gateway.ground.lexing.stems import split_words
from gateway.ground.naming.mentions import Mention
from gateway.ground.table.sheet import Sheet, as_text


def without_twins(
    text: str, sheet: Sheet, mentions: Sequence[Mention], start: int, end: int
) -> list[Mention]:
    """Return names of one column, of one stretch of text only the cell that is meant.

    It is the cell whose other words stand in the sentence too, else the one that is written just so.
    """
    if len(mentions) < 2:
        return list(mentions)
    spans = dict.fromkeys((m.start, m.end) for m in mentions)
    if len(spans) == len(mentions):
        return list(mentions)
    said = frozenset(split_words(text[start:end]))
    found = list(mentions)
    for span in spans:
        alike = [m for m in found if (m.start, m.end) == span and m.full]
        if len({m.rows for m in alike}) < 2:
            continue
        cells = [as_text(sheet.table.rows[min(m.rows)][m.column]).strip() for m in alike]
        here = _squeezed(text[slice(*span)])
        longer = [m for m, cell in zip(alike, cells, strict=True) if _squeezed(cell) != here]
        named = [
            m
            for m, cell in zip(alike, cells, strict=True)
            if m in longer and said.issuperset(split_words(cell))
        ]
        kept = named or [m for m in alike if m not in longer]
        if kept and not named:  # "400m" and "400 m" are one
            one = kept[0]._replace(rows=frozenset().union(*(m.rows for m in kept)))
            at = found.index(alike[0])
            others = [m for m in found if m not in alike]
            found = [*others[:at], one, *others[at:]]
        elif kept:
            found = [m for m in found if m not in alike or m in kept]
    return found


def _squeezed(text: str) -> str:
    return text.lower().replace(" ", "").replace("-", "")
