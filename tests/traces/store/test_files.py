"""The file store: what was acknowledged is read back whole, by any process, in any order of events."""

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traces.samples import KEY, NOON, citation, closed, decision, opened
from traces.chain import Damage, Verified, segments_in
from traces.errors import TraceDamaged, TraceUnwritable, Unsealable
from traces.keys import KeyStore
from traces.records import AnswerAttempt, Hold, Judgement, Receipt
from traces.seal import seal, unseal
from traces.store.base import TraceStore
from traces.store.files import FileTraceStore
from traces.store.limits import StoreLimits


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FileTraceStore]:
    made = FileTraceStore(tmp_path / "traces", KEY)
    yield made
    made.close()


def attempt(trace_id: str, number: int, second: int) -> AnswerAttempt:
    return AnswerAttempt(
        trace_id=trace_id,
        at=NOON + timedelta(seconds=second),
        attempt=number,
        passed=False,
        outcome="blocked",
        decisions=(decision(),),
        citations=(citation(),),
        digest="d",
    )


def test_the_file_store_is_a_trace_store(store: FileTraceStore) -> None:
    as_protocol: TraceStore = store
    assert as_protocol.read("nobody") is None


def test_a_question_is_read_back_as_it_was_written(store: FileTraceStore) -> None:
    first, last = opened("t1"), closed("t1")
    store.append(first, durable=False)
    store.append(last, durable=True)
    trace = store.read("t1")
    assert trace is not None
    assert (trace.opened, trace.closed) == (first, last)


def test_every_kind_of_record_finds_its_place_in_the_trace(store: FileTraceStore) -> None:
    hold = Hold(trace_id="t1", at=NOON, hold_id="h1", findings=(), binding="b", expires=NOON)
    verdict = Judgement(trace_id="t1", at=NOON, hold_id="h1", verdict="accept", by="u_2")
    attempts = (attempt("t1", 1, 5), attempt("t1", 2, 6))
    for record in (opened("t1"), hold, verdict, closed("t1"), *attempts):
        store.append(record, durable=True)
    trace = store.read("t1")
    assert trace is not None
    assert (trace.holds, trace.judgements, trace.attempts) == ((hold,), (verdict,), attempts)


def test_an_unknown_question_is_none_also_before_anything_was_written(store: FileTraceStore) -> None:
    assert store.read("t1") is None
    assert list(store.list()) == []
    assert list(store.records()) == []
    assert store.verify() == ()


def test_reading_alone_makes_no_file(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path / "traces", KEY)
    list(store.list())
    store.close()
    assert not (tmp_path / "traces").exists()


def test_receipts_number_the_records_of_one_log(store: FileTraceStore) -> None:
    receipts = [store.append(closed(f"t{number}"), durable=True) for number in range(3)]
    assert [receipt.seq for receipt in receipts] == [1, 2, 3]
    assert len({receipt.log for receipt in receipts}) == 1
    (verdict,) = store.verify(receipts)
    assert isinstance(verdict, Verified)
    assert verdict.head == receipts[-1].hash


def test_a_receipt_for_a_log_that_is_gone_is_damage(store: FileTraceStore) -> None:
    store.append(closed("t1"), durable=True)
    lost = Receipt(trace_id="t9", log="gone", seq=4, hash="0" * 64)
    verdicts = {verdict.log: verdict for verdict in store.verify([lost])}
    gone = verdicts.pop("gone")
    assert isinstance(gone, Damage)
    assert (gone.kind, gone.seq) == ("cut_tail", 4)
    assert all(isinstance(verdict, Verified) for verdict in verdicts.values())


def test_the_newest_questions_come_first_page_by_page(store: FileTraceStore) -> None:
    for number in (3, 1, 4, 2, 0):
        store.append(opened(f"t{number}", second=number), durable=False)
    store.append(closed("t4", second=9), durable=True)
    first = list(store.list(limit=2))
    assert [(one.trace_id, one.outcome) for one in first] == [("t4", "answered"), ("t3", None)]
    rest = list(store.list(limit=9, before=first[-1].trace_id))
    assert [one.trace_id for one in rest] == ["t2", "t1", "t0"]


def test_the_list_can_be_narrowed_to_one_subject(store: FileTraceStore) -> None:
    store.append(opened("t1"), durable=False)
    store.append(opened("t2").model_copy(update={"subject": "u_2"}), durable=True)
    assert [one.trace_id for one in store.list(subject="u_2")] == ["t2"]


