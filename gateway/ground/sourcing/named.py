"""Whether the words of a clause name what a derivation rests on: its rows, its columns, its kind."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from gateway.ground.compared.counted import denies_count
from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.cues import LEADS_NEXT, MULTIPLE_OF, PART_GAP
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.lexicon import EARLIER_SAID, HIGHS, LOWS, MEANS, PARTS, TOTALS, one_of
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import RATES
from gateway.ground.naming.headers import counter_of
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, follows, is_own_verb, neighbours, position
from gateway.ground.sourcing.wholes_named import names_part, opens_next, opens_whole
from gateway.ground.table.sheet import Sheet
from metric_layer.period_bounds import Window
from metric_layer.period_words import MONTHS

LEVEL = re.compile(
    r"(?:\s(?:count|number|total|volume|figure|value))?\s?(?:[:(=|\u2013\u2014]|(?:was|were|is|are|at|of|reached|totall?ed|came\s(?:to|in\sat)|amounted\sto"
    r"|stood\sat|equall?ed|numbered)(?:\s(?:only|just|about|exactly))?)\s*",
    re.IGNORECASE,
)
GAP = one_of(
    "clear", r"net (?:adds|change|gain|loss|growth)", "over", "under", "above", "below", r"[a-z]+er than",
    "gaps?", r"differ\w*", r"chang\w*", "margin", "lead", "leads", "led", "by", "versus", r"vs\.?",
    "than", "spread", "majority",
    "swing", "delta", "between", "against", "compared", "apart", "ahead", "behind", "variance", "movement",
    r"unterschied\w*", r"(?:over|under)(?:spen[dt]|r[au]n|shoot)\w*",
)  # fmt: skip
JOINED = re.compile(r"(?:'s?|\u2019s?)?\s(?:own\s)?|\s(?:for|of|in|from)\s(?:the\s)?", re.IGNORECASE)
PERIOD_SAID = re.compile(rf"\d|\b(?:{'|'.join(MONTHS)}|quarter|half|year)\b", re.IGNORECASE)
IN_PERIOD = re.compile(r"(?<!than\s)\b(?:in|during|for)\s(?:the\s(?:year\s)?)?\Z", re.IGNORECASE)
ON = re.compile(r"(?:%|\w)\son\s(?:the\s)?\Z", re.IGNORECASE)
DAY = re.compile(r"day\b|\b[0-3]?\d(?:st|nd|rd|th)?\b(?!\d)|-\d\d\Z", re.IGNORECASE)
OVER = re.compile(r"\s(?:from|between|over)\s", re.IGNORECASE)
FROM_PERIOD = re.compile(
    r"\b(?:from|since|versus|vs\.?|against|compared\s(?:with|to)|than\sin)\s(?:in\s)?\Z", re.IGNORECASE
)
# What is measured against, right behind a difference ("112 more than May").
STRETCH = re.compile(r"\b(?:to|and|until|till|through)\b|[-\u2013\u2014]", re.IGNORECASE)
AGAINST = re.compile(
    r"[^,;:()\d]{0,30}\b(?:than|from|since|over|above|below|behind|ahead\sof|on|versus|vs\.?|against|compared\s(?:with|to))\s(?:in\s|the\s|its\s|their\s|that\sof\s|those\sof\s)*",
    re.IGNORECASE,
)
# "Of 5,159 tickets, 2,890 were technical": the first number is the whole.
WHOLE_LEADS = frozenset(("of", "of the", "of all", "of our", "out of", "out of the"))
SHARE_OF = re.compile(r"\sof\s(?:the\s|all\s|its\s|their\s)?", re.IGNORECASE)
OF_GROUP = re.compile(
    r"(?:out\s)?of\s(?:the|our|its)\s[a-z]+(?:'s|\u2019s)(?:\stotal)?(?:\sof)?", re.IGNORECASE
)
OF_THOSE = re.compile(r"\s?of\s(?:which|them|these|those|whom)\b", re.IGNORECASE)
NONE_OF = re.compile(r"\bnone\sof\s(?:the|our|its|their|all)\Z", re.IGNORECASE)
# "The rest came to 31", "the other two".
SOME_OF = re.compile(
    r"\b(?:rest|remain\w*|others?|both|these|those|they|them|top|bottom|excluding|without|except)\b",
    re.IGNORECASE,
)
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
AS_PLANNED = frozenset(("budgeted", "planned", "targeted", "forecasted"))
AGGREGATES = frozenset(("sum", "mean", "min", "max"))
POSITIONS = frozenset(("count_rows", "count_distinct", "rank"))


class Naming:
    """Reads clauses of one text against derivations over one sheet."""

    def __init__(
        self,
        sheet: Sheet,
        text: str,
        windows: Mapping[int, Window],
        series: Mapping[int, frozenset[int]],
        dated_keys: frozenset[int] = frozenset(),
    ) -> None:
        """Stand on a sheet and a text.

        `windows` are those of columns, `series` those that differ by their period alone, `dated_keys` keys
        that are periods.
        """
        self.series = series
        self.sheet = sheet
        self.text = text
        self._carriers = [measured.carrier for measured in sheet.measured]
        self.windows = windows
        self.periods = self.dated = frozenset(windows)
        self.dated_keys = dated_keys

    def is_named(
        self, derived: Derived, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> bool:
        """Tell whether a clause names the rows, the columns and the kind of a derivation."""
        if derived.op in POSITIONS and self._is_level(quantity, sentence, counted=derived.op != "rank"):
            return False
        if derived.op.startswith("count"):
            return not denies_count(self.text, self.sheet, derived, quantity, sentence)
        if self._is_of_others(derived, quantity, sentence) or self._is_of_other_span(derived, sentence):
            return False
        if self._is_some_as_all(derived, sentence):
            return False
        if derived.whole:
            before, _ = neighbours(quantity, sentence)
            lead = self.text[before : quantity.start].strip()
            if (
                PART_GAP.fullmatch(lead)
                or OF_GROUP.fullmatch(lead)
                or (before == sentence.start and lead.lower() in WHOLE_LEADS)
                or NONE_OF.search(lead)
            ):
                return self._names_columns(derived, quantity, sentence, place)
            apart = self.sheet.height > 1 and not (place.rows or frozenset()) >= derived.rows
            if place.firm and apart and not self._speaks_of_all(derived, quantity, sentence):
                opens = opens_whole(self.text, derived, quantity, sentence)
                return opens and self._names_columns(derived, quantity, sentence, place)
        elif place.firm and not self._names_rows(derived, quantity, sentence, place):
            return False
        if derived.op == "difference" and not self._tells_apart(quantity, sentence, place, direction):
            return False
        return self._names_columns(derived, quantity, sentence, place)

    def _is_some_as_all(self, derived: Derived, sentence: Sentence) -> bool:
        """Tell whether a sum of some rows is told by a sentence that names none, and no few of them."""
        if derived.op != "sum" or derived.whole or not 1 < len(derived.rows) < self.sheet.height:
            return False
        if sentence.carried or any(m.full for m in sentence.rows):
            return False
        said = self.text[sentence.start : sentence.end]
        count = len(derived.rows)
        few = {str(count), *NUMBER_WORDS[count : count + 1]}.intersection(said.lower().split())
        return not (few or SOME_OF.search(said) or HIGHS.search(said) or LOWS.search(said))

    def _is_of_others(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a clause names other rows than those of a share's part or of a pair."""
        full = [m for m in sentence.rows if m.full and len(m.rows) < self.sheet.height]
        if derived.parts:
            before, _ = neighbours(quantity, sentence)
            led = [m for m in full if before <= m.start and m.end <= quantity.start]
            if led and before > sentence.start and SHARE_OF.fullmatch(self.text, before, led[0].start):
                led = led[1:]  # "87% of revenue in 2019, against 85% the year before"
            if led and not any(m.rows & derived.parts for m in led):
                return True
        if derived.lead is None:
            return False
        if derived.op == "ratio" and self._is_inverted(derived, quantity, full):
            return True
        _, after = neighbours(quantity, sentence)
        earlier = EARLIER_SAID.search(PARTS.split(self.text[quantity.end : after])[0]) is not None
        if not earlier and self._is_of_other_periods(derived, quantity, sentence):
            return True
        first = sentence.quantities[0].start
        if any(
            m.end <= first
            and not m.rows & derived.rows
            and FROM_PERIOD.search(self.text[max(0, m.start - 24) : m.start])
            for m in full
        ):
            return True
        return any(
            m.start >= quantity.end
            and not m.rows & derived.rows
            and AGAINST.fullmatch(self.text, quantity.end, m.start) is not None
            for m in full
        )

    def _is_inverted(self, derived: Derived, quantity: Quantity, full: Sequence[Mention]) -> bool:
        """Tell whether a ratio of two rows is told as a multiple of another than its base."""
        row, _ = derived.lead or (-1, -1)
        return len(derived.rows) > 1 and any(
            not derived.rows <= m.rows
            and (row in m.rows or not m.rows & derived.rows)
            and m.start > quantity.end
            and MULTIPLE_OF.fullmatch(self.text, quantity.end, m.start)
            for m in full
        )

    def _is_of_other_span(self, derived: Derived, sentence: Sentence) -> bool:
        """Tell whether a sentence of one number names other periods than its pair or its aggregate spans."""
        ends = derived.columns & self.periods
        if len(sentence.quantities) != 1 or len(ends) < 2 or ends != derived.columns:
            return False
        mentions = self._of_series(derived, [m for m in sentence.columns if m.full])
        named = [m.columns if derived.lead is None else self._ends_of(m) for m in mentions]
        said = frozenset().union(*named)
        if derived.lead is None or any(len(columns) > 1 for columns in named):
            return bool(said) and ends != said
        return len(said) > 1 and not ends <= said

    def _of_series(self, derived: Derived, mentions: Sequence[Mention]) -> list[Mention]:
        """Return the periods among some names, of the metric that a derivation is of where it has them."""
        family = frozenset().union(*(self.series[c] for c in derived.columns if c in self.series))
        said = [m for m in mentions if self.is_period(m)]
        own = {m.start for m in said if m.columns & family}
        said = [m for m in said if m.columns & family or m.start not in own]
        return [m._replace(columns=m.columns & family or m.columns) for m in said]

    def is_period(self, mention: Mention) -> bool:
        """Tell whether a name of columns says their period, and not only what they are called without it."""
        dated = not mention.names_rows and mention.columns <= self.periods
        return dated and PERIOD_SAID.search(self.text, mention.start, mention.end) is not None

    def _ends_of(self, mention: Mention) -> frozenset[int]:
        """Return the first and the last column of a stretch ("from 2017 to 2019"), else those of a name."""
        columns = sorted(mention.columns, key=lambda column: self.windows[column])
        stretch = len(columns) > 2 and STRETCH.search(self.text, mention.start, mention.end)
        return frozenset((columns[0], columns[-1])) if stretch else mention.columns

    def _is_of_other_periods(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a sentence names a stretch no pair spans, or its older end as the newer one."""
        others = [other.end for other in sentence.quantities if other.end <= quantity.start]
        rates = [o.end for o in sentence.quantities if o != quantity and o.measure in ("percent", "points")]
        free = [
            m
            for m in (*sentence.rows, *sentence.columns)
            if m.full and not (self._is_said_of(m, others) or self._is_spanned(m, rates))
        ]
        dated = [m for m in free if m.names_rows and m.column in self.dated_keys]
        named = self._of_series(derived, free)
        ends = derived.columns & self.periods
        apart = self._named_rows([m for m in sentence.rows if m.full and m.column not in self.dated_keys])
        for mentions, own in ((dated, derived.rows), (named, ends)):
            places = {m.start: (m.rows & apart if m.names_rows else m.columns) for m in mentions}
            if any(len(said) > 1 and said & own and not own <= said for said in places.values()):
                return len(own) > 1
            alone = next(iter(places.values())) if len(places) == 1 else frozenset()
            if len(alone) == 1 and alone < own:
                return self._is_other_end(mentions[0], derived)
        return False

    def _is_said_of(self, mention: Mention, ends: Sequence[int]) -> bool:
        """Tell whether a period directly follows a number before ("up from 9 in 2019 (+15%)")."""
        place = bisect_left(ends, mention.start)
        return bool(place) and IN_PERIOD.fullmatch(self.text, ends[place - 1] + 1, mention.start) is not None

    def _is_spanned(self, mention: Mention, ends: Sequence[int]) -> bool:
        """Tell whether a stretch directly follows another change ("after falling 3% from June to July")."""
        place = bisect_left(ends, mention.start)
        return bool(place) and OVER.fullmatch(self.text, ends[place - 1], mention.start) is not None

    def _is_other_end(self, mention: Mention, derived: Derived) -> bool:
        """Tell whether the one period said is the older, said as the newer one ("rose 6% in 2019")."""
        row, column = derived.lead or (-1, -1)
        newer = (row in mention.rows if mention.names_rows else column in mention.columns) != derived.backward
        lead = self.text[max(0, mention.start - 24) : mention.start]
        if newer and ON.search(lead) and not DAY.search(self.text, mention.start, mention.end):
            return True  # "up 4% on June"
        return (FROM_PERIOD.search(lead) if newer else IN_PERIOD.search(lead)) is not None

    def levels(self, quantity: Quantity, sentence: Sentence) -> list[frozenset[int]]:
        """Return the figures that full names beside a number give it, none that belong to another number."""
        before, _ = neighbours(quantity, sentence)
        return [
            m.columns
            for m in self._near(quantity, sentence)
            if m.full
            and (
                follows(self.text, quantity.end, m)
                if m.start >= quantity.end
                else before == sentence.start or not follows(self.text, before, m)
            )
        ]

    def _near(self, quantity: Quantity, sentence: Sentence) -> list[Mention]:
        before, after = neighbours(quantity, sentence)
        figures = frozenset(self.sheet.numeric)
        first = bisect_left(sentence.columns, before, key=lambda mention: mention.start)
        last = bisect_left(sentence.columns, after, lo=first, key=lambda mention: mention.start)
        return [m for m in sentence.columns[first:last] if m.end <= after and m.columns & figures]

    def _is_level(self, quantity: Quantity, sentence: Sentence, *, counted: bool) -> bool:
        """Tell whether a number is said to be the figure of a column ("orders were 2", "2 orders")."""
        return any(
            LEVEL.fullmatch(self.text[m.end : quantity.start]) is not None
            if m.end <= quantity.start
            else not self.text[quantity.end : m.start].strip()
            for m in self._near(quantity, sentence)
            if not (counted and all(counter_of(self.sheet.label(c)) for c in m.columns))
        )

    def _named_rows(self, mentions: Sequence[Mention]) -> frozenset[int]:
        """Return the rows that all of some names mean: any name of each key column."""
        named = frozenset(range(self.sheet.height))
        for key in {mention.column for mention in mentions}:
            named &= frozenset().union(*(m.rows for m in mentions if m.column == key))
        return named

    def _names_rows(self, derived: Derived, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        """Tell whether rows named beside a number are those it rests on; an aggregate needs all of them."""
        if place.rows is not None and not derived.rows & place.rows:
            full = [mention for mention in sentence.rows if mention.full]
            pair = derived.lead is not None and len(derived.rows) > 1
            said = frozenset().union(*(m.rows for m in full))
            if derived.parts and derived.parts <= said <= derived.rows:
                return True  # "wireless subscribers out of the total subscribers"
            return not full or (pair and derived.rows <= self._named_rows(full))
        if derived.op not in AGGREGATES or derived.rows <= self._named_rows(sentence.rows):
            return True
        _, after = neighbours(quantity, sentence)
        near = [mention for mention in sentence.rows if mention.end <= after < sentence.end]
        return derived.rows == place.rows or (bool(near) and derived.rows <= self._named_rows(near))

    def _speaks_of_all(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a sentence that names rows speaks of all rows too, not of a total of its own."""
        said = self.text[sentence.start : neighbours(quantity, sentence)[1]]
        found = (found for words in (TOTALS, MEANS, HIGHS, LOWS) for found in words.finditer(said))
        places = (sentence.start + word.start() for word in found)
        if all(any(m.start <= at < m.end for m in sentence.columns if m.full) for at in places):
            return False  # "640 leads" lead nothing
        return derived.rows <= self._named_rows(sentence.rows) or not any(
            self._is_totalled(mention, sentence) for mention in sentence.rows if mention.full
        )

    def _is_totalled(self, mention: Mention, sentence: Sentence) -> bool:
        """Tell whether a total is the total of one name ("AMER total", "total for AMER", "AMER totalled")."""
        for found in TOTALS.finditer(self.text, sentence.start, sentence.end):
            first, second = (found.end(), mention.start), (mention.end, found.start())
            gap = self.text[slice(*first)] if first[0] <= first[1] else self.text[slice(*second)]
            verb = found.start() >= mention.end and found.group().lower().endswith("ed")
            if JOINED.fullmatch(gap) or (verb and not PARTS.search(gap)):
                return True
        return False

    def _tells_apart(
        self, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> bool:
        """Tell whether a difference is said to be one, where rows or columns are named beside it."""
        if not place.firm and not self.levels(quantity, sentence):
            return True
        worded = (direction.either or direction.sign != 0) and direction.word not in ("sign", "brackets")
        before, after = neighbours(quantity, sentence)
        return worded or GAP.search(self.text, before, after) is not None

    def _names_columns(self, derived: Derived, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        """Tell whether the names of columns beside a number are those that a derivation rests on."""
        if derived.op == "sum":
            parted = names_part(self.text, self.sheet, derived, quantity, sentence)
            if parted is not None:
                return parted
        before, after = neighbours(quantity, sentence)
        whole = sentence.quantities[position(quantity, sentence) + 1 :][:1]
        if whole and PART_GAP.fullmatch(self.text[quantity.end : after].strip()):
            after = neighbours(whole[0], sentence)[1]  # "4,086 of 4,359 tickets were resolved"
        full = [m for m in sentence.columns if before <= m.start and m.end <= after and self._is_whole(m)]
        if any(LEADS_NEXT.fullmatch(self.text, m.end, quantity.start) for m in full):
            # "we opened 40 tickets and resolved 37": the second verb is the second number's
            full = [m for m in full if m.end <= quantity.start or not self._leads(m, after)]
        near = [
            m
            for m in full
            if m.start >= quantity.end
            or before == sentence.start
            or not follows(self.text, before, m)
            or is_own_verb(self.text, before, m, quantity.start)
        ]
        if place.named and place.columns and place.columns <= derived.columns:
            near = [m for m in near if not opens_next(self.text, m, quantity, after)]
        before_that = EARLIER_SAID.search(PARTS.split(self.text[quantity.end : after])[0])
        beside = [m for m in sentence.columns if quantity.end <= m.start and m.end <= after]
        later = [m for m in beside if self.is_period(m) and follows(self.text, quantity.end, m)]
        if before_that or later:
            near = [m for m in near if not self.is_period(m)] + later
        if any(len(m.columns) == 1 and m.columns - derived.columns for m in self._of_series(derived, near)):
            return False
        if derived.parts and not self._is_of_those(derived, quantity, sentence):
            return False
        carriers = self._carriers
        rated = all(carriers[c] in RATES for c in derived.columns)
        every = rated or quantity.measure == "currency"
        if any(every or not all(carriers[c] in RATES for c in m.columns) for m in near):
            metrics = [m for m in near if not self.is_period(m)] or near
            return any(m.columns & derived.columns for m in metrics)
        verbs = [m for m in sentence.columns if m.end + 1 == quantity.start]
        return not (derived.whole and verbs) or any(m.columns & derived.columns for m in verbs)

    def _is_whole(self, mention: Mention) -> bool:
        """Tell whether a name is a full one, or says that what is told was planned ("budgeted sales")."""
        return mention.full or self.text[mention.start : mention.end].lower() in AS_PLANNED

    def _is_of_those(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a share "of them" is one of what the number before it counts."""
        before, _ = neighbours(quantity, sentence)
        if before == sentence.start or OF_THOSE.match(self.text, quantity.end) is None:
            return True
        behind = (m for m in sentence.columns if m.full and m.start >= before)
        counted = [m for m in behind if follows(self.text, before, m)]
        return not counted or any(m.columns & derived.columns for m in counted)

    def _leads(self, mention: Mention, after: int) -> bool:
        """Tell whether a name stands right before the next number."""
        return LEADS_NEXT.fullmatch(self.text, mention.end, after) is not None
