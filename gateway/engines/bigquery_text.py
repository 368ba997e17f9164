"""What our own reader finds in a statement, held against the tables that the service says it reads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from gateway.engines.base import EngineError
from gateway.engines.bigquery_names import full_name
from gateway.engines.bigquery_tables import DIALECT, Stored
from metric_layer.sql import Catalogue, CatalogueColumn, CatalogueTable, ReadLimits, read

VIEWS = ("VIEW", "MATERIALIZED_VIEW")


@dataclass(frozen=True, slots=True)
class Text:
    """The tables that a statement names, in full, and the columns of each; None where some were not found."""

    tables: tuple[str, ...]
    columns: Mapping[str, frozenset[str]] | None


def text_of(sql: str, tables: Iterable[Stored], project: str, dataset: str) -> Text:
    """Read a statement against the tables that are known."""
    catalogue = Catalogue(
        dialect=DIALECT,
        default_catalog=project,
        default_schema=dataset,
        tables=tuple(
            CatalogueTable(table.name, tuple(CatalogueColumn(name, kind) for name, kind in table.columns))
            for table in tables
        ),
        joins=(),
        now=datetime.now(UTC),
        digest="",
    )
    reading = read(sql, catalogue, ReadLimits())
    named = tuple(dict.fromkeys(full_name(table.name, project, dataset) for table in reading.tables))
    if reading.faults or not all(table.known for table in reading.tables):
        return Text(named, None)
    found: dict[str, frozenset[str]] = {}
    for column in reading.columns:
        found[column.table] = found.get(column.table, frozenset()) | {column.column}
    return Text(named, found)


def require_same_tables(
    named: Iterable[str], said: Iterable[str], stored: Mapping[str, Stored | None]
) -> None:
    """Refuse a statement that reads other tables, by the word of the service, than its text names.

    What lies beneath a view is named by the view alone. `stored` holds what is known of every table.
    """
    ours, theirs = set(named), set(said)
    views = {name for name in ours if (table := stored.get(name)) is not None and table.kind in VIEWS}
    if ours - theirs <= views and (views or theirs <= ours):
        return
    raise EngineError(
        "tables_differ",
        "the database would read other tables than the text names",
        next_step="Report the statement: our reader and the database do not agree on it.",
    )
