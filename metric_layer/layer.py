"""The definitions of a project, indexed, hashed and immutable: one set of meanings per question."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from types import MappingProxyType
from typing import Literal, TypeVar

from metric_layer.arithmetic import parse_formula
from metric_layer.asking import AskingRules
from metric_layer.calendar import Calendar
from metric_layer.definitions import (
    Aggregate,
    CalendarRules,
    Clock,
    ColumnType,
    Dataset,
    Derived,
    Dimension,
    Document,
    Hierarchy,
    Metric,
    Relationship,
)
from metric_layer.expression import Scalar, column_scalar, parse_scalar, quoted
from metric_layer.record import Record
from metric_layer.resolved import Arithmetic, Hop
from metric_layer.vocabulary import folded

Kind = Literal["metric", "dimension", "dataset", "relationship", "clock", "hierarchy"]
NamedT = TypeVar("NamedT", Dataset, Relationship, Dimension, Clock, Hierarchy, Metric)


@dataclass(frozen=True)
class Layer:
    """All definitions by name.

    `hops` are the steps a walk may take from a dataset; `to_one_sources` names, for each dataset, every
    dataset that reaches it over many-to-one steps alone; `terms` maps names, labels and synonyms to names;
    `senses` maps each label and synonym, folded, to every name it may stand for.
    """

    datasets: Mapping[str, Dataset]
    relationships: Mapping[str, Relationship]
    dimensions: Mapping[str, Dimension]
    metrics: Mapping[str, Metric]
    clocks: Mapping[str, Clock]
    hierarchies: Mapping[str, Hierarchy]
    calendar: Calendar
    asking: AskingRules
    digest: str
    column_types: Mapping[str, Mapping[str, ColumnType]] = field(repr=False)
    scalars: Mapping[tuple[str, str], Scalar] = field(repr=False)
    formulas: Mapping[str, Arithmetic] = field(repr=False)
    hops: Mapping[str, tuple[Hop, ...]] = field(repr=False)
    to_one_sources: Mapping[str, frozenset[str]] = field(repr=False)
    terms: Mapping[str, str] = field(repr=False)
    senses: Mapping[str, tuple[str, ...]] = field(repr=False)
    _digests: Mapping[tuple[Kind, str], str] = field(repr=False)

    def digest_of(self, kind: Kind, name: str) -> str:
        """Return the content hash of one definition. Raises KeyError for a name the layer does not hold."""
        return self._digests[kind, name]

    def document(self) -> Document:
        """Return the definitions as one document; `build_layer` makes the same layer of it."""
        return Document(
            datasets=tuple(self.datasets.values()),
            relationships=tuple(self.relationships.values()),
            dimensions=tuple(self.dimensions.values()),
            hierarchies=tuple(self.hierarchies.values()),
            clocks=tuple(self.clocks.values()),
            metrics=tuple(self.metrics.values()),
            calendar=self.calendar.rules,
            asking=self.asking,
        )

    def dimension_type(self, dimension: Dimension) -> ColumnType:
        """Return the type of a dimension's column."""
        return self.column_types[dimension.dataset][dimension.column]

    def zone_of(self, dimension: Dimension) -> str:
        """Return the zone that a dimension's timestamps were written in."""
        columns = self.datasets[dimension.dataset].columns
        own = next(column.time_zone for column in columns if column.name == dimension.column)
        return own or self.calendar.rules.time_zone


def build_layer(document: Document) -> Layer:
    """Index definitions that satisfy every rule; the order of files and lists does not matter."""
    datasets, relationships = _by_name(document.datasets), _by_name(document.relationships)
    dimensions, clocks = _by_name(document.dimensions), _by_name(document.clocks)
    hierarchies = _by_name(document.hierarchies)
    metrics: Mapping[str, Metric] = MappingProxyType({m.name: m for m in sorted(document.metrics, key=_name)})
    calendar = Calendar(document.calendar or CalendarRules())
    asking = document.asking or AskingRules()
    types = {name: column_types(dataset) for name, dataset in datasets.items()}
    hops = _hops(relationships.values(), datasets)
    digests = _digests(
        {
            "dataset": datasets,
            "relationship": relationships,
            "dimension": dimensions,
            "metric": metrics,
            "clock": clocks,
            "hierarchy": hierarchies,
        }
    )
    lines = "\n".join(f"{kind} {name} {digest}" for (kind, name), digest in sorted(digests.items()))
    return Layer(
        datasets=datasets,
        relationships=relationships,
        dimensions=dimensions,
        metrics=metrics,
        clocks=clocks,
        hierarchies=hierarchies,
        calendar=calendar,
        asking=asking,
        digest=sha256(
            f"{lines}\ncalendar {calendar.digest}\nasking {asking.model_dump_json(by_alias=True)}".encode()
        ).hexdigest(),
        column_types=types,
        scalars=_scalars(metrics.values(), datasets),
        formulas={m.name: parse_formula(m.expression) for m in metrics.values() if isinstance(m, Derived)},
        hops=hops,
        to_one_sources=_to_one_sources(hops),
        terms=_terms(metrics.values(), dimensions.values()),
        senses=_senses(metrics.values(), dimensions.values()),
        _digests=digests,
    )


