"""Superlatives and places in an order ("highest", "second-largest", "led"), computed from the cells."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from gateway.ground.bind import Binding
from gateway.ground.clauses import Sentence
from gateway.ground.cues import NUMBER_LED, RANKS
from gateway.ground.lexicon import one_of
from gateway.ground.sheet import Sheet, as_text, numbers_in
from gateway.ground.stems import split_words
from gateway.ground.units import TIME_UNITS

HIGHEST = (
    "highest", "largest", "biggest", "greatest", "strongest", "longest", "tallest", "busiest", "best",
    "maximum", "widest", "fastest", "heaviest", "costliest", "priciest", "peaked", "led", "leads",
    "leader", "most", "more than any other",
)  # fmt: skip
LOWEST = (
    "lowest", "smallest", "least", "fewest", "weakest", "shortest", "worst", "bottom", "minimum", "slowest",
    "narrowest", "cheapest", "lightest", "poorest", "less than any other", "fewer than any other",
)  # fmt: skip
HIGH, LOW = one_of(*HIGHEST), one_of(*LOWEST)
# Best or fastest may be the smaller figure.
EITHER = frozenset(("best", "worst", "fastest", "slowest", "led", "leads", "leader"))
COSTS = re.compile(r"cost|spen[dt]|expen|price|loss|debt|fee|refund", re.IGNORECASE)
PRAISED = re.compile(
    r"\b(?:csat|nps|satisfaction|ratings?|points|pts|wins?|won|margin|conversion|retention|uptime|profit)\b",
    re.IGNORECASE,
)
NTH = {"second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
RANKED = re.compile(rf"\b(?P<nth>{'|'.join(NTH)})[\s-]\Z", re.IGNORECASE)
# Words that make a superlative one of several, of a smaller field, or no superlative at all.
SOME = one_of(
    "among", "one of", "next", "ever", "record", "so far", "since", "except", "excluding", "outside",
    "apart from", "other than", "after", "joint", "not", "never", "personal", "career", "season's",
)  # fmt: skip
NOT_MOST = re.compile(
    r"\s(?:of|recent\w*|popular|notab\w+|famous|often|heavily|important|common\w*|likely|successful)\b"
)
NOT_LED = re.compile(r"\s(?:to|by|him|her|them|the)\b", re.IGNORECASE)
SIZED = frozenset(("longest", "shortest", "tallest"))
PACE = {"fastest": False, "slowest": True}
PLACED = re.compile(
    rf"\b(?:came|comes|finish(?:ed|es|ing)|ranked|ranks|ranking|placed)\s(?:in\s)?(?P<nth>{'|'.join(NTH)})\b(?:\splace)?",
    re.IGNORECASE,
)
LOW_WINS = re.compile(r"\b(?:times?|strokes?|scores?|gap|total|par|rank|pos|position)\b", re.IGNORECASE)
OF_ANY = re.compile(r"\s(?:of|in|among)\s(?:any|all|the)\b", re.IGNORECASE)
AT_MOST = re.compile(r"\b(?:at|the\sother)\s(?:the\s)?\Z", re.IGNORECASE)
DIRECT = re.compile(
    r"(?:\s(?!and\b|but\b|while\b)\w[\w'&\u2013-]*){0,7}?,?\s?(?:\(|:|\b(?:at|with|of|to|was|were|is|are|reached|totall?ed)\s)"
    r"(?:about\s|around\s|only\s|just\s|roughly\s|some\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)


# One of these is in any text that says something of an order or sets one figure above another.
OPENERS = frozenset(phrase.split()[0] for phrase in (*HIGHEST, *LOWEST, *NTH, "than", "above", "below"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the cells say of one claim: borne out, refuted or (None) neither, the figures, the word."""

    holds: bool | None
    how: str
    word: str = ""


