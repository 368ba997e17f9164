"""What a log says about itself: where each segment begins, and what a recovery cut off."""

from datetime import datetime
from typing import Literal

from metric_layer.record import Record

FORMAT = 3
"""The format that is written. 1 kept plans, SQL and citations in clear; 2 said less of how a query ran."""


class Recovered(Record):
    """Written at start when a torn tail was cut: how many bytes, and their hash."""

    kind: Literal["recovered"] = "recovered"
    v: int = FORMAT
    at: datetime
    segment: str
    cut_bytes: int
    cut_sha256: str


class SegmentStart(Record):
    """The first line of every segment: which one it is, its own number in the chain, the hash before it.

    `after_failed_sync` means that the disk never confirmed the records from `first` on in earlier segments:
    they do not count, and those that mattered were written again here. `key_id` names the key of the chain.
    """

    kind: Literal["segment"] = "segment"
    v: int = FORMAT
    at: datetime
    log: str
    number: int
    first: int
    previous: str
    key_id: str = ""
    after_failed_sync: bool = False
