"""Lists said to be in an order ("Wins, best first: ..."): whether the figures of their items are in it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from gateway.ground.compared.extremes import EITHER, OPEN, is_praised
from gateway.ground.compared.superlatives import HIGHEST, LOWEST
from gateway.ground.compared.verdict import Verdict
from gateway.ground.compared.wanted import UNWANTED
from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Span, Spoken
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

_HIGH = "|".join(word for word in (*HIGHEST, "top", "newest", "oldest") if word.endswith(("st", "top")))
_LOW = "|".join(word for word in (*LOWEST,) if word.endswith("st"))
ORDER = re.compile(
    rf"\b(?:(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\s(?:first(?=[,:;.)\n]|\Z)|to\s(?:{_HIGH}|{_LOW})\b)"
    r"|(?P<ranked>rank(?:ed|ing))\sby\b(?=[^:.;\n\d]{0,60}:\s*\n)"
    r"|(?:in\s)?(?:(?P<falling>descending|falling|decreasing)|(?P<rising>ascending|rising|increasing))\sorder\b"
    r"|(?:from\s)?(?:(?P<down>high|most)\sto\s(?:low|least|fewest)|(?P<up>low|least|fewest)\sto\s(?:high|most))\b"
    r"|(?:(?P<top>top)|(?P<bottom>bottom))\s(?:\d{1,2}|[a-z]{3,5})\b(?=[^:.;\n\d]{0,60}:\s*\n))",
    re.IGNORECASE,
)
OPENERS = words(
    "ranked ranking top bottom first order lowest highest smallest largest biggest fewest least most worst "
    "best low high"
)
NUMBERED = re.compile(r"\s*(?P<n>\d{1,3})[.)]\s")
LONGEST = 40


class Listed(NamedTuple):
    """Where a text says in what order a list is, and whether it is; None where that is left open."""

    span: Span
    verdict: Verdict


def list_orders(
    spoken: Spoken, sheet: Sheet, sentences: Sequence[Sentence], bindings: Sequence[Binding]
) -> Mapping[int, Listed]:
    """Return the order that a list is said to be in, by where the sentence starts that says so."""
    if not spoken.says(OPENERS):
        return {}
    starts, numbers = [s.start for s in sentences], [b.quantity.start for b in bindings]
    found: dict[int, Listed] = {}
    for said in ORDER.finditer(spoken.text):
        at = bisect_right(starts, said.start()) - 1
        if at >= 0 and said.end() <= sentences[at].end:
            items = list(_items(spoken.text, said.end(), sentences[at:], numbers, bindings))
            found[sentences[at].start] = Listed(said.span(), _verdict(spoken.text, sheet, said, items))
    return found


def _items(
    text: str, since: int, sentences: Sequence[Sentence], numbers: Sequence[int], bindings: Sequence[Binding]
) -> Iterator[tuple[int, Sequence[Binding]]]:
    """Yield (start, numbers) of each item: of the sentence itself, else of the lines behind it."""
    own = bindings[bisect_left(numbers, since) : bisect_left(numbers, sentences[0].end)]
    if own:
        yield from ((binding.quantity.start, (binding,)) for binding in own[:LONGEST])
        return
    for before, sentence in pairwise(sentences[: LONGEST + 1]):
        held = bindings[bisect_left(numbers, sentence.start) : bisect_left(numbers, sentence.end)]
        if not held or "\n" not in text[before.end : sentence.start + 1]:
            return
        yield sentence.start, held


def _verdict(
    text: str, sheet: Sheet, said: re.Match[str], items: Sequence[tuple[int, Sequence[Binding]]]
) -> Verdict:
    """Compare the figures of the items of a list, which must all be of one column."""
    cells = [[b.cell for b in held if b.cell is not None] for _, held in items]
    columns = [{column for _, column in held} for held in cells]
    shared = set.intersection(*columns) & sheet.figured if len(columns) > 1 else set()
    if not shared:
        return Verdict(None, "", "order")
    column = next(c for _, c in cells[0] if c in shared)
    rows = [next(row for row, c in held if c == column) for held in cells]
    values = [value for row in rows if (value := sheet.figure(row, column)) is not None]
    if len(values) < len(rows):
        return Verdict(None, "", "order")
    counted = bool(said["top"] or said["bottom"]) or _are_numbered(text, items)
    holds = any(
        _in_order(sheet, column, values, high=high, counted=counted) for high in _ways(sheet, said, column)
    )
    return Verdict(holds, f"{sheet.label(column)}: {', '.join(map(str, values))}", "order")


def _ways(sheet: Sheet, said: re.Match[str], column: int) -> Sequence[bool]:
    """Return whether the largest figure may come first: both where "best" may mean either."""
    falling = bool(said["high"] or said["falling"] or said["down"] or said["top"])
    if said["ranked"]:
        return True, False
    word = (said["high"] or said["low"] or "").lower()
    if word not in EITHER | OPEN or is_praised(sheet, column):
        return (falling,)
    return (not falling,) if UNWANTED.search(sheet.label(column)) else (True, False)


def _are_numbered(text: str, items: Sequence[tuple[int, Sequence[Binding]]]) -> bool:
    """Tell whether the items of a list are numbered from 1, so that they are the first of all rows."""
    marks = [NUMBERED.match(text, start) for start, _ in items]
    return all(mark is not None and int(mark["n"]) == place for place, mark in enumerate(marks, 1))


def _in_order(sheet: Sheet, column: int, values: Sequence[Decimal], *, high: bool, counted: bool) -> bool:
    if counted:
        ranking = sheet.ranking(column, sheet.totals, high=high)
        return not sheet.table.truncated and list(ranking[: len(values)]) == list(values)
    return all((a >= b) if high else (a <= b) for a, b in pairwise(values))
