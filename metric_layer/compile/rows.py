"""Which rows of its fact a leaf reads: its days and its filters, on what is joined or looked up instead."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from sqlglot import exp

from metric_layer.compile.followed import followed_by
from metric_layer.compile.predicate import condition_on, conditions_of, exists_row, way_down
from metric_layer.compile.tables import Joins
from metric_layer.compile.zone import Build, Clock
from metric_layer.expression import column_of
from metric_layer.layer import Layer
from metric_layer.paths import Path
from metric_layer.resolved import Leaf, PathColumn, ResolvedFilter, ResolvedPlan

PASSED_WITHOUT_VALUE = frozenset({"is_null", "ne", "not_in"})


@dataclass(frozen=True, slots=True)
class _Test:
    """Conditions on one column, wherever it is reached; `without_value` says whether a missing one passes."""

    column: PathColumn
    over: Callable[[Build], list[exp.Expr]]
    without_value: bool


def days_of(leaf: Leaf, plan: ResolvedPlan) -> tuple[date | None, date | None]:
    """Return the days a leaf reads, from the first to before the second; None where there is no such end."""
    if leaf.frame is not None:
        return leaf.frame.start, leaf.frame.end
    return plan.start, plan.end


def filters_of(leaf: Leaf) -> tuple[ResolvedFilter, ...]:
    """Return every filter on a leaf's rows, those of its definition first."""
    return leaf.filters if leaf.pick is None else (*leaf.pick.filters, *leaf.filters)


def followed_on(leaf: Leaf, plan: ResolvedPlan, layer: Layer, dialect: str, joins: Joins) -> list[exp.Expr]:
    """Return the condition that a later event follows, where a leaf has one."""
    if leaf.followed is None:
        return []
    return [followed_by(leaf.followed, joins, layer.datasets, plan.zone, dialect)]


def rows_alone(leaf: Leaf, plan: ResolvedPlan, layer: Layer, dialect: str, joins: Joins) -> list[exp.Expr]:
    """Return the conditions on a leaf's rows with nothing joined: EXISTS where another dataset decides."""
    tests = _tests(leaf, plan, dialect)
    found = _all_over([test for test in tests if not test.column.path], lambda _path: joins.root)
    for ways in _looked_up([test for test in tests if test.column.path]):
        found.append(_met(ways, joins, layer))
    below = [each for each in filters_of(leaf) if way_down(each.column.path)]
    found.extend(conditions_of(below, joins, layer.datasets, plan.zone))
    return [*found, *followed_on(leaf, plan, layer, dialect, joins)]


def _looked_up(tests: Sequence[_Test]) -> list[list[_Test]]:
    """Put tests together that one look-up decides: of one path, or of paths that need a row and go on."""
    ways: dict[Path, list[_Test]] = {}
    for test in sorted(tests, key=lambda test: -len(test.column.path)):
        path = test.column.path
        further = (way for way in ways if way[: len(path)] == path and _needs_row(ways[way]))
        longer = next(further, path) if not test.without_value else path
        ways.setdefault(longer, []).append(test)
    return list(ways.values())


def _needs_row(tests: Sequence[_Test]) -> bool:
    return not all(test.without_value for test in tests)


def _all_over(tests: Iterable[_Test], alias: Callable[[Path], str]) -> list[exp.Expr]:
    return [
        each
        for test in tests
        for each in test.over(partial(column_of, test.column.column, alias(test.column.path)))
    ]


def _tests(leaf: Leaf, plan: ResolvedPlan, dialect: str) -> list[_Test]:
    found: list[_Test] = []
    time, days = leaf.time, days_of(leaf, plan)
    if time is not None and days != (None, None):

        def within(column: Build) -> list[exp.Expr]:
            return Clock(column, time, plan.zone, dialect).within(*days)

        found.append(_Test(time, within, without_value=False))
    found.extend(_filter_test(each, plan.zone) for each in filters_of(leaf) if not way_down(each.column.path))
    return found


def _filter_test(asked: ResolvedFilter, zone: str) -> _Test:
    def over(column: Build) -> list[exp.Expr]:
        return [condition_on(column(), asked, zone)]

    return _Test(asked.column, over, asked.op in PASSED_WITHOUT_VALUE)


def _met(tests: Sequence[_Test], joins: Joins, layer: Layer) -> exp.Expr:
    """Return EXISTS over the rows that tests look up; where no value passes, no row passes too."""
    path = tests[0].column.path

    def inside(reached: Joins) -> list[exp.Expr]:
        return _all_over(tests, lambda path: reached.alias(path[1:]))

    found = exists_row(path[0], joins, layer.datasets, inside)
    if _needs_row(tests):
        return found

    def nothing_more(reached: Joins) -> list[exp.Expr]:
        reached.alias(path[1:])
        return []

    any_row = exists_row(path[0], joins, layer.datasets, nothing_more)
    return exp.Paren(this=exp.Or(this=found, expression=exp.Not(this=any_row)))