def test_the_list_can_be_narrowed_to_one_tenant_before_it_is_cut_to_a_limit(store: FileTraceStore) -> None:
    for number, tenant in enumerate(("shop", "shop", "other", "", "other")):
        record = opened(f"t{number}", second=number).model_copy(update={"tenant": tenant})
        store.append(record, durable=True)
    assert [one.trace_id for one in store.list(limit=2, tenant="shop")] == ["t1", "t0"]
    assert [one.trace_id for one in store.list(tenant="")] == ["t3"]


def test_a_second_store_reads_what_the_first_writes_while_it_writes(tmp_path: Path) -> None:
    writer, reader = FileTraceStore(tmp_path, KEY), FileTraceStore(tmp_path, KEY)
    for number in range(5):
        writer.append(opened(f"t{number}"), durable=False)
        writer.append(closed(f"t{number}"), durable=True)
        trace = reader.read(f"t{number}")
        assert trace is not None
        assert trace.closed is not None
    writer.close()
    reader.close()


def test_records_of_one_question_may_lie_in_the_logs_of_several_processes(tmp_path: Path) -> None:
    first, second = FileTraceStore(tmp_path, KEY), FileTraceStore(tmp_path, KEY)
    first.append(opened("t1"), durable=False)
    first.append(closed("t1"), durable=True)
    second.append(attempt("t1", 1, 5), durable=True)
    trace = first.read("t1")
    assert trace is not None
    assert len(trace.attempts) == 1
    assert len(segments_in(tmp_path)) == 2
    first.close()
    second.close()


def test_a_log_nobody_writes_any_more_is_continued(tmp_path: Path) -> None:
    for number in range(3):
        store = FileTraceStore(tmp_path, KEY)
        store.append(closed(f"t{number}"), durable=True)
        store.close()
    (verdict,) = FileTraceStore(tmp_path, KEY).verify()
    assert isinstance(verdict, Verified)
    assert (verdict.segments, verdict.records) == (1, 4)


def test_a_log_asked_for_by_name_is_refused_while_another_writes_it(tmp_path: Path) -> None:
    first, second = FileTraceStore(tmp_path, KEY, log_id="a"), FileTraceStore(tmp_path, KEY, log_id="a")
    first.append(closed("t1"), durable=True)
    with pytest.raises(TraceUnwritable) as refused:
        second.append(closed("t2"), durable=True)
    assert refused.value.code == "trace_log_taken"
    first.close()
    second.append(closed("t2"), durable=True)
    second.close()


def test_a_closed_store_may_be_written_again_and_goes_on_with_its_log(store: FileTraceStore) -> None:
    before = store.append(closed("t1"), durable=True)
    store.close()
    after = store.append(closed("t2"), durable=True)
    assert (after.log, after.seq) == (before.log, before.seq + 1)


def test_sixteen_threads_appending_at_once_keep_the_chain_whole(store: FileTraceStore) -> None:
    receipts: list[Receipt] = []

    def ask(thread: int) -> None:
        for number in range(10):
            trace_id = f"t{thread}-{number}"
            with store.reserve(20_000):
                store.append(opened(trace_id), durable=False)
                receipts.append(store.append(closed(trace_id), durable=True))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (verdict,) = store.verify(receipts)
    assert isinstance(verdict, Verified)
    assert verdict.records == 16 * 10 * 2 + 1
    assert len({receipt.seq for receipt in receipts}) == 160
    assert sum(1 for one in store.list(limit=500) if one.outcome == "answered") == 160


def test_segments_rotate_by_size_and_everything_stays_readable(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path, KEY, limits=StoreLimits(segment_bytes=30_000))
    for number in range(12):
        store.append(opened(f"t{number}"), durable=False)
        store.append(closed(f"t{number}"), durable=True)
    (verdict,) = store.verify()
    assert isinstance(verdict, Verified)
    assert verdict.segments > 3
    assert len(list(store.list(limit=50))) == 12
    kinds = [record.kind for record in store.records()]
    assert (kinds.count("open"), kinds.count("close")) == (12, 12)
    store.close()
    assert all(path.stat().st_size <= 30_000 for path in tmp_path.glob("*.jsonl"))


def test_segments_rotate_by_day(tmp_path: Path) -> None:
    now = [datetime(2026, 7, 1, 23, 59, tzinfo=UTC)]
    store = FileTraceStore(tmp_path, KEY, clock=lambda: now[0])
    store.append(closed("t1"), durable=True)
    now[0] += timedelta(minutes=2)
    store.append(closed("t2"), durable=True)
    (verdict,) = store.verify()
    assert isinstance(verdict, Verified)
    assert verdict.segments == 2
    store.close()


