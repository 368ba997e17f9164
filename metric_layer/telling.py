"""A value of a definition in one line, as its owner would say it."""

from collections.abc import Mapping
from decimal import Decimal

from metric_layer.definitions import Span
from metric_layer.plan import Filter
from metric_layer.record import Record


def json_kind(value: object) -> str:
    """Return what a reader of JSON calls the kind of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float() | Decimal():
            return "number"
        case str():
            return "text"
        case Mapping():
            return "object"
        case list() | tuple():
            return "list"
    return type(value).__name__


def told(value: object) -> str:
    """Return a filter as a condition, a span as a length, a list with commas; nothing is an empty text."""
    match value:
        case None | "" | ():
            return ""
        case bool():
            return "yes" if value else "no"
        case Filter():
            return f"{value.field} {value.op} {told(value.values)}".rstrip()
        case Span():
            unit = value.unit.replace("_", " ")
            return f"{value.count} {unit}" if value.count == 1 else f"{value.count} {unit}s"
        case Record():
            return ", ".join(f"{key} {told(part)}" for key, part in value if told(part))
        case tuple():
            mark = "; " if any(isinstance(part, (Record, tuple)) for part in value) else ", "
            return mark.join(told(part) for part in value)
    return str(value)
