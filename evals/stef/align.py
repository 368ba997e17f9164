"""Filters asked for against filters present: four classes, with what is missing and what is extra."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Literal

from evals.stef.rulebook import Rulebook
from metric_layer.record import Record
from metric_layer.sql.features import SqlFilter

AlignmentClass = Literal["fully_applied", "fully_applied_with_extras", "partially_applied", "not_applied"]
ONE_DAY = timedelta(days=1)


class Alignment(Record):
    """How the filters of a query meet those asked for. `vacuous`: none was asked for and none is there.

    `contradicted` filters are asked for on a column that the query filters on by other values.
    """

    status: AlignmentClass
    missing: tuple[SqlFilter, ...] = ()
    contradicted: tuple[SqlFilter, ...] = ()
    extras: tuple[SqlFilter, ...] = ()
    benign: tuple[SqlFilter, ...] = ()
    vacuous: bool = False

    @property
    def all_benign(self) -> bool:
        """Say whether there are extras and every one does no harm."""
        return bool(self.extras) and len(self.benign) == len(self.extras)


def align(wanted: Sequence[SqlFilter], found: Sequence[SqlFilter], rules: Rulebook) -> Alignment:
    """Compare two sets of filters; the order of filters and values, case and blanks do not count."""
    asked = {_canonical(each, rules): each for each in wanted}
    there = {_canonical(each, rules): each for each in found}
    missing = tuple(each for key, each in asked.items() if key not in there)
    extras = tuple(each for key, each in there.items() if key not in asked)
    meant = {_canonical(each, rules)[0] for each in extras}
    return Alignment(
        status=_status(asked.values(), missing, extras, rules),
        missing=missing,
        contradicted=tuple(each for each in missing if _canonical(each, rules)[0] in meant),
        extras=extras,
        benign=tuple(each for each in extras if rules.is_benign(each)),
        vacuous=not asked and not there,
    )


def _status(
    asked: Iterable[SqlFilter], missing: Sequence[SqlFilter], extras: Sequence[SqlFilter], rules: Rulebook
) -> AlignmentClass:
    count = len(list(asked))
    if not missing:
        return "fully_applied_with_extras" if extras else "fully_applied"
    if len(missing) == count or any(rules.is_critical(each) for each in missing):
        return "not_applied"
    return "partially_applied"


def _canonical(each: SqlFilter, rules: Rulebook) -> tuple[str, str, tuple[str, ...]]:
    """One value of `in` is `eq`; a bound before a day is the bound at the day before."""
    values = tuple(sorted({rules.value(value) for value in each.values}))
    op = each.op
    if op in ("in", "not_in") and len(values) == 1:
        op = "eq" if op == "in" else "ne"
    if op in ("lt", "gt") and len(values) == 1 and (day := _day(values[0])) is not None:
        shifted = day - ONE_DAY if op == "lt" else day + ONE_DAY
        return rules.column(each.column), "le" if op == "lt" else "ge", (shifted.isoformat(),)
    if op in ("le", "ge") and len(values) == 1 and (day := _day(values[0])) is not None:
        return rules.column(each.column), op, (day.isoformat(),)
    return rules.column(each.column), op, values


def _day(text: str) -> date | None:
    """Return the day of a date or of a midnight."""
    day = text.removesuffix(" 00:00:00").removesuffix("t00:00:00")
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None