def test_a_damaged_record_is_said_to_be_damaged_and_the_others_stay_readable(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    for number in range(3):
        store.append(opened(f"t{number}", second=number), durable=False)
        store.append(closed(f"t{number}"), durable=True)
    store.close()
    (path,) = tmp_path.glob("*.jsonl")
    lines = path.read_bytes().split(b"\n")
    lines[4] = lines[4].replace(b'"trace_id":"t1"', b'"trace_id":"t"1')
    path.write_bytes(b"\n".join(lines))
    reader = FileTraceStore(tmp_path, KEY)
    trace = reader.read("t0")
    assert trace is not None
    listed = {one.trace_id: one.outcome for one in reader.list()}
    assert (listed["t0"], listed["t2"]) == ("answered", "answered")
    (verdict,) = reader.verify()
    assert isinstance(verdict, Damage)


def test_a_record_that_is_no_longer_one_raises_trace_damaged(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    store.append(opened("t1"), durable=True)
    store.close()
    (path,) = tmp_path.glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"role":', b'"rule":'))
    reader = FileTraceStore(tmp_path, KEY)
    with pytest.raises(TraceDamaged) as refused:
        reader.read("t1")
    assert refused.value.code == "trace_unreadable"
    assert "record 1" in refused.value.place
    (listed,) = reader.list()
    assert not listed.readable


@given(data=st.data())
def test_no_tampered_byte_makes_reading_fail_other_than_in_words(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("log")
    store = FileTraceStore(folder, KEY, log_id="a")
    for number in range(2):
        store.append(opened(f"t{number}", second=number), durable=False)
        store.append(closed(f"t{number}"), durable=True)
    store.close()
    (path,) = folder.glob("*.jsonl")
    content = bytearray(path.read_bytes())
    edges = [at for mark in (b'"at":"', b'"trace_id":"', b'"s":') for at in _places_after(mark, content)]
    at = data.draw(st.one_of(st.sampled_from(edges), st.integers(0, len(content) - 1)))
    content[at] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    reader = FileTraceStore(folder, KEY)
    assert {one.trace_id for one in reader.list() if one.outcome} <= {"t0", "t1"}
    assert len(reader.verify()) == 1
    for trace_id in ("t0", "t1"):
        with suppress(TraceDamaged):
            reader.read(trace_id)
    with suppress(TraceDamaged):
        list(reader.records())


def _places_after(mark: bytes, content: bytearray) -> list[int]:
    return [
        match.end() + offset for match in re.finditer(re.escape(mark), content) for offset in (0, 2, 10, 26)
    ]


def test_records_without_an_opening_one_are_damage(store: FileTraceStore) -> None:
    store.append(closed("t1"), durable=True)
    with pytest.raises(TraceDamaged) as refused:
        store.read("t1")
    assert refused.value.code == "trace_no_open"


def test_sealed_text_stands_in_no_file_and_its_erasure_leaves_the_chain_whole(tmp_path: Path) -> None:
    canary = "ann.canary@example.org called about order 4711"
    keys = KeyStore.open(tmp_path / "keys.json", apart_from=tmp_path / "traces")
    store = FileTraceStore(tmp_path / "traces", KEY)
    store.append(opened("t1"), durable=False)
    sealed = {name: seal(keys, "u_1", canary) for name in ("sealed_submitted", "sealed_answer")}
    receipt = store.append(closed("t1").model_copy(update=sealed), durable=True)
    store.close()
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or canary.encode() not in path.read_bytes()
    trace = store.read("t1")
    assert trace is not None and trace.closed is not None
    assert unseal(keys, "u_1", trace.closed.sealed_submitted) == canary
    keys.destroy_subject("u_1")
    with pytest.raises(Unsealable):
        unseal(keys, "u_1", trace.closed.sealed_submitted)
    (verdict,) = store.verify([receipt])
    assert isinstance(verdict, Verified)


def test_files_are_readable_by_their_owner_only(store: FileTraceStore, tmp_path: Path) -> None:
    store.append(closed("t1"), durable=True)
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "traces").iterdir())
    assert (tmp_path / "traces").stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_made_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = FileTraceStore(tmp_path / "file" / "traces", KEY)
    with pytest.raises(TraceUnwritable) as refused, store.reserve(1):
        pytest.fail("a question was let in")
    assert refused.value.place == str(tmp_path / "file" / "traces")
