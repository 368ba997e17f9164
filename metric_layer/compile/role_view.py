"""A dataset as a role sees it: its columns and the rows the role's rules keep, as one SELECT."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from metric_layer.compile.collation import filter_by_bytes
from metric_layer.compile.masking import Mask, masked
from metric_layer.compile.predicate import condition_on, exists
from metric_layer.compile.tables import Datasets, Joins, aliased, all_of
from metric_layer.definitions import Dataset
from metric_layer.expression import column_of
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.load import LayerInvalid
from metric_layer.paths import ManyPaths, find_path
from metric_layer.plan import Filter
from metric_layer.relation import relation_parts
from metric_layer.resolved import PathColumn, ResolvedFilter
from metric_layer.values import ValueFault, Zones, type_values
from metric_layer.visible import Visible

SOURCE = "{source}"
DEFAULT_SCHEMA = {"duckdb": "main", "postgres": "public"}


def compile_role_view(
    layer: Layer,
    dataset: str,
    columns: Sequence[str],
    rules: Sequence[Filter],
    dialect: str,
    masks: Mapping[str, Mask] = {},
) -> str:
    """Return the SELECT of the columns and rows of a dataset that a role may see.

    `masks` names columns whose values the role never gets as they are, each with its mask; NULL stays NULL.
    Row rules look at the values themselves.

    A rule on a dimension the dataset does not reach over many-to-one steps does not restrict it. Rows without
    a value never pass a rule on that value, unless the rule asks for them. Base relations stand under the
    placeholder catalogue `{source}`. Raises LayerInvalid when a rule cannot be read one way
    only, or leaves a dataset open that reaches its column in another way.
    """
    datasets = placed(layer, DEFAULT_SCHEMA.get(dialect, ""))
    joins = Joins(datasets, dataset)
    resolved = resolved_rules(layer, dataset, rules)
    select = exp.Select(
        expressions=[aliased(_seen(column_of(name, joins.root), masks.get(name)), name) for name in columns],
        from_=exp.From(this=joins.source),
    )
    zone = layer.calendar.rules.time_zone
    if resolved:
        select.set("where", exp.Where(this=all_of([kept(rule, joins, datasets, zone) for rule in resolved])))
    filter_by_bytes(select, dialect)
    return select.sql(dialect=dialect).replace(f'"{SOURCE}"', SOURCE).replace(f"`{SOURCE}`", SOURCE)


def placed(layer: Layer, schema: str) -> Datasets:
    """Return the datasets with their relations under the placeholder catalogue.

    A relation without a schema is written out in `schema`, where one is given.
    """
    return {name: _placed(found, schema) for name, found in layer.datasets.items()}


def resolved_rules(layer: Layer, dataset: str, rules: Sequence[Filter]) -> list[ResolvedFilter]:
    """Return the rules that restrict a dataset, with the way to their columns. Raises LayerInvalid."""
    resolved = [found for rule in rules if (found := _resolved(layer, dataset, rule)) is not None]
    _refuse_open(layer, dataset, rules, resolved)
    return resolved


def _seen(column: exp.Expr, mask: Mask | None) -> exp.Expr:
    """Return a column as the role gets it: as it is, or behind a mask wherever it has a value."""
    return column if mask is None else masked(column, mask)


def _placed(dataset: Dataset, schema: str) -> Dataset:
    parts = relation_parts(dataset.relation)
    if len(parts) == 1 and schema:
        parts = (schema, *parts)
    quoted = (part.replace('"', '""') for part in (SOURCE, *parts[-2:]))
    relation = ".".join(f'"{part}"' for part in quoted)
    return dataset.model_copy(update={"relation": relation})


def _resolved(layer: Layer, dataset: str, rule: Filter) -> ResolvedFilter | None:
    dimension = layer.dimensions.get(rule.field)
    if dimension is None:
        raise LayerInvalid(
            (_fault(dataset, rule, "unknown_dimension", f"There is no dimension {rule.field!r}."),)
        )
    path = find_path(layer, dataset, dimension, Visible())
    if isinstance(path, ManyPaths):
        ways = ", ".join(option.name for option in path.options)
        message = (
            f"{dataset} reaches {rule.field} in several ways ({ways}), so the row rule has no one meaning."
        )
        raise LayerInvalid((_fault(dataset, rule, "ambiguous_path", message),))
    if not isinstance(path, tuple):
        return None
    kind, zone = layer.dimension_type(dimension), layer.calendar.rules.time_zone
    own_zone = layer.zone_of(dimension) if kind == "timestamp" else ""
    column = PathColumn(dimension.dataset, dimension.column, kind, path, own_zone)
    try:
        op, values = type_values(rule.op, rule.values, kind, Zones(zone, zone))
    except ValueFault as fault:
        raise LayerInvalid((_fault(dataset, rule, fault.code, f"{rule.field}: {fault.message}"),)) from fault
    return ResolvedFilter(rule.field, column, op, values)


def _refuse_open(
    layer: Layer, dataset: str, rules: Sequence[Filter], resolved: Sequence[ResolvedFilter]
) -> None:
    """Raise where a rule's column can be reached, yet not the way that any of the rules says."""
    closed = {(rule.column.dataset, rule.column.column) for rule in resolved}
    for rule in rules:
        dimension = layer.dimensions[rule.field]
        reached = dataset in layer.to_one_sources[dimension.dataset]
        if reached and (dimension.dataset, dimension.column) not in closed:
            message = f"{dataset} reaches {dimension.dataset}, but not the way {rule.field} says."
            raise LayerInvalid((_fault(dataset, rule, "rule_left_open", message),))


def kept(rule: ResolvedFilter, joins: Joins, datasets: Datasets, zone: str) -> exp.Expr:
    """Return the condition that keeps a row of the root of `joins`."""
    if rule.column.path:
        return exists([rule], joins, datasets, zone, keep_missing=False)
    return condition_on(column_of(rule.column.column, joins.root), rule, zone, keep_missing=False)


def _fault(dataset: str, rule: Filter, code: str, message: str) -> Issue:
    steps = {
        "ambiguous_path": f"Set `via` on the dimension {rule.field}.",
        "rule_left_open": f"Add a rule on a dimension with a `via` that {dataset} walks.",
    }
    seen, step = f"{dataset}.{rule.field}", steps.get(code, "Mend the rule.")
    return Issue(code=code, message=message, path="/rows", seen=seen, next_step=step)
