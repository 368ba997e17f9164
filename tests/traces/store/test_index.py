"""The search index follows the traces of either store, can be lost at any time, and keeps no value."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metric_layer.plan import MetricPlan
from metric_layer.resolved import Used
from tests.traces.samples import KEY, NOON, citation, closed, decision, opened, pins
from tests.traces.store.conftest import StoreOpener
from traces.custody_records import Erased, RetiredSegment
from traces.errors import IndexUnusable, TraceDamaged
from traces.keys import KeyStore
from traces.log_records import FORMAT
from traces.private import Private
from traces.records import AnswerAttempt, AnyRecord, Ask, Close, Estimate, Open, Query, Scan
from traces.sealing import sealed
from traces.store.base import TraceStore
from traces.store.files import FileTraceStore
from traces.store.index import Search, TraceIndex
from traces.store.index_file import IndexFile
from traces.store.limits import StoreLimits

ALL = Search(tenant="default")
SECRET = "73519.42"


@dataclass
class Room:
    """A store, its keys and an index over it; what is written is sealed as the house seals it."""

    store: TraceStore
    keys: KeyStore
    place: Path
    index: TraceIndex = field(init=False)

    def __post_init__(self) -> None:
        self.index = TraceIndex(self.place, self.store, self.keys)

    def write(self, *records: AnyRecord, subject: str = "u_1") -> None:
        for record in records:
            self.store.append(sealed(record, Private(subject), lambda _: True, self.keys), durable=False)

    def ask(self, trace_id: str, second: int = 0, subject: str = "u_1", **close: object) -> None:
        begun = opened(trace_id, second).model_copy(update={"subject": subject})
        self.write(begun, closed(trace_id, second + 1, **close), subject=subject)  # type: ignore[arg-type]

    def found(self, **wanted: object) -> list[str]:
        return [hit.trace_id for hit in self.index.find(ALL.model_copy(update=wanted))]


@pytest.fixture
def room(open_store: StoreOpener, tmp_path: Path) -> Room:
    """Either store, with the index in a folder of its own."""
    return Room(open_store(), KeyStore.open(tmp_path / "keys.json"), tmp_path / "index" / "index.sqlite")


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Room]:
    """The store of files, with the index beside the segments."""
    store = FileTraceStore(tmp_path / "traces", KEY)
    yield Room(store, KeyStore.open(tmp_path / "keys.json"), tmp_path / "traces" / "index.sqlite")
    store.close()


def dumped(place: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything in an index that does not depend on the order in which it was made."""
    with sqlite3.connect(place) as connection:
        asked = {
            "traces": "SELECT id, at, tenant, subject, role, outcome, metrics, sql FROM traces "
            "LEFT JOIN statements USING (q)",
            "facts": "SELECT kind, value, id FROM facts JOIN traces USING (n)",
            "numbers": "SELECT hash, id FROM numbers JOIN traces USING (n)",
        }
        return {name: sorted(connection.execute(sql).fetchall()) for name, sql in asked.items()}


def test_a_question_is_found_by_each_thing_that_is_known_of_it(room: Room) -> None:
    scanned = Estimate(rows=10, bound="upper", scans=(Scan(relation="main.orders", rows=10),))
    query = Query(
        sql='SELECT SUM("orders"."amount") FROM "orders" WHERE "orders"."region" = \'EMEA\'',
        dialect="duckdb",
        origin="plan",
        digest="q",
    )
    held = decision("row_budget").model_copy(update={"verdict": "soft"})
    other = pins(used=(Used(kind="metric", name="orders", version=1, owner="ops", digest="o1"),))
    room.ask("first", 0, answer=(citation(SECRET),), estimate=scanned, query=query, decisions=(held,))
    room.ask("second", 60, subject="u_2", outcome="denied", pins=other, answer=(citation("7"),))
    room.write(opened("third", 120))
    assert room.found() == ["third", "second", "first"]
    first: tuple[dict[str, object], ...] = (
        {"version": 3, "definition": "net_revenue"},
        {"check": "row_budget"},
        {"outcome": "answered"},
        {"table": "main.ORDERS"},
        {"table": "orders"},
        {"numbers": (Decimal("73519.42"),)},
        {"numbers": (Decimal("73519"),)},
        {"numbers": (Decimal("7.4E+4"),)},
        {"numbers": (Decimal("-73519.4"),)},
        {"sql": "where orders.region = 'APAC'"},
        {"until": NOON + timedelta(seconds=30)},
    )
    for wanted in first:
        assert room.found(**wanted) == ["first"], wanted
    assert room.found(definition="orders") == room.found(subject="u_2") == ["second"]
    assert room.found(definition="net_revenue") == ["third", "second", "first"]
    assert room.found(unfinished=True) == ["third"]
    assert room.found(since=NOON + timedelta(seconds=60), limit=1) == ["third"]
    nothing: tuple[dict[str, object], ...] = (
        {"tenant": "elsewhere"},
        {"version": 4, "definition": "net_revenue"},
        {"numbers": (Decimal("73518"),)},
        {"sql": "from customers"},
        {"check": "budget", "outcome": "answered"},
        {"outcome": "answered", "subject": "u_2"},
    )
    for wanted in nothing:
        assert room.found(**wanted) == [], wanted


