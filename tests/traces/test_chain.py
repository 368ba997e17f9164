"""The verifier names what happened to a log, for every way of tampering with it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.logs import check, damage, lines_of, rewrite
from tests.traces.samples import KEY, NOON, closed, opened
from traces.chain import Damage, SegmentFile, Verified, segments_in, verify
from traces.formats import encode
from traces.frame import ChainKey, link, read_line, write_line
from traces.log_records import SegmentStart
from traces.records import AnyRecord, Hold
from traces.store.files import FileTraceStore
from traces.store.limits import StoreLimits

LINES = 9  # the segment's own, and four questions of two records


@pytest.fixture
def log(tmp_path: Path) -> Path:
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    for number in range(4):
        store.append(opened(f"t{number}"), durable=False)
        store.append(closed(f"t{number}"), durable=True)
    store.close()
    return tmp_path / SegmentFile.name("a", 0)


def test_an_untouched_log_is_verified(log: Path) -> None:
    found = check(log)
    assert isinstance(found, Verified)
    assert (found.records, found.segments, found.torn_bytes) == (LINES, 1, 0)
    last = read_line(lines_of(log)[-1])
    assert last is not None
    assert found.head == last.hash


def test_who_has_the_key_can_recompute_the_chain_from_the_documented_rule(log: Path) -> None:
    from_rule = "0" * 64
    for raw in lines_of(log):
        line = read_line(raw)
        assert line is not None
        from_rule = link(from_rule, line.body, KEY)
        assert line.hash == from_rule


@pytest.mark.parametrize(
    "field",
    [
        b'{"h":"',
        b'","s":',
        b',"r":',
        b'"kind":"',
        b'"v":',
        b'"trace_id":"',
        b'"at":"',
        b'"outcome":"',
        b'"layer":"',
        b'"sql":"',
        b'"rows":',
        b'"keyed_hash":"',
        b'"check":"',
        b'"verdict":"',
        b'"threshold":"',
        b'"value":"',
        b'"steps_us":{"',
    ],
)
def test_a_flipped_byte_in_any_field_is_named_with_its_record(log: Path, field: bytes) -> None:
    lines = lines_of(log)
    at = lines[4].index(field) + len(field)
    lines[4] = lines[4][:at] + bytes([lines[4][at] ^ 1]) + lines[4][at + 1 :]
    rewrite(log, lines)
    assert damage(log) == ("flipped", 4, 5)


@given(data=st.data())
def test_no_single_byte_of_a_log_can_change_unseen(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("log")
    store = FileTraceStore(folder, KEY, log_id="a")
    store.append(opened("t0"), durable=False)
    store.append(closed("t0"), durable=True)
    store.close()
    path = folder / SegmentFile.name("a", 0)
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    found = check(path)
    cut_in_the_last_line = isinstance(found, Verified) and found.records < 3 and found.torn_bytes > 0
    assert isinstance(found, Damage) or cut_in_the_last_line


def test_a_flipped_byte_in_the_first_line_of_a_segment_is_named(log: Path) -> None:
    lines = lines_of(log)
    lines[0] = lines[0].replace(b'"number":0', b'"number":1')
    rewrite(log, lines)
    assert damage(log) == ("flipped", 0, 1)


@pytest.mark.parametrize("at", range(1, LINES - 1))
def test_a_removed_record_is_named(log: Path, at: int) -> None:
    lines = lines_of(log)
    del lines[at]
    rewrite(log, lines)
    assert damage(log) == ("removed", at, at + 1)


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 7), (3, 8), (7, 8)])
def test_swapped_records_are_named_at_the_first_of_them(log: Path, first: int, second: int) -> None:
    lines = lines_of(log)
    lines[first], lines[second] = lines[second], lines[first]
    rewrite(log, lines)
    assert damage(log) == ("swapped", first, first + 1)


def test_swapped_records_are_named_also_when_their_numbers_were_put_in_order(log: Path) -> None:
    lines = lines_of(log)
    third, fourth = read_line(lines[3]), read_line(lines[4])
    assert third is not None
    assert fourth is not None
    lines[3] = write_line(3, fourth.hash, fourth.body)[:-1]
    lines[4] = write_line(4, third.hash, third.body)[:-1]
    rewrite(log, lines)
    assert damage(log) == ("swapped", 3, 4)


def test_a_record_copied_to_another_place_is_named_as_inserted(log: Path) -> None:
    lines = lines_of(log)
    lines.insert(5, lines[2])
    rewrite(log, lines)
    assert damage(log) == ("inserted", 5, 6)


def test_a_copied_record_at_the_end_is_named_as_inserted(log: Path) -> None:
    rewrite(log, [*lines_of(log), lines_of(log)[2]])
    assert damage(log) == ("inserted", LINES, LINES + 1)


def test_a_forged_record_that_follows_correctly_is_named_as_inserted(log: Path) -> None:
    lines = lines_of(log)
    before = read_line(lines[4])
    assert before is not None
    body = before.body.replace(b"answered", b"denied")
    lines.insert(5, write_line(5, link(before.hash, body, KEY), body)[:-1])
    rewrite(log, lines)
    assert damage(log) == ("inserted", 5, 6)


def test_junk_between_records_is_named_as_inserted(log: Path) -> None:
    lines = lines_of(log)
    lines.insert(5, b"not a record")
    rewrite(log, lines)
    assert damage(log) == ("inserted", 5, 6)


def test_an_edited_record_with_a_fresh_hash_is_found_at_the_next_record(log: Path) -> None:
    lines = lines_of(log)
    before, edited = read_line(lines[3]), read_line(lines[4])
    assert before is not None
    assert edited is not None
    body = edited.body.replace(b"answered", b"denied")
    lines[4] = write_line(4, link(before.hash, body, KEY), body)[:-1]
    rewrite(log, lines)
    assert damage(log)[0] == "flipped"


STRANGER = ChainKey(KEY.id, bytes(32))


def forge(lines: list[bytes], body: bytes, key: ChainKey = KEY) -> bytes:
    """A line that follows the last one, linked with the key of the log or with a guessed one."""
    last = read_line(lines[-1])
    assert last is not None
    return write_line(last.seq + 1, link(last.hash, body, key), body)[:-1]


def test_a_record_appended_without_the_key_is_named(log: Path) -> None:
    lines = lines_of(log)
    rewrite(log, [*lines, forge(lines, encode(opened("t9")), STRANGER)])
    assert damage(log)[1:] == (LINES, LINES + 1)


def test_a_log_linked_anew_without_the_key_is_named_though_it_is_whole_in_itself(log: Path) -> None:
    head, forged = "0" * 64, []
    for seq, line in enumerate(read_line(raw) for raw in lines_of(log)):
        assert line is not None
        body = line.body.replace(b"answered", b"denied")
        head = link(head, body, STRANGER)
        forged.append(write_line(seq, head, body)[:-1])
    rewrite(log, forged)
    assert isinstance(verify(segments_in(log.parent)["a"], STRANGER), Verified)
    assert damage(log)[1:] == (0, 1)


def test_a_log_cannot_be_verified_with_another_key_and_says_so(log: Path) -> None:
    (found,) = FileTraceStore(log.parent, ChainKey("k2", bytes(32))).verify()
    assert isinstance(found, Damage)
    assert (found.kind, found.seq, found.line) == ("other_key", 0, 1)
    assert "without the key" in found.message


def test_a_store_with_another_key_begins_a_log_of_its_own_and_reads_the_old_one(tmp_path: Path) -> None:
    first = FileTraceStore(tmp_path, KEY)
    first.append(opened("t1"), durable=True)
    first.close()
    before = {path: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    second = FileTraceStore(tmp_path, ChainKey("k2", bytes(32)))
    second.append(opened("t2"), durable=True)
    second.close()
    assert {path: path.read_bytes() for path in before} == before
    assert {one.trace_id for one in second.list()} == {"t1", "t2"}


@pytest.mark.parametrize(
    "record",
    [
        closed("t1", outcome="denied", second=9),
        opened("t1", second=9),
        Hold(trace_id="t1", at=NOON, hold_id="h", findings=(), binding="b", expires=NOON),
    ],
    ids=["close", "open", "hold"],
)
def test_a_record_that_its_question_cannot_have_any_more_is_named_though_the_chain_is_whole(
    log: Path, record: AnyRecord
) -> None:
    lines = lines_of(log)
    rewrite(log, [*lines, forge(lines, encode(record))])
    assert damage(log) == ("repeated", LINES, LINES + 1)


def test_a_question_closed_in_a_second_log_is_named(log: Path) -> None:
    other = FileTraceStore(log.parent, KEY, log_id="b")
    other.append(closed("t1", outcome="denied", second=9), durable=True)
    other.close()
    verdicts = {verdict.log: verdict for verdict in FileTraceStore(log.parent, KEY).verify()}
    found = verdicts["b"]
    assert isinstance(verdicts["a"], Verified) and isinstance(found, Damage)
    assert (found.kind, found.seq) == ("repeated", 1)


def test_an_appended_close_changes_nothing_that_the_trace_says(log: Path) -> None:
    before = FileTraceStore(log.parent, KEY).read("t1")
    lines = lines_of(log)
    for second in (0, 9):
        late = closed("t1", outcome="denied", second=second)
        rewrite(log, [*lines, forge(lines, encode(late))])
        assert FileTraceStore(log.parent, KEY).read("t1") == before


def after_failed_sync(log: Path, first: int, *records: AnyRecord) -> None:
    """Put a segment after a log that says the sync of its records from `first` on had failed."""
    before = read_line(lines_of(log)[first - 1])
    assert before is not None
    number = len(list(log.parent.glob("a.*.jsonl")))
    start = SegmentStart(
        at=NOON,
        log="a",
        number=number,
        first=first,
        previous=before.hash,
        key_id=KEY.id,
        after_failed_sync=True,
    )
    seq, head, data = first, before.hash, b""
    for body in (encode(record) for record in (start, *records)):
        head = link(head, body, KEY)
        data, seq = data + write_line(seq, head, body), seq + 1
    (log.parent / SegmentFile.name("a", number)).write_bytes(data)


def test_a_question_that_a_failed_sync_undid_and_nobody_wrote_again_is_named(log: Path) -> None:
    after_failed_sync(log, 7, closed("t9"))
    assert damage(log) == ("withdrawn", 7, 8)


def test_a_question_written_again_after_a_failed_sync_is_no_damage(log: Path) -> None:
    after_failed_sync(log, 7, opened("t3"), closed("t3"))
    assert isinstance(check(log), Verified)


def test_a_failed_sync_that_would_undo_an_earlier_segment_is_named(log: Path) -> None:
    store = FileTraceStore(log.parent, KEY, log_id="a", limits=StoreLimits(segment_bytes=1))
    store.append(closed("t5"), durable=True)
    store.close()
    after_failed_sync(log, 7, opened("t3"), closed("t3"))
    assert damage(log) == ("withdrawn", 7, 1)


def test_a_cut_tail_is_found_with_a_receipt(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    receipts = [store.append(closed(f"t{number}"), durable=True) for number in range(4)]
    store.close()
    path = tmp_path / SegmentFile.name("a", 0)
    rewrite(path, lines_of(path)[:-2])
    assert isinstance(check(path), Verified)
    assert damage(path, tuple(receipts)) == ("cut_tail", 3, 4)


def test_a_log_written_anew_is_found_with_a_receipt(tmp_path: Path) -> None:
    first = FileTraceStore(tmp_path / "one", KEY, log_id="a")
    receipt = first.append(closed("t0"), durable=True)
    first.close()
    other = FileTraceStore(tmp_path / "two", KEY, log_id="a")
    other.append(closed("t0", outcome="denied"), durable=True)
    other.close()
    path = tmp_path / "two" / SegmentFile.name("a", 0)
    assert damage(path, (receipt,)) == ("rewritten", 1, 2)


def test_a_line_that_was_never_finished_is_counted_and_is_no_damage(log: Path) -> None:
    log.write_bytes(log.read_bytes() + b'{"h":"12')
    found = check(log)
    assert isinstance(found, Verified)
    assert found.torn_bytes == 8


def test_space_set_aside_after_the_last_record_is_no_damage(log: Path) -> None:
    log.write_bytes(log.read_bytes() + bytes(4096))
    found = check(log)
    assert isinstance(found, Verified)
    assert (found.records, found.torn_bytes) == (LINES, 0)
