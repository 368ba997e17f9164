"""Figures in brackets behind a name ("Reed (14-8, 2.97)"): a record, and what only one column can show."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, between
from gateway.ground.table.sheet import Sheet
from gateway.ground.turns.glosses import unfit_shares

DASH = re.compile(r"\s?[-\u2012-\u2014]\s?")
BARE = frozenset(("plain", "clock"))
REACH = 80


def unfit_in_brackets(
    text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence
) -> Iterator[int]:
    """Yield the numbers in brackets behind names that are no record, or that several columns could show."""
    yield from _no_records(text, sheet, bindings)
    for at, binding in enumerate(bindings):
        if binding.derived is not None and binding.quantity.bracketed and _is_of_all(binding, sentence):
            yield at
    groups: dict[int, list[int]] = {}
    for at, binding in enumerate(bindings):
        opened = _opened(text, binding, sentence) if "(" in text else -1
        if opened >= 0 and binding.cell is not None and binding.cell[1] in sheet.figured:
            groups.setdefault(opened, []).append(at)
    yield from _of_other_columns(bindings, list(groups.values()))
    yield from unfit_shares(text, sheet, bindings, sentence)
    for group in groups.values():
        rows = {cell[0] for at in group if (cell := bindings[at].cell) is not None}
        if len(group) > 1 and len(rows) == 1:  # of two rows: figures set against each other
            yield from (at for at in group if _is_open(text, sheet, bindings, at, group))


def _of_other_columns(bindings: Sequence[Binding], groups: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the bare numbers of a bracket that shows other columns than the one before it, place by place."""
    for first, second in pairwise(groups):
        if len(first) != len(second):
            continue
        for one, two in zip(first, second, strict=True):
            a, b = bindings[one], bindings[two]
            like = a.quantity.measure == b.quantity.measure
            if len(first) == 1:  # "Kenya (3:35.06) and Japan (7.21)": bare ones alone
                like = BARE.issuperset((a.quantity.measure, b.quantity.measure))
                like = like and not (a.quantity.unit_word or b.quantity.unit_word)
            if like and a.cell and b.cell and a.cell[1] != b.cell[1] and a.cell[0] != b.cell[0]:
                yield from (at for at in (one, two) if not bindings[at].place.named)


def _no_records(text: str, sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[int]:
    """Yield the two numbers of a record that are not whole, or do not stand in this order in their row."""
    for at, (first, second) in enumerate(pairwise(bindings)):
        if first.cell is None or second.cell is None or not _is_record(text, first, second):
            continue
        columns = first.cell[1], second.cell[1]
        if first.cell[0] != second.cell[0] or not set(columns) <= sheet.figured:
            continue
        if columns[0] >= columns[1] or not all(b.quantity.readings[0].step == 1 for b in (first, second)):
            yield from (at, at + 1)


def _is_of_all(binding: Binding, sentence: Sentence) -> bool:
    """Tell whether a figure right behind the name of one row adds up others as well."""
    start, derived = binding.quantity.start, binding.derived
    led = [m for m in between(sentence.rows, start - REACH, start) if m.full and start - 1 <= m.end <= start]
    if not led or derived is None or derived.op not in ("sum", "mean"):
        return False
    return not any(derived.rows <= m.rows for m in led)


def _is_record(text: str, first: Binding, second: Binding) -> bool:
    """Tell whether two plain numbers are joined by a dash."""
    if (first.quantity.measure, second.quantity.measure) != ("plain", "plain"):
        return False
    gap = text[first.quantity.end : second.quantity.start]
    return DASH.fullmatch(gap) is not None or (not gap and second.quantity.text[:1] in "-\u2212\u2013")


def _opened(text: str, binding: Binding, sentence: Sentence) -> int:
    """Return where the bracket around a number opens right behind a name of a row; -1 for none."""
    start = binding.quantity.start + (1 if binding.quantity.bracketed else 0)
    opened = text.rfind("(", max(sentence.start, start - REACH), start)
    if opened < 0 or text.find(")", opened, start) >= 0:
        return -1
    led = between(sentence.rows, opened - REACH, opened)
    return opened if any(opened - 1 <= m.end <= opened for m in led) else -1


def _is_open(text: str, sheet: Sheet, bindings: Sequence[Binding], at: int, group: Sequence[int]) -> bool:
    """Tell whether a bare number of a bracket is of no column's shape alone."""
    binding = bindings[at]
    quantity, cell = binding.quantity, binding.cell
    if cell is None or binding.place.named or quantity.measure != "plain" or quantity.unit_word:
        return False
    pairs = (bindings[other : other + 2] for other in (at - 1, at) if other in group and other + 1 in group)
    if any(_is_record(text, *pair) for pair in pairs):
        return False
    taken = {b.cell[1] for other in group if other != at and (b := bindings[other]).cell}
    return _shaped(sheet, binding, taken) != {cell[1]}


def _shaped(sheet: Sheet, binding: Binding, taken: set[int]) -> set[int]:
    """Return the columns whose figures look like a number: as many decimals, and of its size."""
    reading = binding.quantity.readings[0]
    shown = _decimals(reading.step)
    found = set()
    for column in sheet.figured - sheet.running - taken:
        figures = sheet.figures(column)
        sized = bool(figures) and min(figures) <= reading.value <= max(figures)
        if sized and max(_decimals(value.normalize()) for value in figures) == shown:
            found.add(column)
    return found


def _decimals(value: Decimal) -> int:
    """Return how many decimals a figure shows."""
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
