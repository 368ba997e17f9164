"""The data as records name it: a value of a row, and what all of it was when it was read."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from metric_layer.record import Record

Value = bool | int | float | Decimal | date | datetime | str | None


class DataReference(Record):
    """What the data was: a content hash, a snapshot or a time; `none` where the engine cannot say."""

    kind: Literal["content_hash", "snapshot", "timestamp", "none"]
    value: str = ""
