"""A checked query over the data of an earlier moment, where the engine keeps it. No caller writes one."""

from datetime import UTC, datetime

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from metric_layer.plan import Dialect

TRAVELLING: tuple[Dialect, ...] = ("snowflake", "bigquery")
"""The engines that read old data by a moment written in the text."""


def as_of(sql: str, moment: datetime, dialect: Dialect) -> str:
    """Return a query that passed the checks with every table of it read as of a moment (UTC without a zone).

    The clause is put into the tree, at the tables alone: names that the query itself defines stay as they
    are. Raises ValueError for a dialect without such a clause, TypeError for a text of no query.
    """
    if dialect not in TRAVELLING:
        raise ValueError(f"{dialect} reads no data of an earlier moment")
    tree = sqlglot.parse_one(sql, read=dialect)
    if not isinstance(tree, exp.Query):
        raise TypeError("only a query is read as of a moment")
    at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    for scope in traverse_scope(tree):
        for source in scope.sources.values():
            if isinstance(source, exp.Table):
                _place(source, at, dialect)
    return tree.sql(dialect=dialect, comments=False, unsupported_level=sqlglot.ErrorLevel.RAISE)


def _place(table: exp.Table, at: datetime, dialect: Dialect) -> None:
    text = exp.Literal.string(at.astimezone(UTC).isoformat(sep=" ", timespec="microseconds"))
    moment = exp.Cast(this=text, to=exp.DataType.build("timestamptz"))
    if dialect == "bigquery":
        table.set("version", exp.Version(this="TIMESTAMP", kind="AS OF", expression=moment))
    else:
        table.set("when", exp.HistoricalData(this="AT", kind="TIMESTAMP", expression=moment))
