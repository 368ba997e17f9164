"""The semantic models of a dbt manifest, as dbt says them: entities, dimensions, measures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from metric_layer.expression_foreign import plain_column
from metric_layer.interchange.reading import Part

KEYS = ("primary", "unique")
SUB_DAY = frozenset({"nanosecond", "microsecond", "millisecond", "second", "minute", "hour"})


@dataclass(frozen=True, slots=True)
class Entity:
    """A key of a model: `kind` is primary, unique, foreign or natural."""

    name: str
    kind: str
    column: str
    description: str
    part: Part = field(repr=False)


@dataclass(frozen=True, slots=True)
class ModelDimension:
    """A column to group by; `granularity` is empty unless it is a time."""

    name: str
    column: str
    granularity: str
    label: str
    description: str
    owner: str
    part: Part = field(repr=False)


@dataclass(frozen=True, slots=True)
class NonAdditive:
    """dbt's semi-additive choice: the rows of the first or last moment of `time`, per each of `groupings`."""

    time: str
    pick: str
    groupings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aggregation:
    """What a measure, or a simple metric of the newer layout, aggregates."""

    name: str
    model: str
    agg: str
    expr: str
    time: str
    percentile: Decimal | None
    percentile_type: Literal["", "discrete", "continuous", "approximate"]
    non_additive: NonAdditive | None
    part: Part = field(repr=False)
    description: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """A semantic model that stands on one relation."""

    name: str
    relation: str
    description: str
    primary: str
    default_time: str
    owner: str
    has_partition: bool
    entities: Mapping[str, Entity]
    dimensions: Mapping[str, ModelDimension]
    measures: Mapping[str, Aggregation]
    metrics: tuple[Part, ...]
    create_metrics: frozenset[str]
    part: Part = field(repr=False)


def read_model(part: Part) -> Model:
    """Return one semantic model; what it says and cannot be kept is reported."""
    name = part.text("name")
    part.skip("metadata")
    defaults = part.part("defaults")
    entities = [entity for each in part.named("entities") if (entity := _entity(each, name))]
    columns = part.named("dimensions")
    dimensions = [found for each in columns if (found := _dimension(each, name))]
    measures = part.named("measures")
    owner = owner_of(part, name)
    return Model(
        name=name,
        relation=_relation(part),
        description=part.text("description") or part.text("label"),
        primary=part.text("primary_entity")
        or next((each.name for each in entities if each.kind == "primary"), ""),
        default_time=(defaults.text("agg_time_dimension") if defaults else "")
        or part.text("agg_time_dimension"),
        owner=owner,
        has_partition=any(each.flag("is_partition") for each in columns),
        entities={each.name: each for each in entities},
        dimensions={each.name: each for each in dimensions},
        measures={each.text("name"): read_aggregation(each, name) for each in measures},
        metrics=tuple(part.named("metrics")),
        create_metrics=frozenset(each.text("name") for each in measures if each.flag("create_metric")),
        part=part,
    )


def owner_of(part: Part, name: str) -> str:
    """Return the owner that `config.meta.owner` states; what else the configuration says is reported."""
    config = part.part("config")
    meta = config.part("meta") if config else None
    if config is not None:
        config.skip("enabled")
    if meta is None:
        return ""
    owner = meta.text("owner")
    for key in meta.spoken():
        if key != "owner":
            meta.lose("meta_not_kept", f"{name}.{key}", meta.raw(key), at=key)
    return owner


def _relation(part: Part) -> str:
    node = part.part("node_relation")
    if node is None:
        return part.text("model")
    node.skip("relation_name")
    parts = (node.text("database"), node.text("schema_name"), node.text("alias"))
    return ".".join(_quoted(each) for each in parts if each)


def _quoted(name: str) -> str:
    return f'"{name}"' if "." in name else name


def _entity(part: Part, model: str) -> Entity | None:
    part.skip("metadata")
    name, kind, expr = part.text("name"), part.text("type").lower(), part.text("expr")
    column = plain_column(expr or name)
    if kind == "natural":
        part.refuse("dbt_natural_entity", f"{model}.{name}", expr)
        return None
    if column is None:
        part.refuse("dbt_expression_entity", f"{model}.{name}", expr)
        return None
    owner_of(part, f"{model}.{name}")
    return Entity(name, kind, column, part.text("description"), part)


def _dimension(part: Part, model: str) -> ModelDimension | None:
    part.skip("metadata", "is_partition")
    name, expr = part.text("name"), part.text("expr")
    kind = part.text("type").lower()
    params = part.part("type_params")
    granularity = (params.text("time_granularity") if params else "") or part.text("granularity")
    validity = params.part("validity_params") if params else part.part("validity_params")
    if validity is not None:
        validity.lose("dbt_validity", f"{model}.{name}")
        validity.skip("is_start", "is_end")
    column = plain_column(expr or name)
    if column is None:
        part.refuse("dbt_expression_dimension", f"{model}.{name}", expr)
        return None
    return ModelDimension(
        name=name,
        column=column,
        granularity=(granularity.lower() or "day") if kind == "time" else "",
        label=part.text("label"),
        description=part.text("description"),
        owner=owner_of(part, f"{model}.{name}"),
        part=part,
    )


def read_aggregation(part: Part, model: str, *, expr: str = "") -> Aggregation:
    """Return what a measure, aggregation parameters or a flat simple metric aggregate."""
    part.skip("metadata", "semantic_model", "create_metric")
    params = part.part("agg_params")
    where = params if params is not None else part
    return Aggregation(
        name=part.text("name"),
        model=model,
        agg=part.text("agg").lower(),
        expr=part.text("expr") or expr,
        time=part.text("agg_time_dimension"),
        percentile=where.number("percentile"),
        percentile_type=_percentile_type(where),
        non_additive=_non_additive(part),
        part=part,
        description=part.text("description"),
        label=part.text("label"),
    )


def _percentile_type(part: Part) -> Literal["", "discrete", "continuous", "approximate"]:
    word = part.text("percentile_type").lower()
    discrete, approximate = part.flag("use_discrete_percentile"), part.flag("use_approximate_percentile")
    if approximate:
        return "approximate"
    return "discrete" if discrete or word == "discrete" else "continuous"


def _non_additive(part: Part) -> NonAdditive | None:
    found = part.part("non_additive_dimension")
    if found is None:
        return None
    return NonAdditive(
        time=found.text("name"),
        pick=(found.text("window_choice") or found.text("window_agg") or "min").lower(),
        groupings=found.texts("window_groupings") or found.texts("group_by"),
    )
