"""Rules for metrics that need no paths: what they aggregate, what they are made of, when they hold."""

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from metric_layer.arithmetic import FormulaFault, names_in, size_of
from metric_layer.definitions import ADDED, COUNTS, NUMERIC_TYPES, Aggregate, Dataset, Derived
from metric_layer.draft import Draft, Site
from metric_layer.expression import ExpressionFault
from metric_layer.fault import Fault, fault, is_broken, unknown
from metric_layer.layer import column_scales, column_types, scalar_of
from metric_layer.resolved import Arithmetic

MAX_PARTS = 200
NUMBERS_ONLY = ("sum", "avg", "median", "percentile")


def check_aggregates(draft: Draft) -> Iterator[Fault]:
    """An aggregate has one column or one scalar expression over its dataset, of a type it can aggregate."""
    for metric, site in draft.metrics:
        if not isinstance(metric, Aggregate):
            continue
        dataset = draft.dataset_by_name.get(metric.dataset)
        if dataset is not None:
            yield from _aggregate(metric, site, dataset)
            yield from _kind(metric, site)
        elif not is_broken(draft, "datasets", metric.dataset):
            yield unknown(metric.name, site, ("dataset",), "dataset", metric.dataset, draft.dataset_by_name)


def _aggregate(metric: Aggregate, site: Site, dataset: Dataset) -> Iterator[Fault]:
    types = column_types(dataset)
    if metric.column and metric.expression:
        message = f"{metric.name} has a column and an expression."
        yield fault(
            metric.name, site, ("expression",), "column_and_expression", message, "Keep one of the two."
        )
        return
    if metric.type != "count" and not metric.column and not metric.expression:
        message = f"{metric.name} says {metric.type} but not of what."
        yield fault(metric.name, site, ("type",), "no_column", message, "Add column or expression.")
        return
    if metric.column and metric.column not in types:
        yield unknown(metric.name, site, ("column",), "column", metric.column, types)
        return
    try:
        scalar = scalar_of(metric, types, column_scales(dataset))
    except ExpressionFault as found:
        if found.column and "." not in found.column:
            yield unknown(metric.name, site, ("expression",), "column", found.column, types)
        else:
            step = "Write scalar SQL over the dataset's own columns."
            yield fault(metric.name, site, ("expression",), "wrong_expression", found.message, step)
        return
    if metric.type in NUMBERS_ONLY and scalar.type not in NUMERIC_TYPES:
        message = f"{metric.name}: {metric.type} needs numbers; this is {scalar.type}."
        yield fault(metric.name, site, ("type",), "wrong_type", message, "Aggregate a number, or use count.")
    if metric.type in ("min", "max") and scalar.type == "boolean":
        message = f"{metric.name}: {metric.type} of true and false has no meaning on every engine."
        yield fault(
            metric.name, site, ("type",), "wrong_type", message, "Count the rows with a filter instead."
        )


def _kind(metric: Aggregate, site: Site) -> Iterator[Fault]:
    """The keys that belong to one type of aggregate stand with that type only."""
    name = metric.name
    if metric.type == "percentile" and metric.percentile is None:
        step = "Write percentile: 0.9."
        yield fault(name, site, ("type",), "no_percentile", f"{name} does not say which percentile.", step)
    if metric.type != "percentile" and metric.percentile is not None:
        message = f"{name} is a {metric.type} and has no percentile."
        yield fault(name, site, ("percentile",), "wrong_type", message, "Take it out, or change the type.")
    if metric.snapshot is not None and metric.snapshot.pick == "average" and metric.type not in ADDED:
        message = f"{name}: only a sum or a count is averaged over moments, not a {metric.type}."
        yield fault(name, site, ("snapshot", "pick"), "wrong_type", message, "Pick last or first.")
    if metric.unit_dimension is not None and metric.unit:
        message = f"{name} has a unit and a unit_dimension."
        yield fault(
            name, site, ("unit_dimension",), "unit_and_unit_dimension", message, "Keep one of the two."
        )
    if metric.unit_dimension is not None and metric.type in COUNTS:
        message = f"{name} counts, and a count has no currency."
        yield fault(name, site, ("unit_dimension",), "wrong_type", message, "Take unit_dimension out.")


def check_references(draft: Draft) -> Iterator[Fault]:
    """A metric is made of metrics that exist."""
    for metric, site in draft.metrics:
        if isinstance(metric, Derived):
            yield from _formula(metric, site, draft.formulas[metric.name])
        for key, part in dict.fromkeys(draft.references(metric)):
            if part not in draft.metric_by_name and not is_broken(draft, "metrics", part):
                yield unknown(metric.name, site, (key,), "metric", part, draft.metric_by_name)


def _formula(metric: Derived, site: Site, formula: Arithmetic | FormulaFault) -> Iterator[Fault]:
    place, step = ("expression",), "Use metric names, numbers, + - * / and brackets."
    if isinstance(formula, FormulaFault):
        yield fault(metric.name, site, place, "wrong_expression", f"{metric.name}: {formula.message}", step)
    elif next(names_in(formula), None) is None:
        message = f"{metric.name} is made of no metric."
        yield fault(metric.name, site, place, "wrong_expression", message, step)


def check_cycles(draft: Draft) -> Iterator[Fault]:
    """No metric is made of itself."""
    graph = _graph(draft)
    sites = {metric.name: site for metric, site in draft.metrics}
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as found:
            circle = _from_first_name(list(reversed(found.args[1]))[1:])
        else:
            return
        message = f"{circle[0]} is made of itself: {' -> '.join((*circle, circle[0]))}."
        yield fault(circle[0], sites[circle[0]], ("name",), "cycle", message, "Break the circle.")
        graph = {name: parts - set(circle) for name, parts in graph.items() if name not in circle}


def _graph(draft: Draft) -> dict[str, set[str]]:
    return {
        metric.name: set(draft.parts_of(metric.name)) & draft.metric_by_name.keys()
        for metric, _ in draft.metrics
    }


def _from_first_name(circle: list[str]) -> list[str]:
    start = circle.index(min(circle))
    return circle[start:] + circle[:start]


def check_sizes(draft: Draft) -> Iterator[Fault]:
    """A metric taken apart stays small enough to read, and to compile."""
    sites = {metric.name: site for metric, site in draft.metrics}
    sizes: dict[str, int] = {}
    sorter = TopologicalSorter(_graph(draft))
    try:
        order = tuple(sorter.static_order())
    except CycleError:
        return
    for name in order:
        parts = draft.parts_of(name)
        formula = draft.formulas.get(name)
        own = size_of(formula) if isinstance(formula, Arithmetic) else 1
        sizes[name] = own + sum(sizes.get(part, 1) for part in parts)
        if sizes[name] > MAX_PARTS:
            message = (
                f"{name} has more than {MAX_PARTS} parts once the metrics it is made of are taken apart."
            )
            yield fault(name, sites[name], ("name",), "too_large", message, "Aggregate nearer to the data.")
            sizes[name] = 1


def check_dates(draft: Draft) -> Iterator[Fault]:
    """A definition's effective dates stand in order."""
    for metric, site in draft.metrics:
        begins, ends = metric.effective_from, metric.effective_to
        if begins and ends and begins > ends:
            message = f"{metric.name} ends on {ends}, before it begins on {begins}."
            yield fault(
                metric.name, site, ("effective_to",), "dates_reversed", message, "Swap the two dates."
            )
