"""Old segments go whole, once that is on record, from files and from a database; the log still verifies."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import cast

import psycopg
import pytest

from tests.traces.samples import NOON
from tests.traces.store.conftest import StoreOpener, TraceDatabase
from tests.traces.store.test_contract import ask, verified
from traces.chain import Verified
from traces.custody_records import Retired, RetiredSegment
from traces.errors import TraceUnwritable
from traces.records import Close, Receipt
from traces.retention import Wish
from traces.store.base import TraceStore
from traces.store.limits import StoreLimits
from traces.store.postgres import PostgresTraceStore
from traces.store.retiring import Retirable, RetiringStore, retirable

SMALL = StoreLimits(segment_bytes=2_000)
OLD = Wish(NOON + timedelta(days=36_500))


def on_record(store: TraceStore, segments: Sequence[RetiredSegment]) -> None:
    store.append(Retired(at=NOON, by="u_9", days=30, segments=tuple(segments)), durable=True)


def may_go(store: TraceStore, wish: Wish = OLD) -> Retirable:
    assert isinstance(store, RetiringStore)
    return retirable(store, wish)


@pytest.fixture
def filled(open_store: StoreOpener) -> tuple[TraceStore, list[Receipt]]:
    """A store with questions in several segments, its own notes written."""
    store = open_store(limits=SMALL)
    receipts = ask(store, *(f"t{number}" for number in range(12)))
    store.close()
    return open_store(limits=SMALL), receipts


def test_old_segments_go_whole_the_rest_verifies_and_the_log_goes_on(
    filled: tuple[TraceStore, list[Receipt]], open_store: StoreOpener
) -> None:
    store, receipts = filled
    found = may_go(store)
    assert len(found.segments) >= 2 and not may_go(store, Wish(NOON - timedelta(days=1))).segments
    on_record(store, found.segments)
    cast("RetiringStore", store).delete(found.segments)
    assert store.read("t0") is None and store.read("t11") is not None
    (verdict,) = store.verify(receipts)
    assert isinstance(verdict, Verified), verdict
    assert verdict.retired == sum(each.records for each in found.segments)
    receipts += ask(store, "late")
    store.close()
    again = open_store(limits=SMALL)
    receipts += ask(again, "later")
    verified(again, receipts)
    assert {one.trace_id for one in again.list()} >= {"late", "later"}


@pytest.fixture
def database_filled(trace_database: TraceDatabase) -> Iterator[tuple[PostgresTraceStore, Retirable]]:
    store = trace_database.store(limits=SMALL)
    ask(store, *(f"t{number}" for number in range(12)))
    store.close()
    again = trace_database.store(limits=SMALL)
    yield again, may_go(again)
    again.close()


def test_whoever_reads_while_another_process_retires_segments_meets_no_fault(
    filled: tuple[TraceStore, list[Receipt]], open_store: StoreOpener
) -> None:
    store, _ = filled
    reader = open_store(limits=SMALL)
    before = [one.trace_id for one in reader.list()]
    assert "t0" in before and reader.read("t0") is not None
    under_way = reader.records()
    first = next(under_way)
    found = may_go(store)
    on_record(store, found.segments)
    cast("RetiringStore", store).delete(found.segments)
    kept = [first, *under_way]
    assert [record for record in kept if isinstance(record, Close) and record.trace_id == "t11"]
    assert reader.read("t0") is None and reader.receipt("t0") is None
    left = list(reader.list())
    assert {one.trace_id for one in left} < set(before) and all(one.readable for one in left)
    assert {one.trace_id for one in left} == {
        record.trace_id for record in reader.records() if isinstance(record, Close)
    }


def test_the_database_deletes_nothing_that_is_not_on_record(
    database_filled: tuple[PostgresTraceStore, Retirable],
) -> None:
    store, found = database_filled
    with pytest.raises(TraceUnwritable) as refused:
        store.delete(found.segments)
    assert refused.value.code == "trace_no_right"
    on_record(store, [each.model_copy(update={"head": "0" * 64}) for each in found.segments])
    with pytest.raises(TraceUnwritable):
        store.delete(found.segments)
    assert store.read("t0") is not None


@pytest.mark.parametrize("who", ["owner", "retention"])
def test_neither_owner_nor_retention_takes_part_of_a_segment_a_later_one_or_the_newest(
    trace_database: TraceDatabase, database_filled: tuple[PostgresTraceStore, Retirable], who: str
) -> None:
    store, found = database_filled
    last = found.segments[-1].number
    on_record(store, [*found.segments, found.segments[-1].model_copy(update={"number": last + 1})])
    wanted = (
        "seq = 1",
        f"segment = {last}",
        f"segment = {last + 1}",
        "true",
        f"segment < {last} AND seq > 0",
    )
    with psycopg.connect(trace_database.server.dsn(database=trace_database.name)) as connection:
        connection.execute(f"SET ROLE {trace_database.writer}_{who}".encode())
        for rows in wanted:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(f"DELETE FROM cellbound.records WHERE {rows}".encode())
    store.delete(found.segments)
    assert store.read("t0") is None


def test_the_login_for_retention_writes_and_changes_nothing(trace_database: TraceDatabase) -> None:
    orders = (
        "INSERT INTO cellbound.records (log, seq, segment, hash, body) VALUES ('x', 0, 0, '', '')",
        "UPDATE cellbound.records SET body = body",
        "TRUNCATE cellbound.records",
        "DELETE FROM cellbound.checkpoints",
        "SELECT * FROM cellbound.checkpoints",
    )
    with psycopg.connect(trace_database.retention_url) as connection:
        for order in orders:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(order.encode())
