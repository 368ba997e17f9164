"""What was asked, and by which rules a draft is read: two records beside the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from metric_layer.calendar import Calendar


@dataclass(frozen=True, slots=True)
class Scope:
    """The question that ran, in the words a draft may use for it.

    `start` is inclusive and `end` exclusive. `known` is false when nobody knows what ran; then neither
    window, filters nor metric names are judged. `filters` lists (dimension name, operator, values as text),
    `having` the filters on finished metrics likewise.
    `vocabulary` maps a value or synonym, lower case, to (dimension, value). `subject` is text that belongs to
    the question (its words, a title): names with digits in it are known. `windows` are declared comparison
    windows, half-open like the first. `counts_by` is `fiscal` where a bare "Q2" is one of the fiscal year.
    """

    today: date
    start: date | None = None
    end: date | None = None
    known: bool = True
    filters: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    having: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    metrics: tuple[str, ...] = ()
    other_metrics: tuple[str, ...] = ()
    vocabulary: Mapping[str, tuple[str, str]] | None = None
    calendar: Calendar | None = None
    locale: str = "en"
    subject: str = ""
    windows: tuple[tuple[date, date], ...] = ()
    counts_by: str = ""


@dataclass(frozen=True, slots=True)
class GroundRules:
    """Limits of one answer check. `chance` is the share of random numbers that may pass unbound."""

    chance: float = 0.01
    characters: int = 50_000
    numbers: int = 1_000
    cells: int = 250_000
    columns: int = 200
    declarations: int = 20
