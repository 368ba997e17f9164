"""Money told as another measure than its column's ("spent" of Bookings, "was allowed to spend" of Actual)."""

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

from gateway.ground.lexing.lexicon import PEOPLE, PLAN_LABEL, words
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.table.sheet import CellAt

# What a sum of money may be, by a noun: a label with one of them is no other measure.
FAMILIES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"\b(?:{said})\b", re.IGNORECASE)
    for name, said in {
        "income": r"revenues?|sales|turnover|takings|income|receipts|bookings|billings?|proceeds"
        r"|earnings|gross|winnings|box\soffice",
        "cost": r"costs?|spend(?:ing)?|spent|expens\w+|outlays?|expenditures?|payroll"
        r"|paid\sout|pay-?outs?|outgoings",
        "profit": r"profits?|surplus(?:es)?|ebitda|earnings|net\sincome|operating\sincome|margin",
        "commission": r"commissions?",
        "pay": r"salar(?:y|ies)|wages?|bonus(?:es)?|pay|payroll|earnings",
        "tax": r"tax(?:es)?|vat|dut(?:y|ies)",
        "debt": r"debts?|liabilit\w+|loans?|borrowings?|arrears",
        "saving": r"savings?",
        "discount": r"discounts?|rebates?",
        "refund": r"refunds?",
        "rent": r"rents?",
        "gift": r"donations?|donated|gifts?|raised",
        "budget": r"budget(?:s|ed)?|plan(?:s|ned)?|targets?|allowances?|quotas?",
        "credit": r"lending|lent|loans?|credit|mortgages?|advances?",
    }.items()
}
_HEDGES = (
    r"(?:(?:us|them|an?|the|total|sum|of|on|average|about|around|some|only|just|over|under|nearly|almost|more|less|than|as"
    r"|much|another|roughly|company|business|firm)\s)*\W?\Z"
)
NOUN_LED = re.compile(
    r"\b(?P<noun>[a-z]+)\s(?:(?:was|were|is|are|stood|came|amounted|totalled|reached|hit)\s(?:at\s|to\s)?|of\s|at\s)"
    rf"{_HEDGES}",
    re.IGNORECASE,
)
NOUN_BEHIND = re.compile(
    r"\s(?:in|of|worth\sof)\s(?P<noun>[a-z]+)(?=\s*(?:[.,;!?]|\s(?:in|for|from|by|on)\s|\Z))", re.IGNORECASE
)
# What nobody does with what comes in, and with what goes out.
SPENT = re.compile(
    r"\b(?:spen(?:t|ds?|ding)|ow(?:ed|es|ing)|sav(?:ed|es|ing)|borrow(?:ed|s|ing)|lent|donat(?:ed|es|ing)|cost(?:s|ing)?"
    r"|cost(?:s|ing)?\s(?:the|our)\s[a-z]+|refund(?:ed|s|ing)|discount(?:ed|s|ing)|repa(?:id|ys|ying)|wr(?:ote|itten)\soff|was\sfined|were\sfined"
    rf"|paid\sout|laid\sout|forked\sout|invest(?:ed|s|ing)|wast(?:ed|es|ing))\s{_HEDGES}",
    re.IGNORECASE,
)
EARNED = re.compile(
    rf"\b(?:earn(?:ed|s|ing)|gross(?:ed|es|ing)|nett(?:ed|ing)|(?:rak(?:ed|es|ing)|took|takes|br(?:ought|ings))\sin|sav(?:ed|es|ing)|turned\sover)\s{_HEDGES}",
    re.IGNORECASE,
)
# What people have of their own, which they may spend; what is taken in is spent by others.
OF_PEOPLE = re.compile(r"\b(?:income|earnings|wages?|salar(?:y|ies)|pay)\b", re.IGNORECASE)
CAME_LABEL = re.compile(
    r"\b(?:actuals?|spen[dt]|spending|costs?|outlays?|expens\w+|expenditures?|outturn)\b", re.IGNORECASE
)
_TO_DO = (
    r"to\s(?:spend|sell|earn|make|bring\sin|take|raise|book|hire|use|have|deliver|reach|hit|pay|invest|cost)"
)
PLANNED = re.compile(
    r"\b(?:(?:allowed|permitted|planned|supposed|meant|due|expected|entitled|authori[sz]ed|scheduled|given|able)"
    rf"\s{_TO_DO}|(?:was|were|is|are)\s{_TO_DO}|could\sspend|(?<!un)budgeted(?:\sfor)?|allocated|allotted|earmarked|set\saside|aim(?:ed|ing)\s(?:for|{_TO_DO})"
    rf"|targeted|planned|ha[ds]\sa\sbudget\sof|(?:budget|plan|target|allowance)s?\s(?:was|of))\s{_HEDGES}",
    re.IGNORECASE,
)
HAD = re.compile(rf"\bha(?:d|s|ve)\s{_HEDGES}", re.IGNORECASE)
TO_SPEND = re.compile(r"\s(?:(?:available|left)\s)?to\sspend\b", re.IGNORECASE)
# A header that says a period and nothing else: what is counted, the title says.
PERIOD_LABEL = re.compile(
    r"(?:\W|\d|q|h|fy|cy|ytd|year|quarter|month|week|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)+",
    re.IGNORECASE,
)
# What one of something costs or brings, taken from all of them together.
PRICE = re.compile(
    r"\b(?:average|avg|mean|median|fee|price|rent|fare|tariff|arpu|aov)\b|\bper\s|\s/\s?[a-z]", re.IGNORECASE
)
OF_EACH = re.compile(r"\b(?:average|avg|mean|median|per)\b", re.IGNORECASE)
GAIN = re.compile(r"\b(?:profits?|surplus|earnings|income|gain)\b", re.IGNORECASE)
LOSS = re.compile(r"\b(?:loss(?:es)?|deficit)\b", re.IGNORECASE)
COST = re.compile(rf"\s(?:costs?|spent|spends|paid(?:\sout)?|pays)\s{_HEDGES}", re.IGNORECASE)
# A header that says no measure.
NEUTRAL = re.compile(
    r"(?:\W|\d|\b(?:amount|value|total|sum|figure|usd|eur|gbp|in|thousand|million|billion|m|k|bn|money|cash|q|h|fy"
    r"|year|quarter|month|[a-z]{3,9}\s?20)\b)*",
    re.IGNORECASE,
)
TOOK = re.compile(
    r"\b(?:took(?:\sin)?|takes(?:\sin)?|earn(?:ed|s)|gross(?:ed|es)|rais(?:ed|es)|collect(?:ed|s)|br(?:ought|ings)\sin"
    rf"|turned\sover|generat(?:ed|es)|in\stotal|a\stotal\sof)\s{_HEDGES}",
    re.IGNORECASE,
)
OF_ONE = re.compile(
    r"\b(?:per|each|every|apiece|average|averag(?:ed|es|ing)|mean|median|typical(?:ly)?|a\s(?:head|piece|time|day|night|week|month"
    r"|year|customer|user|visit|guest|order|member|room|unit|ticket|click|lead))\b",
    re.IGNORECASE,
)
PER_THING = re.compile(r"\b(?:per|each)\s(?P<thing>[a-z]+)", re.IGNORECASE)
# Those who pay what somebody else takes in.
PAY = PEOPLE - words("staff workers employees colleagues hires") | words(
    "travellers tourists fans couples who adults they"
)
WORD = re.compile(r"[a-z]+")
REACH = 64


