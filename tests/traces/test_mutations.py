"""The verifier under mutation: every field of every kind of record, and every thing one can do to records."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest

from tests.traces.complete import complete
from tests.traces.kinds import one_of_each
from tests.traces.samples import KEY, closed, opened
from tests.traces.signing import notes_in, signing_store
from traces.chain import Damage, Verified, segments_in, verify
from traces.checkpoint import Checkpoint
from traces.frame import GENESIS, ChainKey, link, read_line, write_line
from traces.log_records import FORMAT, SegmentStart
from traces.outside import verify_outside
from traces.records import AnyRecord, Receipt

STRANGER = ChainKey(KEY.id, bytes(32))
Path_ = tuple[str | int, ...]
KINDS = tuple(kind for kind in get_args(get_args(AnyRecord)[0]) if kind is not SegmentStart)
"""Every kind of record that is appended; the log itself writes the one that begins a segment."""


@dataclass(frozen=True)
class Held:
    """A segment in memory."""

    log: str
    number: int
    raw: tuple[bytes, ...]

    @property
    def label(self) -> str:
        return f"{self.log}.{self.number}"

    def first_line(self) -> bytes:
        return self.raw[0] if self.raw else b""

    def lines(self) -> tuple[list[bytes], bytes]:
        return list(self.raw), b""


@dataclass(frozen=True)
class Written:
    """A log as it was written, what was given for it, and a second history of the same log id."""

    segments: tuple[Held, ...]
    other: tuple[Held, ...]
    receipts: tuple[Receipt, ...]
    checkpoints: tuple[Checkpoint, ...]

    @property
    def raw(self) -> tuple[bytes, ...]:
        return tuple(line for segment in self.segments for line in segment.raw)

    def with_lines(self, segment: int, lines: Sequence[bytes]) -> list[Held]:
        return [Held(s.log, s.number, tuple(lines)) if s.number == segment else s for s in self.segments]


@cache
def written() -> Written:
    with TemporaryDirectory() as scratch:
        segments, receipts, checkpoints = _fill(Path(scratch) / "one", "a")
        other, _, _ = _fill(Path(scratch) / "two", "b")
        return Written(segments, other, receipts, checkpoints)


def _fill(folder: Path, mark: str) -> tuple[tuple[Held, ...], tuple[Receipt, ...], tuple[Checkpoint, ...]]:
    store = signing_store(folder, segment_bytes=30_000)
    records = [*one_of_each(f"q{mark}"), *_all_filled(f"w{mark}")]
    receipts = [store.append(record, durable=True) for record in records]
    for number in range(5):
        store.append(opened(f"{mark}{number}"), durable=False)
        receipts.append(store.append(closed(f"{mark}{number}"), durable=True))
    store.close()
    held = tuple(Held("a", s.number, tuple(s.lines()[0])) for s in segments_in(folder)["a"])
    return held, tuple(receipts), tuple(notes_in(folder).values())


def _all_filled(trace_id: str) -> Iterator[AnyRecord]:
    """One record of each kind with something in each field; those of a question in an order they may have."""
    order = ("open", "hold", "decision", "close", "answer")
    for kind in sorted(KINDS, key=lambda one: (*order, _named(one)).index(_named(one))):
        known = {"v": FORMAT, "trace_id": trace_id}
        yield complete(kind, **{name: value for name, value in known.items() if name in kind.model_fields})


def _named(kind: type[AnyRecord]) -> str:
    named: str = kind.model_fields["kind"].default
    return named


def caught(segments: Sequence[Held], seq: int, what: object) -> None:
    """The log is damaged, and the first bad record is the one that was changed, without any receipt."""
    found = verify(segments, KEY)
    assert isinstance(found, Damage), what
    assert found.seq == seq, (what, found)


def test_the_log_is_whole_before_anything_is_changed() -> None:
    log = written()
    found = verify(log.segments, KEY, log.receipts, None, log.checkpoints)
    assert isinstance(found, Verified), found
    assert found.checkpoints == len(log.checkpoints) >= 2
    filled: dict[str, set[str]] = {}
    for body in _bodies():
        record = json.loads(body)
        said = {key for key, value in record.items() if value not in (None, "", [], {})}
        filled.setdefault(record["kind"], set()).update(said)
    assert filled.keys() == {"segment", *map(_named, KINDS)}
    for kind in KINDS:
        assert filled[_named(kind)] == set(kind.model_fields), kind


def _bodies() -> list[bytes]:
    return [line.body for raw in written().raw if (line := read_line(raw))]


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every place of a record that holds a plain value, and every empty list and object."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    else:
        yield path


def changed(record: Any, path: Path_) -> Any:
    """The record with another value of the same kind at one place."""
    if not path:
        return other_than(record)
    copy = record.copy()
    copy[path[0]] = changed(record[path[0]], path[1:])
    return copy


def other_than(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value[:-1] + ("1" if value[-1:] != "1" else "2") if value else "x"
        case list():
            return ["x"]
        case dict():
            return {"x": "x"}
    return "x"


def spelled(record: object) -> bytes:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode()


def test_every_field_of_every_kind_of_record_is_guarded() -> None:
    fields = 0
    for segment in written().segments:
        for at, raw in enumerate(segment.raw):
            line = read_line(raw)
            assert line is not None
            record = json.loads(line.body)
            for path in leaves(record):
                body = spelled(changed(record, path))
                assert body != line.body
                lines = list(segment.raw)
                lines[at] = write_line(line.seq, line.hash, body)[:-1]
                caught(written().with_lines(segment.number, lines), line.seq, (record["kind"], path))
                fields += 1
    assert fields > 1000


def test_every_field_of_every_kind_is_guarded_against_a_new_hash_made_without_the_key() -> None:
    log, head = written(), GENESIS
    for segment in log.segments:
        for at, raw in enumerate(segment.raw):
            line = read_line(raw)
            assert line is not None
            record = json.loads(line.body)
            for path in list(leaves(record))[:40]:
                lines = list(segment.raw)
                chain, body = head, spelled(changed(record, path))
                for later in range(at, len(lines)):
                    kept = read_line(lines[later])
                    assert kept is not None
                    text = body if later == at else kept.body
                    chain = link(chain, text, STRANGER)
                    lines[later] = write_line(kept.seq, chain, text)[:-1]
                caught(log.with_lines(segment.number, lines), line.seq, (record["kind"], path))
            head = line.hash


def test_every_number_and_every_hash_of_a_line_is_guarded() -> None:
    for segment in written().segments:
        for at, raw in enumerate(segment.raw):
            line = read_line(raw)
            assert line is not None
            flipped = ("1" if line.hash[0] != "1" else "2") + line.hash[1:]
            for seq, digest in (
                (line.seq + 1, line.hash),
                (line.seq, flipped),
                (line.seq, line.hash.upper()),
            ):
                lines = list(segment.raw)
                lines[at] = write_line(seq, digest, line.body)[:-1]
                if lines[at] != raw:
                    caught(written().with_lines(segment.number, lines), line.seq, (seq, digest))


Operation = Callable[[list[bytes], int], list[bytes]]


def _remove(lines: list[bytes], at: int) -> list[bytes]:
    return lines[:at] + lines[at + 1 :]


def _duplicate(lines: list[bytes], at: int) -> list[bytes]:
    return [*lines[: at + 1], lines[at], *lines[at + 1 :]]


def _junk(lines: list[bytes], at: int) -> list[bytes]:
    return [*lines[:at], b"{}", *lines[at:]]


def _forge(lines: list[bytes], at: int) -> list[bytes]:
    before = read_line(lines[at])
    assert before is not None
    body = before.body.replace(b'"at"', b'"at" ', 1)
    return [
        *lines[: at + 1],
        write_line(before.seq + 1, link(before.hash, body, STRANGER), body)[:-1],
        *lines[at + 1 :],
    ]


def _empty(lines: list[bytes], at: int) -> list[bytes]:
    return [*lines[:at], b"", *lines[at + 1 :]]


@pytest.mark.parametrize(
    "operation", [_remove, _duplicate, _junk, _forge, _empty], ids=lambda one: one.__name__
)
def test_every_operation_at_every_place_is_caught(operation: Operation) -> None:
    log = written()
    for segment in log.segments:
        last = segment is log.segments[-1]
        for at in range(len(segment.raw)):
            lines = operation(list(segment.raw), at)
            found = verify(log.with_lines(segment.number, lines), KEY, log.receipts)
            if not (last and at == len(segment.raw) - 1 and operation is _remove):
                assert isinstance(found, Damage), (segment.number, at)
            else:
                assert isinstance(found, Damage) and found.kind == "cut_tail"


@pytest.mark.parametrize(
    "operation", [_remove, _duplicate, _junk, _forge, _empty], ids=lambda one: one.__name__
)
def test_who_has_no_key_finds_every_operation_at_every_place_before_a_checkpoint(
    operation: Operation,
) -> None:
    log = written()
    (whole,) = verify_outside({"a": log.segments}, log.checkpoints, log.receipts)
    assert isinstance(whole, Verified) and whole.unvouched == 0
    for segment in log.segments:
        for at in range(len(segment.raw)):
            changed_log = log.with_lines(segment.number, operation(list(segment.raw), at))
            (found,) = verify_outside({"a": changed_log}, log.checkpoints)
            after_all = segment is log.segments[-1] and at == len(segment.raw) - 1
            if after_all and operation in (_duplicate, _forge):
                assert isinstance(found, Damage) or found.unvouched == 1, "nobody vouches for it"
            else:
                assert isinstance(found, Damage), (segment.number, at)


@pytest.mark.parametrize("evidence", ["receipt", "checkpoint"])
def test_a_log_cut_at_any_byte_of_its_last_records_is_caught(tmp_path: Path, evidence: str) -> None:
    store = signing_store(tmp_path, segment_bytes=10_000_000)
    receipts = [store.append(opened(f"t{number}"), durable=True) for number in range(3)]
    store.close()
    checkpoints = tuple(notes_in(tmp_path).values()) if evidence == "checkpoint" else ()
    given = receipts[-1:] if evidence == "receipt" else ()
    (segment,) = segments_in(tmp_path)["a"]
    data = segment.path.read_bytes()
    start = data.rindex(b"\n", 0, data.rindex(b"\n", 0, -1)) + 1
    assert isinstance(verify([segment], KEY, given, None, checkpoints), Verified)
    for end in range(start, len(data)):
        segment.path.write_bytes(data[:end])
        found = verify([segment], KEY, given, None, checkpoints)
        assert isinstance(found, Damage) and found.kind == "cut_tail", (end, found)


def test_every_pair_of_records_that_change_places_is_caught() -> None:
    log = written()
    for segment in log.segments:
        for first, second in combinations(range(len(segment.raw)), 2):
            lines = list(segment.raw)
            lines[first], lines[second] = lines[second], lines[first]
            found = verify(log.with_lines(segment.number, lines), KEY)
            assert isinstance(found, Damage), (first, second)


@pytest.mark.parametrize("evidence", ["receipt", "checkpoint"])
def test_a_tail_cut_anywhere_is_caught_with_a_receipt_or_a_checkpoint(evidence: str) -> None:
    log = written()
    receipts = log.receipts[-1:] if evidence == "receipt" else ()
    checkpoints = log.checkpoints[-1:] if evidence == "checkpoint" else ()
    last = log.segments[-1]
    for kept in range(len(last.raw)):
        segments = log.with_lines(last.number, last.raw[:kept])
        found = verify(segments, KEY, receipts, None, checkpoints)
        assert isinstance(found, Damage), kept
        assert found.kind == "cut_tail"
    found = verify(log.segments[:-1], KEY, receipts, None, checkpoints)
    assert isinstance(found, Damage)
    assert found.kind == "cut_tail"


def test_every_segment_from_elsewhere_or_in_another_order_is_caught() -> None:
    log = written()
    for mine in log.segments:
        for theirs in (*log.other, *log.segments):
            if theirs is mine:
                continue
            segments = log.with_lines(mine.number, theirs.raw)
            found = verify(segments, KEY, log.receipts)
            assert isinstance(found, Damage), (mine.number, theirs.number)
        rest = [segment for segment in log.segments if segment is not mine]
        assert isinstance(verify(rest, KEY, log.receipts), Damage)


def test_a_whole_other_history_made_with_the_key_is_caught_by_a_receipt_and_by_a_checkpoint() -> None:
    log = written()
    assert isinstance(verify(log.other, KEY), Verified)
    for found in (verify(log.other, KEY, log.receipts), verify(log.other, KEY, (), None, log.checkpoints)):
        assert isinstance(found, Damage)
        assert found.kind == "rewritten"


def test_no_byte_of_a_line_can_change_unseen() -> None:
    log = written()
    segment = log.segments[0]
    for at in (0, 1, 3):
        raw = segment.raw[at]
        for byte in range(0, len(raw), max(1, len(raw) // 400)):
            lines = list(segment.raw)
            lines[at] = raw[:byte] + bytes([raw[byte] ^ 1]) + raw[byte + 1 :]
            assert isinstance(verify(log.with_lines(0, lines), KEY), Damage), (at, byte)


def test_who_has_no_key_finds_a_change_of_every_field_before_a_checkpoint() -> None:
    log, fields = written(), 0
    for segment in log.segments:
        for at, raw in enumerate(segment.raw):
            line = read_line(raw)
            assert line is not None
            record = json.loads(line.body)
            for path in list(leaves(record))[:: 1 + at % 7]:
                lines = list(segment.raw)
                lines[at] = write_line(line.seq, line.hash, spelled(changed(record, path)))[:-1]
                segments = log.with_lines(segment.number, lines)
                (found,) = verify_outside({"a": segments}, log.checkpoints)
                assert isinstance(found, Damage), (record["kind"], path)
                fields += 1
    assert fields > 300
