"""A few rows as one SELECT, so that a table of somebody's own can stand where a query is wanted."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp

from metric_layer.plan import Dialect

Cell = int | Decimal | date | str | None


def select_of_rows(rows: Sequence[Sequence[Cell]], dialect: Dialect) -> str:
    """Return a SELECT that gives these rows, at least one, in columns c1, c2, ...; literals only."""
    selects = [
        exp.select(*(exp.alias_(_literal(cell), f"c{place}") for place, cell in enumerate(row, start=1)))
        for row in rows
    ]
    whole: exp.Query = selects[0]
    for each in selects[1:]:
        whole = exp.union(whole, each, distinct=False, copy=False)
    return whole.sql(dialect)


def _literal(cell: Cell) -> exp.Expression:
    match cell:
        case None:
            return exp.null()
        case int() | Decimal():
            return (
                exp.cast(exp.Literal.string(format(cell, "f")), "DECIMAL(38, 9)")
                if (isinstance(cell, Decimal))
                else exp.Literal.number(cell)
            )
        case datetime():
            return exp.cast(exp.Literal.string(cell.isoformat(sep=" ")), "TIMESTAMP")
        case date():
            return exp.cast(exp.Literal.string(cell.isoformat()), "DATE")
    return exp.Literal.string(cell)
