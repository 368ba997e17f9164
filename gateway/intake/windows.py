"""The time of a question: its window and what it is compared with, or the fault in the way."""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from gateway.intake.comparing import as_far, compared_with, days_of, of_kind
from gateway.intake.outcome import ComparedWindow
from gateway.intake.said import Said
from metric_layer.asked_periods import ONE_DAY, Phrase, QuestionPeriods, out_of_range
from metric_layer.asked_shift import period_before, unit_of, year_earlier
from metric_layer.asking import AskingRules
from metric_layer.calendar import Calendar
from metric_layer.plan import Compare, MetricPlan, Window

OVER = re.compile(r"over|on|yoy|mom|qoq|wow", re.IGNORECASE)
REFUSED = frozenset(("future_window", "out_of_data_range"))


@dataclass(frozen=True, slots=True)
class When:
    """The settled window as it was said, and the comparison; None where the question has none."""

    main: Phrase | None
    compare: ComparedWindow | None
    fresh: bool
    today: date


class Times:
    """Settles the periods that a question said, for one layer on one day."""

    def __init__(self, calendar: Calendar, rules: AskingRules, today: date) -> None:
        self._calendar = calendar
        self._rules = rules
        self._today = today
        self._periods = QuestionPeriods(calendar, today, rules)

    def find(self, text: str) -> tuple[Phrase, ...]:
        """Return the periods of a text, settled."""
        return self._periods.find(text)

    def settle(self, said: Said, previous: MetricPlan | None) -> When:
        """Return when a question asks about; every fault is noted in what was said."""
        main, others = self._main(said)
        fresh = main is not None
        if main is None and previous is not None and previous.time is not None:
            main = self._held(previous.time)
        elif main is None and not said.windows:
            main = self._default(said)
            fresh = main is not None
        shown = "about" in said.flags or said.leads_on
        if previous is not None and not fresh and shown and "versus" not in said.flags and len(others) == 1:
            main, fresh = self._moved(said, main, others[0]), True
            others = ()
        elif previous is not None and not fresh and _is_unclear(said, others):
            said.ask("ambiguous_date", others[0].text)
        if main is None and not said.problems:
            said.ask("missing_time", "time window")
        compare = self._compare(said, main, others) if main is not None else None
        return When(main, compare, fresh, self._today)

    def again(self, compare: Compare, main: Phrase) -> ComparedWindow | None:
        """Return a comparison of the same kind beside another window; a custom one has no other window."""
        window = {"previous_year": year_earlier(main), "previous_period": period_before(self._calendar, main)}
        found = of_kind(compare.kind, window.get(compare.kind))
        return as_far(found, main, self._today, self._calendar).compare

    def _main(self, said: Said) -> tuple[Phrase | None, tuple[Phrase, ...]]:
        windows, compared = list(said.windows), tuple(said.compared)
        for phrase in windows:
            self._fault(said, phrase)
        if len(windows) == 2 and "compare" in said.flags and not compared:
            windows, compared = windows[:1], (windows[1],)
        if len(windows) < 2:
            sound = [phrase for phrase in windows if phrase.window is not None]
            return (sound[0] if sound else None), compared
        if any(phrase.window is None for phrase in windows):
            return None, ()
        return self._joined(said, windows), compared

    def _joined(self, said: Said, windows: list[Phrase]) -> Phrase | None:
        """Return neighbouring periods said in one breath ("July and August") as one window."""
        ordered = sorted(_dated(windows), key=lambda phrase: phrase.window or (date.min, date.min))
        touching = all(
            one.window and two.window and one.window[1] == two.window[0] for one, two in pairwise(ordered)
        )
        first, last = ordered[0], ordered[-1]
        if not said.joined or not touching or first.window is None or last.window is None:
            said.ask("ambiguous_date", " / ".join(phrase.text for phrase in windows))
            return None
        window = (first.window[0], last.window[1])
        return replace(first, window=window, whole=window, unit="", kind="range", bare=False)

    def _fault(self, said: Said, phrase: Phrase) -> None:
        if phrase.fault in REFUSED:
            said.abstain(phrase.fault, phrase.text, self._nearest(phrase))
        elif phrase.fault:
            near = (phrase.nearest.isoformat(),) if phrase.nearest else ()
            said.ask(phrase.fault, phrase.text, phrase.options, near)

    def _nearest(self, phrase: Phrase) -> tuple[str, ...]:
        """Return the day with data that is nearest to a period outside it, where the owner has named one."""
        window, first, last = phrase.window, self._rules.data_from, self._rules.data_to
        if phrase.fault != "out_of_data_range" or window is None:
            return ()
        ahead = last is not None and window[0] > last
        nearest = last if ahead else first
        return () if nearest is None else (nearest.isoformat(),)

    def _held(self, time: Window) -> Phrase:
        """Return the window of an earlier plan as a phrase."""
        window = (time.from_, time.to + ONE_DAY)
        unit, fiscal = unit_of(self._calendar, window)
        return Phrase(0, 0, "", window, window, unit, 1, fiscal, kind="held")

    def _default(self, said: Said) -> Phrase | None:
        found = self._periods.find(self._rules.default_window) if self._rules.default_window else ()
        if len(found) == 1 and found[0].window is not None and not found[0].fault:
            return found[0]
        said.ask("missing_time", "time window")
        return None

    def _moved(self, said: Said, main: Phrase | None, shift: Phrase) -> Phrase | None:
        """ "What about the same period last year?" moves the window of the earlier plan."""
        found = compared_with(main, shift, self._calendar) if main is not None else None
        if main is None or found is None or found.window is None:
            said.ask("ambiguous_date", shift.text)
            return main
        return replace(main, window=found.window, whole=found.window, text=shift.text)

    def _compare(self, said: Said, main: Phrase, others: tuple[Phrase, ...]) -> ComparedWindow | None:
        if not others:
            if main.kind == "range" and "compare" in said.flags and not said.breakdown:
                said.ask("ambiguous_date", main.text)
            return None
        others = tuple(_other_reading(main, phrase) for phrase in others)
        for phrase in others:
            if phrase.fault and phrase.fault not in REFUSED and not phrase.is_shift:
                self._fault(said, phrase)
                return None
        found = compared_with(main, others[0], self._calendar)
        found = as_far(found, main, self._today, self._calendar)
        if len(others) > 1 or found.compare is None:
            said.ask("ambiguous_date", others[-1].text, found.options)
            return None
        if found.window and found.window[0] > self._today:
            said.abstain("future_window", others[0].text)
        elif found.window and out_of_range(found.window, self._rules, self._today):
            said.abstain("out_of_data_range", others[0].text)
        return found.compare


