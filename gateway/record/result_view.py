"""The rows of one's own answer as every door gives them."""

from datetime import datetime

from gateway.json_cells import JsonCell
from metric_layer.record import Record
from metric_layer.resolved import OutputColumn
from policies.summary import Summary


class ResultView(Record):
    """The rows of one's own answer as policy shows them, and until when (UTC) they are kept.

    `row_count` counts the whole result and `summary` sums it up. `row_numbers` are the 0-based places of the
    rows in it, left empty where they are its first ones. Decimals are strings.
    """

    trace_id: str
    kept_until: datetime
    columns: tuple[OutputColumn, ...] = ()
    rows: tuple[tuple[JsonCell, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    limit_source: str = ""
    row_numbers: tuple[int, ...] = ()
    summary: Summary | None = None
