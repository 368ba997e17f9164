"""Superlatives and places in an order ("highest", "second-largest", "led"), computed from the cells."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.amounts import numbers_in
from gateway.ground.bare import SAID_OF, bare_claims, bare_extreme
from gateway.ground.binding import Binding
from gateway.ground.clauses import Sentence
from gateway.ground.cues import NUMBER_LED, RANKS
from gateway.ground.lexicon import one_of, words
from gateway.ground.mentions import Mention
from gateway.ground.sheet import Sheet, as_text
from gateway.ground.stems import split_words
from gateway.ground.units import TIME_UNITS
from gateway.ground.verdict import SOME, Verdict

HIGHEST = (
    "highest", "largest", "biggest", "greatest", "strongest", "longest", "tallest", "busiest", "best",
    "maximum", "deepest", "steepest", "richest", "warmest", "hottest", "widest", "fastest", "heaviest",
    "costliest", "priciest", "peaked", "led", "leads", "leader", "most", "more than any other",
)  # fmt: skip
LOWEST = (
    "lowest", "smallest", "least", "fewest", "weakest", "shortest", "worst", "bottom", "minimum", "slowest",
    "narrowest", "shallowest", "coldest", "cheapest", "lightest", "poorest", "less than any other",
    "fewer than any other",
)  # fmt: skip
HIGH, LOW = one_of(*HIGHEST), one_of(*LOWEST)
# Best or fastest may be the smaller figure.
EITHER = frozenset(("best", "worst", "fastest", "slowest", "led", "leads", "leader"))
OPEN = EITHER | {"weakest", "strongest"}
COSTS = re.compile(r"cost|spen[dt]|expen|price|loss|debt|fee|refund", re.IGNORECASE)
PRAISED = re.compile(
    r"\b(?:csat|nps|ctr|occupancy|on-time|growth|open\srate|satisfaction|ratings?|points|pts|wins?|won|margin|conversion|retention|uptime|profit|goals?|runs?|sales|sold|copies|viewers|audience"
    r"|attendances?|passengers|visitors|users|orders|sessions)\b",
    re.IGNORECASE,
)
NTH = {"second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
RANKED = re.compile(rf"\b(?P<nth>{'|'.join(NTH)})[\s-]\Z", re.IGNORECASE)
NOT_MOST = re.compile(
    r"\s(?:of|recent\w*|popular|notab\w+|famous|often|heavily|important|common\w*|likely|successful)\b"
)
NOT_LED = re.compile(r"\s(?:to|by|him|her|them|the)\b", re.IGNORECASE)
SIZED = frozenset(("longest", "shortest", "tallest"))
DIMENSIONS = {
    "highest": ("height", "elevation", "altitude"), "tallest": ("height",), "longest": ("length", "duration"),
    "shortest": ("length", "height", "duration"), "deepest": ("depth",),
    "shallowest": ("depth",), "widest": ("width",), "narrowest": ("width",), "heaviest": ("weight", "mass"),
    "lightest": ("weight", "mass"),
}  # fmt: skip
PACE = {"fastest": False, "slowest": True}
PLACED = re.compile(
    rf"\b(?:(?:came|comes|finish(?:ed|es|ing)|ranked|ranks|ranking|placed)\s(?:in\s)?(?P<nth>{'|'.join(NTH)})\b(?:\splace)?"
    rf"|(?:was|were|is|are)\s(?P<is>{'|'.join(NTH)})(?=\s(?:with|at|on)\b))",
    re.IGNORECASE,
)
LOW_WINS = re.compile(r"\b(?:times?|strokes?|scores?|gap|total|par|rank|pos|position)\b", re.IGNORECASE)
ANY_OTHER = re.compile(r"\bthan\sany\sother\b", re.IGNORECASE)
SIZE = re.compile(
    r"\b(?:(?P<more>more|higher|larger|bigger|greater|longer|taller|heavier)|less|fewer|lower|smaller|shorter|lighter)\b",
    re.IGNORECASE,
)
RANGED = re.compile(r"\brang(?:ed?|es|ing)\s(?:from|between)\s[^\w\s]?\Z", re.IGNORECASE)
GRADED = re.compile(r"\s([a-z]+(?:able|ible|ful|ive|ent|ant|ous|cient))\b", re.IGNORECASE)
FOLLOWED = re.compile(r"\A[^;:.]{0,40}\bfollowed\s(?:closely\s)?by\b", re.IGNORECASE)
OF_ANY = re.compile(r"\s(?:of|in|among)\s(?:any|all|the)\b", re.IGNORECASE)
BEATEN = re.compile(
    r"\b(?:ahead\sof|followed\s(?:closely\s)?by|than|compared|versus|against)\b", re.IGNORECASE
)
AMONG = re.compile(r"\b(?:in|of|among|for|at|on|within|across)\s[^,;:]*\Z", re.IGNORECASE)
AT_MOST = re.compile(r"\b(?:at|the\sother)\s(?:the\s)?\Z", re.IGNORECASE)
DIRECT = re.compile(
    r"(?:\s(?!and\b|but\b|while\b)\w[\w'&\u2013-]*){0,7}?,?\s?(?:\(|:|(?<=\w),\s|\b(?:at|by|with|of|to|was|were|is|are|reached|totall?ed)\s)"
    r"(?:about\s|around\s|only\s|just\s|roughly\s|some\s|an?\s|its\s|his\s|her\s|their\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
# "At 184 metres, Brudesl\u00f8r is the second-highest": the number said first is the one that is ranked.
LED_BY_OWN = re.compile(
    r"(?:\s[^\W\d_]+)?,\s[^,;:]{1,60}\s(?:is|was|remains|became)\s(?:the\s|its\s)?(?:\w+[\s-])?",
    re.IGNORECASE,
)
# One of these is in any text that says something of an order or sets one figure above another.
OTHERS = words(
    "than above below range ranged ranges ranging followed oldest earliest newest youngest latest not failed "
    "never without didn won held holds wins took gained"
)
OPENERS = frozenset(phrase.split()[0] for phrase in (*HIGHEST, *LOWEST, *NTH, *OTHERS))


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
            single = own is None and word.group().lower() not in EITHER
            bare = bare_extreme(text, sheet, sentence, word, high=high) if single else None
            yield bare or Verdict(None, "", word.group().lower())
        else:
            yield _judge(text, Standing(text, sheet, sentence, own, _noun(text, word)), word, high=high)
    rows = frozenset(b.cell[0] for b in bindings if b.cell is not None)
    yield from bare_claims(text, sheet, sentence, rows)
    for found in PLACED.finditer(text, sentence.start, sentence.end):
        yield _placed(text, sheet, sentence, bound, found)


def _superlatives(text: str, sentence: Sentence) -> Iterator[tuple[re.Match[str], bool]]:
    found = [(m, True) for m in HIGH.finditer(text, sentence.start, sentence.end)]
    found += [(m, False) for m in LOW.finditer(text, sentence.start, sentence.end)]
    for other in ANY_OTHER.finditer(text, sentence.start, sentence.end):
        size = list(SIZE.finditer(text, max(sentence.start, other.start() - 60), other.start()))
        if size and not any(m.end() == other.end() for m, _ in found):
            found.append((other, size[-1]["more"] is not None))
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
    apart = bool(after) and text[word.end()] in ",;" and after[0].quantity.start > word.end() + 3
    if apart and any(b.quantity.start < word.start() for b in bound):
        after = []  # "of 6.2% is the highest, more than twice the 2.9% of B"
    if after and any(b.quantity.end <= word.start() for b in bound):
        beaten = BEATEN.search(text, word.end(), after[0].quantity.start)
        after = [] if beaten else after  # "at 2,925 m A is the highest peak, ahead of B at 2,914 m"
    before = [b for b in bound if since <= b.quantity.start < word.start()]
    if after and before and before[-1].cell and after[0].cell and before[-1].cell[0] == after[0].cell[0]:
        # "At 388 m, it is the shortest of all, though its span of 122 m ..."
        return before[-1] if "," in text[word.end() : after[0].quantity.start] else after[0]
    return after[0] if after else before[-1] if before else None


class Standing:
    """Where the row of a number stands among the rows that a sentence may mean: all, or those of one name."""

    def __init__(self, text: str, sheet: Sheet, sentence: Sentence, own: Binding, noun: str = "") -> None:
        """Stand on a sheet, a sentence and a number bound to a cell; "best month" ranks over its `noun`."""
        self.text = text
        self.sheet = sheet
        self.sentence = sentence
        self.own = own
        self.row, self.column = own.cell or (0, 0)
        ranked = {key for key in sheet.keys if noun and noun in split_words(sheet.label(key))}
        names = (m for m in (*sentence.rows, *sentence.carried) if m.full and m.column not in ranked)
        named = (m.rows for m in names if self.row in m.rows and self._is_field(m))
        self.groups = [range(sheet.height), *(sorted(rows) for rows in named if 1 < len(rows) < sheet.height)]

    def _is_field(self, mention: Mention) -> bool:
        """Tell whether a name may be the field that a superlative ranks over: no aside behind the number."""
        end = self.own.quantity.end
        return mention.start < end or AMONG.search(self.text[end : mention.start]) is not None

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

    def is_dimension(self, said: str, column: int) -> bool:
        """Tell whether a column is what a superlative of size ranks ("deepest" over Depth)."""
        return not self.sheet.label_words[column].isdisjoint(DIMENSIONS.get(said, ()))

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


def ranges(text: str, sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether "ranged from A to B" spans its column, and "followed by B" leaves nobody out."""
    for first, second in pairwise(b for b in bindings if b.cell is not None):
        if first.cell is None or second.cell is None or first.cell[1] != second.cell[1]:
            continue
        column = first.cell[1]
        totals = sheet.totals - {first.cell[0], second.cell[0]}
        figures = [
            f for r in range(sheet.height) if r not in totals and (f := _figure(sheet, r, column)) is not None
        ]
        values = [_figure(sheet, b[0], column) for b in (first.cell, second.cell)]
        if sheet.table.truncated or None in values:
            continue
        low, high = min(v for v in values if v is not None), max(v for v in values if v is not None)
        lead = text[max(0, first.quantity.start - 40) : first.quantity.start]
        gap = text[first.quantity.end : second.quantity.start]
        if RANGED.search(lead) and first.cell[0] != second.cell[0]:
            holds = low == min(figures) and high == max(figures)
            yield Verdict(
                holds, f"{sheet.label(column)} goes from {min(figures)} to {max(figures)}", "ranged"
            )
        elif FOLLOWED.search(gap) and any(low < figure < high for figure in figures):
            between = next(figure for figure in figures if low < figure < high)
            yield Verdict(False, f"{sheet.label(column)}: {between} comes between", "followed")


