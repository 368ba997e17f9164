"""Attestation: SQL that counts what a declared relationship or hierarchy relies on."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sqlglot import exp

from metric_layer.compile.tables import Joins, aliased, all_of, derived, identifier, table_of, union_all
from metric_layer.definitions import Hierarchy, Relationship
from metric_layer.expression import column_of
from metric_layer.layer import Layer
from metric_layer.paths import find_path
from metric_layer.visible import Visible

SOURCE, TARGET, PARTS = "source", "target", "parts"
SHOWN_DUPLICATES = 20
COUNTS = (
    "to_rows",
    "to_distinct_keys",
    "to_null_keys",
    "from_rows",
    "from_distinct_keys",
    "from_null_keys",
    "orphans",
)


def compile_attestation(layer: Layer, relationship: str) -> exp.Expr:
    """Return the query of one row that counts a relationship's keys; its columns are `COUNTS`.

    The key is unique where `to_rows` is `to_distinct_keys` + `to_null_keys`; `from_distinct_keys` is NULL
    unless the relationship is one-to-one, where the same has to hold for the `from_` counts. `orphans` are
    rows whose key meets no row. A large dataset is not read whole: where rows come from one, the `from_`
    counts and `orphans` are NULL. Raises KeyError for a relationship the layer does not hold.
    """
    edge = layer.relationships[relationship]
    to, from_ = layer.datasets[edge.to_dataset].relation, layer.datasets[edge.from_dataset].relation
    whole = not layer.datasets[edge.from_dataset].large
    parts = [
        _padded(_rows(to, edge.to_columns), "to_rows", "to_null_keys"),
        _padded(_distinct(to, edge.to_columns), "to_distinct_keys"),
    ]
    if whole:
        parts.append(_padded(_met(from_, to, edge), "from_rows", "from_null_keys", "orphans"))
    if whole and edge.cardinality == "one_to_one":
        parts.append(_padded(_distinct(from_, edge.from_columns), "from_distinct_keys"))
    return exp.Select(
        expressions=[aliased(exp.Max(this=column_of(name, PARTS)), name) for name in COUNTS],
        from_=exp.From(this=derived(union_all(parts), PARTS)),
    )


def compile_duplicates(layer: Layer, relationship: str) -> exp.Expr:
    """Return the query that lists keys of a relationship that several rows have, the most repeated first.

    Its columns are `dataset`, one `key_...` per column of the key, and `row_count`. Of a one-to-one
    relationship both sides are listed. Raises KeyError for a relationship the layer does not hold.
    """
    edge = layer.relationships[relationship]
    names = [f"key_{column}" for column in edge.to_columns]
    sides = [(edge.to_dataset, edge.to_columns)]
    if edge.cardinality == "one_to_one":
        sides.append((edge.from_dataset, edge.from_columns))
    parts = [_repeated(layer.datasets[name].relation, name, columns, names) for name, columns in sides]
    select = parts[0] if len(parts) == 1 else _all_of_both(parts, ("dataset", *names, "row_count"))
    ordered = [_ordered("row_count", descending=True), *(_ordered(name) for name in ("dataset", *names))]
    select.set("order", exp.Order(expressions=ordered))
    select.set("limit", exp.Limit(expression=exp.Literal.number(SHOWN_DUPLICATES)))
    return select


def _all_of_both(parts: Sequence[exp.Select], names: Sequence[str]) -> exp.Select:
    columns = [aliased(column_of(name, PARTS), name) for name in names]
    return exp.Select(expressions=columns, from_=exp.From(this=derived(union_all(parts), PARTS)))


def compile_levels(layer: Layer, hierarchy: Hierarchy) -> exp.Expr:
    """Return the query that counts, level by level, the values of a hierarchy that lie in several above.

    Its rows are `level`, the finer dimension's name, and `straddling`, how many of its values lie in more
    than one value of the next coarser one, among the rows of the finest level's dataset.
    """
    return union_all(
        [_straddling(layer, hierarchy, coarse, fine) for coarse, fine in pairwise(hierarchy.levels)]
    )


def _straddling(layer: Layer, hierarchy: Hierarchy, coarse: str, fine: str) -> exp.Select:
    joins = Joins(layer.datasets, layer.dimensions[hierarchy.levels[-1]].dataset)
    above, value = (_reached(layer, joins, name, hierarchy.levels[-1]) for name in (coarse, fine))
    several = exp.GT(
        this=exp.Count(this=exp.Distinct(expressions=[above]), big_int=True), expression=exp.Literal.number(1)
    )
    values = exp.Select(
        expressions=[aliased(value, fine)],
        from_=exp.From(this=joins.source),
        where=exp.Where(this=_present([value.copy()])),
        group=exp.Group(expressions=[value.copy()]),
        having=exp.Having(this=several),
    )
    if joins.nodes:
        values.set("joins", joins.nodes)
    return exp.Select(
        expressions=[aliased(exp.Literal.string(fine), "level"), aliased(_all_rows(), "straddling")],
        from_=exp.From(this=derived(values, "several")),
    )


def _reached(layer: Layer, joins: Joins, name: str, finest: str) -> exp.Column:
    """Return a level's column; the rules of a hierarchy have shown that one way leads to it."""
    dimension = layer.dimensions[name]
    path = find_path(layer, layer.dimensions[finest].dataset, dimension, Visible())
    if not isinstance(path, tuple):
        raise TypeError(f"{finest} does not reach {name} in one way")
    return column_of(dimension.column, joins.alias(path))


