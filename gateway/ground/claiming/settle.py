"""What the cells themselves say of a claim: who is highest, who is above whom, what rose and what fell."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gateway.ground.claiming.claim_words import TREND_WORDS
from gateway.ground.compared.ahead import ahead
from gateway.ground.compared.bettered import bettered
from gateway.ground.compared.end_groups import end_groups
from gateway.ground.compared.extremes import extremes, is_praised, ranges
from gateway.ground.compared.gaps import gaps
from gateway.ground.compared.halves import majorities
from gateway.ground.compared.leads import led_by
from gateway.ground.compared.moves import BETTER, FALL, RISE, WORSE, is_better, moves
from gateway.ground.compared.placed import places
from gateway.ground.compared.places_moved import places_moved
from gateway.ground.compared.top_lists import top_lists
from gateway.ground.compared.verdict import Verdict
from gateway.ground.lexing.lexicon import CHANGE_LABEL, COMPARED
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.bound import Binding, figure_told
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

_MORE = "more|higher|greater|larger|bigger|taller|longer|heavier|better|richer|pricier|costlier|warmer|older"
_LESS = "less|lower|fewer|smaller|shorter|lighter|worse|poorer|cheaper|colder|younger"
ABOVE = re.compile(
    rf"above|outs(?:old|ell\w*)|surpass\w*|exceed\w*|up\son|(?:{_MORE})\s(?:[a-z]+\s){{0,3}}than",
    re.IGNORECASE,
)
BELOW = re.compile(rf"below|down\son|(?:{_LESS})\s(?:[a-z]+\s){{0,3}}than", re.IGNORECASE)
AHEAD = re.compile(
    r"ahead\sof|beat\w*|outperform\w*|outpac\w+|outstripp\w*|overt(?:ook|ak\w+)|topp\w*", re.IGNORECASE
)
BEHIND = re.compile(r"behind|trail\w*|lag\w*", re.IGNORECASE)
# "38 metres, Saint Orla is taller than Marrow Point with 31": two figures with one comparison between them.
PAIR = re.compile(
    r"(?:[^;:.()]{0,60}?,\s(?:which\s(?:is|was)\s)?|[^;:.()]{0,60}?\b(?:is|was|are|were|has|have|had)\s|[^;:.()\w]{0,3})"
    r"(?:still\s|well\s|far\s|slightly\s|just\s|much\s|clearly\s|significantly\s)?"
    rf"(?:(?P<above>above|(?:{_MORE})(?:\s[a-z]+){{0,2}}\sthan)"
    rf"|(?P<below>below|(?:{_LESS})(?:\s[a-z]+){{0,2}}\sthan))\s[^,;:.]{{0,60}}(?:,\swith\s)?",
    re.IGNORECASE,
)
SPLIT_LEAD = re.compile(rf"\b(?:(?P<above>{_MORE})|(?P<below>{_LESS}))\s[^,;:.]{{0,40}}\Z", re.IGNORECASE)
SPLIT_GAP = re.compile(r"\)?\s?(?:[a-z]+\s){0,2}than\s[^,;:.]{0,60}", re.IGNORECASE)
# "Lyon is cheaper than Gdansk: 3.41 against 2.97".
PUT_LEAD = re.compile(
    rf"\b(?:(?P<above>{_MORE})|(?P<below>{_LESS}))\s(?:[a-z]+\s){{0,2}}than\s[^,;.:()]{{0,60}}[:(\u2013\u2014]\s*\W?\Z",
    re.IGNORECASE,
)
PUT_GAP = re.compile(
    r"[^,;.:()]{0,40}\b(?:against|versus|vs\.?|compared\s(?:with|to))\s[^,;.:]{0,30}", re.IGNORECASE
)
# "Lund earned the higher rate (164.20 versus 148.90)".
SET_LEAD = re.compile(
    rf"\b(?:(?P<above>{_MORE})|(?P<below>{_LESS}))\s(?:[a-z][a-z-]*\s){{1,3}}\(?[^\w\s]?\Z", re.IGNORECASE
)
PUT_BEHIND = re.compile(r"\s(?:against|versus|vs\.?|compared\s(?:with|to))\s[^\w\s]?")
# Where more is better: not of strokes or seconds.
WON_BY = re.compile(
    r"\b(?:beat|beats|beating|defeat(?:ed|s|ing)|edged)\b[^;:\d]{0,60}\sby\s[\d.,]+\s"
    r"(?:points?|votes?|goals?|seats?|runs?),\s\Z",
    re.IGNORECASE,
)
# "Outsold Web, 930 to 620": whoever did had more of what it counts.
OUTDID = re.compile(
    r"\bout-?(?:sold|sells?|selling|(?!stand)[a-z]+ed|(?!stand)[a-z]+ing)\b(?:[^;:\d]|(?:19|20)\d\d){0,60}?(?:,|\sby|\swith)?\s[^\w\s]?\Z",
    re.IGNORECASE,
)
TO = re.compile(r"(?:\s[a-z]+)?\sto\s[^\w\s]?", re.IGNORECASE)
VERB = re.compile(r"\s[a-z]+\s")
COMPARATORS = ("than", "above", "below", "against", "versus", "vs", "compared")
# "For the third month running": more than one change.
LASTING = re.compile(
    r"\b(?:running|straight|successive|again|once\smore|every|each|in\sa\srow|since|always|steadily)\b",
    re.IGNORECASE,
)
EITHER_WAY = re.compile(r"better|worse", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Settled:
    """What code found: whether the cells bear a claim out, and the figures that say so."""

    holds: bool
    how: str


def settle_comparison(
    text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]
) -> Settled | None:
    """Return what the cells say of superlatives and of one figure above another, or None."""
    found = _decide(_orders(text, sheet, sentence, bindings))
    found = found or _decide(bettered(text, sheet, sentence, bindings))
    return found or _versus(text, sheet, sentence, bindings)


def settle_trend(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    """Return what declared changes, signed cells or cells in time say of a rise or fall."""
    said = text[sentence.start : sentence.end]
    moved = _decide(moves(text, sheet, sentence, bindings))
    if moved is not None and not moved.holds:
        return moved
    told = (*bettered(text, sheet, sentence, bindings), *places_moved(text, sentence))
    better_told = _decide(told)
    if better_told is not None:
        return better_told
    if _is_of_changes(text, sheet, sentence, bindings):
        return Settled(True, "the signs of the cells")
    better = any(is_better(sheet, b) for b in bindings)
    rise = (RISE.search(said) or (BETTER.search(said) if better else None)) is not None
    fall = (FALL.search(said) or (WORSE.search(said) if better else None)) is not None
    if rise == fall:
        return moved or _peak(text, sheet, sentence, bindings)
    changes = [b.derived for b in bindings if b.derived is not None and b.derived.change]
    if changes and all((change.value > 0) == rise for change in changes):
        return Settled(True, "; ".join(change.expression for change in changes))
    signed = [b for b in bindings if b.cell is not None and b.direction.sign and b.direction.firm]
    if signed and all(b.direction.sign == (1 if rise else -1) for b in signed):
        return Settled(True, "the signs of the cells")
    return moved or _versus(text, sheet, sentence, bindings)


def _is_of_changes(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> bool:
    """Tell whether every word of a trend governs a cell of a column of changes, whose sign it gives."""
    governed = {
        b.direction.start
        for b in bindings
        if b.cell is not None and b.direction.sign and CHANGE_LABEL.search(sheet.label(b.cell[1]))
    }
    lasting = LASTING.search(text, sentence.start, sentence.end) is not None
    return bool(governed and not lasting) and all(
        found.start() in governed for found in TREND_WORDS.finditer(text, sentence.start, sentence.end)
    )


def refuted(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    """Return what the cells say against a sentence without a word of claim ("third-tallest")."""
    found = _decide(_orders(text, sheet, sentence, bindings))
    return found if found is not None and not found.holds else None


def refuted_move(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    """Return what the numbers say against a move without a word of trend ("descends from 4 to 9")."""
    found = _decide(moves(text, sheet, sentence, bindings))
    return found if found is not None and not found.holds else None


def _orders(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    yield from extremes(text, sheet, sentence, bindings)
    yield from places(text, sheet, sentence, bindings)
    yield from ranges(text, sheet, bindings)
    yield from top_lists(text, sheet, sentence, bindings)
    yield from end_groups(text, sheet, sentence)
    yield from ahead(text, sheet, sentence, bindings)
    yield from gaps(text, sheet, sentence, bindings)
    yield from majorities(text, sheet, sentence, bindings)
    yield from led_by(text, sheet, sentence, bindings)
    yield from _pairs(text, bindings)
    yield from _margins(text, sentence, bindings)


def _decide(verdicts: Iterable[Verdict]) -> Settled | None:
    """Put verdicts together: one that is refuted decides, all must hold to hold."""
    found = list(verdicts)
    wrong = [verdict.how for verdict in found if verdict.holds is False]
    if wrong:
        return Settled(False, "; ".join(wrong))
    if found and all(verdict.holds for verdict in found):
        return Settled(True, "; ".join(verdict.how for verdict in found))
    return None


def _peak(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    """Settle a peak, which is a superlative in the words of a trend."""
    found = list(extremes(text, sheet, sentence, bindings))
    return _decide(found) if any(verdict.word == "peaked" for verdict in found) else None


def _pairs(text: str, bindings: Sequence[Binding]) -> Iterable[Verdict]:
    """Compare two figures of one kind with the words between them that set one above the other."""
    for first, second in pairwise(bindings):
        gap = text[first.quantity.end : second.quantity.start]
        if not any(map(gap.__contains__, COMPARATORS)) or second.quantity.hedge:
            continue
        said = _compared(text, first, second)
        like = first.quantity.measure == second.quantity.measure
        apart = any(b.derived is not None and b.derived.op == "difference" for b in (first, second))
        levels = not (first.direction.delta or second.direction.delta or apart)
        one, other = figure_told(first), figure_told(second)
        if said is None or not like or not levels or one is None or other is None:
            continue
        if EITHER_WAY.search(said.group()) or one == other:
            continue
        above = said["above"] is not None
        yield Verdict((one > other) == above, f"{one} against {other}")


def _margins(text: str, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether who "beat B by 23 points, 133 to 110" has more of them."""
    for first, second in pairwise(bindings):
        start = first.quantity.start
        gap = text[first.quantity.end : second.quantity.start]
        if TO.fullmatch(gap) is None:
            continue
        since = max(sentence.start, start - 120)
        said = OUTDID.search(text, since, start) or (gap == " to " and WON_BY.search(text, since, start))
        if said and first.value is not None and second.value is not None:
            yield Verdict(first.value > second.value, f"{first.value} against {second.value}")


