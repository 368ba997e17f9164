"""Visible text to tokens. Every digit ends up in a token or in `leftovers`, which block the draft."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from gateway.ground.furniture import code_marks, ordinal_marks, structural_marks
from gateway.ground.numerals import AMBIGUOUS, CORE, DOZENS, SCALES, WORDS, decimal_comma, parse_numeral, parse_spelled
from gateway.ground.tokens import Hedge, Mark, Quantity, Reading, Tokens
from gateway.ground.units import CURRENCY_CODES, CURRENCY_MARKS, CURRENCY_WORDS, TIME_UNITS, Measure

_MARKS = "|".join(re.escape(mark) for mark in sorted(CURRENCY_MARKS, key=len, reverse=True))
_CODES = "|".join(sorted(CURRENCY_CODES))
_SCALES = "|".join(sorted(SCALES, key=len, reverse=True))
_CURRENCY_WORDS = "|".join(sorted(CURRENCY_WORDS, key=len, reverse=True))

VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
BEFORE = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+±]|(?<![\w)\]])\u2013|(?:\bminus|\bnegative)\s)?(?:(?P<money>(?<!\w)(?i:{_MARKS})\.?|(?<!\w)(?:{_CODES}))"
    rf"[\s\u00a0]?(?P<late>[-+])?)?\Z"
)
AFTER = re.compile(
    rf"(?P<exponent>[eE][+-]?\d{{1,2}}(?!\w)|\s?[×x]\s?10\^?\{{?(?P<power>-?\d{{1,2}}|[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)\}}?)?"
    rf"(?P<scale>(?:[\s\u00a0-]?(?i:{_SCALES})(?![^\W\d_]))+\.?)?"
    rf"(?P<plus>\+(?!\d))?"
    rf"(?P<unit>[\s\u00a0-]{{0,2}}(?:(?P<percent>%|(?i:percent(?!age)|per\scent|pct\.?|prozent|pour\scent|por\sciento|procent|percento)(?!\w)|v\.?H\.?(?!\w))"
    rf"(?P<inpoints>[\s-]?(?i:points?|pts?)\b)?"
    rf"|(?P<permille>‰)"
    rf"|(?P<points>(?i:percentage[\s-]points?|percent[\s-]points?|prozentpunkte?n?|points?\sde\spourcentage|ppts?|p\.p\.|pp|%-?points?)(?!\w))"
    rf"|(?P<basis>(?i:bps|bp|basis[\s-]points?|basispunkte?)(?!\w))"
    rf"|(?P<times>[x×](?![\w])|(?i:times|fold|-fold)(?!\w))"
    rf"|(?P<money>(?i:{_MARKS}|{_CURRENCY_WORDS})(?!\w)|(?:{_CODES})(?!\w))))?",
)
HEDGES: tuple[tuple[Hedge, str], ...] = (
    ("at_least", r"at\sleast|no\s(?:less|fewer)\sthan|not\sless\sthan|upwards\sof|a\sminimum\sof|≥|>=|mindestens|au\smoins"),
    ("at_most", r"at\smost|no\smore\sthan|not\smore\sthan|up\sto|a\smaximum\sof|≤|<=|höchstens|au\splus|maximum\sof"),
    ("over", r"(?:just|slightly|well|a\slittle)?\s?(?:over|above|more\sthan|greater\sthan|in\sexcess\sof|exceeding|exceeds|exceeded|upward\sof|north\sof|topping|topped|higher\sthan)|>|mehr\sals|über|plus\sde"),
    ("under", r"(?:just|slightly|a\slittle)?\s?(?:under|below|less\sthan|fewer\sthan|nearly|almost|close\sto|shy\sof|short\sof|approaching|south\sof|not\squite|lower\sthan)|<|fast|knapp|weniger\sals|moins\sde"),
    ("about", r"about|around|approximately|approx\.?|roughly|circa|ca\.|c\.|~|some|an?\sestimated|in\sthe\sregion\sof|or\sso|on\sthe\sorder\sof|rund|etwa|ungefähr|environ"),
)  # fmt: skip
HEDGE = re.compile(
    r"(?:^|(?<=[\s(~<>≥≤]))(?:" + "|".join(rf"(?P<{hedge}>{words})" for hedge, words in HEDGES) + r")\s?(?:an?\s)?\Z",
    re.IGNORECASE,
)
HEDGE_AFTER = re.compile(r"(?P<about>\s?(?:or\sso|-?ish|give\sor\stake)\b)|(?P<at_least>\s(?:or\smore|or\shigher|and\s(?:above|up))\b)|(?P<at_most>\s(?:or\s(?:less|fewer|under))\b)", re.IGNORECASE)  # fmt: skip
FRACTIONS = re.compile(r"(?:(?P<whole>\d{1,6})[\s\u00a0-]?)?(?:(?P<over>\d{1,4})/(?P<under>\d{1,4})|(?P<vulgar>[" + VULGAR + r"]))(?![\d/])")  # fmt: skip
NUMBER = re.compile(CORE)
WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+")
FOLDS = {"double": 2, "twofold": 2, "triple": 3, "threefold": 3, "quadruple": 4, "fourfold": 4, "fivefold": 5, "tenfold": 10}
PARTS = {"half": (1, 2), "third": (1, 3), "quarter": (1, 4), "fifth": (1, 5), "sixth": (1, 6), "eighth": (1, 8), "tenth": (1, 10)}
SMALL = "one|two|three|four|five|six|seven|eight|nine|ten"
MULTIPLES = re.compile(
    r"\b(?:(?P<two>doubl(?:ed|es|ing)|twofold|two-fold|twice)|(?P<three>tripl(?:ed|es|ing)|threefold|three-fold|trebled)"
    r"|(?P<four>quadrupl(?:ed|es|ing)|fourfold|four-fold)|(?P<half>halv(?:ed|es|ing)|half\s(?:as|the|that)\s(?:many|much|amount|level|size|number))"
    r"|(?P<two_verb>double)(?=\s(?:the|that|what)\b)|(?P<three_verb>triple)(?=\s(?:the|that|what)\b))",
    re.IGNORECASE,
)
SHARES = re.compile(
    rf"\b(?:(?P<top>{SMALL}|\d{{1,3}})\s(?:in|out\sof)\s(?:every\s)?(?P<bottom>{SMALL}|\d{{1,3}})\b(?![.,]?\d)"
    r"|(?P<count>a|an|one|two|three|four)?[\s-]?(?P<part>third|quarter|fifth|sixth|eighth|tenth)s?(?=\sof\s(?!20\d\d|the\syear|fiscal|FY))"
    r"|(?<=\bby\s)(?:(?P<by_half>half)|an?\s(?P<by_part>third|quarter|fifth|tenth))\b"
    r"|(?P<plural>two|three|four|five)[\s-](?P<parts>third|quarter|fifth|sixth|eighth|tenth)s\b"
    r"|(?<!first\s)(?<!second\s)(?<!latter\s)(?<!other\s)(?P<half>half)(?=\s(?:of\s(?!20\d\d|the\syear|fiscal|FY)|all\b|the\s)))",
    re.IGNORECASE,
)
RANGE = re.compile(r"\s?(?:[–-]|\bto\b|\band\b|\bbis\b)\s?[-]?\Z", re.IGNORECASE)
PRONOUN_BEFORE = frozenset("this that the which each every another no any only not some these those last first next former latter such".split())  # fmt: skip
PRONOUN_AFTER = frozenset("of another or who whose that which is was were has had by on at can could should must would to and day thing hand side more than".split())  # fmt: skip
DURATION = re.compile(r"[\s\u00a0-](?P<unit>seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|decades?)\b", re.IGNORECASE)  # fmt: skip
LATER = re.compile(r"\s(?:later|earlier|ago|old|after|before|prior|apart|straight|running|in\sa\srow)\b", re.IGNORECASE)
SPAN_LEAD = re.compile(r"\b(?:last|past|previous|next|first|final|within|over|in|for|after|every|during|trailing|prior|rolling|these|those|all|under|than|the|by|each|per)\s(?:the\s|a\s|about\s)?\Z", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Known:
    """What the result explains: spans of its names, of periods, words that count it, and its own units of time."""

    names: tuple[tuple[int, int], ...]
    periods: tuple[tuple[int, int], ...]
    heads: frozenset[str]
    nouns: frozenset[str]
    time_units: frozenset[str]
    locale: str


class Lexer:
    """One pass over one visible text."""

    def __init__(self, text: str, known: Known) -> None:
        """Start with nothing consumed."""
        self.text = text
        self.known = known
        self.comma = decimal_comma(known.locale)
        self.used = bytearray(len(text))
        self.marks: list[Mark] = []
        self.quantities: list[Quantity] = []
        self.leftovers: list[tuple[int, int]] = []

    def read(self) -> Tokens:
        """Return all tokens of the text."""
        self._keep(structural_marks(self.text, self._taken))
        self._keep(Mark("label", *span, self.text[slice(*span)]) for span in self.known.names)
        self._keep(Mark("temporal", *span, self.text[slice(*span)]) for span in self.known.periods)
        self._keep(code_marks(self.text, self._taken, self.known.heads))
        self._keep(ordinal_marks(self.text, self._taken))
        self._word_shares()
        self._fractions()
        self._numbers()
        self._spelled()
        self._residue()
        self.quantities.sort(key=lambda quantity: quantity.start)
        self.marks.sort(key=lambda mark: mark.start)
        return Tokens(tuple(self._ranged()), tuple(self.marks), tuple(self.leftovers))

    def _taken(self, start: int, end: int) -> bool:
        return any(self.used[start:end])

    def _use(self, start: int, end: int) -> None:
        self.used[start:end] = b"\1" * (end - start)

    def _keep(self, marks: Iterable[Mark]) -> None:
        for mark in marks:
            if not self._taken(mark.start, mark.end):
                self._use(mark.start, mark.end)
                self.marks.append(mark)

    def _add(self, quantity: Quantity) -> None:
        self._use(quantity.start, quantity.end)
        self.quantities.append(quantity)

    def _word_shares(self) -> None:
        """Read "doubled", "halved", "half of", "two-thirds", "one in five"."""
        for found in MULTIPLES.finditer(self.text):
            word = found.lastgroup or ""
            times = {"two": 2, "three": 3, "four": 4}.get(word.removesuffix("_verb"))
            if not self._taken(*found.span()):
                self._add(self._loose(found, Decimal(times) if times else Decimal("0.5"), "multiple"))
        for found in SHARES.finditer(self.text):
            value = _share_value(found)
            if value is not None and not self._taken(*found.span()):
                self._add(self._loose(found, value, "fraction"))

    def _loose(self, found: re.Match[str], value: Decimal, measure: Measure) -> Quantity:
        start, end = found.span()
        hedge, start_hedged = self._hedge(start, end)
        return Quantity(
            start, end, self.text[start:end], (Reading(value, value / 50),), measure=measure, hedge=hedge, loose=True
        )

    def _fractions(self) -> None:
        """Read "4 1/2", "½" and "3/4"."""
        for found in FRACTIONS.finditer(self.text):
            over, under = _fraction_parts(found)
            if self._taken(*found.span()) or not 0 < over < under or under > 100 or self._touches_digit(found):
                continue
            whole = Decimal(found["whole"] or 0)
            value = whole + Decimal(over) / Decimal(under)
            if found["whole"]:
                exact = value.normalize()
                step = Decimal(1).scaleb(max(int(exact.as_tuple().exponent), -4))
                self._measure(found.start(), found.end(), (Reading(value, step),), digits=2)
            else:
                self._add(self._loose(found, value, "fraction"))

    def _touches_digit(self, found: re.Match[str]) -> bool:
        before, after = self.text[: found.start()][-1:], self.text[found.end() :][:1]
        return before.isalnum() or before in "/.," and before != "" or after in "/" and after != ""

    def _numbers(self) -> None:
        """Read every number written with digits."""
        for found in NUMBER.finditer(self.text):
            start, end = found.span()
            if self._taken(start, end):
                self._rest_of(start, end)
                continue
            parsed = parse_numeral(found.group(), self.comma)
            if parsed is None or self._is_glued(start):
                self.leftovers.append((start, end))
                self._use(start, end)
                continue
            value, decimals = parsed
            digits = len(re.sub(r"\D", "", found.group()).lstrip("0")) or 1
            self._measure(start, end, (Reading(value, Decimal(1).scaleb(-decimals)),), digits=digits)

    def _is_glued(self, start: int) -> bool:
        """Tell whether a letter of an alphabet stands right before a number that no currency mark explains."""
        before = self.text[start - 1 : start]
        if not (before.isalpha() and before < "\u0530"):
            return False
        found = BEFORE.search(self.text[max(0, start - 24) : start])
        return not (found and found["money"])

    def _rest_of(self, start: int, end: int) -> None:
        """Read the digits of a run that a name or a period took only in part."""
        for found in re.finditer(r"\d+", self.text[start:end]):
            at, until = start + found.start(), start + found.end()
            if not self._taken(at, until):
                self._measure(at, until, (Reading(Decimal(found.group()), Decimal(1)),), digits=len(found.group()))

    def _measure(self, start: int, end: int, readings: tuple[Reading, ...], digits: int, spelled: bool = False) -> None:
        """Add a number with the sign, currency, scale, unit and hedge around it."""
        before = BEFORE.search(self.text[max(0, start - 24) : start])
        after = AFTER.match(self.text, end)
        groups = after.groupdict() if after else {}
        until = after.end() if after else end
        begin = start - len(before.group()) if before and before.group().strip() else start
        if before and not (before["sign"] or before["money"] or before["late"] or before["open"]):
            begin = start
        readings = tuple(_scaled(readings, groups))
        measure, currencies = _measure_of(groups, (before["money"] if before else None) or "")
        opened = bool(before and before["open"])
        closed = opened and self.text[until : until + 1] == ")"
        if opened and not closed and before is not None:
            begin += 1
        sign = _sign(self.text, before, begin) if before else 0
        hedge, _ = self._hedge(begin, until)
        if groups.get("plus") and not hedge:
            hedge = "at_least"
        quantity = Quantity(
            begin, until + closed, self.text[begin : until + closed], readings, measure=measure, currencies=currencies,
            sign=sign, hedge=hedge, bracketed=closed, spelled=spelled, digits=digits,
            unit_word=self._unit_word(until),
        )  # fmt: skip
        if measure == "plain" and not sign and self._is_duration(quantity):
            found = DURATION.match(self.text, until)
            self._keep((Mark("temporal", begin, found.end() if found else until, self.text[begin:until]),))
            return
        self._add(quantity)

    def _unit_word(self, until: int) -> str:
        found = re.match(r"[\s\u00a0-]?([^\W\d_]{1,12})\b", self.text[until : until + 16])
        word = found.group(1).lower() if found else ""
        return "points" if word in ("point", "points", "pts") else TIME_UNITS.get(word, "")

    def _is_duration(self, quantity: Quantity) -> bool:
        """Tell whether a number counts the length of a stretch of time ("within 30 days", "a 12-month low")."""
        found = DURATION.match(self.text, quantity.end)
        if found is None or quantity.unit_word in self.known.time_units or "weeks" in self.known.nouns:
            return False
        joined = self.text[quantity.end] == "-" or LATER.match(self.text, found.end()) is not None
        return joined or SPAN_LEAD.search(self.text[max(0, quantity.start - 24) : quantity.start]) is not None

    def _hedge(self, start: int, end: int) -> tuple[Hedge, int]:
        """Return the hedge governing a number and where it starts."""
        window = self.text[max(0, start - 28) : start]
        found = HEDGE.search(window)
        if found and found.lastgroup:
            name: Hedge = next(hedge for hedge, _ in HEDGES if hedge == found.lastgroup)
            return name, max(0, start - 28) + found.start()
        late = HEDGE_AFTER.match(self.text, end)
        if late and late.lastgroup:
            return next(hedge for hedge, _ in HEDGES if hedge == late.lastgroup), start
        return "", start

    def _spelled(self) -> None:
        """Read numbers written in words, "a dozen", "half a million", "no orders"."""
        found = list(WORD.finditer(self.text))
        words = [word.group().lower() for word in found]
        place = 0
        while place < len(words):
            place += self._spelled_at(found, words, place)

    def _spelled_at(self, found: Sequence[re.Match[str]], words: Sequence[str], place: int) -> int:
        """Read the number in words at one place; return how many words to move on."""
        start = found[place].start()
        word = words[place]
        if self._taken(*found[place].span()) or word not in STARTS:
            return 1
        if word == "no":
            return self._none_of(found, words, place)
        value, used, step = _spelled_value(words, place)
        if not used or self._is_name_part(found, place, used) or _is_pronoun(words, place, used):
            if used and word == "one":
                self._keep((Mark("pronoun", start, found[place].end(), found[place].group()),))
            return max(used, 1)
        end = found[place + used - 1].end()
        if self._taken(start, end):
            return 1
        shown = str(value).rstrip("0") if value == int(value) else str(value)
        self._measure(start, end, (Reading(value, step),), digits=len(shown.replace(".", "")) or 1, spelled=True)
        return used

    def _is_name_part(self, found: Sequence[re.Match[str]], place: int, used: int) -> bool:
        """Tell whether a number word belongs to a hyphenated name ("three-point") or a proper name ("Twenty One")."""
        end = found[place + used - 1].end()
        if self.text[end : end + 1] == "-" and self.text[end + 1 : end + 2].isalpha():
            return not re.match(r"-(?:day|week|month|year|fold|hour)", self.text[end : end + 6])
        return found[place].group()[0].isupper() and place > 0 and self.text[found[place].start() - 2 : found[place].start()] not in (". ", "! ", "\n")  # fmt: skip

    def _none_of(self, found: Sequence[re.Match[str]], words: Sequence[str], place: int) -> int:
        """Read "no orders" as zero when the noun counts something of the result."""
        for ahead in (1, 2):
            if place + ahead < len(words) and words[place + ahead] in self.known.nouns:
                start, end = found[place].span()
                self._add(Quantity(start, end, self.text[start:end], (Reading(Decimal(0), Decimal(1)),), spelled=True))
                return 1
        return 1

    def _residue(self) -> None:
        """Collect every digit nobody consumed: Nd, Nl, No, or a numeral of a script that writes numbers as words."""
        for found in re.finditer(r"[0-9]|[^\x00-\x7f]", self.text):
            if not self.used[found.start()] and _is_numeral(found.group()):
                self.leftovers.append(found.span())

    def _ranged(self) -> Iterator[Quantity]:
        """Yield the quantities; the first of a range takes unit, currency and scale of the second."""
        for place, first in enumerate(self.quantities):
            second = self.quantities[place + 1] if place + 1 < len(self.quantities) else None
            yield _inherit(first, second, self.text) if second else first


STARTS = frozenset(WORDS) | {"no", "a", "an", "half", "dozen", "dozens"}


def tokenize(text: str, known: Known) -> Tokens:
    """Cut a visible text into tokens."""
    return Lexer(text, known).read()


def _inherit(first: Quantity, second: Quantity, text: str) -> Quantity:
    gap = text[first.end : second.start]
    if len(gap) > 5 or not RANGE.fullmatch(gap) or first.loose or second.loose:
        return first
    if gap.strip().lower() == "and" and not re.search(r"\b(?:between|from)\s\Z", text[: first.start], re.IGNORECASE):
        return first
    if first.measure != "plain" and first.measure != second.measure:
        return first
    readings = first.readings
    if second.readings[0].scaled and not readings[0].scaled:
        by = second.readings[0].step / Decimal(1).scaleb(int(second.readings[0].step.as_tuple().exponent))
        power = _power(second)
        readings += tuple(Reading(r.value.scaleb(power), r.step.scaleb(power), True) for r in first.readings if by)
    return replace(
        first, measure=second.measure, currencies=first.currencies or second.currencies, readings=readings
    )


def _power(quantity: Quantity) -> int:
    """Return the power of ten of the scale word of a quantity."""
    found = re.search(rf"\d\s?(?:{_SCALES})", quantity.text, re.IGNORECASE)
    word = re.sub(r"[\d\s]", "", found.group()).lower() if found else ""
    return SCALES.get(word, 0)


def _scaled(readings: Iterable[Reading], groups: dict[str, str | None]) -> Iterator[Reading]:
    """Yield the readings a scale suffix allows; an ambiguous letter ("m") also allows none."""
    words = re.findall(r"[^\W\d_]+", groups.get("scale") or "")
    power = sum(SCALES[word.lower()] for word in words)
    power += _exponent(groups) - bool(groups.get("permille"))
    for reading in readings:
        if power:
            yield Reading(reading.value.scaleb(power), reading.step.scaleb(power), bool(words))
        if not power or (words and words[-1] in AMBIGUOUS):
            yield reading


def _exponent(groups: dict[str, str | None]) -> int:
    text = groups.get("exponent") or ""
    if not text:
        return 0
    power = groups.get("power")
    if power is None:
        return int(text[1:])
    return int("".join(str(unicodedata.digit(c)) if c != "-" else c for c in power))


def _measure_of(groups: dict[str, str | None], money: str) -> tuple[Measure, frozenset[str]]:
    """Return what the marks around a number say it measures."""
    if groups.get("points") or groups.get("inpoints"):
        return "points", frozenset()
    if groups.get("basis"):
        return "basis_points", frozenset()
    if groups.get("percent") or groups.get("permille"):
        return "percent", frozenset((money.upper(),) if money else ())
    if groups.get("times"):
        return "multiple", frozenset()
    late = (groups.get("money") or "").lower()
    mark = money.lower().rstrip(".") or late
    if not mark:
        return "plain", frozenset()
    codes = CURRENCY_MARKS.get(mark) or CURRENCY_WORDS.get(mark) or frozenset((mark.upper(),))
    return "currency", codes


def _sign(text: str, before: re.Match[str], begin: int) -> int:
    """Return -1 or 1 for a written sign, 0 for none; a hyphen after a word or digit joins, it does not negate."""
    sign = (before["sign"] or before["late"] or "").strip().lower()
    if not sign or sign == "±":
        return 0
    if sign == "+":
        return 1
    previous = text[begin - 1 : begin] if begin else ""
    if sign in "-\u2013" and (previous.isalnum() or previous in ")%]"):
        return 0
    return -1


def _share_value(found: re.Match[str]) -> Decimal | None:
    if found["by_part"]:
        return Decimal(1) / PARTS[found["by_part"].lower()][1]
    if found["half"] or found["by_half"]:
        return Decimal("0.5")
    if found["top"]:
        top, bottom = _small(found["top"]), _small(found["bottom"])
        return Decimal(top) / Decimal(bottom) if 0 < top < bottom else None
    part = found["part"] or found["parts"]
    if found["part"] and not found["count"]:
        return None
    count = {"a": 1, "an": 1}.get((found["count"] or found["plural"]).lower()) or _small(found["count"] or found["plural"])
    return Decimal(count) / Decimal(PARTS[part.lower()][1])


def _small(text: str) -> int:
    return int(text) if text.isdigit() else WORDS[text.lower()]


def _fraction_parts(found: re.Match[str]) -> tuple[int, int]:
    if found["vulgar"]:
        return Fraction(unicodedata.numeric(found["vulgar"])).limit_denominator(10).as_integer_ratio()
    return int(found["over"]), int(found["under"])


def _spelled_value(words: Sequence[str], place: int) -> tuple[Decimal, int, Decimal]:
    """Return (value, words used, step) of the spelled number at `place`; nothing used when there is none."""
    rest = [*words[place : place + 12]]
    if rest[0] in ("a", "an"):
        if rest[1:2] and rest[1] in DOZENS and rest[1] == "dozen":
            return Decimal(12), 2, Decimal(1)
        if rest[1:2] and (rest[1] in POWER_WORDS):
            rest[0] = "one"
        else:
            return Decimal(0), 0, Decimal(1)
    if rest[:2] == ["half", "a"] and rest[2:3] and rest[2] in POWER_WORDS:
        power = POWER_WORDS[rest[2]]
        return Decimal(power) / 2, 3, Decimal(power) / 10
    parsed = parse_spelled(rest)
    if parsed is None:
        return (Decimal(12), 1, Decimal(1)) if rest[0] == "dozen" else (Decimal(0), 0, Decimal(1))
    value, used = parsed
    if rest[used : used + 1] == ["dozen"]:
        return Decimal(value * 12), used + 1, Decimal(1)
    tail = rest[used : used + 4]
    if tail[:3] == ["and", "a", "half"] and tail[3:] and tail[3] in POWER_WORDS:
        power = POWER_WORDS[tail[3]]
        return (Decimal(value) + Decimal("0.5")) * power, used + 4, Decimal(power) / 10
    return Decimal(value), used, _spelled_step(rest[:used])


def _spelled_step(words: Sequence[str]) -> Decimal:
    """A spelled number is read to the unit of its last word: "two million" to the million."""
    return Decimal(POWER_WORDS[words[-1]]) if words[-1] in POWER_WORDS and words[-1] != "hundred" else Decimal(1)


POWER_WORDS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 10**12}


def _is_pronoun(words: Sequence[str], place: int, used: int) -> bool:
    """Tell whether "one" stands for a thing and not for a count."""
    if used != 1 or words[place] != "one":
        return False
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    return before in PRONOUN_BEFORE or after in PRONOUN_AFTER or not after


def _is_numeral(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Nd", "Nl", "No") or (category == "Lo" and unicodedata.numeric(character, None) is not None)
