"""Two lists of figures that answer each other ("240 and 294 became 329 and 330 respectively"), row by row."""

import re
from collections.abc import Callable, Iterable, Sequence

from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.sentence.clauses import Sentence, listed_run
from gateway.ground.table.sheet import CellAt, Sheet

RESPECTIVELY = re.compile(r"[^;:.\d]{0,60}?,?\srespectively\b", re.IGNORECASE)
# "12,400 and 8,200 visits became ...": what stands before the verb says what the first list counts.
VERB = re.compile(
    r"(?P<noun>[^;:.\d]{0,60}?),?\s(?:(?:which|that|then|and)\s)?"
    r"(?:became|becom(?:es?|ing)|turn(?:ed|s)?|were|was|are|is|went|rose|fell|grew|led|yielded|made|gave)\b",
    re.IGNORECASE,
)
# "Orders of 12,400 and 8,200": a noun before a list.
LED = re.compile(r"\b(?P<noun>[^\W\d_]+)\sof\s(?:about\s|some\s)?\W?\Z", re.IGNORECASE)
SMALL = re.compile(r"\b(?:of|in|the|all|total|a|as)\b|[\s,]+", re.IGNORECASE)
Cells = Callable[[Binding], Iterable[CellAt]]


def in_two_lists(
    text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence, cells: Cells
) -> tuple[Binding, ...]:
    """Bind two lists to the two columns that hold them row by row, or refuse them where none do.

    Only where no row is named: each number then is told by the one that answers it.
    """
    found = list(bindings)
    lists = _lists(text, bindings, sentence)
    if not lists:
        return tuple(found)
    held = [
        [{cell for cell in cells(bindings[at]) if cell[1] in sheet.figured} for at in run] for run in lists
    ]
    nouns = _nouns(text, bindings, sentence, lists)
    pairs = [pair for pair in _pairs(held) if nouns and _are_told(bindings, lists, pair[0], nouns)]
    for run, column, rows in (
        zip(lists, pairs[0][0], (pairs[0][1],) * 2, strict=True) if len(pairs) == 1 else ()
    ):
        for at, row in zip(run, rows, strict=True):
            own, cell = bindings[at], (row, column)
            value = sheet.number(*cell)
            found[at] = Binding(own.quantity, own.place, own.direction, cell=cell, value=value)
            found[at] = found[at]._replace(chance=chance_of(own.quantity, 1))
    if len(pairs) != 1:
        for at in (*lists[0], *lists[1]):
            if bindings[at].cell is not None:
                found[at] = bindings[at]._replace(cell=None, value=None, unbound=True)
    return tuple(found)


def _lists(text: str, bindings: Sequence[Binding], sentence: Sentence) -> list[range]:
    """Return where the numbers of two lists of one length stand, the second "respectively"; else nothing."""
    if "respectively" not in text[sentence.start : sentence.end] or len(bindings) < 4:
        return []
    starts = {b.quantity.start: at for at, b in enumerate(bindings)}
    last = len(bindings) - 1
    second = [starts[q.start] for q in listed_run(text, bindings[last].quantity, sentence)]
    if len(second) < 2 or not second[0] or not RESPECTIVELY.match(text, bindings[last].quantity.end):
        return []
    first = [starts[q.start] for q in listed_run(text, bindings[second[0] - 1].quantity, sentence)]
    told = [bindings[at] for at in (*first, *second)]
    open_ = all(b.place.rows is None and b.quantity.slot is None and b.derived is None for b in told)
    plain = len({b.quantity.measure for b in told}) == 1
    if len(first) != len(second) or not open_ or not plain:
        return []
    return [range(first[0], first[-1] + 1), range(second[0], second[-1] + 1)]


def _pairs(held: Sequence[Sequence[set[CellAt]]]) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Return the pairs of columns that hold both lists row by row, each with the rows, no row twice."""
    first, second = held
    found = []
    for one in {column for _, column in first[0]}:
        for two in {column for _, column in second[0]} - {one}:
            rows = [
                {r for r, c in a if c == one} & {r for r, c in b if c == two}
                for a, b in zip(first, second, strict=True)
            ]
            if all(len(own) == 1 for own in rows) and len(set().union(*rows)) == len(rows):
                found.append(((one, two), tuple(min(own) for own in rows)))
    return found


def _nouns(
    text: str, bindings: Sequence[Binding], sentence: Sentence, lists: Sequence[range]
) -> Sequence[frozenset[int] | None]:
    """Return the columns that the noun behind each of two lists names, None without one.

    Empty where a noun is no name of a column.
    """
    ends = [bindings[run[-1]].quantity.end for run in lists]
    verb = VERB.match(text, ends[0], bindings[lists[1][0]].quantity.start)
    closing = RESPECTIVELY.match(text, ends[1])
    if verb is None or closing is None:
        return ()
    stretches = [verb.span("noun"), (ends[1], closing.end() - len("respectively"))]
    found = [_named_in(text, sentence, *stretch) for stretch in stretches]
    for at, (run, since) in enumerate(zip(lists, (sentence.start, verb.end()), strict=True)):
        led = LED.search(text[since : bindings[run[0]].quantity.start])
        if led is not None:
            own = _named_in(text, sentence, since + led.start("noun"), since + led.end("noun"))
            both = found[at]
            found[at] = own if both is None or own is None else own & both
    return [] if any(columns == frozenset() for columns in found) else found


def _named_in(text: str, sentence: Sentence, start: int, end: int) -> frozenset[int] | None:
    """Return the columns that a stretch names; None where it says nothing, empty for any other word."""
    if not SMALL.sub("", text[start:end]):
        return None
    names = [m for m in sentence.columns if start <= m.start and m.end <= end]
    rest = text[start:end]
    for name in names:
        rest = rest.replace(text[name.start : name.end], " ")
    if not names or SMALL.sub("", rest):
        return frozenset()
    longest = max(m.end - m.start for m in names)
    return frozenset[int]().union(*(m.columns for m in names if m.end - m.start == longest))


def _are_told(
    bindings: Sequence[Binding],
    lists: Sequence[range],
    pair: tuple[int, int],
    nouns: Sequence[frozenset[int] | None],
) -> bool:
    """Tell whether two columns are those that the words of their lists name: the noun of a list one alone."""
    places = [bindings[run[0]].place for run in lists]
    if any(noun is not None and noun != {column} for noun, column in zip(nouns, pair, strict=True)):
        return False
    if any(noun is not None for noun in nouns):
        return True
    return any(p.named and column in (p.columns or ()) for p, column in zip(places, pair, strict=True))
