"""Figures told as something that neither question nor result speaks of ("premiums were" of claims paid)."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from gateway.ground.lexing.lexicon import CHANGE_LABEL, PEOPLE, words
from gateway.ground.lexing.stems import SMALL_WORDS, split_words, stem
from gateway.ground.lexing.units import RATES
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.scoping.scope import LEADING, METRIC_WORDS
from gateway.ground.sentence.clauses import Sentence, between, neighbours
from gateway.ground.sentence.read import Draft
from gateway.ground.sourcing.named import AGGREGATES
from gateway.ground.table.asked import Scope
from metric_layer.period_words import MONTHS
from traces.grounding import SpanFinding

_ABOUT = r"(?:\s(?:a|an|only|just|about|exactly|roughly|around|nearly|almost|over|under|some))?\s\W?\Z"
# "Premiums in the north were", "with a reserve of".
IS = re.compile(
    rf"\s(?:was|were|is|are|st(?:ands|ood)\sat|c[ao]mes?\s(?:to|in\sat)|amount(?:s|ed)\sto|totall?(?:s|ed)|numbers|numbered){_ABOUT}",
    re.IGNORECASE,
)
OF = re.compile(rf"\sof{_ABOUT}", re.IGNORECASE)
# "1,204 in fees": what an amount of money was of.
IN = re.compile(r"\s(?:in|of)\s(?=[a-z])")
CLAUSE = re.compile(
    r"[,;:()]|\b(?:and|but|while|whereas|with|although|though|when|where|whose)\b", re.IGNORECASE
)
PHRASE_ENDS = re.compile(
    r"[^\w\s'\u2019-]|\s(?:in|at|for|of|from|on|to|across|by|during|within|over|through|under|per|via|among|between|with|and"
    r"|but|while|whereas|as|than|against|after|before|since|until|or|so|because|if|is|was|were|are|had|has|have)\b",
    re.IGNORECASE,
)
NOUN = re.compile(r"(?<![\w'\u2019-])[A-Za-z][a-z]+(?:-[a-z]+)*(?![\w'\u2019-])")
NOUN_BEFORE = re.compile(r"(?<![\w'\u2019-])(?P<noun>[A-Za-z][a-z]+)\s\Z")
TAKINGS = words("gross revenue sale turnover taking earning billing income proceed receipt")
SPENDING = words("cost spend spending expense expenditure outlay")
USE = words("use usage consumption demand")
SORTS = (
    TAKINGS, SPENDING, USE, words("stock inventory"), words("order purchase"),
    words("visitor visit footfall traffic attendance turnout crowd ticket admission"),
    words("headcount staff workforce employment payroll employee"), words("attrition churn turnover leaver"),
    words("win success conversion close hit"), words("absence sickness absenteeism"),
    words("occupancy utilisation utilization fill load"), words("defect error fault reject failure"),
    words("default arrear delinquency"), words("energy electricity power"), words("downtime stoppage outage"),
    words("follower audience fan subscriber"),
)  # fmt: skip
CHANGES = words(
    "gap difference spread lead change rise fall drop gain increase decrease decline growth variance "
    "shortfall excess overspend underspend overrun swing jump dip movement improvement deterioration loss"
)
# Words that name no measure: what is counted, when, of whom, and by how much it differs.
PLAIN = PEOPLE - {"hires"} | {"throughput"} | SMALL_WORDS | words(
    "figure figures total totals count counts level levels amount amounts value values result results sum "
    "tally tallies reading readings record peak high low maximum minimum median volume volumes size "
    "extent point points average averages range standing position place half start end beginning close "
    "period season today yesterday weekend morning evening fiscal site sites branch branches store stores "
    "shop shops office offices unit units division channel segment market category plan tier product line "
    "desk crew business company firm organisation organization operation side arm network portfolio fleet "
    "base family house item items entry one ones rest remainder others winner leader runner-up laggard "
    "top bottom best worst highest lowest largest smallest biggest most least fewest next overall annual "
    "monthly weekly daily quarterly yearly latest own final headline actual combined contribution bill "
    "bills tab answer reason picture story case minute minutes hour hours second seconds ton tons tonne "
    "tonnes mile miles hundred thousand million billion dollar dollars euro euros pound pounds full part "
    "turn advance there here it he she they we you i these those what which who each every both neither "
    "nobody everyone it's made sold spent paid took got won sent came went saw drew cut put gave held "
    "lost left"
) | frozenset(MONTHS)  # fmt: skip
PERIODS = frozenset(MONTHS) | words("quarter half year ytd fy week")
MEASURES = frozenset(map(stem, METRIC_WORDS)) | {"revenue"}
RATED = words("rate rates share shares ratio ratios proportion percentage percentages")


class OtherMeasures:
    """Reads what the figures of one draft are said to be, against what was asked and what is there."""

    def __init__(self, seen: Draft, names: Names, scope: Scope) -> None:
        """Stand on a draft, the names of its sheet and the question that ran."""
        self.seen = seen
        self.text = seen.visible.text
        self.names = names
        self.sheet = names.sheet
        self.scope = scope
        self._shown: frozenset[int] = frozenset()

    def check(self, bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield the nouns that figures are said to be of, where no column and no question has them."""
        cited = {b.quantity.start: b for b in bindings if _columns_of(b)} if self.scope.known else {}
        for sentence in self.seen.sentences if cited else ():
            for quantity in sentence.quantities:
                binding = cited.get(quantity.start)
                self._shown = _columns_of(binding) if binding else frozenset()
                span = self._said(binding, sentence) if binding else None
                if span and binding and self._is_strange(*span, binding):
                    yield self._finding(*span)

    def _said(self, binding: Binding, sentence: Sentence) -> tuple[int, int] | None:
        """Return the noun that a number is said to be of; None where a column is named, or nothing."""
        quantity = binding.quantity
        before, after = neighbours(quantity, sentence)
        led = IS.search(self.text, before, quantity.start)
        if led is not None:
            return self._subject(before, led.start(), sentence)
        money = quantity.measure == "currency" and quantity.slot is None
        behind = IN.match(self.text, quantity.end, after) if money else None
        if behind is not None:
            end = PHRASE_ENDS.search(self.text, behind.end(), after)
            return self._head(behind.end(), end.start() if end else after, sentence)
        led = OF.search(self.text, before, quantity.start)
        counted = quantity.measure == "plain" and NOUN.match(self.text, quantity.end + 1) is not None
        if led is None or counted:
            return None
        starts = [found.end() for found in PHRASE_ENDS.finditer(self.text, before, led.start())]
        return self._head(starts[-1] if starts else before, led.start(), sentence)

    def _subject(self, start: int, end: int, sentence: Sentence) -> tuple[int, int] | None:
        """Return the last word of the first phrase of a clause that says more than where or when."""
        turns = list(CLAUSE.finditer(self.text, start, end))
        start = turns[-1].end() if turns else start
        if self._names_column(start, end, sentence):
            return None
        while start < end:
            stop = PHRASE_ENDS.search(self.text, start, end)
            until = stop.start() if stop else end
            found = self._head(start, until, sentence)
            if found is not None:
                return found
            start = stop.end() if stop else end
        return None

    def _names_column(self, start: int, end: int, sentence: Sentence) -> bool:
        """Tell whether a stretch names a column of figures, by more than the word "rate"."""
        named = [m for m in between(sentence.columns, start, end) if m.columns & self.sheet.figured]
        whole = {m.start for m in named if m.full}
        named = [m for m in named if not self._is_before(m, end)]
        return any(m.start in whole or not (self._is_rate(m) or self._is_led(start, m)) for m in named)

    def _is_before(self, mention: Mention, end: int) -> bool:
        """Tell whether half a name of another column only leads what is told ("patient mortality")."""
        noun = NOUN.match(self.text, mention.end + 1, end)
        return not (mention.full or mention.columns & self._shown) and noun is not None

    def _is_rate(self, mention: Mention) -> bool:
        return self.text[mention.start : mention.end].lower() in RATED

    def _is_led(self, start: int, mention: Mention) -> bool:
        """Tell whether half a name that ends its label has another noun before it ("bar revenue")."""
        led = NOUN_BEFORE.search(self.text, start, mention.start)
        said = split_words(self.text[mention.start : mention.end])
        labels = [split_words(self.sheet.label(column)) for column in mention.columns & self.sheet.figured]
        if led is None or led["noun"].lower() in LEADING:
            return False
        return all(label[-1:] == said and set(label[:-1]) - SMALL_WORDS for label in labels)

    def _head(self, start: int, end: int, sentence: Sentence) -> tuple[int, int] | None:
        """Return the last word of a phrase if it names no row, column or period and is no plain word."""
        if self._names_column(start, end, sentence):
            return None
        nouns = list(NOUN.finditer(self.text, start, end))
        if not nouns or nouns[-1].end() != len(self.text[:end].rstrip()):
            return None
        halves = {m.start for m in sentence.columns}
        if len(nouns) > 1 and (nouns[-1].group() in RATED or nouns[-1].start() in halves):
            nouns.pop()  # "the retention rate" beside a rate of churn
        span = nouns[-1].span()
        said = self.text[slice(*span)]
        named = any(m.start <= span[0] < m.end for m in (*sentence.rows, *sentence.columns))
        dated = any(p.start <= span[0] < p.end for p in self.seen.periods)
        opens = said[0].isupper() and span[0] != sentence.start
        plain = said.lower() in PLAIN or stem(said) in PLAIN or said.endswith(("ed", "ly", "ing"))
        return None if named or dated or opens or plain else span

    def _is_strange(self, start: int, end: int, binding: Binding) -> bool:
        """Tell whether a noun is a word neither of the question nor of the result."""
        word = self.text[start:end].lower()
        said = frozenset(split_words(word))
        sorts = said | {stem(word)}
        if any(_is_kin(stem(word), known) for known in self._spoken):
            return False
        if sorts & self._spoken or any(sorts & sort and sort & self._spoken for sort in SORTS):
            return False
        columns = _columns_of(binding)
        if word in RATED and any(self.sheet.measured[column].carrier in RATES for column in columns):
            return False
        if stem(word) in CHANGES and any(map(self._moves, columns)):
            return False
        return not self.names.kin.is_header(word, stem(word))

    def _moves(self, column: int) -> bool:
        """Tell whether a column is called a change or holds a figure below zero."""
        below = min(self.sheet.figures(column), default=0) < 0
        return below or CHANGE_LABEL.search(self.sheet.label(column)) is not None

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """Return the stems of the question, of headers, of other names of columns and of names of rows."""
        scope, sheet = self.scope, self.sheet
        asked = [*scope.metrics, *(v for _, _, values in scope.filters for v in values)]
        for at, column in enumerate(sheet.columns):
            asked += [sheet.label(at), column.name.replace("_", " "), *column.synonyms]
        title = frozenset(split_words(scope.subject[:500]))
        if not all(map(self._is_period, sheet.numeric)):
            title -= MEASURES  # "Bookings by channel" with a column of its revenue: no figure is of bookings
        return title.union(self.names.values, *map(split_words, asked))

    def _is_period(self, column: int) -> bool:
        """Tell whether a column is called nothing but a period, so that the title says what it measures."""
        said = self.sheet.label_words[column]
        return all(word in PERIODS or any(map(str.isdigit, word)) for word in said)

    def _finding(self, start: int, end: int) -> SpanFinding:
        first, last = self.seen.visible.span(start, end)
        text = self.seen.printed.text[first:last]
        asked = ", ".join(self.scope.metrics) or "what the columns say"
        return SpanFinding(
            code="metric_name",
            start=first,
            end=last,
            text=text,
            message=f"{text}: the question asked for {asked}",
            next_step="Use the metric's own name.",
        )


def _columns_of(binding: Binding) -> frozenset[int]:
    """Return the columns whose figures a number shows, or a total, a mean or an end of."""
    if binding.cell is not None:
        return frozenset((binding.cell[1],))
    derived = binding.derived
    return derived.columns if derived is not None and derived.op in AGGREGATES else frozenset()


def _is_kin(word: str, known: str) -> bool:
    """Tell whether a word ends in a known one ("inflow" of flow) or begins like it ("shipment")."""
    return len(known) > 3 and (word.endswith(known) or word[:4] == known[:4])
