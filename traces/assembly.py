"""The records of one question, put together again."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from traces.records import AnswerAttempt, AnyRecord, Close, Hold, Judgement, Open, Trace


def assemble(records: Iterable[AnyRecord]) -> Trace | None:
    """Return the trace that records make up, in order of time; None when the opening one is missing."""
    dated: Sequence[AnyRecord] = sorted(records, key=_when)
    opened = next((record for record in dated if isinstance(record, Open)), None)
    if opened is None:
        return None
    closes = [record for record in dated if isinstance(record, Close)]
    return Trace(
        trace_id=opened.trace_id,
        opened=opened,
        holds=tuple(record for record in dated if isinstance(record, Hold)),
        judgements=tuple(record for record in dated if isinstance(record, Judgement)),
        attempts=tuple(record for record in dated if isinstance(record, AnswerAttempt)),
        closed=closes[-1] if closes else None,
    )


def _when(record: AnyRecord) -> datetime:
    return record.at if record.at.tzinfo else record.at.replace(tzinfo=UTC)
