"""Definitions -> an Ossie document of the flat shape; what Ossie has no place for stands in one extension."""

from collections.abc import Iterable, Mapping

from metric_layer.definitions import (
    TIME_TYPES,
    Column,
    ColumnType,
    Dataset,
    Dimension,
    Document,
    Relationship,
)
from metric_layer.interchange.ossie_sql import MetricSql, Rendered
from metric_layer.interchange.writing import json_text
from metric_layer.record import Record

VENDOR = "cellbound"
VERSION = "0.2.0.dev0"
FORMAT = 1
LAYER_SECTIONS = ("dimensions", "hierarchies", "clocks")
DATATYPES: Mapping[ColumnType, str] = {
    "string": "String",
    "integer": "Integer",
    "decimal": "Decimal",
    "float": "Float",
    "boolean": "Boolean",
    "date": "Date",
    "timestamp": "DateTime",
    "timestamptz": "DateTimeTz",
}
Plain = dict[str, object]


def ossie_document(document: Document, name: str, policies: Mapping[str, object] | None = None) -> Plain:
    """Return definitions as an Ossie document: plain values, ready to be written.

    `policies` is what a reader should know of who may see what; it is carried, not enforced, by the document.
    """
    sql = MetricSql(document)
    rendered = {metric.name: sql.of(metric.name) for metric in document.metrics}
    metrics = tuple(_metric(metric, rendered[metric.name]) for metric in document.metrics)
    requires = sorted(frozenset().union(*(each.requires for each in rendered.values())))
    layer: Plain = {"format": FORMAT, "requires": tuple(requires)}
    for section in LAYER_SECTIONS:
        layer[section] = tuple(definition(each) for each in getattr(document, section))
    layer |= singles_of(document)
    if policies:
        layer["policies"] = dict(policies)
    return {
        "version": VERSION,
        "name": name,
        "datasets": tuple(_dataset(each, document.dimensions) for each in document.datasets),
        "relationships": tuple(_relationship(each) for each in document.relationships),
        "metrics": metrics,
        "custom_extensions": _extension(layer),
    }


def requirements_of(document: Document) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (metric, what a reader must understand) for every metric whose SQL the document withholds."""
    sql = MetricSql(document)
    found = ((metric.name, tuple(sorted(sql.of(metric.name).requires))) for metric in document.metrics)
    return tuple((name, requires) for name, requires in found if requires)


def singles_of(document: Document) -> Plain:
    """Return what a project says once, as plain values."""
    found = {"calendar": document.calendar, "asking": document.asking}
    return {name: definition(rules) for name, rules in found.items() if rules is not None}


def definition(record: Record) -> Plain:
    """Return a definition as plain values, without what is as it is by default."""
    return record.model_dump(exclude_defaults=True, by_alias=True)


def _extension(data: Mapping[str, object]) -> tuple[Plain, ...]:
    return ({"vendor_name": VENDOR, "data": json_text(data)},)


def _spoken(pairs: Iterable[tuple[str, object]]) -> Plain:
    return {key: value for key, value in pairs if value}


def _dataset(dataset: Dataset, dimensions: Iterable[Dimension]) -> Plain:
    """A personal column is no field: a reader that knows no tags would show it."""
    grouped: dict[str, Dimension] = {}
    for dimension in dimensions:
        if dimension.dataset == dataset.name and not dimension.via:
            grouped.setdefault(dimension.column, dimension)
    fields = (_field(each, grouped.get(each.name)) for each in dataset.columns if not each.personal)
    return {
        "name": dataset.name,
        "source": dataset.relation,
        **_spoken(
            (
                ("primary_key", dataset.primary_key),
                ("unique_keys", dataset.unique_keys),
                ("description", dataset.description),
            )
        ),
        "fields": tuple(fields),
        "custom_extensions": _extension({"definition": definition(dataset)}),
    }


def _field(column: Column, dimension: Dimension | None) -> Plain:
    found: Plain = {
        "name": column.name,
        "expression": _expression(_name(column.name)),
        "datatype": DATATYPES[column.type],
    }
    if dimension is not None:
        found["dimension"] = {"is_time": column.type in TIME_TYPES}
        found |= _spoken((("label", dimension.label), ("ai_context", _synonyms(dimension.synonyms))))
    return found | _spoken((("description", (dimension and dimension.description) or column.description),))


def _relationship(edge: Relationship) -> Plain:
    return {
        "name": edge.name,
        "from": edge.from_dataset,
        "to": edge.to_dataset,
        "from_columns": edge.from_columns,
        "to_columns": edge.to_columns,
        "custom_extensions": _extension({"definition": definition(edge)}),
    }


def _metric(metric: Record, found: Rendered) -> Plain:
    said = definition(metric)
    return {
        "name": said["name"],
        "expression": _expression(found.shown),
        "description": said["description"],
        **_spoken((("ai_context", _synonyms(said.get("synonyms"))),)),
        "custom_extensions": _extension({"requires": tuple(sorted(found.requires)), "definition": said}),
    }


def _expression(sql: str) -> Plain:
    return {"dialects": ({"dialect": "ANSI_SQL", "expression": sql},)}


def _synonyms(words: object) -> Plain | None:
    return {"synonyms": words} if words else None


def _name(column: str) -> str:
    plain = column.isidentifier() and column.isascii()
    return column if plain else '"' + column.replace('"', '""') + '"'