def test_what_is_written_later_is_found_later_and_a_draft_after_the_close_too(room: Room) -> None:
    assert room.found() == []
    room.ask("one")
    assert room.found() == ["one"]
    attempt = AnswerAttempt(
        trace_id="one",
        at=NOON,
        attempt=1,
        passed=True,
        outcome="passed",
        decisions=(),
        citations=(citation(SECRET),),
        digest="d",
    )
    room.write(attempt)
    room.ask("two", 5)
    assert room.found(numbers=(Decimal("73519"),)) == ["one"] and room.found() == ["two", "one"]


def test_an_index_that_grew_is_the_one_that_is_made_anew(room: Room) -> None:
    for number in range(6):
        room.ask(f"t{number}", number, subject=f"u_{number % 2}", answer=(citation(f"{number}12.5"),))
        room.index.refresh()
    grown = dumped(room.place)
    assert room.index.rebuild().traces == 6 and dumped(room.place) == grown
    room.place.unlink()
    assert len(room.found()) == 6 and dumped(room.place) == grown


def test_no_value_no_literal_and_no_name_stands_in_the_file(files: Room) -> None:
    text = "SELECT 1 FROM t WHERE name = 'Elvira Canary' AND born > 19731104 -- Canary"
    query = Query(sql=text, dialect="duckdb", origin="plan", digest="q")
    files.ask("one", answer=(citation(SECRET, region="Canary"),), query=query)
    assert files.found(sql="where name = 'x' and born > 5") == ["one"]
    kept = b"".join(file.read_bytes() for file in files.place.parent.glob("index.sqlite*"))
    for canary in (b"Canary", b"canary", b"19731104", SECRET.encode(), b"73519"):
        assert canary not in kept
    assert files.place.stat().st_mode & 0o777 == 0o600


def test_an_erasure_takes_the_numbers_of_its_subject_and_leaves_the_rest(room: Room) -> None:
    room.ask("hers", 0, subject="u_1", answer=(citation(SECRET),))
    room.ask("his", 1, subject="u_2", answer=(citation(SECRET),))
    assert room.found(numbers=(Decimal(SECRET),)) == ["his", "hers"]
    room.keys.destroy_subject("u_1")
    assert room.index.erase("u_1") > 0 and room.index.erase("u_1") == 0
    assert room.found(numbers=(Decimal(SECRET),)) == ["his"] and room.found() == ["his", "hers"]
    purged = dumped(room.place)
    room.index.rebuild()
    assert dumped(room.place) == purged


def test_the_record_of_an_erasure_is_enough_for_an_index_that_was_not_told(room: Room) -> None:
    room.ask("before", 0, answer=(citation(SECRET),))
    assert room.found(numbers=(Decimal(SECRET),)) == ["before"]
    ids = room.keys.ids_of("u_1")
    room.write(Erased(at=NOON + timedelta(seconds=9), by="u_9", subject="u_1", key_ids=ids))
    room.keys.destroy_subject("u_1")
    room.ask("after", 20, answer=(citation(SECRET),))
    assert room.found(numbers=(Decimal(SECRET),)) == ["after"]