def _compared(text: str, first: Binding, second: Binding) -> re.Match[str] | None:
    """Return the comparison between two numbers, or around the first ("fewer points (29) than B (28)")."""
    start, end = first.quantity.end, second.quantity.start
    if PUT_GAP.fullmatch(text, start, end):
        put = PUT_LEAD.search(text[max(0, first.quantity.start - 100) : first.quantity.start])
        if put is not None:
            return put
    if SPLIT_GAP.fullmatch(text, start, end):
        split = SPLIT_LEAD.search(text[max(0, first.quantity.start - 60) : first.quantity.start])
        if split is not None:
            return split
    if first.quantity.bracketed and (verb := VERB.match(text, start, end)):
        start = verb.end() - 1
    if PUT_BEHIND.fullmatch(text, start, end):
        return SET_LEAD.search(text[max(0, first.quantity.start - 60) : first.quantity.start])
    return PAIR.fullmatch(text, start, end)


def _versus(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    """Compare the one bound cell with the same column of the row it is said to be above or below.

    Being ahead may also mean the smaller figure (a race), so only a word of size refutes.
    """
    bound = [b for b in bindings if b.cell is not None]
    cells = {b.cell for b in bound if b.cell is not None}
    if len(cells) != 1:
        return None
    row, column = next(iter(cells))
    objects = _objects(text, sentence, row)
    if len(objects) != 1 or len(objects[0].rows) != 1:
        return None
    other = next(iter(objects[0].rows))
    own, theirs = sheet.number(row, column), sheet.number(other, column)
    lead = text[max(sentence.start, objects[0].start - 30) : objects[0].start]
    up = bool(ABOVE.search(lead) or AHEAD.search(lead))
    down = bool(BELOW.search(lead) or BEHIND.search(lead))
    if own is None or theirs is None or row == other or up == down:
        return None
    holds = own != theirs and (own > theirs) == up
    behind = bound[0].quantity.start > objects[0].end  # "is 310 ahead of B": by how much
    sized = ABOVE.search(lead) or BELOW.search(lead) or (behind and _is_of_money(sheet, column))
    if not holds and not sized:
        return None
    keys = ("|".join(sheet.row_key(r)) for r in (row, other))
    return Settled(holds, f"{sheet.label(column)}: {next(keys)} {own}, {next(keys)} {theirs}")


def _is_of_money(sheet: Sheet, column: int) -> bool:
    """Tell whether who is ahead by a column has more money of it."""
    return sheet.measured[column].carrier == "currency" and is_praised(sheet, column)


def _objects(text: str, sentence: Sentence, row: int) -> Sequence[Mention]:
    """Return the names that something is compared with; of one that stands in several columns, the like."""
    objects = [m for m in sentence.rows if COMPARED.search(text[sentence.start : m.start])]
    if len({m.rows for m in objects}) == 1:
        return objects[:1]
    if len({(m.start, m.end) for m in objects}) > 1:
        return objects
    own = {m.column for m in sentence.rows if m.full and m.rows == {row} and m not in objects}
    return [m for m in objects if m.column in own]
