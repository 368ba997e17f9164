"""Which names of a layer a role may see, worked out from the policy alone: no SQL, no database."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from metric_layer.definitions import Aggregate, Column, Filtered, Metric
from metric_layer.layer import Layer, scalar_text
from metric_layer.parts import parts_of
from metric_layer.visible import Visible
from policies.policy import PersonalRule, Policy, Role
from traces.records import Caller

Sources = tuple[frozenset[str], frozenset[str]]
"""The datasets a metric is counted in, and the columns (`dataset.column`) it is made of and filtered by."""
COUNTING = frozenset({"count", "count_distinct", "approx_count_distinct"})
NOTHING = Visible(metrics=frozenset(), datasets=frozenset())
"""What somebody without a role may see."""


def role_in_force(known: Iterable[str], caller: Caller) -> str:
    """Return the first of the caller's roles that is among the policy's; empty where none is."""
    names = frozenset(known)
    return next((name for name in caller.roles if name in names), "")


def visible_for(policy: Policy, layer: Layer, caller: Caller) -> Visible:
    """Return what a caller may see in the role that is in force; without a role nothing."""
    role = policy.roles.get(role_in_force(policy.roles, caller))
    return visible_to(role, layer) if role else NOTHING


def personal_rule(role: Role, column: Column) -> PersonalRule | None:
    """Return what a role's rule does to a column; a tag the role does not name is denied."""
    return role.personal.get(column.personal, "deny") if column.personal else None


def visible_to(role: Role, layer: Layer) -> Visible:
    """Return what a role may see: metrics it is given over datasets and columns that are not hidden.

    That goes for the columns of a metric's own filters too. A metric that would compare or add up values of
    which the role sees a part, or counts only, could never be answered, so it is not there either.
    """
    datasets = frozenset(role.datasets)
    hidden = set(role.hidden_columns)
    rules = {
        f"{dataset.name}.{column.name}": rule
        for dataset in layer.datasets.values()
        for column in dataset.columns
        if (rule := personal_rule(role, column)) is not None
    }
    hidden.update(column for column, rule in rules.items() if rule == "deny")
    sources = sources_by_metric(layer)
    shut = _shut(layer, rules)
    metrics = frozenset(
        metric
        for metric, (of, columns) in sources.items()
        if of <= datasets
        and metric not in shut
        and not columns & hidden
        and all(column.partition(".")[0] in datasets for column in columns)
        and any(fnmatchcase(metric, pattern) for pattern in role.metrics)
    )
    return Visible(metrics=metrics, datasets=datasets, hidden_columns=frozenset(hidden))


def sources_by_metric(layer: Layer) -> Mapping[str, Sources]:
    """Return the sources of every metric of a layer; one that others share is walked once."""
    found: dict[str, Sources] = {}
    for name in layer.metrics:
        _gather(name, layer, found)
    return found


def sources_of(name: str, layer: Layer) -> Sources:
    """Return the datasets a metric is counted in and the columns it is made of and filtered by."""
    return _gather(name, layer, {})


def _gather(name: str, layer: Layer, found: dict[str, Sources]) -> Sources:
    if name not in found:
        metric = layer.metrics[name]
        own = _filtered_by(metric, layer)
        if isinstance(metric, Aggregate):
            scalar = layer.scalars[metric.dataset, scalar_text(metric)]
            columns = frozenset(f"{metric.dataset}.{column}" for column in scalar.columns)
            found[name] = frozenset((metric.dataset,)), columns | own
        else:
            parts = [_gather(part, layer, found) for _, part in parts_of(metric, layer.formulas.get(name))]
            found[name] = (
                frozenset().union(*(of for of, _ in parts)),
                own.union(*(columns for _, columns in parts)),
            )
    return found[name]


def _shut(layer: Layer, rules: Mapping[str, PersonalRule]) -> frozenset[str]:
    """Return the metrics that rest on a use of personal data which their rule never allows."""
    known: dict[str, bool] = {}

    def is_shut(name: str) -> bool:
        if name not in known:
            metric = layer.metrics[name]
            known[name] = (
                bool(_filtered_by(metric, layer) & rules.keys())
                or (isinstance(metric, Aggregate) and _measures_hidden(metric, layer, rules))
                or any(is_shut(part) for _, part in parts_of(metric, layer.formulas.get(name)))
            )
        return known[name]

    return frozenset(filter(is_shut, layer.metrics)) if rules else frozenset()


def _measures_hidden(metric: Aggregate, layer: Layer, rules: Mapping[str, PersonalRule]) -> bool:
    """Say whether an aggregate needs more of a value than there is: a mask leaves presence, else a count."""
    scalar = layer.scalars[metric.dataset, scalar_text(metric)]
    found = [rule for name in scalar.columns if (rule := rules.get(f"{metric.dataset}.{name}")) is not None]
    counts = bool(metric.column) and metric.type in COUNTING
    return any(not counts or (rule != "aggregate" and metric.type != "count") for rule in found)


def _filtered_by(metric: Metric, layer: Layer) -> frozenset[str]:
    """Return the columns of a metric's own filters: what they compare with is told with the metric."""
    filters = metric.filters if isinstance(metric, Aggregate | Filtered) else ()
    fields = [layer.dimensions[each.field] for each in filters]
    return frozenset(f"{field.dataset}.{field.column}" for field in fields)
