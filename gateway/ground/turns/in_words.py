"""Numbers found inside of cells of words ("2.0 L I4", "18-31-1"): their unit and a word must say so."""

import re
from collections.abc import Sequence
from itertools import pairwise

from gateway.ground.lexing.measures import measure_after, size_said
from gateway.ground.lexing.stems import SMALL_WORDS, split_words
from gateway.ground.lexing.units import TIME_UNITS
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet, as_text

OF = re.compile(r"\s(?:out\s)?of\s(?:the\s|his\s|her\s|its\s|their\s)?", re.IGNORECASE)
ROOT = 4
DIGITS = re.compile(r"\d[\d.,:]*")


def of_properties(
    text: str, sheet: Sheet, sentences: Sequence[Sentence], bindings: Sequence[Binding]
) -> tuple[Binding, ...]:
    """Return the numbers of a table of properties, without the cells that no unit and no word speaks of."""
    found: list[Binding] = []
    for sentence in sentences:
        spoken = split_words(text[sentence.start : sentence.end])
        words = frozenset(word for word in spoken if word.isalpha())
        for binding in bindings[len(found) : len(found) + len(sentence.quantities)]:
            denied = binding.cell is not None and not _is_said(text, sheet, binding, words)
            cells = (binding.cell,) if denied and binding.cell is not None else ()
            found.append(binding._replace(cell=None, value=None, elsewhere=cells) if denied else binding)
    for at, (part, whole) in enumerate(pairwise(found)):
        if part.cell and whole.cell and OF.fullmatch(text, part.quantity.end, whole.quantity.start):
            more = part.quantity.readings[0].value > whole.quantity.readings[0].value
            if more or part.cell != whole.cell:  # "21 of 36 passes" of one cell
                found[at] = part._replace(cell=None, value=None, elsewhere=(part.cell,))
    return tuple(found)


def _is_said(text: str, sheet: Sheet, binding: Binding, spoken: frozenset[str]) -> bool:
    """Tell whether the unit of a number is that of its cell, or where neither has one, a word tells it."""
    row, column = binding.cell or (0, 0)
    held = held_unit(sheet, binding)
    if column not in sheet.keys or held is None:
        return True
    said = size_said(text, binding.quantity.text, binding.quantity.end)
    if column in sheet.figured and (binding.place.named or not sheet.sizes.get(column)):
        return not (said and held) or said == held
    if said or held:
        return said == held
    words = {*split_words(sheet.label(column)), *split_words(as_text(sheet.table.rows[row][column]))}
    roots = {word[:ROOT] for word in words - SMALL_WORDS if len(word) >= ROOT}
    return any(word[:ROOT] in roots for word in spoken)


def held_unit(sheet: Sheet, binding: Binding) -> str | None:
    """Return the unit of size behind a number in its text cell, "" for none; None where it is not there."""
    row, column = binding.cell or (0, 0)
    digits = DIGITS.search(binding.quantity.text)
    if digits is None:
        return None
    cell = as_text(sheet.table.rows[row][column])
    figure = re.escape(digits.group().rstrip(".,:"))
    shown = re.search(rf"(?<![\d.,]){figure}(?!\d|[.,]\d)", cell)
    return measure_after(cell, shown.end()) if shown else None


def is_of_other_unit(text: str, sheet: Sheet, binding: Binding) -> bool:
    """Tell whether a number shows a text cell that has it in another unit, of time or not."""
    if binding.cell is None or binding.cell[1] not in sheet.keys:
        return False
    said = size_said(text, binding.quantity.text, binding.quantity.end)
    held = held_unit(sheet, binding) if said and said not in TIME_UNITS else ""
    return bool(held) and held != said
