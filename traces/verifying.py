"""All logs of a store, checked together: against each other, receipts, checkpoints and what was retired."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from traces.chain import Damage, Segment, Verified, verify
from traces.checkpoint import Checkpoint
from traces.custody_records import Retired
from traces.damage import SAID, DamageKind
from traces.frame import ChainKey, read_line
from traces.questions import QuestionOrder
from traces.records import Receipt

_RETIRED = b'"kind":"retired"'
_LOOKS = 20


@dataclass(frozen=True, slots=True)
class Evidence:
    """What logs are held against besides themselves; `forged` are notes that none of our keys signed."""

    receipts: Sequence[Receipt] = ()
    checkpoints: Sequence[Checkpoint] = ()
    forged: Sequence[Damage] = field(default=())


def settled(look: Callable[[], tuple[Verified | Damage, ...]]) -> tuple[Verified | Damage, ...]:
    """Return the verdicts of files that may be written meanwhile: damage is what two looks on end find alike.

    One look can meet a writer half-way through a line, or a segment that its writer took back.
    """
    seen: tuple[Damage, ...] = ()
    for _ in range(_LOOKS):
        try:
            verdicts = look()
        except FileNotFoundError:
            continue
        damage = tuple(verdict for verdict in verdicts if isinstance(verdict, Damage))
        if damage == seen:
            return verdicts
        seen = damage
    return look()


def verify_logs(
    logs: Mapping[str, Sequence[Segment]], key: ChainKey, evidence: Evidence
) -> tuple[Verified | Damage, ...]:
    """Return one verdict for each log, also for one that is gone but left a receipt or a checkpoint.

    The first segments of a log may be gone where a checkpoint vouches for them and a log that is whole
    holds the record of their deletion. Verdicts on checkpoints that nobody signed follow.
    """
    order = QuestionOrder()
    verdicts = {log: _verdict(log, segments, key, evidence, order) for log, segments in logs.items()}
    whole = [log for log, verdict in verdicts.items() if isinstance(verdict, Verified)]
    if any(verdict.retired for verdict in verdicts.values() if isinstance(verdict, Verified)):
        allowed = set(_retirements(segment for log in whole for segment in logs[log]))
        for log in whole:
            verdicts[log] = _accounted(verdicts[log], allowed, logs[log][0])
    for receipt in evidence.receipts:
        verdicts.setdefault(receipt.log, _gone(receipt.log, receipt.seq, "cut_tail"))
    for checkpoint in evidence.checkpoints:
        verdicts.setdefault(checkpoint.log, _gone(checkpoint.log, 0, "missing"))
    return (*verdicts.values(), *evidence.forged)


def _verdict(
    log: str, segments: Sequence[Segment], key: ChainKey, evidence: Evidence, order: QuestionOrder
) -> Verified | Damage:
    receipts = [receipt for receipt in evidence.receipts if receipt.log == log]
    checkpoints = [checkpoint for checkpoint in evidence.checkpoints if checkpoint.log == log]
    return verify(segments, key, receipts, order, checkpoints)


def _retirements(segments: Iterable[Segment]) -> Iterable[tuple[str, int, str]]:
    """Yield which log was shortened to begin at which record, after which chain hash."""
    for segment in segments:
        lines, _ = segment.lines()
        for raw in lines:
            line = read_line(raw)
            if line is None or _RETIRED not in line.body:
                continue
            try:
                record = Retired.model_validate_json(line.body)
            except ValidationError:
                continue
            yield from ((one.log, one.first + one.records, one.head) for one in record.segments)


def _accounted(
    verdict: Verified | Damage, allowed: set[tuple[str, int, str]], first: Segment
) -> Verified | Damage:
    if isinstance(verdict, Damage) or not verdict.retired:
        return verdict
    if (verdict.log, verdict.retired, verdict.retired_head) in allowed:
        return verdict
    return _gone(verdict.log, 0, "missing", first.label)


def _gone(log: str, seq: int, kind: DamageKind, segment: str = "") -> Damage:
    return Damage(log=log, seq=seq, segment=segment, line=0, kind=kind, message=SAID[kind])
