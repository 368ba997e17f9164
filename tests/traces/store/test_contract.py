"""What every place for traces does, on files and on a real PostgreSQL alike."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic_core import PydanticSerializationError

from tests.traces.samples import KEY, NOON, closed, opened
from tests.traces.signing import keeper, notes_in
from tests.traces.store.conftest import StoreOpener
from traces.chain import Damage, Verified
from traces.checkpoint import read_checkpoint
from traces.errors import TraceDamaged, TraceUnwritable
from traces.frame import ChainKey
from traces.records import AnswerAttempt, Close, Receipt
from traces.store.base import TraceStore
from traces.store.limits import StoreLimits

SMALL = StoreLimits(segment_bytes=20_000)


def ask(store: TraceStore, *names: str) -> list[Receipt]:
    receipts = []
    for name in names:
        with store.reserve(12_000):
            store.append(opened(name), durable=False)
            receipts.append(store.append(closed(name), durable=True))
    return receipts


def verified(store: TraceStore, receipts: list[Receipt] | None = None) -> list[Verified]:
    verdicts = store.verify(receipts or [])
    sound = [each for each in verdicts if isinstance(each, Verified)]
    assert len(sound) == len(verdicts), verdicts
    return sound


def test_a_question_comes_back_as_it_was_written(open_store: StoreOpener) -> None:
    store = open_store()
    store.append(opened("t1"), durable=False)
    receipt = store.append(closed("t1"), durable=True)
    draft = AnswerAttempt(
        trace_id="t1", at=NOON, attempt=1, passed=True, outcome="passed", decisions=(), digest="d"
    )
    store.append(draft, durable=True)
    trace = store.read("t1")
    assert trace is not None
    assert (trace.opened, trace.closed, trace.attempts) == (opened("t1"), closed("t1"), (draft,))
    assert store.receipt("t1") == receipt
    assert store.read("nobody") is None
    assert store.receipt("nobody") is None


def test_records_come_in_the_order_of_writing(open_store: StoreOpener) -> None:
    store = open_store(limits=SMALL)
    ask(store, *(f"t{number}" for number in range(6)))
    kinds = [record.kind for record in store.records() if record.kind != "segment"]
    assert kinds == ["open", "close"] * 6


def test_a_record_that_no_bytes_spell_is_refused_to_whoever_gave_it_and_to_nobody_else(
    open_store: StoreOpener,
) -> None:
    store = open_store()
    unspeakable = closed("t1", failed_step="\ud800")
    outcomes: list[object] = []

    def close(record: Close) -> None:
        try:
            outcomes.append(store.append(record, durable=True).trace_id)
        except PydanticSerializationError as error:
            outcomes.append(type(error))

    store.append(opened("t1"), durable=False)
    crowd = [unspeakable, *(closed(f"t{number}") for number in range(2, 6))]
    threads = [threading.Thread(target=close, args=(record,)) for record in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, outcomes)) == sorted(
        map(str, [PydanticSerializationError, "t2", "t3", "t4", "t5"])
    )
    store.append(closed("t1"), durable=True)
    (log,) = verified(store)
    assert [record.trace_id for record in store.records() if isinstance(record, Close)].count("t1") == 1
    assert log.records == 7


def test_a_store_without_a_record_reads_as_empty(open_store: StoreOpener) -> None:
    store = open_store()
    assert list(store.list()) == []
    assert list(store.records()) == []
    assert store.verify() == ()
    assert store.checkpoint() == ()


def test_the_list_is_paged_and_narrowed(open_store: StoreOpener) -> None:
    store = open_store()
    for number in (3, 1, 4, 2, 0):
        tenant = "shop" if number % 2 else "other"
        record = opened(f"t{number}", second=number).model_copy(update={"tenant": tenant})
        store.append(record, durable=False)
    late = opened("t9").model_copy(update={"at": NOON + timedelta(seconds=2, microseconds=5)})
    store.append(late.model_copy(update={"subject": "u_2", "tenant": "shop"}), durable=False)
    store.append(closed("t4", second=9), durable=True)
    first = list(store.list(limit=2))
    assert [(one.trace_id, one.outcome) for one in first] == [("t4", "answered"), ("t3", None)]
    rest = list(store.list(limit=9, before="t3"))
    assert [one.trace_id for one in rest] == ["t9", "t2", "t1", "t0"]
    assert [one.trace_id for one in store.list(tenant="shop", limit=2)] == ["t3", "t9"]
    assert [one.trace_id for one in store.list(subject="u_2")] == ["t9"]
    assert list(store.list(before="no such trace")) == []


def test_records_without_an_opening_one_are_damage(open_store: StoreOpener) -> None:
    store = open_store()
    store.append(closed("t1"), durable=True)
    with pytest.raises(TraceDamaged) as refused:
        store.read("t1")
    assert refused.value.code == "trace_no_open"


def test_receipts_and_checkpoints_hold(open_store: StoreOpener, tmp_path: Path) -> None:
    second = tmp_path / "elsewhere"
    store = open_store(limits=SMALL, second=second)
    receipts = ask(store, *(f"t{number}" for number in range(8)))
    store.close()
    (verdict,) = verified(open_store(second=second), receipts)
    notes = notes_in(second)
    assert verdict.segments > 2
    assert verdict.checkpoints == len(notes) == verdict.segments
    assert list(notes.values())[-1].size == verdict.records == receipts[-1].seq + 1
    assert list(notes.values())[-1].head == receipts[-1].hash == verdict.head


def test_a_checkpoint_over_a_log_that_another_writes_holds_while_it_goes_on(
    open_store: StoreOpener,
) -> None:
    writer = open_store()
    ask(writer, "t1")
    (note,) = open_store().checkpoint()
    receipts = ask(writer, "t2")
    checkpoint = read_checkpoint(note, keeper().believed)
    (verdict,) = verified(open_store(), receipts)
    assert checkpoint.size == 3 < verdict.records == 5
    assert open_store().verify((), [checkpoint]) == open_store().verify()
    longer = checkpoint.model_copy(update={"size": 9})
    (found,) = open_store().verify((), [longer])
    assert isinstance(found, Damage)
    assert found.kind == "cut_tail"


def test_a_log_nobody_writes_is_continued_and_one_that_is_written_is_not(open_store: StoreOpener) -> None:
    first = open_store()
    one = ask(first, "t1")[0]
    other = ask(open_store(), "t2")[0]
    assert other.log != one.log
    first.close()
    again = ask(open_store(), "t3")[0]
    assert (again.log, again.seq) == (one.log, one.seq + 2)
    verified(open_store(), [one, other, again])


def test_a_log_asked_for_by_name_is_refused_while_another_writes_it(open_store: StoreOpener) -> None:
    first, second = open_store(log_id="a"), open_store(log_id="a")
    ask(first, "t1")
    with pytest.raises(TraceUnwritable) as refused:
        second.append(closed("t2"), durable=True)
    assert refused.value.code == "trace_log_taken"
    first.close()
    second.append(closed("t2"), durable=True)


def test_with_a_new_key_a_new_log_begins_and_both_are_verified(open_store: StoreOpener) -> None:
    before = open_store()
    old = ask(before, "t1")
    before.close()
    fresh = ChainKey("k2", bytes(32), older=(KEY,))
    after = open_store(fresh)
    new = ask(after, "t2")
    after.close()
    assert new[0].log != old[0].log
    assert len(verified(open_store(fresh), [*old, *new])) == 2
    (found,) = [each for each in open_store().verify() if isinstance(each, Damage)]
    assert found.kind == "other_key"


def test_many_threads_keep_one_chain(open_store: StoreOpener) -> None:
    store = open_store(limits=SMALL)
    receipts: list[Receipt] = []

    def work(thread: int) -> None:
        for number in range(5):
            receipts.extend(ask(store, f"t{thread}-{number}"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (verdict,) = verified(store, receipts)
    assert verdict.records - verdict.segments == 80
    assert sum(one.outcome == "answered" for one in store.list(limit=100)) == 40


def test_a_closed_store_goes_on_when_it_is_written_again(open_store: StoreOpener) -> None:
    store = open_store()
    before = ask(store, "t1")[0]
    store.close()
    after = ask(store, "t2")[0]
    assert (after.log, after.seq) == (before.log, before.seq + 2)


@pytest.mark.parametrize("text", ["\x00", "\u2028", '"\\', "\U0001f600", "é\n"])
def test_any_text_comes_back_to_the_letter(open_store: StoreOpener, text: str) -> None:
    store = open_store()
    store.append(opened("t1").model_copy(update={"client": text}), durable=True)
    trace = store.read("t1")
    assert trace is not None
    assert trace.opened.client == text
    verified(store)
