"""Moves from one cell to another ("rose from 8 to 9, then fell to 7"), each computed by itself."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.compared.extremes import is_praised
from gateway.ground.compared.verdict import Verdict
from gateway.ground.lexing.lexicon import one_of
from gateway.ground.naming.headers import counter_of, is_running
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet, as_text
from metric_layer.period_words import MONTHS

RISE = one_of(
    "rose", "grew", "grown", "risen", "increased", "climbed", "jumped", "up", "gained", "surged",
    "soared", "widened", "accelerated", "expanded", "rebounded", "recovered", "recovering", "rising",
    "growing", "climbing",
)  # fmt: skip
# What rose where more is better; of a wait or a rate of errors, it fell.
BETTER, WORSE = one_of("improved", "improving"), one_of("worsened", "worsening", "deteriorated")
FALL = one_of(
    "fell", "fallen", "declined", "dropped", "decreased", "down", "slipped", "shrank", "shrunk", "plunged",
    "narrowed", "dipped", "slid", "eased", "slowed", "cooled", "decelerated", "weakened", "sank",
    "contracted", "falling", "dropping", "declining",
)  # fmt: skip
# Of a slope as well as of a figure.
RISES = one_of(
    "rises", "climbs", "ascends", "ascended", "grows", "increases",
    r"(?:rise|climb|grow|increase)(?=\s(?:from|to)\b)",
)  # fmt: skip
FALLS = one_of(
    "(?-i:falls)", "drops", "descends", "descended", "declines", "decreases",
    r"(?:fall|drop|decline|decrease)(?=\s(?:from|to)\b)",
)  # fmt: skip
_ABOUT = r"(?:about\s|around\s|just\s|only\s|roughly\s)?"
FROM = re.compile(rf"\bfrom\s{_ABOUT}\Z", re.IGNORECASE)
TO = re.compile(rf"\bto\s{_ABOUT}\Z", re.IGNORECASE)
DOWN_FROM = re.compile(
    rf"\b(?:(?P<up>up|higher)|(?P<down>down|lower))\s{_ABOUT}from\s{_ABOUT}\Z", re.IGNORECASE
)


# "Rose every month from April to July": of these months only.
STRETCH = re.compile(r"\s(?:from|between|until|till|through|up\sto|to)\s", re.IGNORECASE)
STEADY = re.compile(
    rf"(?:{RISE.pattern}|{FALL.pattern})(?:\s[a-z]+ly)?\s(?:in\s)?(?:every|each)\s(?:single\s)?(?:day|week|month|quarter|year)\b",
    re.IGNORECASE,
)
REACHED = re.compile(
    rf"\b[a-z]+(?:\s[a-z]+ly|\s(?P<unit>day|week|month|quarter|year)[\s-](?:on|over)[\s-](?P=unit))?"
    rf"\sto\s{_ABOUT}[^\w\s]?\Z",
    re.IGNORECASE,
)
SINCE = re.compile(r"\b(?:from|since|between|over|compared|versus|vs|than|year|against)\b", re.IGNORECASE)
SEASON = re.compile(
    r"(?:[A-Z][a-z]{2,8}\s|[QH]\d\s|FY\s?)?(?:1[5-9]|20)\d\d(?:[-\u2013/][QW]?\d{1,4})?(?:-\d\d)?\Z"
)
PERIOD = re.compile(
    r"(?:\bQ(?P<part>[1-4])\s)?\b(?P<year>(?:1[5-9]|20)\d\d)\b(?:[-\s][QW]?(?P<tail>\d{1,2})\b(?!-))?"
)


def moves(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether each move of a sentence goes the way its words say."""
    since = sentence.start
    for first, second in pairwise(bindings):
        gap = text[first.quantity.end : second.quantity.start]
        before = text[since : first.quantity.start]
        rise = _way(before, gap, better=is_better(sheet, first))
        if TO.search(gap):
            since = first.quantity.end
        if rise is None or first.value is None or second.value is None:
            continue
        if not _is_one(sheet, first, second):
            yield from _on_its_face(first, second, rise=rise) if FROM.search(before) else ()
            continue
        if FROM.search(before) and TO.search(gap) and _is_backwards(sheet, first, second):
            yield Verdict(False, f"from {first.value} to {second.value} runs back in time")
        elif first.value != second.value:
            values = first.value, second.value
            if max(values) < 0 and not (first.quantity.sign or second.quantity.sign):
                values = -first.value, -second.value  # a loss "increased from 9 to 12"
            yield Verdict((values[1] > values[0]) == rise, f"from {first.value} to {second.value}")
    yield from _levels(text, sheet, sentence, bindings)
    yield from _steady(text, sheet, sentence, bindings)