def _placed(
    text: str, sheet: Sheet, sentence: Sentence, bound: Sequence[Binding], found: re.Match[str]
) -> Verdict:
    """Judge "came second with 33,870 votes" by the order of that column."""
    own = next((b for b in bound if b.quantity.start >= found.end()), None)
    if own is None or sheet.table.truncated:
        return Verdict(None, "", found.group())
    nth = (found["nth"] or found["is"]).lower()
    standing, place = Standing(text, sheet, sentence, own), NTH[nth]
    label = sheet.label(standing.column)
    either = LOW_WINS.search(label) is not None
    rank = _rank(sheet, standing.row)
    alone = all(standing.row in m.rows for m in sentence.rows if m.full)
    if rank and rank != place + 1 and alone:
        return Verdict(False, f"{label}: the rank of this row is {rank}", found.group())
    if rank == place + 1 or standing.stands(
        standing.column, place, high=not standing.is_timed(), either=either
    ):
        return Verdict(True, f"{label}: {nth}", found.group())
    if DIRECT.fullmatch(text, found.end(), own.quantity.start) is None:
        return Verdict(None, "", found.group())
    return Verdict(False, f"{label} has another figure in this place", found.group())


def _rank(sheet: Sheet, row: int) -> int:
    """Return what the only column of ranks says of a row; 0 where there is none or it says nothing."""
    ranks = [c for c in range(len(sheet.columns)) if RANKS & sheet.label_words[c]]
    found = (
        re.match(r"\d{1,3}(?![\d.,])", as_text(sheet.table.rows[row][ranks[0]])) if len(ranks) == 1 else None
    )
    return int(found.group()) if found else 0


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
    open_ = standing.own.place.columns or frozenset()
    sized = [c for c in sorted(open_) if standing.is_dimension(said, c)]
    if sized and column not in sized:
        return Verdict(False, f"{sheet.label(sized[0])} says which is {said}", said)
    either = (said in OPEN and not timed and not standing.is_income()) or ranked or numbered
    either = either or _is_open(text, sheet, column, word)
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


