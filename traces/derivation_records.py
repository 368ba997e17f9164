"""A figure that an agent declares and code computes."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from metric_layer.record import Record


class Derivation(Record):
    """A value the agent declares and code computes, typed by `op`, over named cells.

    ops: difference(a, b), pct_change(new, old), pp_change(new, old), ratio(num, den), share(part, whole),
    sum|mean|min|max(of), count_rows(where), count_distinct(col), rank(row, col, order).
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=50)]
    op: Literal[
        "difference",
        "pct_change",
        "pp_change",
        "ratio",
        "share",
        "sum",
        "mean",
        "min",
        "max",
        "count_rows",
        "count_distinct",
        "rank",
    ]
    args: Mapping[str, Any] = {}
