"""A role's row rules on one dataset, cut so that a database can hold them: conditions, and lists of keys."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from metric_layer.compile.collation import filter_by_bytes
from metric_layer.compile.role_view import SOURCE, kept, placed, resolved_rules
from metric_layer.compile.tables import Joins, aliased, all_of
from metric_layer.expression import column_of
from metric_layer.layer import Layer
from metric_layer.plan import Dialect, Filter


@dataclass(frozen=True, slots=True)
class RowRule:
    """What a row of a dataset has to meet: `condition` on its own `columns`, or to stand in `keys`.

    `keys` is a SELECT of as many columns as `columns`; a row is kept where their values are one of its rows.
    It is empty where the dataset holds the rule's column itself.
    """

    columns: tuple[str, ...]
    condition: str = ""
    keys: str = ""


def compile_row_rules(
    layer: Layer, dataset: str, rules: Sequence[Filter], dialect: Dialect, schema: str
) -> tuple[RowRule, ...]:
    """Return the rules that restrict a dataset, in the order of the policy; together they keep a row.

    They keep the rows that `compile_role_view` keeps. `schema` is that of a relation which names none. Raises
    LayerInvalid where a rule has no one meaning.
    """
    datasets = placed(layer, schema)
    zone = layer.calendar.rules.time_zone
    found = []
    for rule in resolved_rules(layer, dataset, rules):
        path = rule.column.path
        start = path[0].to_dataset if path else dataset
        joins = Joins(datasets, start)
        beyond = replace(rule, column=replace(rule.column, path=path[1:]))
        select = exp.Select(
            expressions=[
                aliased(column_of(name, joins.root), name) for name in (path[0].to_columns if path else ())
            ]
            or [exp.Literal.number(1)],
            from_=exp.From(this=joins.source),
            where=exp.Where(this=all_of([kept(beyond, joins, datasets, zone)])),
        )
        filter_by_bytes(select, dialect)
        if path:
            found.append(RowRule(columns=path[0].from_columns, keys=_text(select, dialect)))
            continue
        for column in select.find_all(exp.Column):
            column.set("table", None)
        condition = _text(select.args["where"].this, dialect)
        found.append(RowRule(columns=(rule.column.column,), condition=condition))
    return tuple(found)


def _text(tree: exp.Expr, dialect: Dialect) -> str:
    text = tree.sql(dialect=dialect)
    return text.replace(f'"{SOURCE}".', "").replace(f"`{SOURCE}`.", "")
