"""Every reference to a large table is bounded in time, no wider than the table allows."""

from collections.abc import Iterator
from datetime import timedelta

from metric_layer.sql.catalogue import CatalogueTable
from metric_layer.sql.reading import TableRef
from policies.facts import Finding, SqlFacts


def check_date_filter(facts: SqlFacts) -> Iterator[Finding]:
    """Each reference to a large table is bounded from below; an open end runs to the policy's clock."""
    large = {table.name: table for table in facts.catalogue.tables if table.time_column}
    for ref in facts.reading.tables if large else ():
        table = large.get(ref.name)
        if table is not None and (reason := _missing(facts, table, ref)):
            yield Finding(
                "soft",
                reason,
                seen=ref.name,
                threshold=f"{table.max_window_days} days",
                place="where",
                span=ref.span,
                next_step=f"give {table.time_column} a window of at most {table.max_window_days} days",
                retry=True,
            )


def _missing(facts: SqlFacts, table: CatalogueTable, ref: TableRef) -> str:
    if ref.lower is None:
        return f"{ref.name} is read without a lower bound on {table.time_column}"
    end = ref.upper if ref.upper is not None else max(facts.reading.now or facts.catalogue.now, ref.lower)
    if table.max_window_days and end - ref.lower > timedelta(days=table.max_window_days + 1):
        return f"{ref.name} is read over {(end - ref.lower).days} days"
    return ""
