"""dbt's measures and simple metrics -> aggregates of a definition."""

from collections.abc import Mapping

from metric_layer.definitions import GRAINS, ColumnType
from metric_layer.expression_foreign import plain_column
from metric_layer.interchange.column_types import ASSUMED, TOLD, ColumnTypes
from metric_layer.interchange.dbt_graph import DbtGraph
from metric_layer.interchange.dbt_models import SUB_DAY, Aggregation, NonAdditive
from metric_layer.interchange.refused import Refused

TYPES: Mapping[str, tuple[str, ColumnType]] = {
    "sum": ("sum", "decimal"),
    "sum_boolean": ("sum", "boolean"),
    "min": ("min", "decimal"),
    "max": ("max", "decimal"),
    "average": ("avg", "decimal"),
    "median": ("median", "decimal"),
    "percentile": ("percentile", "decimal"),
    "count": ("count", "string"),
    "count_distinct": ("count_distinct", "string"),
}
PICKS = {"max": "last", "min": "first"}
_COARSENESS = {"hour": 0, "day": 1, "week": 2, "month": 3, "quarter": 4, "year": 5}


def aggregate_of(found: Aggregation, graph: DbtGraph) -> dict[str, object]:
    """Return what an aggregation says, as keys of a definition. Raises Refused, ForeignSql, Unresolved."""
    dataset = graph.datasets[found.model]
    kind, wanted = TYPES.get(found.agg, ("", "string"))
    if not kind:
        raise Refused("dbt_unknown_aggregation", seen=found.agg)
    payload: dict[str, object] = {"type": kind, "dataset": dataset}
    if kind == "percentile":
        payload |= _percentile(found)
    if payload["type"] != "count" or found.expr not in ("*", "1"):
        payload |= _expression(found, dataset, wanted, graph.types)
    if found.non_additive is not None:
        payload["snapshot"] = _snapshot(found.model, found.non_additive, graph)
    return payload | time_of(found, graph)


def time_of(found: Aggregation, graph: DbtGraph) -> dict[str, object]:
    """Return the time field and the grains that its granularity allows."""
    time = found.time or graph.models[found.model].default_time
    if not time:
        return {}
    field, dimension, _ = graph.dimension(found.model, (), time)
    grains = grains_of(dimension.granularity)
    return {"time_field": field} | ({} if grains == GRAINS else {"grains": grains})


def granularity_of(found: Aggregation, graph: DbtGraph) -> str:
    """Return the granularity of the time that an aggregation counts by."""
    time = found.time or graph.models[found.model].default_time
    dimension = graph.models[found.model].dimensions.get(time)
    return dimension.granularity if dimension else "day"


def grains_of(granularity: str) -> tuple[str, ...]:
    """Return the grains that are not finer than a granularity. Raises Refused for one of the user's own."""
    if granularity in SUB_DAY:
        return GRAINS
    if granularity not in _COARSENESS:
        raise Refused("dbt_custom_granularity", seen=granularity)
    least = _COARSENESS[granularity]
    return tuple(grain for grain in GRAINS if _COARSENESS[grain.removeprefix("fiscal_")] >= least)


def _expression(
    found: Aggregation, dataset: str, wanted: ColumnType, types: ColumnTypes
) -> dict[str, object]:
    sql, place = (found.expr or found.name).strip(), found.part.place()
    column = plain_column(sql)
    if found.agg == "sum_boolean":
        types.learn(dataset, sql, "boolean", place)
        return {"expression": f"CASE WHEN {sql} THEN 1 WHEN NOT ({sql}) THEN 0 END"}
    if column is not None:
        types.know(dataset, column, wanted, ASSUMED if wanted == "string" else TOLD, place)
        return {"column": column}
    types.learn(dataset, sql, wanted, place)
    return {"expression": sql}


def _percentile(found: Aggregation) -> dict[str, object]:
    if found.percentile is None:
        raise Refused("dbt_percentile", "it does not say which percentile")
    if found.percentile_type == "approximate":
        found.part.lose("dbt_approximate_percentile", found.name, found.percentile)
    elif found.percentile_type == "continuous":
        if found.percentile != found.percentile.__class__("0.5"):
            raise Refused(
                "dbt_percentile", "a continuous percentile is no value of any row", found.percentile
            )
        return {"type": "median"}
    return {"percentile": found.percentile}


def _snapshot(model: str, found: NonAdditive, graph: DbtGraph) -> dict[str, object]:
    if found.pick not in PICKS:
        raise Refused("dbt_window_choice", seen=found.pick)
    over, _, _ = graph.dimension(model, (), found.time)
    per = []
    for name in found.groupings:
        if name in graph.models[model].entities:
            per.append(graph.entity_dimension(model, name))
        else:
            per.append(graph.dimension(model, (), name)[0])
    return {"over": over, "pick": PICKS[found.pick], "per": tuple(per)}
