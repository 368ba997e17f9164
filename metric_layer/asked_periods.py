"""The periods of a question, settled: one window by the owner's rules, or why there is none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from metric_layer.asked_words import EDGE
from metric_layer.asking import AskingRules
from metric_layer.calendar import Calendar
from metric_layer.period_bounds import (
    MONTHS_IN,
    Groups,
    Window,
    count_of,
    is_fiscal,
    nearest_day,
    unit_back,
    unit_bounds,
    unit_said,
)
from metric_layer.periods import Period, PeriodParser

Fault = Literal["", "ambiguous_date", "invalid_date", "vague_time", "future_window", "out_of_data_range"]
ONE_DAY = timedelta(days=1)
UNIT_OF = {
    "quarter": "quarter", "half": "half", "month": "month", "calendar_year": "year", "year": "year",
    "split_year": "year", "week_of": "week", "iso_week": "week", "week_number": "week", "week_ending": "week",
    "day": "day", "numeric": "day", "iso_day": "day", "cjk_day": "day", "named_day": "day", "weekday": "day",
    "short_date": "day",
}  # fmt: skip
UNIT_SAID = {"twelve_months": "month", "this_fiscal_year": "year"}
SINCE = re.compile(
    r"\b(?:(?:since|from|starting(?:\sfrom)?)\s(?:the\s)?(?:start|beginning)\sof"
    r"|since|starting(?:\s(?:from|in|on|with))?|beginning(?:\s(?:from|in|on|with))?)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
FROM = re.compile(r"\bfrom\s(?:the\s)?\Z", re.IGNORECASE)
OPEN_END = re.compile(
    r"\s?(?:,\s?)?(?:onwards?|on(?=\s*[?.!,]|\s*\Z)"
    r"|(?:up\s)?(?:to|until|till|through)\s(?:now|date|the\spresent|present))(?!\w)",
    re.IGNORECASE,
)
MONTH_NUMBER = re.compile(r"[^\W\d]+\.?\s(?P<number>\d\d)")
LEAD = re.compile(
    r"\b(?:(?:the|(?:the\s)?(?:full|whole|entire))[\s-](?:(?:fiscal|calendar)\s)?(?P<unit>month|quarter|half|year)(?:\sof)?"
    r"|(?P<part>month|quarter|half|year)\sof|(?<=(?:in|or)\s)(?P<bare>year))\s\Z",
    re.IGNORECASE,
)
LED_IN = frozenset(("month", "quarter", "half", "year", "calendar_year", "fiscal", "split_year"))
TO_DATE = re.compile(r"(?:to\sdate|so\sfar)", re.IGNORECASE)
ONE_SIDED = re.compile(
    r"\b(?:until|till|through|thru|before|after|up\sto|by|prior\sto|ahead\sof|no\slater\sthan"
    r"|(?<=day\s)to|(?<=week\s)to|(?<=month\s)to|(?<=quarter\s)to|(?<=year\s)to|(?<=ly\s)to)\s(?:the\s)?"
    r"(?:end\sof\s)?\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of a question that name days, from character `start` to before `end`.

    `window` is what is asked (half-open), `whole` the same before a current period was cut at today. A shift
    has no window of its own: it names the year or the period before another window. `unit` and `count` say
    what the window is made of, where it is made of whole units; `fault` why there is no window to be used.
    """

    start: int
    end: int
    text: str
    window: Window | None = None
    whole: Window | None = None
    unit: str = ""
    count: int = 1
    fiscal: bool = False
    kind: str = ""
    which: str = ""
    bare: bool = False
    fault: Fault = ""
    options: tuple[str, ...] = ()
    nearest: date | None = None
    earlier: Window | None = None

    @property
    def is_shift(self) -> bool:
        """Tell whether the words only make sense beside another window."""
        return self.kind in ("shift", "same_in")


