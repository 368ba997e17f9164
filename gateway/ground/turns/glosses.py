"""A figure in brackets right behind another one ("912 votes (41.2%)"): it is of the same row."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.lexing.measures import ordered_measures
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, listed_run, position
from gateway.ground.sentence.idioms import Fits
from gateway.ground.table.sheet import Sheet, as_text
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
OF_TOTAL = re.compile(r"\sof\s(?:the\s|its\s|our\s)?(?:total|whole)\b", re.IGNORECASE)
HALF = Decimal("0.5")
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
    noun = NOUN.fullmatch(text, first, last - 1 if text[last - 1] == "(" else last)
    if named or not (noun or (again and not opened)):
        return place
    rows = before.place.rows if before.cell is None else frozenset((before.cell[0],))
    return place if rows is None else place._replace(rows=rows, firm=True)


def in_same_cell(text: str, sheet: Sheet, quantity: Quantity, place: Place, before: Binding | None) -> Place:
    """Return the place of a figure in brackets behind one of a cell of two units ("161 ft (49 m)")."""
    cell = before.cell if before is not None else None
    if before is None or cell is None or not quantity.bracketed or cell[1] not in sheet.texts:
        return place
    if not NOUN.fullmatch(text, before.quantity.end, quantity.start):
        return place
    if len(ordered_measures(quantity.text)) != 1:
        return place
    units = ordered_measures(as_text(sheet.table.rows[cell[0]][cell[1]]))
    if len(units) < 2:
        return place
    return Place(frozenset((cell[0],)), frozenset((cell[1],)), firm=True, named=True)


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
    if place.named and place.columns is not None and place.columns <= dated.keys():
        return place  # "16 more in May (71) than in April (55)"
    same = fits(quantity, (c for c, window in dated.items() if window == dated[cell[1]] and c != cell[1]))
    return place._replace(columns=same, named=len(same) == 1) if same else place


def unfit_shares(text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence) -> Iterator[int]:
    """Yield the shares in brackets that are of another column than the figure they stand behind.

    A column of shares is of the one whose figures, each over their total, it shows. Where no figures say so,
    a share may stand before its row ("70 (40%) for Hart") only where the table has one measure.
    """
    for at, (first, second) in enumerate(pairwise(bindings), 1):
        if first.cell is None or second.cell is None or not _is_bare_share(text, sheet, first, second):
            continue
        turned = sheet.measured[first.cell[1]].carrier == "percent"
        size, share = (second.cell[1], first.cell[1]) if turned else (first.cell[1], second.cell[1])
        rates = frozenset(c for c in sheet.numeric if sheet.measured[c].carrier == "percent")
        sizes = set(sheet.numeric) - rates - sheet.running
        shared = {c for c in sizes if _is_share_of(sheet, share, c)}
        behind = not shared and len(sizes) > 1 and _row_behind(text, first.quantity, sentence)
        if behind or (shared and size not in shared):
            yield at


def _is_bare_share(text: str, sheet: Sheet, first: Binding, second: Binding) -> bool:
    """Tell whether of two figures of a row, the second in brackets, one is a share that names no column."""
    if first.cell is None or second.cell is None or first.cell[0] != second.cell[0]:
        return False
    quantity, place = second.quantity, second.place
    opened = quantity.bracketed or text[quantity.start - 1] == "("
    named = place.named and quantity.measure == "percent" and not OF_TOTAL.match(text, quantity.end)
    if not opened or named:
        return False
    if not NOUN.fullmatch(text, first.quantity.end, quantity.start - (not quantity.bracketed)):
        return False
    return len({sheet.measured[b.cell[1]].carrier == "percent" for b in (first, second) if b.cell}) == 2


def _is_share_of(sheet: Sheet, share: int, column: int) -> bool:
    """Tell whether every share of a column is the figure of another over the total of these."""
    parts = [row for row in range(sheet.height) if row not in sheet.totals]
    pairs = [(sheet.number(row, column), sheet.number(row, share)) for row in parts]
    told = [(figure, own) for figure, own in pairs if figure is not None and own is not None]
    whole = sum((figure for figure, _ in told), Decimal(0))
    if len(told) < 2 or not whole:
        return False
    return all(abs(figure * 100 / whole - own) <= _half_step(own) for figure, own in told)


def _half_step(shown: Decimal) -> Decimal:
    """Return half of the last decimal that a share shows, at least half a tenth."""
    exponent = shown.normalize().as_tuple().exponent
    return Decimal(5).scaleb(min(exponent, -1) - 1) if isinstance(exponent, int) and exponent < 0 else HALF