def _dated(windows: list[Phrase]) -> list[Phrase]:
    """Return periods with the year of the last: "March and April 2025" are both of that year."""
    last = windows[-1]
    if last.bare or last.whole is None:
        return windows
    found = []
    for phrase in windows:
        moved = phrase
        for _ in range(moved.whole[0].year - last.whole[0].year + 1 if moved.bare and moved.whole else 0):
            if moved.whole and moved.whole[0] >= last.whole[1]:
                earlier = year_earlier(replace(moved, window=moved.whole))
                moved = replace(moved, window=earlier, whole=earlier)
        found.append(moved)
    return found


def _is_unclear(said: Said, others: tuple[Phrase, ...]) -> bool:
    """Tell whether a follow-up that only says "same period last year" may want that instead, or beside."""
    named = len(others) == 1 and others[0].is_shift and OVER.search(others[0].text) is None
    return named and not said.flags & {"versus", "compare", "add"}


def _other_reading(main: Phrase, phrase: Phrase) -> Phrase:
    """Return "last July" beside this July as the July before, for nothing is held against itself."""
    left = [option for option in phrase.options if main.window is None or option != days_of(main.window)]
    settles = len(phrase.options) == 2 and len(left) == 1
    return chosen_day(phrase, left[0]) if settles else phrase


def chosen_day(phrase: Phrase, code: str) -> Phrase:
    """Return an ambiguous date settled by an earlier answer, one of its own options."""
    first, _, last = code.partition(" to ")
    start = date.fromisoformat(first)
    window = (start, (date.fromisoformat(last) if last else start) + timedelta(days=1))
    return replace(phrase, window=window, whole=window, fault="", options=())
