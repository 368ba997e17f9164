"""Rows written out in the text, read like a table."""

from collections.abc import Iterable, Sequence

from sqlglot import exp

from metric_layer.compile.literals import literal
from metric_layer.compile.tables import aliased, derived, identifier
from metric_layer.expression import column_of
from metric_layer.values import TypedValue


def listed(names: Sequence[str], rows: Iterable[Sequence[TypedValue]], alias: str, dialect: str) -> exp.Expr:
    """Return rows of literals under column names, as a table of that alias."""
    values = exp.Values(
        expressions=[exp.Tuple(expressions=[literal(value) for value in row]) for row in rows],
        alias=exp.TableAlias(this=identifier(alias), columns=[identifier(name) for name in names]),
    )
    if dialect != "bigquery":
        return values
    # there the alias of the rows is one column of structs, so its parts are named once more
    columns = [aliased(column_of(name, alias), name) for name in names]
    select = exp.Select(expressions=columns, from_=exp.From(this=values))
    return derived(select, alias)
