"""Where a log stood is signed at every end of a segment and of a process, kept twice, and held against it."""

import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.traces.logs import lines_of, rewrite
from tests.traces.samples import KEY, NOON, closed, opened
from tests.traces.signing import keeper, notes_in, signing_store
from traces.chain import Damage, Verified, segments_in
from traces.custody_records import Retired, RetiredSegment
from traces.errors import CheckpointUnusable, TraceUnwritable
from traces.frame import read_line
from traces.merkle import MerkleTree, leaf_hash
from traces.outside import verify_outside
from traces.records import Receipt
from traces.store.files import FileTraceStore
from traces.store.limits import StoreLimits


def ask(store: FileTraceStore, *names: str) -> list[Receipt]:
    receipts = []
    for name in names:
        store.append(opened(name), durable=False)
        receipts.append(store.append(closed(name), durable=True))
    return receipts


def filled(folder: Path, second: Path | None = None, questions: int = 8) -> list[Receipt]:
    store = signing_store(folder, second)
    receipts = ask(store, *(f"t{number}" for number in range(questions)))
    store.close()
    return receipts


def reader(folder: Path, second: Path | None = None) -> FileTraceStore:
    return FileTraceStore(folder, KEY, keeper=keeper(second))


def only(verdicts: tuple[Verified | Damage, ...]) -> Verified | Damage:
    (verdict,) = verdicts
    return verdict


def whole(folder: Path, second: Path | None = None, receipts: list[Receipt] | None = None) -> Verified:
    verdict = only(reader(folder, second).verify(receipts or []))
    assert isinstance(verdict, Verified), verdict
    return verdict


def damaged(folder: Path, second: Path | None = None) -> Damage:
    verdict = only(reader(folder, second).verify())
    assert isinstance(verdict, Damage), verdict
    return verdict