def extremes(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield what the cells say of each superlative of a sentence that has a number of its own."""
    bound = [binding for binding in bindings if binding.cell is not None]
    words = list(_superlatives(text, sentence))
    for place, (word, high) in enumerate(words):
        until = words[place + 1][0].start() if place + 1 < len(words) else sentence.end
        since = words[place - 1][0].end() if place else sentence.start
        own = _own(text, bound, word, since, until)
        some = SOME.search(text, since, until) and not word.group().lower().endswith("any other")
        if own is None or some or sheet.table.truncated:
            yield Verdict(None, "", word.group().lower())
        else:
            yield _judge(text, Standing(sheet, sentence, own, _noun(text, word)), word, high=high)
    for found in PLACED.finditer(text, sentence.start, sentence.end):
        yield _placed(text, sheet, sentence, bound, found)


def _superlatives(text: str, sentence: Sentence) -> Iterator[tuple[re.Match[str], bool]]:
    found = [(m, True) for m in HIGH.finditer(text, sentence.start, sentence.end)]
    found += [(m, False) for m in LOW.finditer(text, sentence.start, sentence.end)]
    for match, high in sorted(found, key=lambda item: item[0].start()):
        word, before = match.group().lower(), text[max(0, match.start() - 12) : match.start()]
        named = any(m.start <= match.start() < m.end for m in (*sentence.rows, *sentence.columns))
        named = named and not any(m.full and m.start == match.end() + 1 for m in sentence.columns)
        weak = word in ("most", "least") and (NOT_MOST.match(text, match.end()) or AT_MOST.search(before))
        if not named and not weak and not (word == "led" and NOT_LED.match(text, match.end())):
            yield match, high


def _own(text: str, bound: Sequence[Binding], word: re.Match[str], since: int, until: int) -> Binding | None:
    """Return the number of a superlative: the first behind it, else the last before it."""
    after = [b for b in bound if word.end() <= b.quantity.start < until]
    before = [b for b in bound if since <= b.quantity.start < word.start()]
    if after and before and before[-1].cell and after[0].cell and before[-1].cell[0] == after[0].cell[0]:
        # "At 388 m, it is the shortest of all, though its span of 122 m ..."
        return before[-1] if "," in text[word.end() : after[0].quantity.start] else after[0]
    return after[0] if after else before[-1] if before else None


class Standing:
    """Where the row of a number stands among the rows that a sentence may mean: all, or those of one name."""

    def __init__(self, sheet: Sheet, sentence: Sentence, own: Binding, noun: str = "") -> None:
        """Stand on a sheet, a sentence and a number bound to a cell; "best month" ranks over its `noun`."""
        self.sheet = sheet
        self.sentence = sentence
        self.own = own
        self.row, self.column = own.cell or (0, 0)
        ranked = {key for key in sheet.keys if noun and noun in split_words(sheet.label(key))}
        names = (m for m in (*sentence.rows, *sentence.carried) if m.full and m.column not in ranked)
        named = (m.rows for m in names if self.row in m.rows)
        self.groups = [range(sheet.height), *(sorted(rows) for rows in named if 1 < len(rows) < sheet.height)]

    def stands(self, column: int, place: int, *, high: bool, either: bool = False) -> bool:
        """Tell whether the row stands at a place in the order of a column, from top or from bottom."""
        own = _figure(self.sheet, self.row, column)
        orders = (self.order(column, rows, high=high) for rows in self.groups)
        if own is not None and any(len(order) > max(place, 1) and order[place] == own for order in orders):
            return True
        return either and self.stands(column, place, high=not high)

    def order(self, column: int, rows: Sequence[int], *, high: bool) -> list[Decimal]:
        """Return the figures of a column over some rows, the highest or the lowest first."""
        totals = self.sheet.totals - {self.row}
        figures = (_figure(self.sheet, row, column) for row in rows if row not in totals)
        return sorted((f for f in figures if f is not None), reverse=high)

    def is_income(self) -> bool:
        """Tell whether the column holds what more is better of: money taken, ratings, points, wins."""
        label = self.sheet.label(self.column)
        money = self.sheet.measured[self.column].carrier == "currency"
        return (money and COSTS.search(label) is None) or PRAISED.search(label) is not None

    def is_timed(self) -> bool:
        """Tell whether the column holds times, of which the smallest is the fastest."""
        measured = self.sheet.measured[self.column]
        timed = measured.carrier == "clock" or measured.unit in TIME_UNITS.values()
        return timed or bool(self.sheet.sizes.get(self.column, frozenset()) & {"min", "h", "s", "day"})


def _placed(
    text: str, sheet: Sheet, sentence: Sentence, bound: Sequence[Binding], found: re.Match[str]
) -> Verdict:
    """Judge "came second with 33,870 votes" by the order of that column."""
    own = next((b for b in bound if b.quantity.start >= found.end()), None)
    if own is None or sheet.table.truncated:
        return Verdict(None, "", found.group())
    standing, place = Standing(sheet, sentence, own), NTH[found["nth"].lower()]
    label = sheet.label(standing.column)
    either = LOW_WINS.search(label) is not None
    ranked = _is_ranked(sheet, standing.row, place + 1)
    if ranked or standing.stands(standing.column, place, high=not standing.is_timed(), either=either):
        return Verdict(True, f"{label}: {found['nth']}", found.group())
    if DIRECT.fullmatch(text, found.end(), own.quantity.start) is None:
        return Verdict(None, "", found.group())
    return Verdict(False, f"{label} has another figure in this place", found.group())


def _is_ranked(sheet: Sheet, row: int, rank: int) -> bool:
    """Tell whether a column of ranks says that a row has this one."""
    ranks = (c for c in range(len(sheet.columns)) if RANKS.intersection(split_words(sheet.label(c))))
    return any(re.match(rf"{rank}(?!\d)", as_text(sheet.table.rows[row][c])) for c in ranks)


def _judge(text: str, standing: Standing, word: re.Match[str], *, high: bool) -> Verdict:
    """Compare the row of a number with the others: in the column said beside it, else in any."""
    sheet, column, said = standing.sheet, standing.column, word.group().lower()
    nth = RANKED.search(text, max(standing.sentence.start, word.start() - 12), word.start())
    place = NTH[nth["nth"].lower()] if nth else 0
    timed = said in PACE and standing.is_timed()
    high = PACE[said] if timed else high
    ranked = bool(RANKS.intersection(split_words(sheet.label(column))))
    numbered = (
        NUMBER_LED.search(text[max(0, standing.own.quantity.start - 12) : standing.own.quantity.start])
        is not None
    )
    if (ranked or numbered) and said == "peaked":
        return Verdict(None, "", said)  # of one thing's own history, not of the rows
    either = (said in EITHER and not timed and not standing.is_income()) or ranked
    if standing.stands(column, place, high=high, either=either):
        side = "highest" if standing.stands(column, place, high=True) else "lowest"
        order = f"{nth['nth']} " if nth else ""
        return Verdict(True, f"{sheet.label(column)} {standing.own.value} is the {order}{side}", said)
    like = any(standing.stands(c, place, high=high, either=either) for c in sorted(sheet.figured - {column}))
    if like and not _is_direct(text, standing, word):
        return Verdict(None, "", said)
    top = standing.order(column, standing.groups[-1], high=high)
    if len(top) < 2 or (standing.own.place.rows is not None and len(standing.own.place.rows) > 1):
        return Verdict(None, "", said)
    return Verdict(False, f"{sheet.label(column)} goes {'up' if high else 'down'} to {top[0]}", said)


def _noun(text: str, word: re.Match[str]) -> str:
    """Return the stem of the word behind a superlative ("best month")."""
    following = split_words(text[word.end() : word.end() + 24])
    return following[0] if following else ""


def _is_direct(text: str, standing: Standing, word: re.Match[str]) -> bool:
    """Tell whether a superlative is said of the number right behind it, and of no other column."""
    said, start, columns = word.group().lower(), standing.own.quantity.start, standing.sentence.columns
    if said.endswith("any other") or (said in SIZED and standing.column in standing.sheet.sizes):
        return True
    if start < word.end():
        ending = standing.own.quantity.end
        return text[ending : word.start()] == ", the " and OF_ANY.match(text, word.end()) is not None
    first = bisect_left(columns, word.end(), key=lambda m: m.start)
    named = [m for m in columns[first:] if m.start < start]
    if any(standing.column not in m.columns for m in named if m.full):
        return False
    return bool(named) or DIRECT.fullmatch(text, word.end(), start) is not None


def _figure(sheet: Sheet, row: int, column: int) -> Decimal | None:
    """Return the figure of a cell; of a text column of amounts, its first."""
    if column not in sheet.texts:
        return sheet.number(row, column)
    return next((value for _, value in numbers_in(sheet.table.rows[row][column])), None)
