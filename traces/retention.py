"""Which closed segments may go: old ones from the start of a log, that nobody and nothing still needs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from traces.custody_records import RetiredSegment
from traces.formats import RecordReader
from traces.frame import Line, read_line
from traces.log_records import SegmentStart
from traces.records import AnyRecord, Close, Open, QuestionRecord

_LEFT = "its questions have records in later segments"


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a segment: who asked which question, which were closed, and all that it touches.

    `begins` is its number and the chain hash before it, by its own first line; None without one.
    """

    segment: RetiredSegment
    begins: tuple[int, str] | None
    newest: datetime
    opened: Mapping[str, str]
    closed: frozenset[str]
    touched: frozenset[str]

    @property
    def end(self) -> tuple[int, str]:
        """Return the number after its last record, and the chain hash there."""
        return self.segment.first + self.segment.records, self.segment.head


@dataclass(frozen=True, slots=True)
class Wish:
    """What retention is asked for: records from before a moment, whom a legal hold protects."""

    before: datetime
    held: frozenset[str] = frozenset()


def contents_of(name: str, log: str, number: int, lines: Sequence[bytes]) -> Contents | None:
    """Return what a segment holds; None where no line is whole. Raises TraceDamaged."""
    framed = [line for line in map(read_line, lines) if line is not None]
    if not framed:
        return None
    reader = RecordReader()
    records = [reader.read(line.body, f"{name}, record {line.seq}") for line in framed]
    return Contents(
        segment=_account(name, log, number, framed),
        begins=next(((one.first, one.previous) for one in records if isinstance(one, SegmentStart)), None),
        newest=max(_utc(record.at) for record in records),
        opened={record.trace_id: record.subject for record in records if isinstance(record, Open)},
        closed=_ids(record for record in records if isinstance(record, Close)),
        touched=_ids(records),
    )


def may_go(
    log: Sequence[Contents], stays: Collection[str], vouched: Collection[tuple[int, str]], wish: Wish
) -> tuple[Sequence[Contents], str]:
    """Return the segments from the start of a log that may go, and why the next one may not.

    `log` holds all but the segment that is written, in order; `stays` are the questions with records in a
    segment that is none of these; `vouched` is where checkpoints were signed. No reason is given where the
    next segment is only too young.
    """
    for count in range(len(log), 0, -1):
        after = {*stays, *(each for later in log[count:] for each in later.touched)}
        if all(_why_not(each, log[:count], after, vouched, wish) == "" for each in log[:count]):
            return log[:count], _reason(log[count:], stays, vouched, wish)
    return (), _reason(log, stays, vouched, wish)


def _reason(
    log: Sequence[Contents], stays: Collection[str], vouched: Collection[tuple[int, str]], wish: Wish
) -> str:
    if not log or log[0].newest >= wish.before:
        return ""
    after = {*stays, *(each for later in log[1:] for each in later.touched)}
    return _why_not(log[0], log[:1], after, vouched, wish) or _LEFT


def _why_not(
    one: Contents,
    going: Sequence[Contents],
    after: Collection[str],
    vouched: Collection[tuple[int, str]],
    wish: Wish,
) -> str:
    """Return why a segment may not go together with those of `going`; empty where it may."""
    closed = {each for other in going for each in other.closed}
    if one.newest >= wish.before:
        return "it is too young"
    if any(subject in wish.held for subject in one.opened.values()):
        return "a legal hold stands on somebody who asked in it"
    if one.touched & set(after):
        return _LEFT
    if one.opened.keys() - closed:
        return "a question in it is still open"
    if one is going[-1] and one.end not in vouched:
        return "no checkpoint was signed at its end"
    return ""


def _account(name: str, log: str, number: int, framed: Sequence[Line]) -> RetiredSegment:
    first, last = framed[0], framed[-1]
    return RetiredSegment(
        log=log,
        number=number,
        segment=name,
        first=first.seq,
        records=last.seq - first.seq + 1,
        head=last.hash,
    )


def _ids(records: Iterable[AnyRecord]) -> frozenset[str]:
    return frozenset(record.trace_id for record in records if isinstance(record, QuestionRecord))


def _utc(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
