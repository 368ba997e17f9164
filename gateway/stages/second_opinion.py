"""A second opinion: what the database itself would read and call, held against our own reading."""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from gateway.engines.base import Engine, EngineError, Identity, Limits
from gateway.house import House
from gateway.kept_plans import Priced
from metric_layer.compile import select_text
from metric_layer.sql import Reading, called_names
from policies.entitlement import Entitlement
from policies.facts import AGREED, Opinion
from policies.lists import sql_lists
from traces.cost_records import Explained
from traces.records import Estimate

UNNAMED = "unknown"
Reach = frozenset[tuple[str, str]]
"""Relations, functions and columns, each under its kind."""


def explained(engine: Engine, sql: str, who: Identity, limits: Limits, query_id: str) -> Estimate:
    """Return the estimate of a statement, also where the database counts something else than one SELECT."""
    try:
        return engine.explain(sql, who, limits, query_id)
    except EngineError as fault:
        if fault.code != "not_one_select":
            raise
        return Explained(one_select=False)


def plain(estimate: Estimate) -> Estimate:
    """Return an estimate as it is recorded and told: without the names that only the comparison needs."""
    return Estimate(**{name: getattr(estimate, name) for name in Estimate.model_fields})


def priced(
    house: House,
    role: Entitlement,
    user: str,
    statements: Sequence[tuple[Reading, Estimate]],
    price: Callable[[str], Estimate],
) -> tuple[Opinion, Estimate]:
    """Return the opinion on statements, and the first one's estimate as it is recorded.

    Both are kept for a statement that stands alone, as long as its engine gives the very same estimate.
    """
    (reading, estimate), *beside = statements
    if beside:
        return opinion_of(house, role, user, statements, price), plain(estimate)
    key = (role.role_name, role.digest, user, reading.sql)
    known = house.kept.priced.found(key)
    if known is None or known.estimate is not estimate:
        opinion = opinion_of(house, role, user, statements, price)
        known = house.kept.priced.put(key, Priced(estimate, opinion, plain(estimate)))
    return known.opinion, known.plain


def opinion_of(
    house: House,
    role: Entitlement,
    user: str,
    statements: Sequence[tuple[Reading, Estimate]],
    price: Callable[[str], Estimate],
) -> Opinion:
    """Return what the database would read and call that our reading of a statement does not hold.

    What a table stands for (a view, the tables of a row policy) the database says itself, of a statement
    that reads nothing but that table, asked once per asker. A function on the list of pure functions is no
    disagreement, under whatever name the database keeps it.
    """
    found = [_opinion_on(house, role, user, reading, estimate, price) for reading, estimate in statements]
    if all(opinion is AGREED for opinion in found):
        return AGREED
    return Opinion(
        relations=_each(opinion.relations for opinion in found),
        functions=_each(opinion.functions for opinion in found),
        columns=_each(opinion.columns for opinion in found),
        one_select=all(opinion.one_select for opinion in found),
    )


def _each(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({name for names in lists for name in names}))


def _opinion_on(
    house: House,
    role: Entitlement,
    user: str,
    reading: Reading,
    estimate: Estimate,
    price: Callable[[str], Estimate],
) -> Opinion:
    if isinstance(estimate, Explained) and not estimate.one_select:
        return Opinion(one_select=False)
    reach: set[tuple[str, str]] = set()
    for name in {table.name for table in reading.tables}:
        key = ("reach", role.role_name, role.digest, user, name)
        reach |= house.kept.reaches.of(key, partial(_met_alone, house, role, name, price))
    strange = _met_by(estimate) - reach
    if not strange:
        return AGREED
    dialect = house.engine.dialect
    known = sql_lists(dialect, tuple(house.governed.policy.functions_extra.get(dialect, ()))).named
    called = {name for kind, name in strange if kind == "function"} - known
    if called:
        called -= called_names(reading.sql, dialect)
    return Opinion(
        relations=tuple(sorted(name for kind, name in strange if kind == "relation")),
        functions=tuple(sorted(called)),
        columns=tuple(sorted(name for kind, name in strange if kind == "column")),
    )


def report(opinion: Opinion, trace_id: str) -> None:
    """Log a disagreement as what it is, a fault of ours; columns that it alone names as a warning."""
    if opinion is AGREED:
        return
    log = logging.getLogger("cellbound.second_opinion")
    if opinion.parts:
        log.error(
            "trace %s: the database reads the SQL in another way: relations %s, functions %s, one SELECT %s",
            trace_id,
            ", ".join(opinion.relations) or "agree",
            ", ".join(opinion.functions) or "agree",
            opinion.one_select,
        )
    elif opinion.columns:
        log.warning("trace %s: only the database names %s", trace_id, ", ".join(opinion.columns))


def _met_alone(house: House, role: Entitlement, name: str, price: Callable[[str], Estimate]) -> Reach:
    """Return what the database meets in a statement that reads columns of one table and nothing else."""
    columns = next((view.columns for view in role.views if view.name == name), ())
    return _met_by(price(select_text(name, columns, house.engine.dialect)))


def _met_by(estimate: Estimate) -> Reach:
    found = {("relation", scan.relation) for scan in estimate.scans if scan.relation != UNNAMED}
    if isinstance(estimate, Explained):
        found.update(("function", name.lower()) for name in estimate.functions)
        found.update(("column", name) for name in estimate.columns)
    return frozenset(found)
