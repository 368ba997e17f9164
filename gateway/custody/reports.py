"""What became of an act of custody, as every door says it."""

from pydantic import Field

from metric_layer.record import Record


class Erasure(Record):
    """A subject was erased: keys destroyed, and rows that went from each store."""

    subject: str
    keys: int
    purged: dict[str, int]


class NamedTrace(Record):
    """A trace in whose words somebody is named; `subject` is who asked."""

    trace_id: str
    at: str
    subject: str


class NamedTraces(Record):
    """Where a text stands. `read` traces were looked through; `closed` ones are erased or damaged."""

    traces: tuple[NamedTrace, ...]
    read: int
    closed: int = 0


class TraceErasure(Record):
    """A trace was erased, or would be: the keys of its words are destroyed, and with them other words.

    `traces` is how many lose words, this one included; `subjects` are whose keys they were.
    """

    trace_id: str
    keys: int
    traces: int
    subjects: tuple[str, ...]
    purged: dict[str, int] = Field(default_factory=dict)
    dry_run: bool = False


class HoldOnSubject(Record):
    """Whether a legal hold stands on a subject now, and whether that is new."""

    subject: str
    held: bool
    changed: bool


class KeptSegment(Record):
    """A closed segment that is old enough and stays, and why."""

    segment: str
    why: str


class Retirement(Record):
    """Segments that were deleted, or would be, how many records they held, and what had to stay."""

    days: int
    deleted: tuple[str, ...] = ()
    records: int = 0
    kept: tuple[KeptSegment, ...] = ()
    dry_run: bool = False


class Rotation(Record):
    """New keys by kind; `next_step` says what has to be started again to use them."""

    kinds: tuple[str, ...]
    key_ids: tuple[str, ...] = ()
    next_step: str = ""
