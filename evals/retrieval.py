"""The retrieval family: were the tables that the answer needs offered at all."""

from collections.abc import Iterable

from evals.precision import PrecisionRecall, of_sets
from metric_layer.record import Record
from metric_layer.sql.components import Components, Unread, Warehouse, defined_tables, table_name


class RetrievalScore(Record):
    """Precision and recall of the offered tables, and how many were not needed. None is undefined."""

    score: PrecisionRecall = PrecisionRecall()
    spurious: int | None = None


def score_retrieval(
    gold: Components | Unread, offered: Iterable[str] | None, warehouse: Warehouse
) -> RetrievalScore:
    """Compare the tables the gold SQL reads with the tables whose DDL came back.

    Undefined where nothing was recorded or the gold SQL cannot be parsed.
    """
    if offered is None or isinstance(gold, Unread):
        return RetrievalScore()
    names = frozenset(table_name(name, warehouse.default_schema) for name in offered)
    return RetrievalScore(score=of_sets(names, gold.tables), spurious=len(names - gold.tables))


def offered_tables(ddl: Iterable[str], warehouse: Warehouse) -> frozenset[str]:
    """Return the tables whose definition came back; a table that an example only mentions was not offered."""
    return defined_tables(ddl, warehouse.dialect, warehouse.default_schema)
