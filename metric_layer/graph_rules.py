"""Rules for datasets, relationships, dimensions, hierarchies and clocks: what paths are made of."""

from collections.abc import Iterator

from metric_layer.definitions import (
    GRAINS,
    NUMERIC_TYPES,
    TIME_TYPES,
    Clock,
    Dataset,
    Dimension,
    Hierarchy,
    Relationship,
)
from metric_layer.draft import Draft, Site
from metric_layer.fault import Fault, fault, is_broken, unknown, unknown_zone
from metric_layer.layer import column_types
from metric_layer.relation import relation_parts
from metric_layer.zones import is_zone

COMPARISONS = ("__previous", "__change", "__growth")


def check_unique_names(draft: Draft) -> Iterator[Fault]:
    """A name means one thing: metrics, dimensions and clocks share one list, and grains are taken."""
    shared = [*draft.metrics, *draft.dimensions, *draft.clocks]
    for items in (draft.datasets, draft.relationships, draft.hierarchies, shared):
        first: dict[str, Site] = {}
        for item, site in items:
            if item.name in first:
                message = f"The name {item.name!r} is taken at {first[item.name].place('name')}."
                yield fault(
                    item.name, site, ("name",), "duplicate_name", message, "Give one of the two another name."
                )
            first.setdefault(item.name, site)
    for item, site in shared:
        if item.name in GRAINS:
            message = f"{item.name!r} is the name of a time grain and heads a column of its own."
            yield fault(
                item.name, site, ("name",), "reserved_name", message, f"Call it {item.name}_of_something."
            )
        elif item.name.endswith(COMPARISONS) or (item.name in draft.metric_by_name and "__" in item.name):
            message = f"{item.name!r} has two underscores in a row, which columns of comparisons have."
            yield fault(item.name, site, ("name",), "reserved_name", message, "Write one underscore.")


def check_datasets(draft: Draft) -> Iterator[Fault]:
    """Keys and the time column are columns; a large dataset has a time column."""
    for dataset, site in draft.datasets:
        yield from _columns(dataset, site)
        known = column_types(dataset)
        keys = [("primary_key",), *(("unique_keys", index) for index in range(len(dataset.unique_keys)))]
        for place, key in zip(keys, (dataset.primary_key, *dataset.unique_keys), strict=True):
            for index, column in enumerate(key):
                if column not in known:
                    yield unknown(dataset.name, site, (*place, index), "column", column, known)
        if dataset.time_column and dataset.time_column not in known:
            yield unknown(dataset.name, site, ("time_column",), "column", dataset.time_column, known)
        elif dataset.large and known.get(dataset.time_column) not in TIME_TYPES:
            message = f"{dataset.name} is large, so it needs a time_column that is a date or a timestamp."
            yield fault(
                dataset.name, site, ("large",), "large_without_time", message, "Name its time_column."
            )
        if not all(relation_parts(dataset.relation)):
            message = f"The relation {dataset.relation!r} has an empty part."
            yield fault(dataset.name, site, ("relation",), "wrong_relation", message, "Write schema.table.")


def _columns(dataset: Dataset, site: Site) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, column in enumerate(dataset.columns):
        if column.name.lower() in seen:
            message = f"{dataset.name} lists the column {column.name!r} twice."
            yield fault(dataset.name, site, ("columns", index), "duplicate_column", message, "List it once.")
        seen.add(column.name.lower())
        place = ("columns", index)
        if column.scale is not None and column.type not in NUMERIC_TYPES:
            message = f"{column.name} is a {column.type}, and only a number has a scale."
            yield fault(dataset.name, site, (*place, "scale"), "wrong_type", message, "Take the scale out.")
        if column.time_zone and column.type != "timestamp":
            message = f"{column.name} is a {column.type}: only a timestamp without a zone is given one."
            step = "Take time_zone out." if column.type in ("date", "timestamptz") else "Mend the type."
            yield fault(dataset.name, site, (*place, "time_zone"), "wrong_type", message, step)
        elif column.time_zone and not is_zone(column.time_zone):
            yield unknown_zone(dataset.name, site, (*place, "time_zone"), column.time_zone)


def check_relationships(draft: Draft) -> Iterator[Fault]:
    """Both ends exist and the far end is a declared key, so that one row meets at most one."""
    for edge, site in draft.relationships:
        ends = (("from", edge.from_dataset, edge.from_columns), ("to", edge.to_dataset, edge.to_columns))
        whole = True
        for end, name, columns in ends:
            dataset = draft.dataset_by_name.get(name)
            if dataset is None:
                whole = False
                if not is_broken(draft, "datasets", name):
                    yield unknown(
                        edge.name, site, (f"{end}_dataset",), "dataset", name, draft.dataset_by_name
                    )
                continue
            known = column_types(dataset)
            for index, column in enumerate(columns):
                if column not in known:
                    whole = False
                    yield unknown(edge.name, site, (f"{end}_columns", index), "column", column, known)
        if len(edge.from_columns) != len(edge.to_columns):
            message = f"{edge.name} joins {len(edge.from_columns)} columns to {len(edge.to_columns)}."
            yield fault(
                edge.name, site, ("to_columns",), "wrong_columns", message, "Pair the columns one to one."
            )
        elif whole:
            yield from _keys(edge, site, draft)


