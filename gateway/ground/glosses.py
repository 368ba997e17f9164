"""A figure in brackets right behind another one ("912 votes (41.2%)"): it is of the same row."""

import re
from collections.abc import Mapping

from gateway.ground.binding import Binding
from gateway.ground.clauses import Sentence, listed_run, position
from gateway.ground.idioms import Fits
from gateway.ground.phrases import NOBODY
from gateway.ground.places import Place
from gateway.ground.tokens import Quantity
from metric_layer.period_bounds import Window

NOUN = re.compile(r"(?:[\s-][^\W\d_]+){0,3}\s?")
# "912 votes, or 41.2%": the same once more, in another unit.
OR = re.compile(
    r"(?:[\s-][^\W\d_]+){0,3}?,?\sor\s(?:about\s|roughly\s|just\s|nearly\s|over\s)?", re.IGNORECASE
)

# "26% of the total fees of 1,210": the whole that a share was told of.
OF_WHOLE = re.compile(
    r"\s(?:of|in)\s(?:the|its|their|our|all|a)\s(?:[^\W\d_]+\s){1,5}?(?:of|which\s(?:was|is)|being)\s\W?",
    re.IGNORECASE,
)
FOR = re.compile(r"\sfor\s(?:the\s)?\W?", re.IGNORECASE)


def with_row_before(
    text: str, quantity: Quantity, sentence: Sentence, place: Place, before: Binding | None
) -> Place:
    """Return the place of a number; in brackets right behind a figure and its noun, in that figure's row."""
    behind = _row_behind(text, quantity, sentence)
    if behind:
        return place._replace(rows=behind, firm=True)
    if before is None or before.derived is not None or before.implicit:
        return place if before is None else _in_whole(text, quantity, place, before)
    first, last = before.quantity.end, quantity.start
    again = not quantity.bracketed and quantity.measure != before.quantity.measure
    again = again and len(listed_run(text, quantity, sentence)) == 1  # "9 and 7, or 45% and 35%" of two rows
    opened = quantity.bracketed or text[last - 1] == "("  # also "(59 ft 9 in)"
    if not opened and not (again and OR.fullmatch(text, first, last)):
        return place
    names = [m for m in sentence.rows if first <= m.start < last]
    named = any(m.full or text[m.start].isupper() or not again for m in names)
    if named or not (again or NOUN.fullmatch(text, first, last - 1 if text[last - 1] == "(" else last)):
        return place
    rows = before.place.rows if before.cell is None else frozenset((before.cell[0],))
    return place if rows is None else place._replace(rows=rows, firm=True)


def _in_whole(text: str, quantity: Quantity, place: Place, before: Binding) -> Place:
    """Return the place of a number told as the whole of the declared share before it: its own cell."""
    share, gap = before.derived, (before.quantity.end, quantity.start)
    if share is None or share.op != "share" or OF_WHOLE.fullmatch(text, *gap) is None:
        return place
    rows = share.rows - share.parts
    return Place(rows, share.columns, firm=True, named=True) if len(rows) == 1 else place


def _row_behind(text: str, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
    """Return the row that stands behind the gloss of a number ("70 (40%) for Hart"); empty for none."""
    following = sentence.quantities[position(quantity, sentence) + 1 :][:1]
    if not following or not following[0].bracketed:
        return NOBODY
    if NOUN.fullmatch(text, quantity.end, following[0].start) is None:
        return NOBODY
    end = following[0].end
    named = (m for m in sentence.rows if FOR.fullmatch(text, end, m.start) and len(m.rows) == 1)
    return next((m.rows for m in named), NOBODY)


def of_same_period(
    text: str,
    quantity: Quantity,
    place: Place,
    before: Binding | None,
    dated: Mapping[int, Window],
    fits: Fits,
) -> Place:
    """Return the place of a number in brackets behind a dated figure: in a column of the same period."""
    cell = before.cell if before is not None else None
    if before is None or cell is None or not quantity.bracketed or cell[1] not in dated:
        return place
    if NOUN.fullmatch(text, before.quantity.end, quantity.start) is None:
        return place
    same = fits(quantity, (c for c, window in dated.items() if window == dated[cell[1]] and c != cell[1]))
    return place._replace(columns=same, named=len(same) == 1) if same else place
