"""The metrics and dimensions that exist for a caller."""

from metric_layer.expand import leaf_datasets
from metric_layer.layer import Layer
from metric_layer.visible import Visible


def metric_visible(layer: Layer, name: str, visible: Visible) -> bool:
    """Say whether a metric exists for a caller: its name and every dataset it aggregates may be seen."""
    if name not in layer.metrics or not visible.metric(name):
        return False
    return visible.datasets is None or leaf_datasets(layer, name) <= visible.datasets


def visible_metrics(layer: Layer, visible: Visible) -> tuple[str, ...]:
    """Return the names of the metrics that exist for a caller."""
    return tuple(name for name in layer.metrics if metric_visible(layer, name, visible))


def visible_dimensions(layer: Layer, visible: Visible) -> tuple[str, ...]:
    """Return the names of the dimensions that exist for a caller."""
    return tuple(name for name, dimension in layer.dimensions.items() if visible.dimension(dimension))
