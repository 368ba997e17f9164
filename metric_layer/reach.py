"""The columns a leaf groups, filters and counts time by; a way that would change a number is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from metric_layer.definitions import Aggregate, Dimension
from metric_layer.expand import LeafSpec
from metric_layer.issues import Issue, Option
from metric_layer.layer import Layer
from metric_layer.paths import (
    ManyPaths,
    NoPath,
    Path,
    find_filter_path,
    find_path,
    reachable_dimensions,
    words_of,
)
from metric_layer.plan import Filter
from metric_layer.resolved import PathColumn, ResolvedFilter
from metric_layer.values import NEGATIVE, ValueFault, Zones, type_values
from metric_layer.visible import Visible


@dataclass
class Reach:
    """Finds paths for one plan, each once, and gathers the issues on the way."""

    layer: Layer
    visible: Visible
    choices: Mapping[str, str]
    zone: str
    issues: list[Issue] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    paths: dict[tuple[str, str, bool], Path | NoPath | ManyPaths] = field(default_factory=dict)

    def known(self, name: str) -> Dimension | None:
        """Return a dimension the caller may see; a name that is none has its issue already."""
        dimension = self.layer.dimensions.get(name)
        return dimension if dimension is not None and self.visible.dimension(dimension) else None

    def group(self, leaf: LeafSpec, dimension: Dimension, place: str) -> PathColumn | None:
        """Return the column a leaf is grouped by, or None with an issue."""
        found = self._path(leaf.metric.dataset, dimension, filtering=False)
        if isinstance(found, tuple):
            return self._column(dimension, found)
        self._refuse(leaf, dimension, found, place)
        return None

    def filter(self, leaf: LeafSpec, asked: Filter, place: str) -> ResolvedFilter | None:
        """Return a caller's filter on a leaf, or None with an issue."""
        dimension = self.layer.dimensions[asked.field]
        found = self._path(leaf.metric.dataset, dimension, filtering=True)
        if not isinstance(found, tuple):
            self._refuse(leaf, dimension, found, place)
            return None
        down = any(hop.to_many for hop in found)
        if down and asked.op in NEGATIVE:
            self._refuse_negative(leaf, asked, found, place)
            return None
        resolved = self._typed(asked, dimension, found, place, Zones(self.zone, self.zone))
        if resolved is not None:
            self._say(leaf.metric, resolved)
        return resolved

    def owned(self, metric: Aggregate, asked: Filter) -> ResolvedFilter | None:
        """Return a filter of a definition itself, whose days and times are those of the layer's zone.

        rules.py has shown that it resolves for everybody.
        """
        dimension = self.layer.dimensions[asked.field]
        found = find_filter_path(self.layer, metric.dataset, dimension, Visible())
        if not isinstance(found, tuple):
            return None
        zones = Zones(self.layer.calendar.rules.time_zone, self.zone)
        resolved = self._typed(asked, dimension, found, "/metrics", zones)
        if resolved is not None:
            self._say(metric, resolved)
        return resolved

    def defined(self, dataset: str, name: str) -> PathColumn:
        """Return the column of a dimension that a definition names; rules.py has shown that it is reached."""
        dimension = self.layer.dimensions[name]
        found = find_path(self.layer, dataset, dimension, Visible())
        return self._column(dimension, found if isinstance(found, tuple) else ())

    def _path(self, start: str, dimension: Dimension, *, filtering: bool) -> Path | NoPath | ManyPaths:
        key = (start, dimension.name, filtering)
        if key not in self.paths:
            finder = find_filter_path if filtering else find_path
            choice = self.choices.get(dimension.name, "")
            self.paths[key] = finder(self.layer, start, dimension, self.visible, choice)
        return self.paths[key]

    def _column(self, dimension: Dimension, path: Path) -> PathColumn:
        kind = self.layer.dimension_type(dimension)
        zone = self.layer.zone_of(dimension) if kind == "timestamp" else ""
        return PathColumn(dimension.dataset, dimension.column, kind, path, zone)

    def _typed(
        self, asked: Filter, dimension: Dimension, path: Path, place: str, zones: Zones
    ) -> ResolvedFilter | None:
        column = self._column(dimension, path)
        try:
            op, values = type_values(asked.op, asked.values, column.type, zones)
        except ValueFault as fault:
            self.issues.append(
                Issue(
                    code=fault.code,
                    message=f"{asked.field}: {fault.message}",
                    path=f"{place}/values",
                    seen=fault.seen,
                    next_step="Mend the values.",
                )
            )
            return None
        return ResolvedFilter(asked.field, column, op, values)

    def _say(self, metric: Aggregate, resolved: ResolvedFilter) -> None:
        child = next((hop.to_dataset for hop in resolved.column.path if hop.to_many), None)
        if child is not None:
            self.notes.append(
                f"{self.visible.called(metric.name)}: each row of {metric.dataset} counts once if at least "
                f"one of its {child} rows meets the filter on {resolved.name}."
            )
        if resolved.op in ("ne", "not_in"):
            self.notes.append(f"The filter on {resolved.name} keeps rows without a {resolved.name}.")

    def _refuse(self, leaf: LeafSpec, dimension: Dimension, found: NoPath | ManyPaths, place: str) -> None:
        if isinstance(found, ManyPaths):
            self._ask(leaf, dimension, found.options, place)
            return
        fact, name = leaf.metric.dataset, dimension.name
        metric = self.visible.called(leaf.metric.name)
        code, message = _why(fact, metric, name, found)
        near_plan = reachable_dimensions(self.layer, fact, self.visible)
        step = f"{metric} works with: {', '.join(near_plan)}." if near_plan else "Leave it out."
        if found.reason == "to_many":
            step = f"Filter by {name} instead, or ask a metric counted per {dimension.dataset}. {step}"
        self.issues.append(
            Issue(
                code=code, message=message, path=place, seen=name, candidates=near_plan[:10], next_step=step
            )
        )

    def _ask(self, leaf: LeafSpec, dimension: Dimension, options: tuple[Option, ...], place: str) -> None:
        if any(known.term == dimension.name and known.path == place for known in self.issues):
            return  # another fact of the plan has asked the same already
        self.issues.append(
            Issue(
                code="ambiguous_path",
                message=f"{leaf.metric.dataset} reaches {dimension.name} in {len(options)} ways.",
                path=place,
                seen=dimension.name,
                term=dimension.name,
                options=tuple(self._described(option) for option in options),
                next_step=f"Send one option as choices.{dimension.name}.",
            )
        )

    def _described(self, option: Option) -> Option:
        edge = self.layer.relationships.get(option.name)
        if edge is None or not edge.role:
            return option
        return Option(name=option.name, description=f"{edge.role}: {option.description}")

    def _refuse_negative(self, leaf: LeafSpec, asked: Filter, path: Path, place: str) -> None:
        child = next(hop.to_dataset for hop in path if hop.to_many)
        self.issues.append(
            Issue(
                code="fan_out_filter",
                message=(
                    f"One row of {leaf.metric.dataset} has many {child}: `{asked.op}` over {asked.field} "
                    f"could mean that none of them matches or that one differs. Path: {words_of(path)}."
                ),
                path=place,
                seen=asked.op,
                next_step=f"Say which values to keep with `in`, or ask a metric counted per row of {child}.",
            )
        )


def _why(fact: str, metric: str, name: str, found: NoPath) -> tuple[str, str]:
    """Return the code and the message of a way that does not exist or would count rows more than once."""
    if found.reason == "unreachable":
        return "unreachable", f"No declared relationship leads from {fact} ({metric}) to {name}."
    path = words_of(found.walk)
    if found.reason == "to_many":
        return "fan_out_group", (
            f"{metric} is counted per row of {fact}, and one row of {fact} has many {name} values: grouping "
            f"by it would count rows more than once. Path: {path}."
        )
    return "many_to_many", (
        f"{fact} ({metric}) and {name} meet only many-to-many: rows would be counted more than once. "
        f"Path: {path}."
    )