def _steady(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether what "rose every week" did, in the one column its sentence is about."""
    found = STEADY.search(text, sentence.start, sentence.end)
    if found is None or STRETCH.match(text, found.end()):
        return
    keys = [key for key in sheet.keys if _is_timeline(sheet, key)]
    columns = {b.cell[1] for b in bindings if b.cell is not None} or {
        c for m in sentence.columns if m.full and len(m.columns) == 1 for c in m.columns
    }
    rise = _only(found.group())
    if rise is None or len(keys) != 1 or len(columns) != 1 or sheet.table.truncated:
        return
    column = columns.pop()
    said = [(as_text(sheet.table.rows[row][keys[0]]), value) for row, value in sheet.column_values(column)]
    timed = [(str(name) if name[:1].isdigit() else _time(name), value) for name, value in said]
    series = sorted((str(time), value) for time, value in timed if time)
    steps = [later > earlier for (_, earlier), (_, later) in pairwise(series) if later != earlier]
    steady = len(steps) == len(series) - 1 and all(step == rise for step in steps)
    yield Verdict(steady, f"{sheet.label(column)}: {', '.join(str(value) for _, value in series[:12])}")


def _on_its_face(first: Binding, second: Binding, *, rise: bool) -> Iterator[Verdict]:
    """Yield that "rose from 9 to 5" is false whatever the two numbers are of."""
    one, other = first.quantity, second.quantity
    like = (one.measure, one.currencies) == (other.measure, other.currencies)
    if not like or one.sign or other.sign or first.value is None or second.value is None:
        return
    if first.value < 0 or second.value < 0 or first.value == second.value:
        return
    if (second.value > first.value) != rise:
        yield Verdict(False, f"from {first.value} to {second.value}")


def _levels(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield that "rose to 30 in 2022" is false where the period before it in the result has more."""
    for binding in bindings:
        start = binding.quantity.start
        found = REACHED.search(text[max(sentence.start, start - 40) : start])
        if found is None or binding.cell is None or binding.value is None:
            continue
        if SINCE.search(text, sentence.start, sentence.end) or "," in found.group():
            continue
        before = _before(sheet, *binding.cell)
        rise = _only(found.group(), better=is_better(sheet, binding))
        if (
            rise is not None
            and before is not None
            and before != binding.value
            and (binding.value > before) != rise
        ):
            yield Verdict(False, f"from {before} to {binding.value}")


def _before(sheet: Sheet, row: int, column: int) -> Decimal | None:
    """Return the figure of the period right before a cell's own: of the column before it, or of the row."""
    times = {c: time for c in sheet.numeric if (time := _time(sheet.label(c)))}
    if column in times:
        stem = PERIOD.sub("", sheet.label(column))
        earlier = [
            c for c, t in times.items() if t < times[column] and PERIOD.sub("", sheet.label(c)) == stem
        ]
        return sheet.number(row, max(earlier, key=times.__getitem__)) if earlier else None
    for counting in (c for c in range(len(sheet.columns)) if c != column and counter_of(sheet.label(c))):
        numbers = [as_text(cells[counting]) for cells in sheet.table.rows]
        last = str(int(numbers[row]) - 1) if is_running(numbers) else ""
        if last in numbers:
            return sheet.number(numbers.index(last), column)
    for place in range(len(sheet.keys)):
        own = _time(sheet.row_key(row)[place])
        if own is None:
            continue
        keys = [sheet.row_key(other) for other in range(sheet.height)]
        rest = keys[row][:place] + keys[row][place + 1 :]
        rows = [
            (time, other)
            for other, key in enumerate(keys)
            if (time := _time(key[place])) and time < own and key[:place] + key[place + 1 :] == rest
        ]
        return sheet.number(max(rows)[1], column) if rows else None
    return None


def _time(label: str) -> tuple[int, int] | None:
    """Return (year, number of its quarter, month or week) of a name that is a period; None for any other."""
    found = PERIOD.search(label)
    if found is None or (found["part"] and found["tail"]):
        return None
    return int(found["year"]), int(found["part"] or found["tail"] or 0)


def is_better(sheet: Sheet, binding: Binding) -> bool:
    """Tell whether more is better of what a number is of: money taken, ratings, points."""
    columns = {binding.cell[1]} if binding.cell else binding.derived.columns if binding.derived else set()
    return bool(columns) and all(is_praised(sheet, column) for column in columns)


def _way(before: str, gap: str, *, better: bool) -> bool | None:
    """Return whether words say that the second number is above the first; None where they say neither."""
    back = DOWN_FROM.search(gap)
    if back is not None:
        return back["up"] is None
    if FROM.search(gap) and TO.search(before):
        rise = _only(before, better=better)
        return None if rise is None else not rise
    if TO.search(gap) is None:
        return None
    return _only(before if FROM.search(before) else gap, better=better)


def _only(said: str, *, better: bool = False) -> bool | None:
    """Return whether words say a rise, or a fall; what got better did either, save where more is `better`."""
    rise = (RISE.search(said) or RISES.search(said) or (BETTER.search(said) if better else None)) is not None
    fall = (FALL.search(said) or FALLS.search(said) or (WORSE.search(said) if better else None)) is not None
    return rise if rise != fall else None


def _is_one(sheet: Sheet, first: Binding, second: Binding) -> bool:
    """Tell whether two numbers are the same figure at two times: one column, or two dated ones of one row."""
    if first.cell is None or second.cell is None or first.quantity.measure != second.quantity.measure:
        return False
    (row, column), (other_row, other_column) = first.cell, second.cell
    if column == other_column:
        if any(_is_timeline(sheet, key) for key in sheet.keys):
            return True
        keys = zip(sheet.keys, sheet.row_key(row), sheet.row_key(other_row), strict=True)
        return all(one == other or (_is_dated(one) and _is_dated(other)) for _, one, other in keys)
    return row == other_row and _is_dated(sheet.label(column)) and _is_dated(sheet.label(other_column))


def _is_backwards(sheet: Sheet, first: Binding, second: Binding) -> bool:
    """Tell whether the first of two figures of one row is of a later column than the second."""
    cells = first.cell, second.cell
    times = [_time(sheet.label(cell[1])) for cell in cells if cell is not None]
    return len(times) == 2 and None not in times and times[0] > times[1]  # type: ignore[operator]


def _is_timeline(sheet: Sheet, key: int) -> bool:
    """Tell whether a key column alone tells the rows apart, each by a period of its own."""
    said = {as_text(row[key]) for row in sheet.table.rows}
    return len(said) == sheet.height and all(map(SEASON.match, said))


def _is_dated(name: str) -> bool:
    """Tell whether a name may be one of a period: it has a digit or is a month."""
    return any(character.isdigit() for character in name) or name.lower() in MONTHS
