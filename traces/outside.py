"""What somebody without the project's keys can check: segments against signed checkpoints and receipts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from traces.chain import Damage, Segment, Verified, claimed_start
from traces.checkpoint import Checkpoint
from traces.damage import SAID, DamageKind
from traces.frame import GENESIS, read_line
from traces.merkle import MerkleTree, leaf_hash
from traces.records import Receipt


class _Place(NamedTuple):
    """A line as it stands: where, which record it should be, its bytes."""

    segment: str
    line: int
    seq: int
    raw: bytes


def verify_outside(
    logs: Mapping[str, Sequence[Segment]], checkpoints: Sequence[Checkpoint], receipts: Sequence[Receipt] = ()
) -> tuple[Verified | Damage, ...]:
    """Return one verdict for each log that a checkpoint or a receipt names.

    A damage is named by the first checkpoint that is not met: it lies between that and the one before.
    """
    named = {each.log for each in checkpoints} | {each.log for each in receipts}
    return tuple(
        _verdict(
            log,
            logs.get(log, ()),
            sorted((each for each in checkpoints if each.log == log), key=lambda one: one.size),
            {each.seq: each.hash for each in receipts if each.log == log},
        )
        for log in sorted(named)
    )


def _verdict(
    log: str, segments: Sequence[Segment], checkpoints: Sequence[Checkpoint], receipts: dict[int, str]
) -> Verified | Damage:
    since = _since(segments, checkpoints)
    tree = since.tree() if since else MerkleTree()
    ahead = [each for each in checkpoints if each.size > tree.size]
    vouched, last = tree.size, _Place("", 0, tree.size, b"")
    for place in _lines(segments):
        last, line = place, read_line(place.raw)
        kind = _misplaced(place, tree.size)
        if line is None or kind:
            return _damage(log, place, kind or "flipped")
        tree.add(leaf_hash(line.body))
        if receipts.pop(place.seq, line.hash) != line.hash:
            return _damage(log, place, "rewritten")
        while ahead and ahead[0].size == tree.size:
            met = ahead.pop(0)
            if (met.root, met.head) != (tree.root.hex(), line.hash):
                return _damage(log, place, "rewritten", vouched)
            vouched = tree.size
    if ahead or any(seq >= tree.size for seq in receipts):
        return _damage(log, last, "cut_tail" if segments else "missing", tree.size)
    return Verified(
        log=log,
        segments=len(segments),
        records=vouched - (since.size if since else 0),
        head=checkpoints[-1].head if checkpoints else GENESIS,
        retired=since.size if since else 0,
        retired_head=since.head if since else "",
        checkpoints=len(checkpoints),
        unvouched=tree.size - vouched,
    )


def _since(segments: Sequence[Segment], checkpoints: Sequence[Checkpoint]) -> Checkpoint | None:
    """Return the checkpoint that the first segment there is goes on from, where earlier ones are gone."""
    first = _start(segments[0])[0] if segments else 0
    return next((each for each in checkpoints if first and each.size == first), None)


def _start(segment: Segment) -> tuple[int, bool]:
    """Return the number of a segment's first record, and whether it writes records of earlier ones again."""
    start = claimed_start(read_line(segment.first_line()))
    return (start.first, start.after_failed_sync) if start else (0, False)


def _lines(segments: Sequence[Segment]) -> Iterator[_Place]:
    """Yield every line that counts: what a failed sync undid is left out where it was written first."""
    starts = [_start(segment) for segment in segments]
    for at, segment in enumerate(segments):
        again = [first for first, after_failed_sync in starts[at + 1 :] if after_failed_sync]
        lines, _ = segment.lines()
        for number, raw in enumerate(lines):
            seq = starts[at][0] + number
            if again and seq >= min(again):
                break
            yield _Place(segment.label, number + 1, seq, raw)


def _misplaced(place: _Place, expected: int) -> DamageKind | None:
    if place.seq != expected:
        return "missing" if place.seq > expected else "spliced"
    line = read_line(place.raw)
    if line is None or line.seq == expected:
        return None
    return "removed" if line.seq > expected else "inserted"


def _damage(log: str, place: _Place, kind: DamageKind, seq: int | None = None) -> Damage:
    return Damage(
        log=log,
        seq=place.seq if seq is None else seq,
        segment=place.segment,
        line=place.line,
        kind=kind,
        message=SAID[kind],
    )
