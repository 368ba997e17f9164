"""A majority said of a share ("the majority of sales, 29.6%"): it must be more than half."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal

from gateway.ground.compared.verdict import Verdict
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

MAJORITY = re.compile(
    r"\b(?:the|an?|its|their)\s(?:[a-z]+\s)?majority\b(?!\s(?:vote|stake|holding|owner))", re.IGNORECASE
)
# What is called so, and is no share: by how much somebody won.
MARGIN = re.compile(r"majority|margin|lead\b|swing", re.IGNORECASE)
APART = re.compile(r"[;:.!?]|\b(?:but|while|whereas|against|than|versus)\b", re.IGNORECASE)
FAR, NEAR = 60, 8
HALF = Decimal(50)


def majorities(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield that a share is less than half of what it is said to be the majority of."""
    if text.find("ajority", sentence.start, sentence.end) < 0:
        return
    for said in MAJORITY.finditer(text, sentence.start, sentence.end):
        own = _own(text, sentence, bindings, said)
        if own is None or not _is_share(sheet, own):
            continue
        if own.quantity.readings[0].value < HALF:
            yield Verdict(False, f"{own.quantity.text} is less than half", said.group())


def _own(text: str, sentence: Sentence, bindings: Sequence[Binding], said: re.Match[str]) -> Binding | None:
    """Return the percentage right behind a majority, or right before it; no row stands between the two."""
    behind = next((b for b in bindings if b.quantity.start >= said.end()), None)
    if behind is not None and _is_beside(text, sentence, said.end(), behind.quantity.start, FAR):
        return behind
    before = next((b for b in reversed(bindings) if b.quantity.end <= said.start()), None)
    near = before is not None and _is_beside(text, sentence, before.quantity.end, said.start(), NEAR)
    return before if near else None


def _is_beside(text: str, sentence: Sentence, start: int, end: int, far: int) -> bool:
    """Tell whether a stretch is short and holds no pause and no row."""
    first = bisect_left(sentence.rows, start, key=lambda m: m.start)
    rows = any(start <= m.start < end for m in sentence.rows[first : first + 1])
    return end - start <= far and not rows and APART.search(text, start, end) is None


def _is_share(sheet: Sheet, binding: Binding) -> bool:
    """Tell whether a number is a percentage of a cell or a declared share, and no margin by its name."""
    if binding.quantity.measure != "percent" or (binding.derived is not None and binding.derived.change):
        return False
    cell = binding.cell
    names = [sheet.label(cell[1]), *sheet.row_key(cell[0])] if cell is not None else []
    return not any(map(MARGIN.search, names))
