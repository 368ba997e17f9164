"""What an export is made of: questions as they are stored, with every private part still sealed."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from traces.assembly import questions
from traces.records import AnswerAttempt, AnyRecord, Close, Hold, Open


@dataclass(frozen=True, slots=True)
class Output:
    """A column of a result, and the (table, column) pairs that it is computed from."""

    name: str
    type: str
    sources: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reads:
    """What a query read: the columns of each table with their types, and where its own columns come from."""

    tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """One question as it is stored; `closed` is None while it is open. Drafts and holds are counted."""

    opened: Open
    closed: Close | None
    drafts: int = 0
    passed: int = 0
    holds: int = 0

    @property
    def ended(self) -> datetime:
        """When it ended; where it did not, when it began."""
        return self.closed.at if self.closed else self.opened.at

    @property
    def tool(self) -> str:
        """The verb that it came through, by the name of its MCP tool."""
        if self.opened.analysis is not None:
            return "run_saved_analysis"
        if self.opened.ask.dry_run:
            return "dry_run_plan"
        return "ask_question" if self.opened.sealed_question else "ask_metric"


def exported(
    records: Callable[[], Iterable[AnyRecord]], tenant: str, subject: str = "", since: datetime | None = None
) -> Iterator[Exported]:
    """Yield the questions of a tenant, or of one of its subjects, in the order they ended.

    `records` gives the records of a store as they are stored, and is read twice. Raises TraceDamaged.
    """
    drafts, passed, holds = Counter[str](), Counter[str](), Counter[str]()
    for record in records():
        match record:
            case AnswerAttempt():
                drafts[record.trace_id] += 1
                passed[record.trace_id] += record.passed
            case Hold():
                holds[record.trace_id] += 1
    for opened, closed in questions(records()):
        asked = opened.tenant == tenant and subject in ("", opened.subject)
        if asked and (since is None or utc(opened.at) >= since):
            key = opened.trace_id
            yield Exported(opened, closed, drafts[key], passed[key], holds[key])


def utc(at: datetime) -> datetime:
    """Return a time in UTC."""
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def uuid_of(trace_id: str) -> str:
    """Return a trace id in the usual spelling of a UUID."""
    return str(UUID(hex=trace_id))
