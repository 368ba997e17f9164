"""The judge: does the query answer the question? By rules over the typed plan; a model fits the same verb."""

from collections.abc import Sequence
from typing import Literal, Protocol

from evals.stef.align import Alignment
from evals.stef.rulebook import Rulebook
from metric_layer.record import Record
from metric_layer.sql.features import SqlFeatures, SqlFilter

Verdict = Literal["correct", "likely_correct", "potentially_incorrect", "incorrect"]
CALENDAR_UNITS = frozenset({"hour", "day", "week", "month", "quarter", "year"})
"""Grains that SQL calls as plans do; a fiscal one is another expression in every layer."""

BY_NAME_FACTOR = 0.8
"""What following a CTE or window by its names alone leaves of the confidence."""


class Wanted(Record):
    """What a question asks for. `explained` is the share of it that the vocabulary accounts for.

    `metrics` are (function, columns), `grain` is the unit of its time groups, `limit` a top-k.
    """

    metrics: tuple[tuple[str, tuple[str, ...]], ...] = ()
    dimensions: tuple[str, ...] = ()
    filters: tuple[SqlFilter, ...] = ()
    grain: str = ""
    ordered: bool = False
    limit: int | None = None
    explained: float = 1.0


class JudgeTexts(Record):
    """What a judge may read beside the features: the question, its plan, the query, the definitions."""

    question: str = ""
    plan: str = ""
    sql: str = ""
    definitions: str = ""


NO_TEXTS = JudgeTexts()


class Judged(Record):
    """A verdict with its confidence, what led to it, and the rules that waived something."""

    verdict: Verdict
    confidence: float
    reasons: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()


class Judge(Protocol):
    """Says whether a query answers what was wanted; None where it cannot say."""

    name: str

    def judge(
        self, wanted: Wanted, found: SqlFeatures, filters: Alignment, texts: JudgeTexts
    ) -> Judged | None:
        """Judge one query."""
        ...


class RuleJudge:
    """Judges by rules alone, so that the same query gets the same verdict whoever asks."""

    name = "rules 1"

    def __init__(self, rules: Rulebook) -> None:
        self._rules = rules

    def judge(
        self, wanted: Wanted, found: SqlFeatures, filters: Alignment, texts: JudgeTexts = NO_TEXTS
    ) -> Judged:
        """Judge one query by its features; the gravest thing found decides, and no text is read."""
        waived: list[str] = []
        incorrect = [
            f"missing {name}({', '.join(of)})" for name, of in wanted.metrics if not _has(found, name, of)
        ]
        incorrect += [f"contradicted filter on {each.column}" for each in filters.contradicted]
        if filters.status == "not_applied":
            incorrect.append("no filter that was asked for, or not a critical one")
        potential = [f"missing {name}" for name in wanted.dimensions if not self._shows(found, name)]
        potential += _other_grain(wanted, found)
        potential += self._cut(wanted, found, waived)
        potential += self._groups(wanted, found, waived)
        if filters.status == "partially_applied":
            potential.append("some filters are missing")
        likely = [f"extra column {name}" for name in self._extra(wanted, found)]
        if filters.extras and not filters.all_benign:
            likely.append("extra filters")
        if found.ordered and not wanted.ordered:
            waived.append("order")
        return Judged(
            verdict=_gravest(incorrect, potential, likely),
            confidence=wanted.explained * (BY_NAME_FACTOR if found.by_name else 1.0),
            reasons=(*incorrect, *potential, *likely),
            waived=tuple(waived),
        )

    def _cut(self, wanted: Wanted, found: SqlFeatures, waived: list[str]) -> list[str]:
        if wanted.limit is not None:
            return [] if found.limit == wanted.limit else ["lost top-k"]
        if found.limit is None:
            return []
        if found.limit >= self._rules.safety_limit:
            waived.append("safety limit")
            return []
        return ["unrequested top-k"]

    def _groups(self, wanted: Wanted, found: SqlFeatures, waived: list[str]) -> list[str]:
        """Waive groups that a plain projection needs, and groups on a column held at one value."""
        asked = {self._rules.column(name) for name in wanted.dimensions}
        held = {self._rules.column(each.column) for each in found.filters if each.op == "eq"}
        plain = {self._rules.column(name) for name in found.shown}
        unwaived = []
        for group in (self._rules.column(name) for name in found.groups):
            if group in asked:
                continue
            if group in held:
                waived.append(f"group held at one value: {group}")
            elif found.aggregates and group in plain:
                waived.append(f"group of a shown column: {group}")
            else:
                unwaived.append(f"unrequested group {group}")
        return unwaived

    def _shows(self, found: SqlFeatures, name: str) -> bool:
        there = {self._rules.column(each) for each in (*found.shown, *found.groups)}
        return self._rules.column(name) in there

    def _extra(self, wanted: Wanted, found: SqlFeatures) -> list[str]:
        asked = {self._rules.column(name) for name in wanted.dimensions}
        return sorted({self._rules.column(name) for name in found.shown} - asked)


def _other_grain(wanted: Wanted, found: SqlFeatures) -> list[str]:
    """A calendar unit that was asked for and is not among those that groups are cut to."""
    if wanted.grain not in CALENDAR_UNITS or not found.grains or wanted.grain in found.grains:
        return []
    return [f"grain {', '.join(found.grains)}, not {wanted.grain}"]


def _gravest(incorrect: Sequence[str], potential: Sequence[str], likely: Sequence[str]) -> Verdict:
    if incorrect:
        return "incorrect"
    if potential:
        return "potentially_incorrect"
    return "likely_correct" if likely else "correct"


def _has(found: SqlFeatures, name: str, columns: tuple[str, ...]) -> bool:
    """An aggregate is there when its function is (any, for one without a name) over at least its columns."""
    return any(name in ("", other) and set(columns) <= set(of) for other, of in found.aggregates)