def test_every_segment_leaves_a_signed_checkpoint_in_both_places(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    receipts = filled(folder, second)
    segments = segments_in(folder)["a"]
    notes = notes_in(folder)
    assert len(segments) > 2
    assert list(notes) == [each.path.name.replace("jsonl", "checkpoint") for each in segments]
    assert notes_in(second) == notes
    starts = [start.first for each in segments[1:] if (start := each.start(KEY))]
    assert [each.size for each in notes.values()] == [*starts, receipts[-1].seq + 1]
    assert list(notes.values())[-1].head == receipts[-1].hash
    assert whole(folder, second, receipts).checkpoints == len(notes)


def test_the_root_is_that_of_the_records_as_they_lie_on_disk(tmp_path: Path) -> None:
    filled(tmp_path)
    tree = MerkleTree()
    for segment in segments_in(tmp_path)["a"]:
        for raw in lines_of(segment.path):
            line = read_line(raw)
            assert line is not None
            tree.add(leaf_hash(line.body))
    last = list(notes_in(tmp_path).values())[-1]
    assert (last.size, last.root) == (tree.size, tree.root.hex())
    assert last.origin == "cellbound/shop/a"


def test_a_log_that_goes_on_in_other_processes_keeps_one_tree(tmp_path: Path) -> None:
    receipts: list[Receipt] = []
    for number in range(5):
        store = signing_store(tmp_path)
        receipts += ask(store, f"t{number}")
        store.close()
    assert whole(tmp_path, receipts=receipts).checkpoints == len(notes_in(tmp_path))


def test_a_log_from_before_checkpoints_gets_a_tree_over_all_of_it(tmp_path: Path) -> None:
    old = FileTraceStore(tmp_path, KEY, log_id="a", limits=StoreLimits(segment_bytes=20_000))
    receipts = ask(old, *(f"old{number}" for number in range(5)))
    old.close()
    assert not notes_in(tmp_path)
    store = signing_store(tmp_path)
    receipts += ask(store, "new")
    store.close()
    assert whole(tmp_path, receipts=receipts).checkpoints >= 1


@pytest.mark.parametrize("kept", ["beside", "second"])
def test_a_cut_tail_is_found_without_any_receipt(tmp_path: Path, kept: str) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    filled(folder, second)
    path = segments_in(folder)["a"][-1].path
    if kept == "second":
        for note in folder.glob("*.checkpoint"):
            note.unlink()
    before = len(lines_of(path))
    rewrite(path, lines_of(path)[:-1])
    found = damaged(folder, second)
    assert (found.kind, found.segment, found.line) == ("cut_tail", path.name, before)


def test_a_cut_last_segment_and_a_cut_log_are_found(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    filled(folder, second)
    segments = segments_in(folder)["a"]
    segments[-1].path.unlink()
    assert damaged(folder, second).kind == "cut_tail"
    for segment in segments[:-1]:
        segment.path.unlink()
    assert damaged(folder, second).kind == "missing"


def test_a_log_written_anew_with_the_key_is_found_by_the_checkpoint_elsewhere(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    filled(folder, second)
    for file in folder.iterdir():
        file.unlink()
    store = signing_store(folder)
    ask(store, *(f"other{number}" for number in range(8)))
    store.close()
    assert isinstance(only(reader(folder).verify()), Verified)
    assert damaged(folder, second).kind == "rewritten"


def test_a_log_behind_its_checkpoint_is_not_continued(tmp_path: Path) -> None:
    filled(tmp_path)
    path = segments_in(tmp_path)["a"][-1].path
    rewrite(path, lines_of(path)[:-1])
    before = path.read_bytes()
    with pytest.raises(TraceUnwritable) as refused:
        signing_store(tmp_path).append(opened("late"), durable=True)
    assert refused.value.code == "trace_log_damaged"
    assert path.read_bytes() == before


def test_a_note_that_nobody_signed_is_named(tmp_path: Path) -> None:
    filled(tmp_path)
    note = sorted(tmp_path.glob("*.checkpoint"))[0]
    note.write_text(note.read_text().replace("\nhead ", "\nhead f", 1))
    verdicts = reader(tmp_path).verify()
    assert [(each.kind, each.segment) for each in verdicts if isinstance(each, Damage)] == [
        ("forged", note.name)
    ]


def test_a_checkpoint_of_another_key_is_no_checkpoint_of_ours(tmp_path: Path) -> None:
    filled(tmp_path)
    strange = FileTraceStore(tmp_path, KEY, keeper=keeper(key=Ed25519PrivateKey.generate()))
    kinds = {each.kind for each in strange.verify() if isinstance(each, Damage)}
    assert kinds == {"forged"}


def test_a_second_place_that_is_away_stops_no_question_and_is_filled_once_it_is_back(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    second.write_text("not mounted")
    store = signing_store(folder, second)
    receipts = ask(store, *(f"t{number}" for number in range(8)))
    store.close()
    assert len(receipts) == 8
    with pytest.raises(CheckpointUnusable) as told:
        reader(folder, second).verify()
    assert (told.value.code, told.value.place) == ("checkpoint_place_unusable", str(second))
    second.unlink()
    again = signing_store(folder, second)
    receipts += ask(again, "again")
    again.close()
    assert notes_in(second) == notes_in(folder)
    whole(folder, second, receipts)


def test_what_keeps_the_second_place_away_is_told_until_it_is_back(tmp_path: Path) -> None:
    second = tmp_path / "elsewhere"
    second.write_text("not mounted")
    store = signing_store(tmp_path / "traces", second)
    ask(store, *(f"t{number}" for number in range(8)))
    store.close()
    assert store.note_fault is not None
    assert store.note_fault.code == "checkpoint_place_unusable"
    second.unlink()
    ask(store, "late")
    store.close()
    assert store.note_fault is None


def test_a_checkpoint_can_be_had_over_a_log_that_another_store_is_writing(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    writer = signing_store(folder, second, segment_bytes=10_000_000)
    receipts = ask(writer, "t0", "t1")
    (note,) = reader(folder, second).checkpoint()
    assert f"\n{receipts[-1].seq + 1}\n" in note
    receipts += ask(writer, "t2")
    writer.close()
    assert whole(folder, second, receipts).checkpoints == 1
    assert [each.size for each in notes_in(second).values()] == [receipts[-1].seq + 1]


def test_without_a_signer_there_is_no_checkpoint(tmp_path: Path) -> None:
    filled(tmp_path)
    assert FileTraceStore(tmp_path, KEY).checkpoint() == ()


def retire(folder: Path, second: Path, segments: int, *, recorded: bool = True) -> None:
    """Delete the first segments of log a, as retention does: the record first, in a log of its own."""
    chosen = segments_in(folder)["a"][:segments]
    notes = notes_in(folder)
    gone = []
    for segment in chosen:
        start = segment.start(KEY)
        note = notes[segment.path.name.replace("jsonl", "checkpoint")]
        assert start is not None
        gone.append(
            RetiredSegment(
                log="a",
                number=segment.number,
                segment=segment.path.name,
                first=start.first,
                records=note.size - start.first,
                head=note.head,
            )
        )
    if recorded:
        store = signing_store(folder, second, log_id="b")
        store.append(Retired(at=NOON, by="u_9", days=30, segments=tuple(gone)), durable=True)
        store.close()
    for segment in chosen:
        segment.path.unlink()


def verdict_on(folder: Path, second: Path, receipts: list[Receipt] | None = None) -> Verified | Damage:
    verdicts = {each.log: each for each in reader(folder, second).verify(receipts or [])}
    return verdicts["a"]


def test_segments_that_were_retired_on_record_are_no_damage(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    receipts = filled(folder, second)
    retire(folder, second, 2)
    found = verdict_on(folder, second, receipts)
    assert isinstance(found, Verified), found
    assert found.retired > 0
    assert found.retired + found.records == receipts[-1].seq + 1


def test_a_log_goes_on_after_its_first_segments_were_retired(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    filled(folder, second)
    retire(folder, second, 2)
    store = signing_store(folder, second)
    late = ask(store, "late")
    store.close()
    found = verdict_on(folder, second, late)
    assert isinstance(found, Verified), found


@pytest.mark.parametrize("lacking", ["record", "checkpoint", "one more"])
def test_segments_that_are_gone_without_record_or_checkpoint_are_damage(tmp_path: Path, lacking: str) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    filled(folder, second)
    retire(folder, second, 1, recorded=lacking != "record")
    if lacking == "checkpoint":
        for place in (folder, second):
            (place / "a.000000.checkpoint").unlink()
    if lacking == "one more":
        (folder / "a.000001.jsonl").unlink()
    found = verdict_on(folder, second)
    assert isinstance(found, Damage)
    assert found.kind == "missing"


def test_who_has_no_key_but_checkpoints_finds_what_was_changed(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    receipts = filled(folder, second)
    checkpoints = list(notes_in(second).values())

    def found() -> Verified | Damage:
        return only(verify_outside(segments_in(folder), checkpoints, receipts))

    verdict = found()
    assert isinstance(verdict, Verified)
    assert (verdict.records, verdict.unvouched) == (receipts[-1].seq + 1, 0)
    shutil.copytree(folder, tmp_path / "before")
    path = segments_in(folder)["a"][1].path
    lines = lines_of(path)
    changes = {
        "flipped in a body": [
            *lines[:1],
            lines[1].replace(b"u_1", b"u_2").replace(b"answered", b"refused!"),
            *lines[2:],
        ],
        "removed": [*lines[:1], *lines[2:]],
        "swapped": [lines[0], lines[2], lines[1], *lines[3:]],
        "inserted": [*lines[:2], lines[1], *lines[2:]],
        "junk": [*lines[:2], b"junk", *lines[3:]],
    }
    for name, changed in changes.items():
        rewrite(path, changed)
        assert isinstance(found(), Damage), name
    shutil.copy(tmp_path / "before" / path.name, path)
    last = segments_in(folder)["a"][-1].path
    rewrite(last, lines_of(last)[:-1])
    cut = found()
    assert isinstance(cut, Damage)
    assert cut.kind == "cut_tail"


def test_who_has_no_key_is_told_what_no_checkpoint_vouches_for(tmp_path: Path) -> None:
    filled(tmp_path)
    first = next(iter(notes_in(tmp_path).values()))
    verdict = only(verify_outside(segments_in(tmp_path), [first]))
    assert isinstance(verdict, Verified)
    assert (verdict.records, verdict.unvouched > 0) == (first.size, True)


def test_who_has_no_key_can_follow_a_log_whose_first_segments_were_retired(tmp_path: Path) -> None:
    folder, second = tmp_path / "traces", tmp_path / "elsewhere"
    filled(folder, second)
    checkpoints = [each for each in notes_in(second).values() if each.log == "a"]
    retire(folder, second, 2)
    verdict = only(verify_outside(segments_in(folder), checkpoints))
    assert isinstance(verdict, Verified)
    assert verdict.retired == checkpoints[1].size


def test_the_clock_going_back_neither_breaks_the_chain_nor_the_checkpoints(tmp_path: Path) -> None:
    now = [NOON]
    store = FileTraceStore(tmp_path, KEY, log_id="a", clock=lambda: now[0], keeper=keeper())
    receipts: list[Receipt] = []
    for days in (0, 1, -400, 400, -1, 0):
        now[0] = NOON + timedelta(days=days)
        receipts += ask(store, f"t{len(receipts)}")
    store.close()
    found = whole(tmp_path, receipts=receipts)
    assert found.segments == 6
    assert [each.seq for each in receipts] == sorted(each.seq for each in receipts)


def test_what_a_killed_process_left_aside_is_swept_and_is_no_note(tmp_path: Path) -> None:
    filled(tmp_path)
    name = sorted(notes_in(tmp_path))[-1]
    old, fresh = tmp_path / f".{name}.00000000", tmp_path / f".{name}.11111111"
    for aside in (old, fresh):
        aside.write_text("half a no")
    os.utime(old, (0, 0))
    whole(tmp_path)
    store = signing_store(tmp_path)
    ask(store, "late")
    store.close()
    assert (old.exists(), fresh.exists()) == (False, True)