def _is_open(text: str, sheet: Sheet, column: int, word: re.Match[str]) -> bool:
    """Tell whether "most" or "least" grades a quality that the column does not go by ("least reliable")."""
    graded = GRADED.match(text, word.end()) if word.group().lower() in ("most", "least") else None
    return graded is not None and not sheet.label_words[column].intersection(split_words(graded[1]))


def _noun(text: str, word: re.Match[str]) -> str:
    """Return the stem of the word behind a superlative ("best month")."""
    following = split_words(text[word.end() : word.end() + 24])
    return following[0] if following else ""


def _is_direct(text: str, standing: Standing, word: re.Match[str]) -> bool:
    """Tell whether a superlative is said of the number right behind it, and of no other column."""
    said, start, columns = word.group().lower(), standing.own.quantity.start, standing.sentence.columns
    led = [m for m in columns if m.end <= word.start() and standing.column in m.columns]
    if led and SAID_OF.fullmatch(text, led[-1].end, word.start()):
        return True  # "attrition was highest in Operations (7.7%)"
    if said.endswith("any other") or (said in SIZED and standing.column in standing.sheet.sizes):
        return True
    if start < word.end():
        ending = standing.own.quantity.end
        if LED_BY_OWN.fullmatch(text, ending, word.start()) and standing.is_dimension(said, standing.column):
            return True
        return text[ending : word.start()] == ", the " and OF_ANY.match(text, word.end()) is not None
    first = bisect_left(columns, word.end(), key=lambda m: m.start)
    named = [m for m in columns[first:] if m.start < start]
    if any(standing.column not in m.columns for m in named if m.full):
        return False
    opened = start + standing.own.quantity.bracketed
    return bool(named) or DIRECT.fullmatch(text, word.end(), opened) is not None


def _figure(sheet: Sheet, row: int, column: int) -> Decimal | None:
    """Return the figure of a cell; of a text column of amounts, its first."""
    if column not in sheet.texts:
        return sheet.number(row, column)
    return next((value for _, value in numbers_in(sheet.table.rows[row][column])), None)
