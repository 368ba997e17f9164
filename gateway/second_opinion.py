"""A second opinion: the relations that the database itself would read, held against those of our reading."""

from collections.abc import Callable
from functools import partial

from gateway.house import House
from metric_layer.compile import select_text
from metric_layer.sql import Reading
from policies.entitlement import Entitlement
from traces.records import Estimate

UNNAMED = "unknown"


def strays_of(
    house: House,
    role: Entitlement,
    user: str,
    reading: Reading,
    estimate: Estimate,
    price: Callable[[str], Estimate],
) -> tuple[str, ...]:
    """Return the relations the database would read that no table of the statement stands for.

    What a table stands for (a view, the tables of a row policy) the database says itself, of a statement
    that reads nothing but that table, asked once per asker.
    """
    views = {view.name: view.columns for view in role.views}
    reach: set[str] = set()
    for name in sorted({table.name for table in reading.tables}):
        text = select_text(name, views.get(name, ()), house.engine.dialect)
        key = ("reach", role.role_name, role.digest, user, name)
        reach |= house.reaches.of(key, partial(_read_by_text, price, text))
    return tuple(sorted(_read_by(estimate) - reach))


def _read_by_text(price: Callable[[str], Estimate], text: str) -> frozenset[str]:
    return _read_by(price(text))


def _read_by(estimate: Estimate) -> frozenset[str]:
    return frozenset(scan.relation for scan in estimate.scans if scan.relation != UNNAMED)