def _keys(edge: Relationship, site: Site, draft: Draft) -> Iterator[Fault]:
    far, near_end = draft.dataset_by_name[edge.to_dataset], draft.dataset_by_name[edge.from_dataset]
    if not is_key(far, edge.to_columns):
        columns = ", ".join(edge.to_columns)
        message = f"{edge.name}: {columns} is no declared key of {far.name}, so rows could multiply."
        step = f"Declare it as primary_key or in unique_keys of {far.name}, or turn the relationship around."
        yield fault(edge.name, site, ("to_columns",), "not_a_key", message, step)
    if edge.cardinality == "one_to_one" and not is_key(near_end, edge.from_columns):
        columns = ", ".join(edge.from_columns)
        message = f"{edge.name} is one_to_one, but {columns} is no declared key of {near_end.name}."
        yield fault(
            edge.name, site, ("cardinality",), "not_a_key", message, "Declare the key, or say many_to_one."
        )
    left, right = column_types(near_end), column_types(far)
    for index, (a, b) in enumerate(zip(edge.from_columns, edge.to_columns, strict=True)):
        if left[a] != right[b] and not {left[a], right[b]} <= {"integer", "decimal"}:
            message = f"{edge.name} compares {a} ({left[a]}) with {b} ({right[b]})."
            yield fault(
                edge.name, site, ("from_columns", index), "wrong_type", message, "Join columns of one type."
            )


def is_key(dataset: Dataset, columns: tuple[str, ...]) -> bool:
    """Say whether the columns hold a declared key: two rows never share their values."""
    keys = [key for key in (dataset.primary_key, *dataset.unique_keys) if key]
    return any(set(key) <= set(columns) for key in keys)


def check_dimensions(draft: Draft) -> Iterator[Fault]:
    """A dimension is a column of a dataset, and its `via` is a chain of relationships that ends there."""
    for dimension, site in draft.dimensions:
        dataset = draft.dataset_by_name.get(dimension.dataset)
        if dataset is None:
            if not is_broken(draft, "datasets", dimension.dataset):
                known = draft.dataset_by_name
                yield unknown(dimension.name, site, ("dataset",), "dataset", dimension.dataset, known)
        elif dimension.column not in column_types(dataset):
            yield unknown(
                dimension.name, site, ("column",), "column", dimension.column, column_types(dataset)
            )
        elif any(
            column.name == dimension.column and column.scale and column.type in NUMERIC_TYPES
            for column in dataset.columns
        ):
            message = f"{dimension.name} stands on {dimension.column}, whose scale would change its values."
            step = "Let a view hold the scaled value, or take the scale out."
            yield fault(dimension.name, site, ("column",), "scaled_dimension", message, step)
        yield from _via(dimension, site, draft)


def _via(dimension: Dimension, site: Site, draft: Draft) -> Iterator[Fault]:
    edges: list[Relationship] = []
    for index, name in enumerate(dimension.via):
        edge = draft.relationship_by_name.get(name)
        if edge is not None:
            edges.append(edge)
        elif not is_broken(draft, "relationships", name):
            yield unknown(
                dimension.name, site, ("via", index), "relationship", name, draft.relationship_by_name
            )
    if not edges or len(edges) != len(dimension.via):
        return
    stops = [edge.to_dataset for edge in edges]
    starts = [edge.from_dataset for edge in edges[1:]]
    if stops[:-1] != starts or stops[-1] != dimension.dataset:
        message = f"The steps in via of {dimension.name} do not lead step by step to {dimension.dataset}."
        yield fault(dimension.name, site, ("via",), "broken_via", message, "Name each step, fact first.")


def check_levels(draft: Draft) -> Iterator[Fault]:
    """The levels of a hierarchy are dimensions, each named once."""
    for hierarchy, site in draft.hierarchies:
        for index, name in enumerate(hierarchy.levels):
            yield from _level(hierarchy, site, index, name, draft)


def _level(hierarchy: Hierarchy, site: Site, index: int, name: str, draft: Draft) -> Iterator[Fault]:
    place = ("levels", index)
    if name not in draft.dimension_by_name:
        if not is_broken(draft, "dimensions", name):
            yield unknown(hierarchy.name, site, place, "dimension", name, draft.dimension_by_name)
    elif name in hierarchy.levels[:index]:
        message = f"{hierarchy.name} lists the level {name} twice."
        yield fault(hierarchy.name, site, place, "repeated_name", message, "Name each level once.")


def check_clocks(draft: Draft) -> Iterator[Fault]:
    """A clock's fields are time dimensions."""
    for clock, site in draft.clocks:
        for index, name in enumerate(clock.fields):
            yield from _clock_field(clock, site, index, name, draft)


def _clock_field(clock: Clock, site: Site, index: int, name: str, draft: Draft) -> Iterator[Fault]:
    dimension = draft.dimension_by_name.get(name)
    if dimension is None:
        if not is_broken(draft, "dimensions", name):
            yield unknown(clock.name, site, ("fields", index), "dimension", name, draft.dimension_by_name)
        return
    dataset = draft.dataset_by_name.get(dimension.dataset)
    if dataset is not None and column_types(dataset).get(dimension.column, "date") not in TIME_TYPES:
        message = f"{name} is not a time dimension."
        yield fault(
            clock.name, site, ("fields", index), "wrong_type", message, "Name date or timestamp columns."
        )