class QuestionPeriods:
    """Finds the periods of a question and settles each by the rules of the layer."""

    def __init__(self, calendar: Calendar, today: date, rules: AskingRules) -> None:
        self.calendar = calendar
        self.today = today
        self.rules = rules
        self._parser = PeriodParser(calendar, today, rules)

    def find(self, text: str) -> tuple[Phrase, ...]:
        """Return the settled periods of a question in order; the words that lead them in belong to them."""
        settled = [_led_in(text, self._settle(text, period)) for period in self._parser.find(text)]
        return tuple(self._merged(text, settled))

    def _merged(self, text: str, phrases: Sequence[Phrase]) -> Iterator[Phrase]:
        """Yield phrases, "2026 to date" and "FY27 so far" put together."""
        for place, phrase in enumerate(phrases):
            before = phrases[place - 1] if place else None
            if (
                before
                and phrase.kind == "vague"
                and TO_DATE.fullmatch(phrase.text)
                and self._runs(text, before, phrase)
            ):
                continue
            after = phrases[place + 1] if place + 1 < len(phrases) else None
            if (
                after
                and after.kind == "vague"
                and TO_DATE.fullmatch(after.text)
                and self._runs(text, phrase, after)
            ):
                yield replace(phrase, end=after.end, text=text[phrase.start : after.end])
                continue
            yield phrase

    def _runs(self, text: str, phrase: Phrase, later: Phrase) -> bool:
        """Tell whether "to date" right behind a period says no more than that it still runs."""
        if text[phrase.end : later.start].strip() or phrase.fault or phrase.whole is None:
            return False
        return phrase.whole[0] <= self.today < phrase.whole[1]

    def _settle(self, text: str, period: Period) -> Phrase:
        phrase = self._phrase(text, period)
        if phrase.is_shift:
            return phrase
        lead = text[: period.start]
        edge = None if SINCE.search(lead) else EDGE.search(lead)
        if period.kind == "vague" or edge:
            start = edge.start() if edge and period.kind != "vague" else period.start
            return replace(phrase, start=start, text=text[start : period.end], fault="vague_time")
        if period.kind == "day" and self._may_be_month(phrase, lead):
            return replace(phrase, fault="ambiguous_date")
        if period.kind == "future":
            return replace(phrase, fault="future_window")
        if not period.readings:
            fault = self._never(period, phrase.text)
            real = nearest_day(period.groups, self.today.year) if fault == "invalid_date" else None
            return replace(phrase, fault=fault, nearest=real)
        chosen = self._choose(period)
        if not isinstance(chosen, int):
            return replace(phrase, fault="ambiguous_date", options=chosen)
        window, tail = period.readings[chosen], period.tails[chosen]
        return self._opened(text, phrase, window, tail)

    def _never(self, period: Period, text: str) -> Fault:
        """Say why a phrase has no days: no calendar holds them, or a named period has no dates that year."""
        if period.kind != "named":
            return "invalid_date"
        digits = text[-4:]
        year = int(digits) if digits.isdigit() else self.today.year
        if year >= self.today.year:
            return "future_window"
        begun = self.rules.data_from
        return "out_of_data_range" if begun is not None and year < begun.year else "vague_time"

    def _may_be_month(self, phrase: Phrase, lead: str) -> bool:
        """Tell whether "Oct 25" may be October 2025 as well as the 25th; "on Oct 25" is a day."""
        found = MONTH_NUMBER.fullmatch(phrase.text)
        if found is None or lead.rstrip().lower().endswith("on"):
            return False
        return 20 <= int(found["number"]) <= self.today.year % 100 + 1

    def _phrase(self, text: str, period: Period) -> Phrase:
        groups, kind = period.groups, "shift" if period.relative else period.kind
        unit = UNIT_OF.get(kind, "")
        if kind == "fiscal":
            parts = {"number": "quarter", "late": "quarter", "half": "half", "late_half": "half"}
            unit = groups.get("part", "").lower() or next(
                (u for g, u in parts.items() if g in groups), "year"
            )
        elif kind in ("last_n", "this_unit", "before_last", "ago", "to_date"):
            unit = unit_said(groups) if "unit" in groups else self._short_unit(groups)
        elif kind == "last_part":
            unit = "month" if "month" in groups else "quarter" if "number" in groups else "half"
        elif kind in UNIT_SAID:
            unit = UNIT_SAID[kind]
        elif kind == "ending" and "last_day" not in groups and unit_said(groups) in MONTHS_IN:
            unit = "month"
        said = text[period.start : period.end]
        shown = "this_unit" if kind == "this_fiscal_year" else kind
        return Phrase(
            start=period.start,
            end=period.end,
            text=said,
            unit=unit,
            count=_count_said(kind, groups),
            fiscal=kind in ("fiscal", "split_year", "this_fiscal_year")
            or is_fiscal(groups)
            or "fiscal" in groups,
            kind=shown,
            which=groups.get("which", "").lower(),
            bare=period.bare,
        )

    @staticmethod
    def _short_unit(groups: object) -> str:
        short = {"y": "year", "m": "month", "q": "quarter", "w": "week"}
        letter = groups["short"][0].lower() if isinstance(groups, dict) and "short" in groups else "y"
        return short[letter]

    def _choose(self, period: Period) -> int | tuple[str, ...]:
        """Return which reading is meant, or the readings as dates where nothing decides."""
        readings = period.readings
        if period.kind == "range" and "mark" in period.groups and len(set(readings)) > 1:
            return tuple(dict.fromkeys(_named(window) for window in readings))
        if period.kind == "range" and not period.bare:
            return min(range(len(readings)), key=lambda n: readings[n][1] - readings[n][0])
        if not period.bare:
            if len(readings) == 1:
                return 0
            return tuple(dict.fromkeys(_named(window) for window in readings))
        if self.rules.bare_period == "current_year":
            found = [n for n, window in enumerate(readings) if self._is_this_year(window, period)]
            return found[0] if found else 0
        begun = [n for n, window in enumerate(readings) if window[0] <= self.today]
        tails = [n for n, tail in enumerate(period.tails) if tail[0] <= self.today]
        if not begun:
            return len(readings) - 1
        first = max(begun, key=lambda n: readings[n][0])
        last = max(tails, key=lambda n: readings[n][0]) if tails else first
        if first != last:
            return _named(readings[first]), _named(readings[last])
        return first

    def _is_this_year(self, window: Window, period: Period) -> bool:
        if is_fiscal(period.groups) and period.kind in ("quarter", "half"):
            return self.calendar.fiscal_year(window[0]) == self.calendar.fiscal_year(self.today)
        return window[0].year == self.today.year

    def _opened(self, text: str, phrase: Phrase, window: Window, tail: Window) -> Phrase:
        """Return a phrase with its window, opened to today by "since X" and "from X onwards"."""
        lead, rest = text[: phrase.start], text[phrase.end :]
        since, led, onwards = SINCE.search(lead), FROM.search(lead), OPEN_END.match(rest)
        open_end = since is not None or (led is not None and (onwards is not None or phrase.unit == "day"))
        if open_end and phrase.kind != "range":
            lead_in = since or led
            start = lead_in.start() if lead_in else phrase.start
            end = phrase.end + (onwards.end() if onwards else 0)
            opened = replace(phrase, start=start, end=end, text=text[start:end], unit="", kind="since")
            if window[0] > self.today:
                return replace(opened, fault="future_window")
            return self._bounded(opened, (window[0], self._last_day() + ONE_DAY))
        if led is not None and phrase.kind == "month":
            options = (_named(window), _named((window[0], self.today + ONE_DAY)))
            return replace(phrase, fault="ambiguous_date", options=options)
        if phrase.kind != "range" and ONE_SIDED.search(lead):
            return replace(phrase, fault="vague_time")
        return self._current(phrase, window, tail)

    def _last_day(self) -> date:
        return self.today - ONE_DAY if self.rules.current_period == "to_yesterday" else self.today

    def _current(self, phrase: Phrase, window: Window, tail: Window) -> Phrase:
        """Return a phrase whose window ends where the rules end a period that holds today."""
        if phrase.kind == "to_date":
            whole = unit_bounds(self.calendar, window[0], phrase.unit, fiscal=phrase.fiscal)
        else:
            whole = window
        phrase = replace(phrase, whole=whole)
        if phrase.kind == "last_n" and self.rules.last_n == "with_current":
            window = self._with_current(phrase)
        elif phrase.kind == "all_time":
            if self.rules.data_from is None:
                return replace(phrase, fault="vague_time")
            window = (self.rules.data_from, self._last_day() + ONE_DAY)
        elif tail[0] > self.today:
            return replace(phrase, window=window, fault="future_window")
        elif self.today < window[1] and self.rules.current_period != "whole":
            window = (window[0], max(min(window[1], self._last_day() + ONE_DAY), window[0] + ONE_DAY))
        return self._bounded(phrase, window)

    def _with_current(self, phrase: Phrase) -> Window:
        first = unit_back(self.calendar, self.today, phrase.unit, phrase.count - 1, fiscal=phrase.fiscal)
        return first or self.today, self._last_day() + ONE_DAY

    def _bounded(self, phrase: Phrase, window: Window) -> Phrase:
        whole = phrase.whole or window
        running = phrase.unit not in ("", "day") and whole[0] <= self.today < whole[1]
        outside = out_of_range(window, self.rules, self.today, running=running)
        fault: Fault = "out_of_data_range" if outside else ""
        earlier = self._earlier(whole) if phrase.kind == "named" else None
        return replace(phrase, window=window, whole=whole, fault=fault, earlier=earlier)

    def _earlier(self, window: Window) -> Window | None:
        """Return the days a named period had the year before."""
        for named in self.rules.named_periods:
            days = {each.year: (each.from_, each.to + ONE_DAY) for each in named.occurrences}
            for year, found in days.items():
                if found == window:
                    return days.get(year - 1)
        return None


