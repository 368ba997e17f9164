"""Superlatives and places in an order ("highest", "second-largest", "led"), computed from the cells."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.compared.ages import aged
from gateway.ground.compared.bare import BESIDE, SAID_OF, bare_claims, bare_extreme, owns
from gateway.ground.compared.joint import joint_extreme
from gateway.ground.compared.superlatives import HIGHEST, LOWEST, is_grade, is_of_all, is_top, superlatives
from gateway.ground.compared.verdict import EVER, SOME, Verdict
from gateway.ground.compared.wanted import CONCEDED, COSTS, PRAISED, UNWANTED, WELCOME
from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.cues import NUMBER_LED, RANKS
from gateway.ground.lexing.lexicon import PARTS, words
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.units import RATES, TIME_UNITS
from gateway.ground.naming.headers import LATER_NTH
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import CellAt, Sheet
from metric_layer.period_words import PLURAL

# Best or fastest may be the smaller figure.
EITHER = frozenset(("best", "worst", "fastest", "slowest", "led", "leads", "leader"))
# "The largest depot" is so by what there is of it, and by no rate.
OF_SIZE = frozenset(("largest", "biggest", "smallest", "tiniest"))
ONE_OF = words("average mean per median rate ratio rating score nps csat response waiting wait")
# "Fell most, by 8%": the lowest of its column.
OF_EXTENT = frozenset(("most", "fastest", "steepest", "strongest"))
PRICED = frozenset(("cheapest", "dearest", "costliest", "priciest"))
RIGHT_BEHIND = re.compile(r"\s")
OPEN = EITHER | {"weakest", "strongest"}
RANKED = re.compile(rf"\b(?P<nth>{'|'.join(LATER_NTH)})[\s-]\Z", re.IGNORECASE)
# "A's majority of 402 was the smallest of the three, B's 6,120 the largest".
IS_MOST = re.compile(
    r"(?:\s[a-z]+)?\s(?:was|were|is|are|remains|remained)\s(?:the|its|their)\s", re.IGNORECASE
)
# "Led the team": of her team only, where the rows have several.
OF_TEAM = re.compile(r"\sthe\s(?:team|side|squad|club)\b", re.IGNORECASE)
TEAMS = frozenset(("team", "club", "side", "squad"))
SIZED = frozenset(("longest", "shortest", "tallest"))
DIMENSIONS = {
    "highest": ("height", "elevation", "altitude"), "tallest": ("height",), "longest": ("length", "duration"),
    "shortest": ("length", "height", "duration"), "deepest": ("depth",),
    "shallowest": ("depth",), "widest": ("width",), "narrowest": ("width",), "heaviest": ("weight", "mass"),
    "lightest": ("weight", "mass"),
}  # fmt: skip
PACE = {"fastest": False, "quickest": False, "speediest": False, "slowest": True}
# What is done on time or the first time is none, nor who works full time, nor how many times it was.
TIME_LABEL = re.compile(
    r"(?<!\bon[\s-])(?<!\b(?:one|all)[\s-])(?<!\b(?:full|part|long|real)[\s-])(?<!\bfirst[\s-])\btime\b"
    r"|(?<!\bof\s)\btimes(?=\s?\(|\Z)",
    re.IGNORECASE,
)
LOW_WINS = re.compile(
    rf"{TIME_LABEL.pattern}|\b(?:strokes?|scores?|gap|total|par|rank|pos|position)\b", re.IGNORECASE
)
RANGED = re.compile(r"\brang(?:ed?|es|ing)\s(?:from|between)\s[^\w\s]?\Z", re.IGNORECASE)
GRADED = re.compile(
    r"\s(?!(?:of|often|by|with|in|at|for|to|from|among|on|and|but|when|where|as|is|are|was|were)\b)([a-z]+)\b",
    re.IGNORECASE,
)
FOLLOWED = re.compile(r"\A[^;:.]{0,40}\bfollowed\s(?:closely\s)?by\b", re.IGNORECASE)
OF_ANY = re.compile(r"\s(?:of|in|among)\s(?:any|all|the)\b", re.IGNORECASE)
BEATEN = re.compile(
    r"\b(?:ahead\sof|followed\s(?:closely\s)?by|than|compared|versus|against)\b", re.IGNORECASE
)
AMONG = re.compile(r"\b(?:in|of|among|for|at|on|within|across)\s[^,;:]*\Z", re.IGNORECASE)
DIRECT = re.compile(
    r"(?:\s(?!and\b|but\b|while\b)\w[\w'&\u2013-]*){0,7}?,?\s?(?:\(|:\s?|(?<=\w),\s(?:where\s)?|\b(?:at|by|with|of|to|was|were|is|are|reached|totall?ed)\s)"
    r"(?:about\s|around\s|only\s|just\s|roughly\s|some\s|an?\s|its\s|his\s|her\s|their\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
# "Her best over the 200 m", "Lund's highest rank": of what one has done, not of the rows.
OWN_BEST = re.compile(r"\b(?:his|her|their)\s(?:personal\s|season's\s)?\Z", re.IGNORECASE)
OWN_IN = re.compile(r"\s(?:[a-z]+\s){0,2}(?:in|over|for|at)\s(?:the\s)?", re.IGNORECASE)
# "At 184 metres, Brudesl\u00f8r is the second-highest": the number said first is the one that is ranked.
LED_BY_OWN = re.compile(
    r"(?:\s[^\W\d_]+)?,\s(?!(?:while|whereas|but)\b)(?:[^,;:]{1,60}\s)?(?:is|was|are|were|remains|became)\s(?:the\s|its\s)?(?:\w+[\s-])?",
    re.IGNORECASE,
)
# "... drew 58,003 visitors, the third highest figure": told of the number before, and of nothing behind.
TOLD_OF = re.compile(r"[^,;:()\d]{0,30}(?:\d{4}[^,;:()\d]{0,3})?,\sthe\s(?:\w+[\s-])?", re.IGNORECASE)
OF_NOTHING_ELSE = re.compile(
    r"(?:\s(?:figure|total|number|value|level)s?)?(?:\s(?:on\srecord|ever|of\s(?:any|all)\b[^,;.]*)|(?=[.,;)!]|\Z))",
    re.IGNORECASE,
)
OF_PRICE = re.compile(r",?\s\(?(?:at\s|for\s|costing\s)?(?:just\s|only\s|about\s)?", re.IGNORECASE)
# One of these is in any text that says something of an order or sets one figure above another.
OTHERS = words(
    "than above below range ranged ranges ranging followed oldest earliest newest youngest latest recent "
    "first last not failed never without didn won held holds wins took gained top lost loses losing nobody "
    "nothing none majority"
)
OPENERS = frozenset(phrase.split()[0] for phrase in (*HIGHEST, *LOWEST, *LATER_NTH, *OTHERS))


def extremes(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield what the cells say of each superlative of a sentence that has a number of its own."""
    bound = standing_cells(bindings)
    words = superlatives(text, sheet, sentence)
    for place, (word, high) in enumerate(words):
        until = words[place + 1][0].start() if place + 1 < len(words) else sentence.end
        since = words[place - 1][0].end() if place else sentence.start
        own = _own(text, bound, word, since, until)
        if own is not None and _ranks_other(text, sentence, word, own):
            own = None  # "B has the most staff and 1.4M in sales" ranks staff
        joint = joint_extreme(text, sheet, sentence, word, bound, high=high) if len(bound) > 1 else None
        if joint is not None and not sheet.table.truncated:
            yield joint
            continue
        some = SOME.search(text, since, until) and not _is_against_all(word)
        some = some or _is_of_team(text, sheet, word)
        if own is None or some or sheet.table.truncated:
            single = own is None and word.group().lower() not in EITHER
            bare = bare_extreme(text, sheet, sentence, word, high=high) if single else None
            yield bare or Verdict(None, "", word.group().lower())
        else:
            judged = _judge(text, Standing(text, sheet, sentence, own, _noun(text, word)), word, high=high)
            ever = judged.holds and EVER.search(text, since, until)
            yield Verdict(None, "", judged.word) if ever else judged
    rows = frozenset(b.cell[0] for b in bindings if b.cell is not None)
    yield from bare_claims(text, sheet, sentence)
    yield from aged(text, sheet, sentence, rows)