@pytest.mark.parametrize("harm", ["garbage", "cut", "empty", "other format", "other keys", "a table is gone"])
def test_a_damaged_or_foreign_index_is_made_anew(files: Room, harm: str, tmp_path: Path) -> None:
    files.ask("one", answer=(citation(SECRET),))
    assert files.found() == ["one"]
    content = files.place.read_bytes()
    match harm:
        case "garbage":
            files.place.write_bytes(b"no database" * 999)
        case "cut":
            files.place.write_bytes(content[: len(content) // 2])
        case "empty":
            files.place.write_bytes(b"")
        case "other keys":
            other = TraceIndex(files.place, files.store, KeyStore.open(tmp_path / "other.json"))
            other.find(ALL.model_copy(update={"subject": "u_2"}))
        case _:
            with sqlite3.connect(files.place) as connection:
                connection.execute("PRAGMA user_version=99" if "format" in harm else "DROP TABLE facts")
    assert files.found(numbers=(Decimal(SECRET),)) == ["one"]
    assert files.found(definition="net_revenue") == ["one"]


def test_questions_of_a_segment_that_was_retired_are_found_no_more(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path / "traces", KEY, limits=StoreLimits(segment_bytes=6_000))
    room = Room(store, KeyStore.open(tmp_path / "keys.json"), tmp_path / "traces" / "index.sqlite")
    for number in range(6):
        room.ask(f"t{number}", number)
    everything = room.found()
    oldest, *later = sorted((tmp_path / "traces").glob("*.jsonl"))
    gone = RetiredSegment(log="", number=0, segment=oldest.name, first=0, records=1, head="")
    store.delete([gone])
    left = [name for name in everything if any(_opens(file, name) for file in later)]
    assert room.found() == left and 0 < len(left) < len(everything)
    room.index.rebuild()
    assert room.found() == left
    store.close()


def _opens(segment: Path, trace_id: str) -> bool:
    return f'"kind":"open","v":{FORMAT},"trace_id":"{trace_id}"' in segment.read_text()


def test_a_segment_that_is_not_what_it_was_makes_the_index_anew(files: Room) -> None:
    files.ask("one")
    assert files.found() == ["one"]
    files.store.close()
    (segment,) = files.place.parent.glob("*.jsonl")
    segment.unlink()
    again = FileTraceStore(files.place.parent, KEY, log_id=segment.name.partition(".")[0])
    room = Room(again, files.keys, files.place)
    room.ask("two")
    assert room.found() == ["two"]
    again.close()


def test_a_record_that_nobody_can_read_is_said_and_not_skipped(files: Room) -> None:
    files.ask("one")
    files.store.close()
    (segment,) = files.place.parent.glob("*.jsonl")
    segment.write_bytes(segment.read_bytes().replace(b'"kind":"close"', b'"kind":"clothe"'))
    with pytest.raises(TraceDamaged) as caught:
        files.found()
    assert caught.value.code == "trace_unreadable" and caught.value.next_step


def test_an_index_that_another_process_holds_is_waited_for_and_then_said(files: Room, tmp_path: Path) -> None:
    files.ask("one")
    mine, theirs = (IndexFile(files.place, "k", patience=seconds) for seconds in (0.1, 5.0))
    with theirs.using(), pytest.raises(IndexUnusable) as caught, mine.using():
        pass
    assert caught.value.code == "index_busy" and caught.value.place == str(files.place)
    blocked = IndexFile(tmp_path / "keys.json" / "index.sqlite", "k")
    with pytest.raises(IndexUnusable) as caught, blocked.using():
        pass
    assert caught.value.code == "index_unusable" and caught.value.next_step


_CHILD = """
import sys
from pathlib import Path
from tests.traces.samples import KEY
from traces.keys import KeyStore
from traces.log_records import FORMAT
from traces.store.files import FileTraceStore
from traces.store.index import TraceIndex
folder = Path(sys.argv[1])
store = FileTraceStore(folder / "traces", KEY)
index = TraceIndex(folder / "traces" / "index.sqlite", store, KeyStore.open(folder / "keys.json"))
print("go", flush=True)
while True:
    index.rebuild()
"""


@pytest.mark.faults
def test_a_killed_process_leaves_an_index_that_others_use_at_once(files: Room, tmp_path: Path) -> None:
    for number in range(60):
        files.ask(f"t{number:02d}", number, answer=(citation(f"{number}00.25"),))
    files.store.close()
    files.index.rebuild()
    whole = dumped(files.place)
    for wait in (0.0, 0.005, 0.02, 0.05):
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(tmp_path)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.getcwd()},  # noqa: PTH109
        )
        assert child.stdout is not None and child.stdout.readline() == b"go\n"
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert len(files.found(limit=100)) == 60 and dumped(files.place) == whole


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["open", "close", "draft"])), max_size=14),
    st.data(),
)
def test_whatever_is_written_an_index_read_bit_by_bit_is_the_whole_one(
    tmp_path_factory: pytest.TempPathFactory, written: list[tuple[int, str]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("index")
    store = FileTraceStore(folder / "traces", KEY)
    room = Room(store, KeyStore.open(folder / "keys.json"), folder / "index.sqlite")
    for number, kind in written:
        room.write(_record(f"t{number}", kind, len(written)))
        if data.draw(st.booleans()):
            room.index.refresh()
    room.index.refresh()
    grown = dumped(room.place)
    room.index.rebuild()
    assert dumped(room.place) == grown
    store.close()


def _record(trace_id: str, kind: str, second: int) -> Open | Close | AnswerAttempt:
    if kind == "open":
        plan = MetricPlan(metrics=("orders",))
        return opened(trace_id, second).model_copy(update={"ask": Ask(plan=plan)})
    if kind == "close":
        return closed(trace_id, second, answer=(citation(f"{second}9.75"),))
    return AnswerAttempt(
        trace_id=trace_id,
        at=NOON,
        attempt=1,
        passed=True,
        outcome="passed",
        decisions=(),
        citations=(citation("31.4"),),
        digest="d",
    )
