"""A definition in one line, as an option of a question back shows it."""

from metric_layer.definitions import Dimension, Metric
from metric_layer.issues import Option
from metric_layer.layer import Layer


def option_of(layer: Layer, name: str) -> Option:
    """Return a metric or dimension as an option, with its definition in one line."""
    return Option(name=name, description=one_line(layer.metrics.get(name) or layer.dimensions[name]))


def one_line(definition: Metric | Dimension) -> str:
    """Return `Net revenue, version 3: Gross less refunds.`"""
    text = " ".join(definition.description.split())
    return f"{definition.label or definition.name}, version {definition.version}{f': {text}' if text else ''}"