def _scalars(metrics: Iterable[Metric], datasets: Mapping[str, Dataset]) -> Mapping[tuple[str, str], Scalar]:
    found: dict[tuple[str, str], Scalar] = {}
    for metric in metrics:
        if isinstance(metric, Aggregate) and (metric.dataset, scalar_text(metric)) not in found:
            dataset = datasets[metric.dataset]
            scalar = scalar_of(metric, column_types(dataset), column_scales(dataset))
            found[metric.dataset, scalar_text(metric)] = scalar
    return MappingProxyType(found)


def column_types(dataset: Dataset) -> Mapping[str, ColumnType]:
    """Return the type of each column of a dataset."""
    return {column.name: column.type for column in dataset.columns}


def column_scales(dataset: Dataset) -> Mapping[str, Decimal]:
    """Return the scale of each column that has one."""
    return {column.name: column.scale for column in dataset.columns if column.scale is not None}


def scalar_text(metric: Aggregate) -> str:
    """Return the SQL text of what an aggregate aggregates; empty for a count of rows."""
    return quoted(metric.column) if metric.column else metric.expression.strip()


def scalar_of(metric: Aggregate, types: Mapping[str, ColumnType], scales: Mapping[str, Decimal]) -> Scalar:
    """Return what an aggregate aggregates, parsed; a count of rows is a literal. Raises ExpressionFault."""
    if metric.column:
        return column_scalar(metric.column, types[metric.column], scales.get(metric.column))
    return parse_scalar(scalar_text(metric) or "1", types, scales)


def _name(record: Dataset | Relationship | Dimension | Clock | Hierarchy | Metric) -> str:
    return record.name


def _by_name(records: Iterable[NamedT]) -> Mapping[str, NamedT]:
    return MappingProxyType({record.name: record for record in sorted(records, key=_name)})


def _hops(
    relationships: Iterable[Relationship], datasets: Mapping[str, Dataset]
) -> Mapping[str, tuple[Hop, ...]]:
    steps: dict[str, list[Hop]] = {name: [] for name in datasets}
    for edge in relationships:
        steps[edge.from_dataset].append(
            Hop(
                edge.name,
                edge.from_dataset,
                edge.to_dataset,
                edge.from_columns,
                edge.to_columns,
                to_many=False,
            )
        )
        back_to_many = edge.cardinality == "many_to_one"
        steps[edge.to_dataset].append(
            Hop(
                edge.name,
                edge.to_dataset,
                edge.from_dataset,
                edge.to_columns,
                edge.from_columns,
                back_to_many,
            )
        )
    return MappingProxyType({name: tuple(found) for name, found in steps.items()})


def _to_one_sources(hops: Mapping[str, tuple[Hop, ...]]) -> Mapping[str, frozenset[str]]:
    backwards: dict[str, list[str]] = {name: [] for name in hops}
    for steps in hops.values():
        for hop in steps:
            if not hop.to_many:
                backwards[hop.to_dataset].append(hop.from_dataset)
    return {name: _closure(name, backwards) for name in hops}


def _closure(start: str, edges: Mapping[str, list[str]]) -> frozenset[str]:
    seen, waiting = {start}, [start]
    while waiting:
        fresh = [name for name in edges[waiting.pop()] if name not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return frozenset(seen)


def _terms(metrics: Iterable[Metric], dimensions: Iterable[Dimension]) -> Mapping[str, str]:
    """Every word a person may use for a metric or dimension, with the governed name it stands for."""
    terms: dict[str, str] = {}
    for record in (*metrics, *dimensions):
        terms.update({word: record.name for word in (*record.synonyms, record.label) if word})
    names = {record.name: record.name for record in (*metrics, *dimensions)}
    return MappingProxyType(terms | names)


def _senses(metrics: Iterable[Metric], dimensions: Iterable[Dimension]) -> Mapping[str, tuple[str, ...]]:
    """Return what each label and synonym may stand for, in the order of names."""
    found: dict[str, dict[str, None]] = {}
    for record in (*metrics, *dimensions):
        for word in (*record.synonyms, record.label):
            if word:
                found.setdefault(folded(word), {})[record.name] = None
    return MappingProxyType({word: tuple(sorted(names)) for word, names in found.items()})


def _digests(groups: Mapping[Kind, Mapping[str, Record]]) -> Mapping[tuple[Kind, str], str]:
    return {
        (kind, name): sha256(record.model_dump_json().encode()).hexdigest()
        for kind, records in groups.items()
        for name, record in records.items()
    }