def _ranks_other(text: str, sentence: Sentence, word: re.Match[str], own: Binding) -> bool:
    """Tell whether a superlative ranks the column right behind it, and that is not the one of a number."""
    if word.group().lower() in EITHER | PRICED or own.cell is None:
        return False
    gap = BESIDE if word.group().lower() not in ("most", "least") else RIGHT_BEHIND
    behind = [m for m in sentence.columns if m.full and gap.fullmatch(text, word.end(), m.start)]
    said = frozenset[int]().union(*(m.columns for m in behind))
    return bool(behind) and own.cell[1] not in said and not text.startswith(" per ", behind[-1].end)


def standing_cells(bindings: Sequence[Binding]) -> list[Binding]:
    """Return the numbers that say where one row stands: its cell, or the share that its cell has."""
    cells = [b.cell or _part(b.derived) for b in bindings]
    return [b._replace(cell=cell) for b, cell in zip(bindings, cells, strict=True) if cell is not None]


def _part(share: Derived | None) -> CellAt | None:
    """Return the one cell that a share is the share of."""
    whole = [(row, column) for row in share.parts for column in share.columns] if share else []
    return whole[0] if len(whole) == 1 else None


def _is_of_team(text: str, sheet: Sheet, word: re.Match[str]) -> bool:
    """Tell whether somebody is said to lead a team, and the rows are of several."""
    if OF_TEAM.match(text, word.end()) is None:
        return False
    return any(TEAMS & sheet.label_words[key] and sheet.distinct(key) > 1 for key in sheet.keys)


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
    led = before[-1] if before else None
    if led and led.cell and after and after[0].cell and led.cell[0] != after[0].cell[0]:
        # "With 900 people, A is the largest and B ranks second with 700"
        own = LED_BY_OWN.fullmatch(text, led.quantity.end, word.start()) or (
            IS_MOST.fullmatch(text, led.quantity.end, word.start())
            and PARTS.search(text, word.end(), after[0].quantity.start)
        )
        return led if own else after[0]
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
        own = self.sheet.figure(self.row, column)
        orders = (self.order(column, rows, high=high) for rows in self.groups)
        if own is not None and any(len(order) > max(place, 1) and order[place] == own for order in orders):
            return True
        return either and self.stands(column, place, high=not high)

    def order(self, column: int, rows: Sequence[int], *, high: bool) -> Sequence[Decimal]:
        """Return the figures of a column over some rows, the highest or the lowest first."""
        totals = self.sheet.totals - {self.row}
        if len(rows) == self.sheet.height:
            return self.sheet.ranking(column, totals, high=high)
        figures = (self.sheet.figure(row, column) for row in rows if row not in totals)
        return sorted((f for f in figures if f is not None), reverse=high)

    def is_dimension(self, said: str, column: int) -> bool:
        """Tell whether a column is what a superlative of size ranks ("deepest" over Depth)."""
        return not self.sheet.label_words[column].isdisjoint(DIMENSIONS.get(said, ()))

    def is_income(self) -> bool:
        """Tell whether the column holds what more is better of: money, ratings, points, who joined."""
        return is_praised(self.sheet, self.column)

    def is_unwanted(self) -> bool:
        """Tell whether the column holds what less is better of: losses, errors, waits."""
        return UNWANTED.search(self.sheet.label(self.column)) is not None and not self.is_income()

    def is_timed(self) -> bool:
        """Tell whether the column holds times, of which the smallest is the fastest."""
        measured = self.sheet.measured[self.column]
        timed = measured.carrier == "clock" or measured.unit in TIME_UNITS.values()
        return timed or bool(self.sheet.sizes.get(self.column, frozenset()) & {"min", "h", "s", "day"})


