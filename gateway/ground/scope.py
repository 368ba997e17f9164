"""Periods, filters and metric names of a draft against the question that ran."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.asked import Scope
from gateway.ground.names import Mention, Names
from gateway.ground.stems import WORD, split_words, stem
from gateway.ground.text import Visible
from metric_layer.periods import MONTHS, Period, Window
from traces.records import SpanCode, SpanFinding

POSITIVE = frozenset(("in", "eq", "="))
NEGATIVE = frozenset(("not_in", "ne", "!="))
EVERYWHERE = re.compile(
    r"\b(?:world-?wide|global(?:ly)?|internationally|company-?wide|group-?wide|nation-?wide|everywhere|across\sthe\s(?:board|company|business|group|world)"
    r"|all\sover|around\sthe\sworld|in\stotal\sfor\sthe\scompany)\b",
    re.IGNORECASE,
)
EXCEPT = r"(?:outside(?:\sof)?|excluding|except(?:\sfor)?|other\sthan|apart\sfrom|without|beyond|excl\.?|ex|not\sin|non)"
UNTIL = re.compile(r"\b(?:as\sof|as\sat|through|until|till|up\sto|to|by|end(?:ed|ing)?(?:\son)?)\s(?:the\s)?\Z", re.IGNORECASE)
SINCE = re.compile(r"\b(?:since|from|starting|beginning)\s(?:the\s)?\Z", re.IGNORECASE)
OPPOSITES = (("net", "gross"), ("gross", "net"), ("actual", "budget"), ("recognised", "booked"), ("recognized", "booked"))
METRIC_WORDS = frozenset(
    "booking bookings profit profits ebitda earnings billings margin income backlog pipeline gmv arr mrr cogs payroll headcount "
    "turnover surplus expense expenses cashflow dividend dividends".split()
)
PER = re.compile(r"\bper\s(?:order|customer|user|unit|head|employee|store|transaction|visit|subscriber|capita|session|lead|client|item|basket)\b", re.IGNORECASE)
CAPITAL = re.compile(r"(?<![\w.'-])[A-Z][a-z]+(?:-[A-Za-z]+)*(?![\w'])")
COMMON = frozenset(
    "i monday tuesday wednesday thursday friday saturday sunday euro euros fy english sql gmt utc christmas easter mr mrs ms dr note source "
    "total the a an in of on for and or q1 q2 q3 q4 mio mrd".split()
) | frozenset(MONTHS)


def check_scope(
    visible: Visible,
    scope: Scope,
    names: Names,
    periods: Sequence[Period],
    mentions: Sequence[Mention],
) -> Iterator[SpanFinding]:
    """Yield what a draft says about window, filters and metrics that is not what ran."""
    reader = _Reader(visible, scope, names, mentions)
    yield from reader.held(periods)
    if not scope.known:
        return
    yield from reader.windows(periods)
    yield from reader.filters()
    yield from reader.metrics()
    yield from reader.strangers(periods)


class _Reader:
    """Reads one text against one scope."""

    def __init__(self, visible: Visible, scope: Scope, names: Names, mentions: Sequence[Mention]) -> None:
        self.visible = visible
        self.text = visible.text
        self.scope = scope
        self.names = names
        self.mentions = mentions
        self.covered = bytearray(len(self.text) + 1)
        for mention in mentions:
            if mention.full:
                self.covered[mention.start : mention.end] = b"\1" * (mention.end - mention.start)

    def held(self, periods: Sequence[Period]) -> Iterator[SpanFinding]:
        """Yield periods that run backwards, and those that a result with periods as columns does not hold."""
        windows = [window for _, window in self.names.column_windows]
        windows += [window for rows in self.names.row_windows.values() for _, window in rows]
        for place, period in enumerate(periods):
            later = periods[place + 1] if place + 1 < len(periods) else None
            if later and self._is_backwards(period, later):
                yield self._finding("window", period.start, later.end, "these periods run backwards", "Name the earlier one first.")
            if self.names.column_windows and period.readings and not self._is_held(period, windows) and not self._is_window(period):
                yield self._finding("window", period.start, period.end, "the result holds no such period", "Name a period of the result.")

    def _is_held(self, period: Period, windows: Sequence[Window]) -> bool:
        return any(
            any(first == start for start, _ in windows) and any(after == end for _, end in windows)
            for first, after in period.readings
        )

    def _is_backwards(self, first: Period, second: Period) -> bool:
        gap = self.text[first.end : second.start].strip().lower()
        led = self.text[max(0, first.start - 6) : first.start].lower().endswith("from ")
        known = first.readings and second.readings and not first.bare and not second.bare
        return bool(led and known and gap in ("to", "until", "through")) and first.readings[0][0] > second.readings[0][0]

    def windows(self, periods: Sequence[Period]) -> Iterator[SpanFinding]:
        """Yield every period that is neither the window that ran nor a value of the result."""
        for period in periods:
            if period.relative or self._is_known(period) or self._is_window(period):
                continue
            ran = "no window"
            if self.scope.start and self.scope.end:
                ran = f"{self.scope.start.isoformat()} up to, not including, {self.scope.end.isoformat()}"
            yield self._finding(
                "window", period.start, period.end, f"the question ran over {ran}", "Name the window that ran, or leave it out."
            )

    def _is_window(self, period: Period) -> bool:
        start, end, today = self.scope.start, self.scope.end, self.scope.today
        if start is None or end is None:
            return False
        allowed = ((start, end), *self.scope.windows)
        before = self.text[max(0, period.start - 16) : period.start]
        for first, after in period.readings:
            if (first, after) in allowed:
                return True
            if UNTIL.search(before) and after == end:
                return True
            if first == start and ((SINCE.search(before) and end >= today) or (first <= today < after and 0 <= (end - today).days <= 1)):
                return True
            if (after - first) == (end - start) and abs((after - end).days) == 1 and abs((end - today).days) <= 1:
                return True
        return False

    def _is_known(self, period: Period) -> bool:
        """Tell whether the result names a period: as a value, a column, or inside a label ("Change vs last year")."""
        words = self.text[period.start : period.end].lower()
        labels = (column.label or column.name for column in self.names.sheet.columns)
        return self._is_covered(period.start, period.end) or any(words in label.lower() for label in labels)

    def _is_covered(self, start: int, end: int) -> bool:
        return all(self.covered[start:end])

    def filters(self) -> Iterator[SpanFinding]:
        """Yield values, "all" and "outside" that contradict a filter which ran."""
        if self.scope.filters:
            for found in EVERYWHERE.finditer(self.text):
                yield self._filter(*found.span(), "the question was filtered")
        yield from self._vocabulary()
        for name, op, values in self.scope.filters:
            for value in values:
                yield from self._value(name, op, value)
            if op in POSITIVE:
                noun = re.escape(stem(name.replace("_", " ").split()[-1]))
                pattern = rf"\b(?:all|every|each|across|any|entire|whole)\s(?:the\s|of\sthe\s|our\s|\w+\s)?{noun}(?:s|es)?\b"
                for found in re.finditer(pattern, self.text, re.IGNORECASE):
                    yield self._filter(*found.span(), f"only {', '.join(values)} ran")

    def _value(self, name: str, op: str, value: str) -> Iterator[SpanFinding]:
        words = r"[\W_]+".join(re.escape(word) for word in re.findall(r"\w+", value))
        if not words or op not in POSITIVE | NEGATIVE:
            return
        excluded = {found.end() for found in re.finditer(rf"\b{EXCEPT}[\s-](?:the\s)?{words}\b", self.text, re.IGNORECASE)}
        for found in re.finditer(rf"(?<!\w){words}(?!\w)", self.text, re.IGNORECASE):
            if (op in POSITIVE) == (found.end() in excluded):
                kept = f"{name} is {value}" if op in POSITIVE else f"{name} {value} was left out"
                yield self._filter(*found.span(), f"the question ran where {kept}")

    def _vocabulary(self) -> Iterator[SpanFinding]:
        """Yield values of a filtered dimension, known to the layer, that the filter leaves out."""
        kept: dict[str, set[str]] = {}
        for name, op, values in self.scope.filters:
            if op in POSITIVE:
                kept.setdefault(name, set()).update(value.lower() for value in values)
        for words, (dimension, value) in (self.scope.vocabulary or {}).items():
            if dimension not in kept or value.lower() in kept[dimension]:
                continue
            for found in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", self.text, re.IGNORECASE):
                if not self._is_covered(*found.span()):
                    yield self._filter(*found.span(), f"{dimension} was filtered to {', '.join(sorted(kept[dimension]))}")

    def metrics(self) -> Iterator[SpanFinding]:
        """Yield names of metrics that were not asked for."""
        asked = {word for name in self._asked() for word in split_words(name)}
        for name in self.scope.other_metrics:
            words = r"[\s_-]+".join(re.escape(word) for word in re.findall(r"\w+", name))
            for found in re.finditer(rf"(?<!\w){words}s?(?!\w)", self.text, re.IGNORECASE) if words else ():
                if not self._is_covered(*found.span()) and not set(split_words(name)) <= asked:
                    yield self._metric(*found.span())
        for found in WORD.finditer(self.text):
            word = found.group().lower()
            opposite = any(word == wrong and right in asked and wrong not in asked for right, wrong in OPPOSITES)
            stranger = word in METRIC_WORDS and stem(word) not in asked and not self._is_covered(*found.span())
            if opposite or stranger:
                yield self._metric(*found.span())

        if not any({"per", "average", "arpu", "aov", "cost"} & set(split_words(name)) for name in self._asked()):
            for found in PER.finditer(self.text):
                yield self._metric(*found.span())

    def _asked(self) -> Iterator[str]:
        yield from self.scope.metrics
        for column in self.names.sheet.columns:
            yield column.label or column.name
            yield column.name.replace("_", " ")
            yield from column.synonyms

    def strangers(self, periods: Sequence[Period]) -> Iterator[SpanFinding]:
        """Yield names in the middle of a sentence that neither result nor question holds: another customer, another region."""
        known = {stem(w) for name in self._asked() for w in WORD.findall(name)} | COMMON
        known |= {stem(w) for _, _, values in self.scope.filters for value in values for w in WORD.findall(value)}
        known |= {stem(w) for name, _, _ in self.scope.filters for w in WORD.findall(name.replace("_", " "))}
        spans = [(m.start, m.end) for m in self.mentions] + [(p.start, p.end) for p in periods]
        inside = bytearray(len(self.text) + 1)
        for start, end in spans:
            inside[start:end] = b"\1" * (end - start)
        for found in CAPITAL.finditer(self.text):
            start, end = found.span()
            before = self.text[max(0, start - 3) : start]
            begins = start == 0 or re.search(r"(?:[.!?:;|*\u2022#>(\"]|\n)\s*-?\s*\Z", before) or before.strip() == ""
            if begins or any(inside[start:end]) or all(stem(w) in known for w in WORD.findall(found.group())):
                continue
            yield self._filter(start, end, "it is no name of the result or of the question")

    def _filter(self, start: int, end: int, why: str) -> SpanFinding:
        return self._finding("filter", start, end, why, "Say only what the filters of the question say.")

    def _metric(self, start: int, end: int) -> SpanFinding:
        asked = ", ".join(self.scope.metrics) or "what the columns say"
        return self._finding("metric_name", start, end, f"the question asked for {asked}", "Use the metric's own name.")

    def _finding(self, code: SpanCode, start: int, end: int, why: str, step: str) -> SpanFinding:
        first, last = self.visible.span(start, end)
        text = self.visible.raw[first:last]
        return SpanFinding(code=code, start=first, end=last, text=text, message=f"{text}: {why}", next_step=step)
