"""The verifier names what happened to a log, for every way of tampering with it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.samples import closed, opened
from traces.chain import Damage, SegmentFile, Verified, segments_in, verify
from traces.damage import DamageKind
from traces.frame import link, read_line, write_line
from traces.records import Receipt
from traces.store.files import FileTraceStore

LINES = 9  # the segment's own, and four questions of two records


@pytest.fixture
def log(tmp_path: Path) -> Path:
    store = FileTraceStore(tmp_path, log_id="a")
    for number in range(4):
        store.append(opened(f"t{number}"), durable=False)
        store.append(closed(f"t{number}"), durable=True)
    store.close()
    return tmp_path / SegmentFile.name("a", 0)


def check(path: Path, receipts: tuple[Receipt, ...] = ()) -> Verified | Damage:
    return verify(segments_in(path.parent)["a"], receipts)


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1]


def rewrite(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def damage(path: Path, receipts: tuple[Receipt, ...] = ()) -> tuple[DamageKind, int, int]:
    found = check(path, receipts)
    assert isinstance(found, Damage), found
    return found.kind, found.seq, found.line


def test_an_untouched_log_is_verified(log: Path) -> None:
    found = check(log)
    assert isinstance(found, Verified)
    assert (found.records, found.segments, found.torn_bytes) == (LINES, 1, 0)
    last = read_line(lines_of(log)[-1])
    assert last is not None
    assert found.head == last.hash


def test_a_stranger_can_recompute_the_chain_from_the_documented_rule(log: Path) -> None:
    from_rule = "0" * 64
    for raw in lines_of(log):
        line = read_line(raw)
        assert line is not None
        from_rule = link(from_rule, line.body)
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
    store = FileTraceStore(folder, log_id="a")
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
    lines.insert(5, write_line(5, link(before.hash, body), body)[:-1])
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
    lines[4] = write_line(4, link(before.hash, body), body)[:-1]
    rewrite(log, lines)
    assert damage(log)[0] == "flipped"


def test_a_cut_tail_is_found_with_a_receipt(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path, log_id="a")
    receipts = [store.append(closed(f"t{number}"), durable=True) for number in range(4)]
    store.close()
    path = tmp_path / SegmentFile.name("a", 0)
    rewrite(path, lines_of(path)[:-2])
    assert isinstance(check(path), Verified)
    assert damage(path, tuple(receipts)) == ("cut_tail", 3, 4)


def test_a_log_written_anew_is_found_with_a_receipt(tmp_path: Path) -> None:
    first = FileTraceStore(tmp_path / "one", log_id="a")
    receipt = first.append(closed("t0"), durable=True)
    first.close()
    other = FileTraceStore(tmp_path / "two", log_id="a")
    other.append(closed("t0", outcome="denied"), durable=True)
    other.close()
    path = tmp_path / "two" / SegmentFile.name("a", 0)
    assert damage(path, (receipt,)) == ("rewritten", 1, 2)


def _three_segments(folder: Path, log: str) -> list[Path]:
    store = FileTraceStore(folder, log_id=log, segment_bytes=20_000)
    for number in range(6):
        store.append(closed(f"t{number}"), durable=True)
    store.close()
    return sorted(folder.glob(f"{log}.*.jsonl"))


def test_a_log_of_several_segments_is_verified_as_one(tmp_path: Path) -> None:
    paths = _three_segments(tmp_path, "a")
    found = check(paths[0])
    assert isinstance(found, Verified)
    assert (found.segments, found.records) == (len(paths), 6 + len(paths))


def _remove_first(paths: list[Path]) -> None:
    paths[0].unlink()


def _remove_middle(paths: list[Path]) -> None:
    paths[1].unlink()


def _swap_names(paths: list[Path]) -> None:
    first, second = paths[0].read_bytes(), paths[1].read_bytes()
    paths[0].write_bytes(second)
    paths[1].write_bytes(first)


def _take_from_another_log(paths: list[Path]) -> None:
    paths[1].write_bytes(paths[1].with_name(paths[1].name.replace("a.", "b.", 1)).read_bytes())


def _cut_inner_tail(paths: list[Path]) -> None:
    rewrite(paths[0], lines_of(paths[0])[:-1])


def _half_a_line_inside(paths: list[Path]) -> None:
    paths[0].write_bytes(paths[0].read_bytes()[:-40])


@pytest.mark.parametrize(
    ("tamper", "kind"),
    [
        (_remove_first, "removed"),
        (_remove_middle, "removed"),
        (_swap_names, "spliced"),
        (_take_from_another_log, "spliced"),
        (_cut_inner_tail, "removed"),
        (_half_a_line_inside, "flipped"),
    ],
)
def test_tampering_with_whole_segments_is_named(
    tmp_path: Path, tamper: Callable[[list[Path]], None], kind: DamageKind
) -> None:
    paths = _three_segments(tmp_path, "a")
    _three_segments(tmp_path, "b")
    tamper(paths)
    assert damage(paths[0])[0] == kind


def test_a_segment_of_the_same_log_from_another_history_is_spliced(tmp_path: Path) -> None:
    paths = _three_segments(tmp_path / "one", "a")
    others = _three_segments(tmp_path / "two", "a")
    paths[1].write_bytes(others[1].read_bytes())
    assert damage(paths[0])[0] == "spliced"


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
