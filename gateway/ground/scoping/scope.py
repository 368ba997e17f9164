"""Filters, metric names and other names of a draft against the question that ran."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from gateway.ground.lexing.lexicon import EVERYWHERE, one_of, words
from gateway.ground.lexing.numerals import WORDS as NUMBER_WORDS
from gateway.ground.lexing.spoken import Span
from gateway.ground.lexing.stems import WORD, split_words, stem, told_by
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.naming.population import Known, kinds_of_people
from gateway.ground.scoping.opposed import opposed
from gateway.ground.scoping.segments import segments_said
from gateway.ground.table.asked import Scope
from metric_layer.period_words import MONTHS, PLURAL
from metric_layer.periods import Period
from traces.grounding import SpanCode, SpanFinding

POSITIVE = frozenset(("in", "eq", "="))
NEGATIVE = frozenset(("not_in", "ne", "!="))
EXCEPT = (
    r"(?:outside(?:\sof)?|excluding|except(?:\sfor)?|other\sthan|apart\sfrom|without|beyond|excl\.?|ex"
    r"|not(?:\sin)?|non)"
)
EVERY = r"\b(?:all|every|each|across|any|entire|whole)\s(?:the\s|of\sthe\s|our\s|\w+\s)?"
OPPOSITES = {"gross": "net", "net": "gross", "budget": "actual", "booked": "recognised"}
METRIC_WORDS = words(
    "booking bookings profit profits ebitda earnings billings margin income backlog pipeline gmv arr "
    "mrr cogs payroll headcount turnover surplus expense expenses cashflow dividend dividends"
)
REVENUES = words("revenue revenues")
TAKINGS = words("revenue sale turnover taking earning billing income")
TURNOVER = frozenset(("turnover",))
# "6,904 group bookings": a figure of its own.
COUNTED = re.compile(r"\d[\w.,]*\s(?:[\w-]+\s){0,2}\Z")
PER = one_of(
    "per (?:order|customer|user|unit|head|employee|store|transaction|visit|subscriber|capita|session|lead"
    "|client|item|basket)"
)
RETURN_ON = re.compile(
    r"\breturn\son\s(?:the\s)?(?P<base>equity|assets|investment|capital|sales|ad\sspend)\b", re.IGNORECASE
)
# Names of figures in phrases that tell no figure.
IDIOMS = re.compile(
    r"\b(?:ga?ve|giv(?:es?|ing|en))\s(?:away|up)\s(?:[a-z]+\s)?margins?\b(?!\s(?:of|at|was|were|is)\b)"
    r"|\bmargins?\s(?:of|for)\serror\b|\bby\sa\s(?:[a-z]+\s)?margin\b(?!\sof\b)"
    r"|\bat\sthe\s(?:cost|expense)\sof\s(?:[a-z]+\s)?(?:margins?|profits?|earnings)\b|\bin\sthe\spipeline\b",
    re.IGNORECASE,
)
PER_METRICS = words("per average arpu aov cost")
COST_METRICS = words("per cost")
COST_LED = re.compile(r"\bcosts?\s\Z", re.IGNORECASE)
CAPITAL = re.compile(r"(?<![\w.'-])[A-Z][a-z]+(?:-[A-Za-z]+)*(?![\w'])")
BEGINS = re.compile(r"(?:\A|[.!?:;|*\u2022#>(\"]|\n)\s*-?\s*\Z")
COMMON = words(
    "i monday tuesday wednesday thursday friday saturday sunday euro euros fy english sql gmt utc "
    "christmas easter mr mrs ms dr note source total the a an in of on for and or q1 q2 q3 q4 mio mrd"
) | frozenset(MONTHS)

LED = re.compile(r"\b(?:in|for|from|among|within|across|im|in\sder|für)\s(?:the\s|our\s)?\Z", re.IGNORECASE)
ACTS = re.compile(
    r"(?:'s)?\s(?:alone\s|also\s)?(?:made|was|were|is|are|had|has|placed|brought|recorded|contributed|generated"
    r"|earned|sold|saw|reached|led|grew|fell|rose|accounted|delivered|posted|booked|came)\b",
    re.IGNORECASE,
)
# What only somebody or some part of the business does; "growth was" and "demand fell" name nobody.
AGENT = re.compile(
    r"(?:'s)?\s(?:alone\s|also\s)?(?:made|had|has|placed|brought|contributed|generated|earned|sold|booked|accounted"
    r"|delivered|posted)\b",
    re.IGNORECASE,
)
# Words that may open a sentence before the name of a figure and name nobody.
LEADING = words(
    "the a an our its their his her whose this that these those each every both all any some no none only "
    "it he she we they you there here nobody everyone everybody somebody who what which total net gross "
    "overall average mean median combined joint reported recorded actual annual quarterly monthly weekly "
    "daily yearly hourly current previous prior final initial cumulative aggregate typical new active "
    "paid regular strong weak solid record more less fewer most least much many such same own company "
    "group business team customer client user product sale and but while with for from in of on at by to "
    "as if so yet both either neither one two three four five six seven eight nine ten first second "
    "outside inside excluding except without beyond across among within over under during despite after "
    "before since between until throughout via per versus against through around about above below like "
    "unlike third last next another other higher lower larger smaller bigger stronger weaker better worse"
)
OPENING = LEADING | NUMBER_WORDS.keys()
QUALIFIES = ("ly", "ing", "ed", "est")
BESIDE = re.compile(r"(?:'s?)?[\s:|(]{1,3}", re.IGNORECASE)
ORDINARY = words(
    "all any other others none no yes new old total unknown true false both each every open low high"
)


def check_scope(
    visible: Visible,
    scope: Scope,
    names: Names,
    periods: Sequence[Period],
    mentions: Sequence[Mention],
    bases: Iterable[str] = (),
    explained: Iterable[Span] = (),
) -> Iterator[SpanFinding]:
    """Yield what a draft says about filters, metrics and names that is not what ran.

    `bases` are the stems of what cited ratios are counted on ("per visit"), `explained` the places of words
    that a cited derivation bears out ("margin").
    """
    if scope.known:
        reader = _Reader(visible, scope, names, periods, mentions)
        reader.bases = frozenset(bases)
        for start, end in explained:
            reader.covered[start:end] = b"\1" * (end - start)
        yield from reader.filters()
        yield from reader.unsplit()
        yield from reader.metrics()
        yield from reader.strangers()


class _Reader:
    """Reads one text against one scope."""

    def __init__(
        self,
        visible: Visible,
        scope: Scope,
        names: Names,
        periods: Sequence[Period],
        mentions: Sequence[Mention],
    ) -> None:
        self.visible = visible
        self.text = visible.text
        self.folded = visible.text.lower()
        self.scope = scope
        self.names = names
        self.mentions = mentions
        self.bases: frozenset[str] = frozenset()
        self.covered = bytearray(len(self.text) + 1)
        self.touched = bytearray(len(self.text) + 1)
        for period in periods:
            self.touched[period.start : period.end] = b"\1" * (period.end - period.start)
        self.keys = {names.sheet.columns[key].name for key in names.sheet.keys}
        self.figures = frozenset(names.sheet.numeric)
        for idiom in IDIOMS.finditer(self.text):
            self.covered[idiom.start() : idiom.end()] = b"\1" * len(idiom.group())
        for mention in mentions:
            self.touched[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
            if mention.full:
                self.covered[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
        labels = [
            name for column in names.sheet.columns for name in (column.label, column.name, *column.synonyms)
        ]
        self.asked = [name.replace("_", " ") for name in (*scope.metrics, *labels)]

    def filters(self) -> Iterator[SpanFinding]:
        """Yield values, "all" and "outside" that contradict a filter which ran."""
        for found in EVERYWHERE.finditer(self.text) if self.scope.filters else ():
            if not self._is_covered(found):
                yield self._filter(*found.span(), "the question was filtered")
        yield from self._vocabulary()
        for name, op, values in self.scope.filters:
            for value in values if op in POSITIVE | NEGATIVE else ():
                yield from self._value(name, op, value)
            for start, end in opposed(self.text, name, values) if op in POSITIVE else ():
                if not any(self.touched[start:end]):
                    yield self._filter(start, end, f"{name} is {', '.join(values)}")
            noun = re.escape(stem(name.replace("_", " ").split()[-1]))
            plural = rf"{noun[:-1]}ies" if noun.endswith("y") else rf"{noun}(?:s|es)"
            everything = rf"{EVERY}(?:{noun}|{plural})\b"
            for found in re.finditer(everything, self.text, re.IGNORECASE) if op in POSITIVE else ():
                yield self._filter(*found.span(), f"only {', '.join(values)} ran")

    def _value(self, name: str, op: str, value: str) -> Iterator[SpanFinding]:
        """Yield a kept value that the text leaves out, or a left-out value that it speaks of."""
        said = list(self._phrase(value))
        left_out = rf"\b{EXCEPT}[\s-](?:the\s)?\Z"
        for found in said:
            excluded = re.search(left_out, self.text[: found.start()], re.IGNORECASE) is not None
            if (op in POSITIVE) == excluded:
                kept = f"{name} is {value}" if op in POSITIVE else f"{name} {value} was left out"
                yield self._filter(*found.span(), f"the question ran where {kept}")

    def _vocabulary(self) -> Iterator[SpanFinding]:
        """Yield values of a filtered dimension, known to the layer, that the filter leaves out."""
        kept: dict[str, set[str]] = {}
        for name, op, values in self.scope.filters:
            if op in POSITIVE:
                kept.setdefault(name, set()).update(value.lower() for value in values)
        for phrase, (dimension, value) in (self.scope.vocabulary or {}).items() if kept else ():
            if dimension not in kept or value.lower() in kept[dimension]:
                continue
            why = f"{dimension} was filtered to {', '.join(sorted(kept[dimension]))}"
            yield from (self._filter(*f.span(), why) for f in self._phrase(phrase) if not self._is_covered(f))

    def unsplit(self) -> Iterator[SpanFinding]:
        """Yield values of dimensions that the answer neither is split by nor was filtered to."""
        judged = self.keys.union(name for name, _, _ in self.scope.filters)
        spoken = {value.lower() for _, _, values in self.scope.filters for value in values}
        for phrase, (dimension, _) in (self.scope.vocabulary or {}).items():
            if dimension in judged or phrase in spoken or phrase in COMMON or len(phrase) < 2:
                continue
            for found in self._phrase(phrase):
                if not any(self.touched[slice(*found.span())]) and self._is_name(found):
                    self.touched[slice(*found.span())] = b"\1" * len(found.group())
                    yield self._filter(*found.span(), f"the answer is not split by {dimension}")

    def _is_name(self, found: re.Match[str]) -> bool:
        """Tell whether a value stands as a name and not as a word that is also one ("open", "search")."""
        said, (start, end) = found.group(), found.span()
        if not re.search(r"[^\W\d_]", said):
            return False
        begins = BEGINS.search(self.text[max(0, start - 4) : start]) is not None
        if len(said.split()) > 1 or said.isupper() or (said[:1].isupper() and not begins):
            return True
        if len(said) < 3 or said.lower() in ORDINARY:
            return False
        if said[:1].isupper() and ACTS.match(self.text, end):
            return True
        return LED.search(self.text[max(0, start - 16) : start]) is not None or self._leads_figure(end)

    def _leads_figure(self, end: int) -> bool:
        """Tell whether the name of a figure stands right behind a place ("enterprise net revenue")."""
        place = bisect_right(self.mentions, end, key=lambda mention: mention.start)
        following = self.mentions[place : place + 4]
        return any(
            mention.columns & self.figures
            and BESIDE.fullmatch(self.text[end : min(mention.start, end + 8)]) is not None
            for mention in following
        )

    def metrics(self) -> Iterator[SpanFinding]:
        """Yield names of metrics that were not asked for."""
        asked = frozenset(word for name in self.asked for word in split_words(name))
        for name in self.scope.other_metrics:
            found = [f for f in self._phrase(name) if not self._is_covered(f)]
            if found and not set(split_words(name)) <= asked:
                yield from (self._metric(*f.span()) for f in found)
        done = frozenset(noun for verb in asked for noun in told_by(verb))
        for word in WORD.finditer(self.text):
            said = word.group().lower()
            revenue = said in REVENUES and not asked & TAKINGS
            opposite = OPPOSITES.get(said, "") in asked and said not in asked
            stranger = said in METRIC_WORDS and stem(said) not in asked
            stranger = stranger and not (said in TURNOVER and asked & TAKINGS) and stem(said) not in done
            titled = (stranger or revenue) and self._is_titled(word)
            if (opposite or stranger or revenue) and not (titled or self._is_covered(word)):
                yield self._metric(*word.span())
        yield from self._ratios(asked)

    def _is_titled(self, word: re.Match[str]) -> bool:
        """Tell whether the title or names of rows have a word ("Bookings by channel"), said of no count."""
        if stem(word.group()) not in self._titled:
            return False
        return COUNTED.search(self.text, max(0, word.start() - 40), word.start()) is None

    @cached_property
    def _titled(self) -> frozenset[str]:
        """Return the stems of the words of the title and of what names rows."""
        return frozenset(split_words(self.scope.subject[:500])) | self.names.values

    def _ratios(self, asked: frozenset[str]) -> Iterator[SpanFinding]:
        """Yield ratios that were not asked for, by what they are on ("return on assets", "per order")."""
        for found in RETURN_ON.finditer(self.text):
            if not self._is_covered(found) and not asked.issuperset(split_words(found["base"])):
                yield self._metric(*found.span())
        for found in PER.finditer(self.text):
            cost = COST_LED.search(self.text[max(0, found.start() - 6) : found.start()]) is not None
            known = asked & (COST_METRICS if cost else PER_METRICS)
            based = stem(found.group().split()[-1]) in self.bases
            if not (known or based or self._is_covered(found)):
                yield self._metric(*found.span())

    def strangers(self) -> Iterator[SpanFinding]:
        """Yield names inside a sentence that neither result nor question holds (another customer)."""
        spoken = [*self.asked, *(name.replace("_", " ") for name, _, _ in self.scope.filters)]
        spoken += [value for _, _, values in self.scope.filters for value in values]
        yield from self._kinds([self.scope.subject, *spoken, *self._synonyms()])
        spoken += self.scope.vocabulary or ()  # what a value of another filter is, others have judged
        known = Known(COMMON.union(*map(split_words, (self.scope.subject, *spoken))))
        for found in CAPITAL.finditer(self.text):
            begins = BEGINS.search(self.text[max(0, found.start() - 4) : found.start()]) is not None
            if begins and not self._is_subject(found):
                continue
            explained = any(self.touched[slice(*found.span())])
            if not explained and not known.holds(split_words(found.group())):
                yield self._filter(*found.span(), "it is no name of the result or of the question")

    def _kinds(self, asked: Sequence[str]) -> Iterator[SpanFinding]:
        """Yield words before customers that none of the names asked for has ("Enterprise customers")."""
        own = Known(frozenset(word for name in asked for word in split_words(name)))
        fields = frozenset(word for name, _, _ in self.scope.filters for word in split_words(name))
        parts = segments_said(self.text, self.mentions, self.figures, own)
        for start, end in (*kinds_of_people(self.text, own, fields), *parts):
            if not any(self.touched[start:end]):
                self.touched[start:end] = b"\1" * (end - start)
                yield self._filter(start, end, "the question asked for no such part of them")

    def _synonyms(self) -> Iterator[str]:
        """Yield other names of the values that were filtered to, or that the answer is split by."""
        kept = {
            (name, v.lower()) for name, op, values in self.scope.filters if op in POSITIVE for v in values
        }
        for phrase, (dimension, value) in (self.scope.vocabulary or {}).items():
            if dimension in self.keys or (dimension, value.lower()) in kept:
                yield phrase

    def _is_subject(self, found: re.Match[str]) -> bool:
        """Tell whether a sentence opens with a name of somebody: "Enterprise revenue was", "Teal sold 12"."""
        word = found.group().lower()
        opens = OPENING.issuperset(word.split("-")) or word.endswith(QUALIFIES)
        if opens or PLURAL.fullmatch(word) or EVERYWHERE.match(word):
            return False
        return AGENT.match(self.text, found.end()) is not None or self._leads_figure(found.end())

    def _phrase(self, phrase: str) -> Iterator[re.Match[str]]:
        """Yield where a name stands in the text, whatever joins its words; cheap where it does not."""
        if phrase[:3].lower() not in self.folded:
            return
        parts = re.findall(r"\w+", phrase.lower().replace("_", " "))
        if not parts or not all(part in self.folded for part in parts):
            return
        pattern = r"[\W_]+".join(map(re.escape, parts))
        yield from re.finditer(rf"(?<!\w){pattern}s?(?!\w)", self.text, re.IGNORECASE)

    def _is_covered(self, found: re.Match[str]) -> bool:
        return all(self.covered[found.start() : found.end()])

    def _filter(self, start: int, end: int, why: str) -> SpanFinding:
        return self._finding("filter", start, end, why, "Say only what the filters of the question say.")

    def _metric(self, start: int, end: int) -> SpanFinding:
        why = f"the question asked for {', '.join(self.scope.metrics) or 'what the columns say'}"
        return self._finding("metric_name", start, end, why, "Use the metric's own name.")

    def _finding(self, code: SpanCode, start: int, end: int, why: str, step: str) -> SpanFinding:
        first, last = self.visible.span(start, end)
        text = self.visible.raw[first:last]
        return SpanFinding(
            code=code, start=first, end=last, text=text, message=f"{text}: {why}", next_step=step
        )
