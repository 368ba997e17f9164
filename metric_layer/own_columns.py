"""Where a fact itself holds a dimension's value: its own column, or the key that leads to the dimension."""

from metric_layer.definitions import Dimension
from metric_layer.layer import Layer
from metric_layer.paths import find_path
from metric_layer.visible import Visible


def own_column(layer: Layer, dataset: str, dimension: Dimension) -> str | None:
    """Return the column of a dataset that holds a dimension's value row by row, or None.

    Where the dimension stands on the key that a path joins on, the fact's own side of that join is meant.
    """
    path = find_path(layer, dataset, dimension, Visible())
    if not isinstance(path, tuple):
        return None
    column = dimension.column
    for hop in reversed(path):
        if column not in hop.to_columns:
            return None
        column = hop.from_columns[hop.to_columns.index(column)]
    return column
