"""What a caller gave for the parameters of an analysis -> values that fit, or everything that does not."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from gateway.playbooks.definition import (
    Analysis,
    DateParameter,
    IntegerParameter,
    Parameter,
    PeriodParameter,
    StringParameter,
    ValueParameter,
)
from metric_layer.asked_periods import Phrase, QuestionPeriods
from metric_layer.dates import no_such_date
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.period_bounds import Window
from metric_layer.plan import Dialect
from metric_layer.telling import json_kind
from metric_layer.vocabulary import folded, near, near_terms

LISTED = 12
SHOWN_DIGITS = 20
PASSING = frozenset(("future_window", "out_of_data_range"))
"""What may be wrong with a period today and right tomorrow, or the other way round."""
DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_LONG = f"a number of more than {SHOWN_DIGITS} digits"
Plain = str | int | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """One parameter as the plan takes it: its value, its parts by name, and how a sentence prints it."""

    value: Plain
    shown: str
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asking:
    """The layer, the day and the SQL dialect that parameters are read under.

    While files are loaded a period need only have days: what has data, or has begun, changes every day.
    """

    layer: Layer
    today: date
    loading: bool = False
    dialect: Dialect = "postgres"

    def window(self, text: str) -> tuple[Phrase | None, Window | None]:
        """Return the one period that a text is, with its days; None where it has none to ask for."""
        found = QuestionPeriods(self.layer.calendar, self.today, self.layer.asking).find(text)
        if len(found) != 1 or (found[0].start, found[0].end) != (0, len(text)) or found[0].is_shift:
            return None, None
        phrase = found[0]
        sound = not phrase.fault or (self.loading and phrase.fault in PASSING)
        return phrase, phrase.window if sound else None


def bind(
    analysis: Analysis, given: Mapping[str, object], asking: Asking
) -> Mapping[str, Given] | tuple[Issue, ...]:
    """Return the value of every parameter, or every problem by the JSON pointer of its parameter.

    Codes: unknown_parameter, missing_parameter, wrong_type, value_not_allowed, out_of_bounds, no_period.
    """
    known = {parameter.name: parameter for parameter in analysis.parameters}
    issues = [_unknown(name, tuple(known)) for name in given if name not in known]
    bound: dict[str, Given] = {}
    for name, parameter in known.items():
        found = _read(parameter, given.get(name), asking)
        if isinstance(found, Issue):
            issues.append(found)
        else:
            bound[name] = found
    return tuple(issues) or bound


def allowed_values(parameter: Parameter, layer: Layer) -> tuple[str, ...]:
    """Return what a parameter can be, where that is a list."""
    match parameter:
        case StringParameter():
            return parameter.values
        case PeriodParameter():
            return parameter.words
        case ValueParameter():
            dimension = layer.dimensions.get(parameter.dimension)
            return parameter.values or tuple(v.value for v in dimension.values) if dimension else ()
    return ()


def _read(parameter: Parameter, sent: object, asking: Asking) -> Given | Issue:
    value = parameter.default if sent is None else sent
    if value is None:
        return _issue(parameter, "missing_parameter", f"{parameter.name} is not given.")
    match parameter:
        case StringParameter():
            return _listed(parameter, value)
        case ValueParameter():
            return _values(parameter, value, asking.layer)
        case PeriodParameter():
            return _period(parameter, value, asking)
        case DateParameter():
            return _date(parameter, value)
        case IntegerParameter():
            return _integer(parameter, value)


def _listed(parameter: StringParameter, value: object) -> Given | Issue:
    if not isinstance(value, str):
        return _wrong(parameter, value, "a text")
    found = next((each for each in parameter.values if folded(each) == folded(value)), None)
    if found is None:
        return _not_allowed(parameter, value, {each: each for each in parameter.values})
    return Given(found, found)


def _values(parameter: ValueParameter, value: object, layer: Layer) -> Given | Issue:
    texts = tuple(value) if isinstance(value, list | tuple) and parameter.several else (value,)
    terms = _terms(parameter, layer)
    found: list[str] = []
    for text in texts:
        if not isinstance(text, str):
            return _wrong(parameter, text, "a text")
        meant = next((real for term, real in terms.items() if folded(term) == folded(text)), None)
        if meant is None:
            return _not_allowed(parameter, text, terms)
        found.append(meant)
    if not found:
        return _issue(parameter, "missing_parameter", f"{parameter.name} is an empty list.")
    unique = tuple(dict.fromkeys(found))
    return Given(unique if parameter.several else unique[0], ", ".join(unique))


def _terms(parameter: ValueParameter, layer: Layer) -> dict[str, str]:
    """Return what may be said for each value: values first, so that no synonym hides one."""
    dimension = layer.dimensions[parameter.dimension]
    allowed = allowed_values(parameter, layer)
    known = [value for value in dimension.values if value.value in allowed]
    said = {value: value for value in allowed}
    for value in known:
        for word in filter(None, (value.label, *value.synonyms)):
            said.setdefault(word, value.value)
    return said


def _period(parameter: PeriodParameter, value: object, asking: Asking) -> Given | Issue:
    if not isinstance(value, str):
        return _wrong(parameter, value, "a period in words")
    text = " ".join(value.split())
    if parameter.words and folded(text) not in map(folded, parameter.words):
        return _not_allowed(parameter, text, {each: each for each in parameter.words})
    phrase, window = asking.window(text)
    if window is None:
        return _no_period(parameter, text, phrase)
    first, after = window
    days = {
        "from": first.isoformat(),
        "to": (after - timedelta(days=1)).isoformat(),
        "after": after.isoformat(),
    }
    return Given(text, f"{days['from']} to {days['to']}", days)


def _no_period(parameter: PeriodParameter, text: str, phrase: Phrase | None) -> Issue:
    fault = phrase.fault if phrase else ""
    why = {
        "future_window": "lies in the future",
        "out_of_data_range": "has days without data",
        "ambiguous_date": "may mean different days",
        "invalid_date": "is on no calendar",
    }.get(fault, "names no exact days")
    return _issue(
        parameter,
        "no_period",
        f"{parameter.name}: {text!r} {why}.",
        seen=text,
        candidates=_real(phrase) if phrase else (),
        step="Name a period, such as last month, Q3 2026, or 2026-07-01 to 2026-09-30.",
    )


def _real(phrase: Phrase) -> tuple[str, ...]:
    """Return the periods that one without days may stand for."""
    return (phrase.nearest.isoformat(),) if phrase.nearest else phrase.options


def _date(parameter: DateParameter, value: object) -> Given | Issue:
    day = value if isinstance(value, date) else _day_of(value) if isinstance(value, str) else None
    absent = no_such_date(value)
    if absent is not None:
        return _issue(
            parameter,
            "wrong_type",
            f"{parameter.name}: {absent.written} is on no calendar: {absent.why}.",
            seen=str(value),
            candidates=(absent.nearest.isoformat(),),
            step=absent.step,
        )
    if day is None:
        return _wrong(parameter, value, "a date as YYYY-MM-DD")
    low, high = parameter.minimum, parameter.maximum
    if (low and day < low) or (high and day > high):
        return _out_of_bounds(parameter, day.isoformat(), f"from {low or 'any day'} to {high or 'any day'}")
    return Given(day.isoformat(), day.isoformat())


def _day_of(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if DAY.fullmatch(text) else None
    except ValueError:
        return None


def _integer(parameter: IntegerParameter, value: object) -> Given | Issue:
    bounds = f"from {parameter.minimum} to {parameter.maximum}"
    if isinstance(value, str) and value.isascii() and value.isdigit():
        digits = value.lstrip("0") or "0"
        if len(digits) > len(str(parameter.maximum)):
            return _out_of_bounds(parameter, _shown(digits), bounds)
        value = int(digits)
    if not isinstance(value, int) or isinstance(value, bool):
        return _wrong(parameter, value, "a whole number")
    if not parameter.minimum <= value <= parameter.maximum:
        long = abs(value) >= 10**SHOWN_DIGITS
        return _out_of_bounds(parameter, _LONG if long else str(value), bounds)
    return Given(value, str(value))


def _shown(digits: str) -> str:
    return digits if len(digits) <= SHOWN_DIGITS else _LONG


def _unknown(name: str, known: Sequence[str]) -> Issue:
    listed = ", ".join(known)
    return Issue(
        code="unknown_parameter",
        message=f"The analysis has no parameter {name!r}.",
        path=f"/parameters/{name}",
        seen=name,
        candidates=near(name, known),
        next_step=f"Its parameters are: {listed}." if known else "It takes no parameters: leave it out.",
    )


def _wrong(parameter: Parameter, value: object, wanted: str) -> Issue:
    seen = json_kind(value)
    return _issue(parameter, "wrong_type", f"{parameter.name} must be {wanted}.", seen=seen)


def _out_of_bounds(parameter: Parameter, seen: str, bounds: str) -> Issue:
    step = f"Give one {bounds}."
    message = f"{parameter.name} is {seen}; it goes {bounds}."
    return _issue(parameter, "out_of_bounds", message, seen=seen, step=step)


def _not_allowed(parameter: Parameter, value: str, terms: Mapping[str, str]) -> Issue:
    values = tuple(dict.fromkeys(terms.values()))
    more = f" and {len(values) - LISTED} more" if len(values) > LISTED else ""
    return _issue(
        parameter,
        "value_not_allowed",
        f"{parameter.name} cannot be {value!r}.",
        seen=value,
        candidates=near_terms(value, terms),
        step=f"It is one of: {', '.join(values[:LISTED])}{more}.",
    )


def _issue(
    parameter: Parameter,
    code: str,
    message: str,
    *,
    seen: str = "",
    candidates: Iterable[str] = (),
    step: str = "",
) -> Issue:
    return Issue(
        code=code,
        message=message,
        path=f"/parameters/{parameter.name}",
        seen=seen,
        candidates=tuple(candidates),
        next_step=step or told(parameter),
    )


def told(parameter: Parameter) -> str:
    """Return what a parameter takes, in a sentence."""
    match parameter:
        case StringParameter():
            takes = f"one of {', '.join(parameter.values[:LISTED])}"
        case ValueParameter():
            takes = f"{'values' if parameter.several else 'a value'} of {parameter.dimension}"
        case PeriodParameter():
            takes = f"one of {', '.join(parameter.words)}" if parameter.words else "a period in words"
        case DateParameter():
            takes = "a date as YYYY-MM-DD"
        case IntegerParameter():
            takes = f"a whole number from {parameter.minimum} to {parameter.maximum}"
    return f"{parameter.name} takes {takes}."


def default_issue(parameter: Parameter, asking: Asking) -> Issue | None:
    """Return what is wrong with the default of a parameter, if it has one."""
    found = None if parameter.default is None else _read(parameter, parameter.default, asking)
    return found if isinstance(found, Issue) else None
