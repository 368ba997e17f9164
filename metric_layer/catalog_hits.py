"""What a search of the catalogue finds, as it is told: whoever reads it needs no parser of SQL."""

from typing import Literal

from metric_layer.record import Record

Kind = Literal["metric", "dimension", "value", "example", "analysis"]


class CatalogHit(Record):
    """One entry that a search found.

    `name` is the metric's, the dimension's (for a value: its dimension's), the example's or the analysis'.
    `metrics` are those it goes with, `dimensions` what a metric can be asked by, `tables` what the entry is
    counted in.
    """

    kind: Kind
    name: str
    text: str
    value: str = ""
    metrics: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    score: float = 0.0