class MeasuresTold:
    """Reads which measure the words around sums of money say, for one text over one sheet."""

    def __init__(self, names: Names, text: str) -> None:
        """Stand on the names of a sheet and a text."""
        self.sheet = sheet = names.sheet
        self.subject = names.subject
        self.text = text
        money = [c for c in sheet.numeric if sheet.measured[c].carrier == "currency"]
        of_all = _kinds(self.subject)
        self.kinds = {
            c: of_all if PERIOD_LABEL.fullmatch(sheet.label(c)) else _kinds(sheet.label(c)) for c in money
        }
        self.plans = frozenset(c for c in money if PLAN_LABEL.search(sheet.label(c)))
        self.came = frozenset(c for c in money if CAME_LABEL.search(sheet.label(c))) - self.plans

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a sum that was planned: the one column of plans."""
        if len(self.plans) != 1 or quantity.measure != "currency" or not self._is_planned(quantity, sentence):
            return place
        return place._replace(columns=self.plans, named=True)

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a sum of money is told as a measure that its column is none of."""
        cell, quantity = binding.cell, binding.quantity
        if cell is None or cell[1] not in self.kinds or quantity.slot is not None:
            return False
        if self._is_of_plan(cell, quantity, sentence) or self._is_gain_lost(cell, quantity, sentence):
            return True
        own = self.kinds[cell[1]]
        label = self.sheet.label(cell[1])
        if not own and (label.isupper() or NEUTRAL.fullmatch(label)):
            return False  # "ARR", "Q3 2026", "Amount": the label names no measure in words
        before, after = neighbours(quantity, sentence)
        since = max(before, quantity.start - REACH)
        led = NOUN_LED.search(self.text, since, quantity.start)
        behind = NOUN_BEHIND.match(self.text, quantity.end, after)
        nouns = [said["noun"] for said in (led, behind) if said is not None]
        if behind is not None and self._names_other(behind["noun"], cell[1]):
            return True
        told = any(self._is_other(noun, own) for noun in nouns) or self._is_other_deed(cell, quantity, since)
        return told or self._is_price_taken(cell, quantity, sentence)

    def _is_gain_lost(self, cell: CellAt, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a profit above zero is told as a loss ("the operating loss was")."""
        own = self.sheet.number(*cell)
        said = f"{self.sheet.label(cell[1])} {' '.join(self.sheet.row_key(cell[0]))}"
        if own is None or own <= 0 or LOSS.search(said) or not GAIN.search(said):
            return False
        before, _ = neighbours(quantity, sentence)
        led = NOUN_LED.search(self.text, max(before, quantity.start - REACH), quantity.start)
        return led is not None and LOSS.search(led["noun"]) is not None

    def _is_price_taken(self, cell: CellAt, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether what one of something costs or brings is told as what a row took in all."""
        if PRICE.search(self.sheet.label(cell[1])) is None:
            return False
        before, after = neighbours(quantity, sentence)
        took = TOOK.search(self.text, max(before, quantity.start - REACH), quantity.start)
        cost = COST.search(self.text, max(before, quantity.start - REACH), quantity.start)
        if cost is not None and OF_EACH.search(self.sheet.label(cell[1])):
            took = cost if any(m.full and m.end == cost.start() for m in sentence.rows) else took
        return took is not None and not self._is_of_one(cell[1], before, after)

    def _is_of_one(self, column: int, start: int, end: int) -> bool:
        """Tell whether a stretch speaks of one of the things that a column counts by ("a parcel costs")."""
        counted = PER_THING.search(self.sheet.label(column))
        thing = counted and rf"\b(?:an?|one)\s(?:[\w-]+\s){{0,2}}?{re.escape(counted['thing'])}\b"
        if thing and re.search(thing, self.text[start:end], re.IGNORECASE):
            return True
        return OF_ONE.search(self.text, start, end) is not None

    def _is_of_plan(self, cell: CellAt, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether what came is told as what was planned."""
        column = cell[1]
        if column in self.plans or not (column in self.came or self.plans):
            return False
        return self._is_planned(quantity, sentence)

    def _is_planned(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the words right around a number say that it was planned."""
        before, _ = neighbours(quantity, sentence)
        since = max(before, quantity.start - REACH)
        if PLANNED.search(self.text, since, quantity.start):
            return True
        had = HAD.search(self.text, since, quantity.start)
        return had is not None and TO_SPEND.match(self.text, quantity.end) is not None

    def _names_other(self, noun: str, column: int) -> bool:
        """Tell whether a sum is said to be of what another column counts ("93,200 in fines")."""
        said, labels = split_words(noun)[0], self.sheet.label_words
        return said not in labels[column] and any(
            said in labels[c] for c in self.sheet.numeric if self.sheet.measured[c].carrier == "number"
        )

    def _is_other(self, noun: str, own: frozenset[str]) -> bool:
        """Tell whether a noun means a measure of its own that neither column nor result goes by."""
        said = _kinds(noun)
        return bool(said) and said.isdisjoint(own | self._known)

    @cached_property
    def _known(self) -> frozenset[str]:
        """Return the measures that the question, labels and names of rows go by."""
        labels = (self.sheet.label(c) for c in range(len(self.sheet.columns)))
        keys = (" ".join(self.sheet.row_key(row)) for row in range(min(self.sheet.height, 60)))
        return frozenset[str]().union(*map(_kinds, (self.subject, *labels, *keys)))

    def _is_other_deed(self, cell: CellAt, quantity: Quantity, since: int) -> bool:
        """Tell whether what came in is said to be spent, or what went out to be earned."""
        own, label = self.kinds[cell[1]], self.sheet.label(cell[1])
        if own & {"income", "credit", "gift"} and "cost" not in own:
            said = SPENT.search(self.text, since, quantity.start)
            if said and "credit" in own and said.group().lower().startswith("lent"):
                return False
            led = WORD.findall(self.text[since : said.start()].lower()) if said else ()
            return said is not None and (PAY.isdisjoint(led) or OF_PEOPLE.search(label) is not None)
        return own == {"cost"} and EARNED.search(self.text, since, quantity.start) is not None


@lru_cache(maxsize=1024)
def _kinds(said: str) -> frozenset[str]:
    """Return the measures that words may mean."""
    return frozenset(name for name, pattern in FAMILIES.items() if pattern.search(said))
