"""What a look for personal data reports: counts, shares and places; never a value."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from gateway.discovery.kinds import Kind
from metric_layer.record import Record

DriftKind = Literal["new_column", "changed_pattern", "gone_column"]

NO_COLUMN = "sample_no_column"
"""The code of a column that the layer names and the database does not have."""


class Evidence(Record):
    """Why something is suggested: what the name says, and how many percent of the sample have the form."""

    name: str = ""
    form: str = ""
    percent: int = 0


class Suggestion(Record):
    """A column that seems to hold personal data. It changes nothing before a data owner accepts it.

    `confidence` is between 0 and 1, `tagged` what the column is tagged now: `none` where an owner said so.
    """

    column: str
    kind: Kind
    tag: str
    confidence: float
    sampled: int
    evidence: Evidence
    tagged: str = ""


class ColumnProfile(Record):
    """What the sampled values of a column look like, in percent by kind."""

    column: str
    type: str
    sampled: int
    percent: Mapping[Kind, int] = {}


class Unread(Record):
    """A column or table that could not be looked at; `code` says why."""

    place: str
    code: str


class Drift(Record):
    """Something that is not as it was at the last look; `tagged` is what an owner said of the column."""

    column: str
    drift: DriftKind
    was: str = ""
    now: str = ""
    tagged: str = ""


class DiscoveryReport(Record):
    """One look: what is suggested, what each column looks like, and what could not be read.

    `unlisted` are columns of the database that the layer does not name, so that nobody can ask for them.
    `drift` is what changed since the look before, where there was one.
    """

    at: datetime
    rows: int
    suggestions: tuple[Suggestion, ...] = ()
    profiles: tuple[ColumnProfile, ...] = ()
    unlisted: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    drift: tuple[Drift, ...] = ()

    @property
    def open(self) -> tuple[Suggestion, ...]:
        """Return what nobody has decided about."""
        return tuple(each for each in self.suggestions if not each.tagged)


class SuggestionList(Record):
    """What the last look suggested, with what owners said since; `at` is None where nobody looked.

    `rechecked` is when it was looked again, `drift` what had changed by then, and `unread` what could not be
    looked at then.
    """

    at: datetime | None = None
    suggestions: tuple[Suggestion, ...] = ()
    rechecked: datetime | None = None
    drift: tuple[Drift, ...] = ()
    unread: tuple[Unread, ...] = ()
