"""Definitions as read from files, before any rule has looked at them: each item with its place."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from metric_layer.arithmetic import FormulaFault, parse_formula
from metric_layer.asking import AskingRules
from metric_layer.definitions import (
    CalendarRules,
    Clock,
    Dataset,
    Derived,
    Dimension,
    Document,
    Hierarchy,
    Metric,
    PersonalTag,
    Relationship,
)
from metric_layer.issues import Issue
from metric_layer.parts import parts_of
from metric_layer.personal import tagged
from metric_layer.resolved import Arithmetic
from metric_layer.source import Source, read_source, yaml_files
from metric_layer.validate import Pointer, Problem, read_value
from metric_layer.vocabulary import near

T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """Where a definition stands in its file."""

    source: Source = field(repr=False)
    pointer: Pointer

    def place(self, *inside: str | int) -> str:
        """Return `file:line:column` of a part of the definition."""
        return self.source.place((*self.pointer, *inside))


@dataclass(frozen=True)
class Draft:
    """Everything that could be read. `broken` holds (section, name) of the items that could not."""

    datasets: tuple[tuple[Dataset, Site], ...]
    relationships: tuple[tuple[Relationship, Site], ...]
    dimensions: tuple[tuple[Dimension, Site], ...]
    hierarchies: tuple[tuple[Hierarchy, Site], ...]
    clocks: tuple[tuple[Clock, Site], ...]
    metrics: tuple[tuple[Metric, Site], ...]
    personal: tuple[tuple[PersonalTag, Site], ...]
    calendars: tuple[tuple[CalendarRules, Site], ...]
    askings: tuple[tuple[AskingRules, Site], ...]
    broken: frozenset[tuple[str, str]]

    @cached_property
    def dataset_by_name(self) -> dict[str, Dataset]:
        """Return the datasets by name."""
        return {dataset.name: dataset for dataset, _ in self.datasets}

    @cached_property
    def dimension_by_name(self) -> dict[str, Dimension]:
        """Return the dimensions by name."""
        return {dimension.name: dimension for dimension, _ in self.dimensions}

    @cached_property
    def metric_by_name(self) -> dict[str, Metric]:
        """Return the metrics by name."""
        return {metric.name: metric for metric, _ in self.metrics}

    @cached_property
    def relationship_by_name(self) -> dict[str, Relationship]:
        """Return the relationships by name."""
        return {edge.name: edge for edge, _ in self.relationships}

    @cached_property
    def formulas(self) -> dict[str, Arithmetic | FormulaFault]:
        """Return the parsed expression of each derived metric, or why it cannot be read."""
        return {metric.name: _formula(metric) for metric, _ in self.metrics if isinstance(metric, Derived)}

    @cached_property
    def _parts(self) -> dict[str, tuple[str, ...]]:
        return {metric.name: tuple(part for _, part in self.references(metric)) for metric, _ in self.metrics}

    def references(self, metric: Metric) -> tuple[tuple[str, str], ...]:
        """Return (key, name) of each metric a metric is made of; none where its expression cannot be read."""
        formula = self.formulas.get(metric.name)
        return parts_of(metric, formula if isinstance(formula, Arithmetic) else None)

    def parts_of(self, name: str) -> tuple[str, ...]:
        """Return the names of the metrics that a metric is made of."""
        return self._parts.get(name, ())

    def document(self) -> Document:
        """Return all definitions as one document."""
        return Document(
            datasets=tagged((item for item, _ in self.datasets), (item for item, _ in self.personal)),
            relationships=tuple(item for item, _ in self.relationships),
            dimensions=tuple(item for item, _ in self.dimensions),
            hierarchies=tuple(item for item, _ in self.hierarchies),
            clocks=tuple(item for item, _ in self.clocks),
            metrics=tuple(item for item, _ in self.metrics),
            calendar=self.calendars[0][0] if self.calendars else None,
            asking=self.askings[0][0] if self.askings else None,
        )


def _formula(metric: Derived) -> Arithmetic | FormulaFault:
    try:
        return parse_formula(metric.expression)
    except FormulaFault as fault:
        return fault


class Section(Generic[T]):
    """The items of one section over all files."""

    def __init__(self, shape: object, adapter: TypeAdapter[T]) -> None:
        self.items: list[tuple[T, Site]] = []
        self._shape = shape
        self._validate: Callable[[object], T] = partial(adapter.validate_python, strict=True)

    def read(self, source: Source, pointer: Pointer, data: object) -> list[Issue]:
        """Read one item and return what is wrong with it."""
        found = read_value(data, self._validate, self._shape, texts=source.texts, base=pointer)
        if isinstance(found, list):
            return [source.issue(problem) for problem in found]
        self.items.append((found, Site(source, pointer)))
        return []


AnySingle = Section[CalendarRules] | Section[AskingRules]
AnySection = (
    Section[Dataset]
    | Section[Relationship]
    | Section[Dimension]
    | Section[Hierarchy]
    | Section[Clock]
    | Section[Metric]
    | Section[PersonalTag]
)


class DraftReader:
    """Reads files one item at a time, so that one bad item hides no issue of another."""

    def __init__(self) -> None:
        self.issues: list[Issue] = []
        self.unread = False
        self._broken: set[tuple[str, str]] = set()
        self._datasets = Section(Dataset, TypeAdapter(Dataset))
        self._relationships = Section(Relationship, TypeAdapter(Relationship))
        self._dimensions = Section(Dimension, TypeAdapter(Dimension))
        self._hierarchies = Section(Hierarchy, TypeAdapter(Hierarchy))
        self._clocks = Section(Clock, TypeAdapter(Clock))
        self._metrics: Section[Metric] = Section(Metric, TypeAdapter(Metric))
        self._personal = Section(PersonalTag, TypeAdapter(PersonalTag))
        self._calendars = Section(CalendarRules, TypeAdapter(CalendarRules))
        self._askings = Section(AskingRules, TypeAdapter(AskingRules))

    def read_folder(self, folder: Path) -> Draft:
        """Read every YAML file of a folder."""
        for path in yaml_files(folder):
            name = path.relative_to(folder.parent).as_posix()
            self.take(read_source(path, name, as_far_as_it_goes=True))
        return self.draft()

    def take(self, source: Source | list[Issue]) -> None:
        """Read the items of one file as far as it could be read; what stands in the rest nobody knows."""
        if isinstance(source, Source):
            self.issues.extend(source.issues)
            self.add(source)
        else:
            self.issues.extend(source)
            self.unread = True

    def add(self, source: Source) -> None:
        """Read the items of one file."""
        if not isinstance(source.data, dict):
            problem = Problem((), "wrong_type", "A definition file holds sections.", next_step=self._known())
            self.issues.append(source.issue(problem))
            return
        for name, data in source.data.items():
            section = self._sections().get(name)
            if name in self._singles():
                self.issues.extend(self._singles()[name].read(source, (name,), data))
            elif section is None:
                self._unknown(source, name)
            elif isinstance(data, tuple):
                for index, item in enumerate(data):
                    self._note(section.read(source, (name, index), item), name, item)
            elif data is not None:
                message = f"The section {name} must be a list."
                problem = Problem((name,), "wrong_type", message, next_step="Begin each item with `- `.")
                self.issues.append(source.issue(problem))

    def draft(self) -> Draft:
        """Return what was read."""
        return Draft(
            datasets=tuple(self._datasets.items),
            relationships=tuple(self._relationships.items),
            dimensions=tuple(self._dimensions.items),
            hierarchies=tuple(self._hierarchies.items),
            clocks=tuple(self._clocks.items),
            metrics=tuple(self._metrics.items),
            personal=tuple(self._personal.items),
            calendars=tuple(self._calendars.items),
            askings=tuple(self._askings.items),
            broken=frozenset(self._broken),
        )

    def _sections(self) -> dict[str, AnySection]:
        return {
            "datasets": self._datasets,
            "relationships": self._relationships,
            "dimensions": self._dimensions,
            "hierarchies": self._hierarchies,
            "clocks": self._clocks,
            "metrics": self._metrics,
            "personal": self._personal,
        }

    def _singles(self) -> dict[str, AnySingle]:
        return {"calendar": self._calendars, "asking": self._askings}

    def _note(self, issues: list[Issue], section: str, item: object) -> None:
        """Keep the issues of an item, and its name: a broken item is not an unknown one."""
        self.issues.extend(issues)
        if issues:
            self._broken.add((section, str(item.get("name")) if isinstance(item, dict) else ""))

    def _unknown(self, source: Source, name: str) -> None:
        candidates = near(name, (*self._sections(), *self._singles()))
        step = f"Did you mean {candidates[0]}?" if candidates else self._known()
        message = f"The key {name!r} is not known here."
        self.issues.append(source.issue(Problem((name,), "unknown_key", message, name, candidates, step)))

    def _known(self) -> str:
        return f"Sections: {', '.join((*self._sections(), *self._singles()))}."