def is_praised(sheet: Sheet, column: int) -> bool:
    """Tell whether more is better of what a column holds: money taken, ratings, points, wins."""
    label = sheet.label(column)
    money = sheet.measured[column].carrier == "currency"
    welcome = PRAISED.search(label) or WELCOME.fullmatch(label)
    return (money and COSTS.search(label) is None) or (welcome is not None and not CONCEDED.search(label))


def ranges(text: str, sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield whether "ranged from A to B" spans its column, and "followed by B" leaves nobody out."""
    for first, second in pairwise(b for b in bindings if b.cell is not None):
        if first.cell is None or second.cell is None or first.cell[1] != second.cell[1]:
            continue
        column = first.cell[1]
        totals = sheet.totals - {first.cell[0], second.cell[0]}
        values = [sheet.figure(b[0], column) for b in (first.cell, second.cell)]
        if sheet.table.truncated or None in values:
            continue
        low, high = min(v for v in values if v is not None), max(v for v in values if v is not None)
        lead = text[max(0, first.quantity.start - 40) : first.quantity.start]
        gap = text[first.quantity.end : second.quantity.start]
        if RANGED.search(lead) and first.cell[0] != second.cell[0]:
            least, most = (sheet.ranking(column, totals, high=top)[0] for top in (False, True))
            holds = low == least and high == most
            yield Verdict(holds, f"{sheet.label(column)} goes from {least} to {most}", "ranged")
        elif FOLLOWED.search(gap):
            every = (sheet.figure(row, column) for row in range(sheet.height) if row not in totals)
            between = next((f for f in every if f is not None and low < f < high), None)
            if between is not None:
                yield Verdict(False, f"{sheet.label(column)}: {between} comes between", "followed")


def _judge(text: str, standing: Standing, word: re.Match[str], *, high: bool) -> Verdict:
    """Compare the row of a number with the others: in the column said beside it, else in any."""
    sheet, column, said = standing.sheet, standing.column, word.group().lower()
    nth = RANKED.search(text, max(standing.sentence.start, word.start() - 12), word.start())
    place = LATER_NTH[nth["nth"].lower()] - 1 if nth else 0
    timed = said in PACE and standing.is_timed()
    high = PACE[said] if timed else high
    fallen = standing.own.direction.sign < 0 and (standing.own.value or 0) < 0
    high = high != (said in OF_EXTENT and fallen)
    ranked = bool(RANKS.intersection(split_words(sheet.label(column))))
    if _is_own_best(text, standing, word):
        return Verdict(None, "", said)
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
    unwanted = said in ("best", "worst") and not ranked and standing.is_unwanted()
    high = high != unwanted  # the best loss ratio is the lowest
    either = (said in OPEN or is_top(said)) and not timed and not standing.is_income() and not unwanted
    either = either or ranked or numbered
    either = either or _is_open(text, sheet, column, word)
    if standing.stands(column, place, high=high, either=either):
        side = "highest" if standing.stands(column, place, high=True) else "lowest"
        order = f"{nth['nth']} " if nth else ""
        return Verdict(True, f"{sheet.label(column)} {standing.own.value} is the {order}{side}", said)
    others = sheet.figured - {column} - sheet.running
    others -= _no_sizes(sheet) if said in OF_SIZE else others if timed else frozenset()
    like = any(standing.stands(c, place, high=high, either=either) for c in sorted(others))
    if like and not _is_direct(text, standing, word):
        return Verdict(None, "", said)
    top = standing.order(column, standing.groups[-1], high=high)
    if len(top) < 2 or (standing.own.place.rows is not None and len(standing.own.place.rows) > 1):
        return Verdict(None, "", said)
    return Verdict(False, f"{sheet.label(column)} goes {'up' if high else 'down'} to {top[0]}", said)


def _no_sizes(sheet: Sheet) -> frozenset[int]:
    """Return the columns that say nothing of how large a row is: rates, and what one of something takes."""
    rates = {c for c in sheet.figured if sheet.measured[c].carrier in RATES}
    return frozenset(rates.union(c for c in sheet.figured if not ONE_OF.isdisjoint(sheet.label_words[c])))


def _is_own_best(text: str, standing: Standing, word: re.Match[str]) -> bool:
    """Tell whether a superlative ranks what the one row named beside it has done ("Lund's highest rank")."""
    named = [m for m in standing.sentence.rows if m.rows == {standing.row}]
    if any(owns(text, mention, word.start()) for mention in named):
        return True
    if OWN_BEST.search(text, max(0, word.start() - 24), word.start()) is None:
        return False
    own = word.group().lower() == "best" and not text[: word.start()].lower().endswith("their ")
    if own and any(m.end <= word.start() and text[m.start].isalpha() for m in named):
        return True  # "Lund moved up with his best of the day at 77.2"
    return any(m.start > word.end() and OWN_IN.fullmatch(text, word.end(), m.start) for m in named)


def _is_against_all(word: re.Match[str]) -> bool:
    """Tell whether a superlative sets its row against all others ("more than any other", "unmatched")."""
    return word.group().lower().endswith("any other") or is_of_all(word.group())


def _is_open(text: str, sheet: Sheet, column: int, word: re.Match[str]) -> bool:
    """Tell whether "most" or "least" grades a quality that the column does not go by ("least reliable")."""
    if is_grade(word.group()):
        return True
    graded = GRADED.match(text, word.end()) if word.group().lower() in ("most", "least") else None
    if graded is not None and PLURAL.fullmatch(graded[1]):
        return False
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
    behind = [m for m in columns if m.full and standing.column in m.columns and m.start > word.end()]
    if behind and BESIDE.fullmatch(text, word.end(), behind[0].start):
        return True  # "holds 12,400 Ml, the second-largest capacity"
    sized = said in SIZED and standing.column in standing.sheet.sizes
    if _is_against_all(word) or sized:
        return True
    if start < word.end():
        ending = standing.own.quantity.end
        alone = OF_NOTHING_ELSE.match(text, word.end()) is not None and said in ("highest", "lowest")
        led_by = LED_BY_OWN.fullmatch(text, ending, word.start())
        if led_by and (alone or standing.is_dimension(said, standing.column)):
            return True
        if alone and TOLD_OF.fullmatch(text, ending, word.start()):
            return True
        told = TOLD_OF.fullmatch(text, ending, word.start()) is not None
        return told and OF_ANY.match(text, word.end()) is not None
    first = bisect_left(columns, word.end(), key=lambda m: m.start)
    named = [m for m in columns[first:] if m.start < start]
    others = [m for m in named if m.full and standing.column not in m.columns]
    if others:
        return _is_price_of(text, standing, others[-1])
    opened = start + standing.own.quantity.bracketed
    return bool(named) or DIRECT.fullmatch(text, word.end(), opened) is not None


def _is_price_of(text: str, standing: Standing, mention: Mention) -> bool:
    """Tell whether a number is what one of a count costs ("the cheapest leads at $18.77")."""
    quantity = standing.own.quantity
    if quantity.measure != "currency" or OF_PRICE.fullmatch(text, mention.end, quantity.start) is None:
        return False
    counts = all(standing.sheet.measured[column].carrier == "number" for column in mention.columns)
    behind = bisect_left(standing.sentence.columns, quantity.end, key=lambda m: m.start)
    return counts and not any(
        standing.column in m.columns for m in standing.sentence.columns[behind : behind + 4]
    )