def _count_said(kind: str, groups: Groups) -> int:
    """Return how many units a phrase is made of; one that ends with a month is made of months."""
    if kind == "twelve_months":
        return MONTHS_IN["year"]
    if kind == "ending":
        return MONTHS_IN.get(unit_said(groups), 1) * (count_of(groups["count"]) if "count" in groups else 1)
    return count_of(groups["count"]) if kind == "last_n" else 1


def _led_in(text: str, phrase: Phrase) -> Phrase:
    """Return a phrase with the unit said before it: "the full year 2025", "the month of July"."""
    lead = LEAD.search(text[: phrase.start])
    if lead is None or phrase.kind not in LED_IN:
        return phrase
    unit = lead["unit"] or lead["part"] or lead["bare"]
    if unit.lower() != phrase.unit:
        return phrase
    return replace(phrase, start=lead.start(), text=text[lead.start() : phrase.end])


def out_of_range(window: Window, rules: AskingRules, today: date, *, running: bool = False) -> bool:
    """Tell whether a window holds days without data; a `running` week or month may have begun today."""
    first, after = window
    if rules.data_from is not None and first < rules.data_from:
        return True
    if rules.data_to is None:
        return False
    last = first if after > today else after - ONE_DAY
    return last > rules.data_to + (ONE_DAY if running else timedelta(0))


def _named(window: Window) -> str:
    first, last = window[0], window[1] - ONE_DAY
    return first.isoformat() if first == last else f"{first.isoformat()} to {last.isoformat()}"
