"""How questions in words are read: what bare periods mean, what is ambiguous, what is refused."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.record import Record

Word = Annotated[str, Field(min_length=1, max_length=200)]


class Occurrence(Record):
    """The days of a named period in one year, both inclusive."""

    year: Annotated[int, Field(ge=1000, le=9998)]
    from_: Annotated[date, Field(alias="from")]
    to: date


class NamedPeriod(Record):
    """A period that has a name instead of dates ("Black Friday"), and when it took place."""

    name: Word
    synonyms: tuple[Word, ...] = ()
    occurrences: Annotated[tuple[Occurrence, ...], Field(min_length=1)]


class AskingRules(Record):
    """What the owner of a layer has decided about words.

    `default_calendar` says which quarter, half or year a bare one is; `bare_period` which year a period
    without one lies in: the latest that has begun, or the current year. `current_period` says where a period
    that holds today ends, `last_n` whether "last 3 months" stops before the current one. `default_window` is
    a period in words for questions without one; empty asks back. `data_from` and `data_to` bound what can be
    asked. `ambiguous` lists words that stand for several metrics, dimensions or values (`dimension:value`),
    `unsupported` the words of each kind of question that no plan answers, `patterns` a regular expression
    for each dimension whose values follow a rule.
    """

    default_calendar: Literal["calendar", "fiscal"] = "calendar"
    bare_period: Literal["begun", "current_year"] = "begun"
    current_period: Literal["to_date", "to_yesterday", "whole"] = "to_date"
    last_n: Literal["complete", "with_current"] = "complete"
    default_window: str = ""
    data_from: date | None = None
    data_to: date | None = None
    named_periods: tuple[NamedPeriod, ...] = ()
    ambiguous: Mapping[Word, tuple[Word, ...]] = {}
    unsupported: Mapping[Word, tuple[Word, ...]] = {}
    patterns: Mapping[Word, Word] = {}
