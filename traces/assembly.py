"""The records of a question, put together again."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from traces.records import AnswerAttempt, AnyRecord, Close, Hold, Judgement, Open, Trace


def assemble(records: Iterable[AnyRecord]) -> Trace | None:
    """Return the trace that records, in order of writing, make up; None when the opening one is missing.

    What was written first counts as the opening and as the close, whatever time a later one claims.
    """
    written = tuple(records)
    opened = next((record for record in written if isinstance(record, Open)), None)
    if opened is None:
        return None
    dated: Sequence[AnyRecord] = sorted(written, key=_when)
    return Trace(
        trace_id=opened.trace_id,
        opened=opened,
        holds=tuple(record for record in dated if isinstance(record, Hold)),
        judgements=tuple(record for record in dated if isinstance(record, Judgement)),
        attempts=tuple(record for record in dated if isinstance(record, AnswerAttempt)),
        closed=next((record for record in written if isinstance(record, Close)), None),
    )


def questions(records: Iterable[AnyRecord]) -> Iterator[tuple[Open, Close | None]]:
    """Yield each question with its close, in the order they closed; last those that never did."""
    opened: dict[str, Open] = {}
    for record in records:
        if isinstance(record, Open):
            opened[record.trace_id] = record
        elif isinstance(record, Close) and record.trace_id in opened:
            yield opened.pop(record.trace_id), record
    yield from ((question, None) for question in opened.values())


def _when(record: AnyRecord) -> datetime:
    return record.at if record.at.tzinfo else record.at.replace(tzinfo=UTC)
