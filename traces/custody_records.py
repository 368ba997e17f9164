"""What was done with traces, their keys and their access, by whose order: erased, held, unsealed, replayed.

`by` is the pseudonym of who ordered it; their reason is sealed under their own key.
"""

from datetime import datetime
from typing import Literal

from metric_layer.record import Record
from traces.log_records import FORMAT


class Erased(Record):
    """A subject's keys were destroyed: what they sealed can be read by nobody any more.

    `of` is the trace that was to go, where it was not all of the subject.
    """

    kind: Literal["erased"] = "erased"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    subject: str
    key_ids: tuple[str, ...]
    of: str = ""


class LegalHold(Record):
    """Nothing of a subject may be erased from here on, or, where `released`, it may again."""

    kind: Literal["legal_hold"] = "legal_hold"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    subject: str
    released: bool = False


class Unsealed(Record):
    """Somebody read another person's texts; on disk before they saw any. `of` is the trace."""

    kind: Literal["unsealed"] = "unsealed"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    of: str
    subject: str


class UnsealedBatch(Record):
    """Somebody had the texts of many traces read by a program; on disk before it read any.

    `traces` says how many there are and `ids` is the hash of their ids in order; `since` is the first day.
    """

    kind: Literal["unsealed_batch"] = "unsealed_batch"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    since: str = ""
    traces: int
    ids: str


class Impersonated(Record):
    """Somebody had the query of another person's trace run with that person's access, to replay it.

    On disk before it runs. `of` is the trace, `subject` whose access it is.
    """

    kind: Literal["impersonated"] = "impersonated"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    of: str
    subject: str


class RetiredSegment(Record):
    """A segment that is gone: its number in its log, its first record and how many there were."""

    log: str
    number: int
    segment: str
    first: int
    records: int
    head: str


class Retired(Record):
    """Closed segments older than `days` were deleted; written before they are."""

    kind: Literal["retired"] = "retired"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    days: int
    segments: tuple[RetiredSegment, ...]


class KeysRotated(Record):
    """New keys are in force from here on. `kinds` says of what; `key_ids` are those that have one."""

    kind: Literal["keys_rotated"] = "keys_rotated"
    v: int = FORMAT
    at: datetime
    by: str
    sealed_reason: str = ""
    kinds: tuple[str, ...]
    key_ids: tuple[str, ...] = ()