def _rows(relation: str, columns: Sequence[str]) -> exp.Select:
    """Return how many rows there are, and how many without a key."""
    counts = [_all_rows(), _count_where(_absent([column_of(column, TARGET) for column in columns]))]
    return exp.Select(expressions=counts, from_=exp.From(this=table_of(relation, TARGET)))


def _distinct(relation: str, columns: Sequence[str]) -> exp.Select:
    """Return how many different keys there are."""
    return exp.Select(
        expressions=[_all_rows()], from_=exp.From(this=derived(_grouped(relation, columns), TARGET))
    )


def _met(from_: str, to: str, edge: Relationship) -> exp.Select:
    """Return how many rows point elsewhere, how many have no key, and how many meet nothing with theirs."""
    ours = [column_of(column, SOURCE) for column in edge.from_columns]
    theirs = [column_of(column, TARGET) for column in edge.to_columns]
    met = all_of(exp.EQ(this=a.copy(), expression=b) for a, b in zip(ours, theirs, strict=True))
    lost = exp.And(this=_present(ours), expression=exp.Is(this=theirs[0].copy(), expression=exp.Null()))
    return exp.Select(
        expressions=[_all_rows(), _count_where(_absent(ours)), _count_where(lost)],
        from_=exp.From(this=table_of(from_, SOURCE)),
        joins=[exp.Join(this=derived(_grouped(to, edge.to_columns), TARGET), side="LEFT", on=met)],
    )


def _grouped(relation: str, columns: Sequence[str]) -> exp.Select:
    """Return every complete key once."""
    keys = [column_of(column, TARGET) for column in columns]
    return exp.Select(
        expressions=[aliased(key, column) for key, column in zip(keys, columns, strict=True)],
        from_=exp.From(this=table_of(relation, TARGET)),
        where=exp.Where(this=_present(keys)),
        group=exp.Group(expressions=[key.copy() for key in keys]),
    )


def _repeated(relation: str, dataset: str, columns: Sequence[str], names: Sequence[str]) -> exp.Select:
    keys = [column_of(column, TARGET) for column in columns]
    return exp.Select(
        expressions=[
            aliased(exp.Literal.string(dataset), "dataset"),
            *(aliased(key, name) for key, name in zip(keys, names, strict=True)),
            aliased(_all_rows(), "row_count"),
        ],
        from_=exp.From(this=table_of(relation, TARGET)),
        where=exp.Where(this=_present(keys)),
        group=exp.Group(expressions=[key.copy() for key in keys]),
        having=exp.Having(this=exp.GT(this=_all_rows(), expression=exp.Literal.number(1))),
    )


def _padded(select: exp.Select, *names: str) -> exp.Select:
    """Return a part with a column for every count; those of other parts are NULL."""
    found: Mapping[str, exp.Expr] = dict(zip(names, select.expressions, strict=True))
    missing = exp.Cast(this=exp.Null(), to=exp.DataType(this=exp.DataType.Type.BIGINT, nested=False))
    select.set("expressions", [aliased(found.get(name, missing.copy()), name) for name in COUNTS])
    return select


def _present(keys: Sequence[exp.Expr]) -> exp.Expr:
    return all_of(_not_null(key) for key in keys)


def _not_null(key: exp.Expr) -> exp.Expr:
    return exp.Not(this=exp.Is(this=key.copy(), expression=exp.Null()))


def _absent(keys: Sequence[exp.Expr]) -> exp.Expr:
    found: exp.Expr = exp.Is(this=keys[0].copy(), expression=exp.Null())
    for key in keys[1:]:
        found = exp.Or(this=found, expression=exp.Is(this=key.copy(), expression=exp.Null()))
    return found


def _count_where(condition: exp.Expr) -> exp.Expr:
    counted = exp.Case(ifs=[exp.If(this=condition, true=exp.Literal.number(1))])
    return exp.Count(this=counted, big_int=True)


def _all_rows() -> exp.Expr:
    return exp.Count(this=exp.Star(), big_int=True)


def _ordered(name: str, *, descending: bool = False) -> exp.Ordered:
    return exp.Ordered(this=exp.Column(this=identifier(name)), desc=descending, nulls_first=False)
