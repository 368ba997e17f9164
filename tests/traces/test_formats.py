"""Records written are records read, and the published schema says what is written."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.traces.samples import NOON, closed, opened
from traces.chain import Damage
from traces.errors import TraceDamaged
from traces.formats import RecordReader, encode
from traces.frame import write_line
from traces.keys import KeyStore
from traces.log_records import FORMAT, Recovered
from traces.records import (
    Actual,
    AnswerAttempt,
    AnyRecord,
    Close,
    Estimate,
    Hold,
    JoinGrowth,
    Judgement,
    Open,
)
from traces.schema import publish
from traces.seal import unseal_any
from traces.sealing import unsealed, unsealed_trace
from traces.signatures import is_signed
from traces.store.files import FileTraceStore

SCHEMA = Path(publish.__file__).with_name(publish.FILE_NAME)
RECORDS: list[AnyRecord] = [
    opened("t1"),
    closed("t1", sealed_submitted="s1.k.x"),
    Recovered(at=NOON, segment="a.000000.jsonl", cut_bytes=3, cut_sha256="0" * 64),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.kind)
def test_every_record_comes_back_equal(record: AnyRecord) -> None:
    assert RecordReader().read(encode(record), "here") == record


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.kind)
def test_every_line_conforms_to_the_published_schema(record: AnyRecord) -> None:
    jsonschema.validate(json.loads(write_line(0, "0" * 64, encode(record))), json.loads(SCHEMA.read_text()))


def test_the_published_schema_refuses_unknown_fields() -> None:
    line = json.loads(write_line(0, "0" * 64, encode(opened("t1"))))
    line["r"]["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(line, json.loads(SCHEMA.read_text()))


def test_the_published_schema_is_the_one_the_records_make(golden: Callable[[Path, str], None]) -> None:
    golden(SCHEMA, publish.line_schema())


def test_infinite_and_undefined_floats_come_back() -> None:
    growth = JoinGrowth(kind="inner", rows=1, growth=float("inf"))
    record = closed(
        "t1", estimate=Estimate(cost=float("-inf"), joins=(growth,)), actual=Actual(rows=1, ms=float("inf"))
    )
    assert RecordReader().read(encode(record), "here") == record


def test_a_record_of_a_newer_format_is_refused_in_words() -> None:
    newer = json.loads(encode(opened("t1"))) | {"v": FORMAT + 1}
    for body in (newer, newer | {"kind": "unheard_of"}):
        with pytest.raises(TraceDamaged) as refused:
            RecordReader().read(json.dumps(body).encode(), "a.000000.jsonl, record 7")
        assert refused.value.code == "trace_newer_format"
        assert refused.value.place == "a.000000.jsonl, record 7"


@pytest.mark.parametrize("body", [b"", b"{}", b"[1]", b'{"kind":"open"}', b"\xff"])
def test_what_is_no_record_is_refused_in_words(body: bytes) -> None:
    with pytest.raises(TraceDamaged) as refused:
        RecordReader().read(body, "here")
    assert refused.value.code == "trace_unreadable"


KEPT = Path(__file__).with_name("kept")
FORMATS = tuple(range(1, FORMAT + 1))


def kept_logs(version: int, folder: Path) -> tuple[KeyStore, FileTraceStore]:
    """Return the committed log of a format, with the test keys it was written under."""
    shutil.copytree(KEPT / f"format-{version}", folder / "kept")
    keys_file = (folder / "kept" / "keys.json").rename(folder / "keys.json")
    keys_file.chmod(0o600)
    keys = KeyStore.open(keys_file)
    return keys, FileTraceStore(folder / "kept", keys.chain_key())


@pytest.mark.parametrize("version", FORMATS)
def test_a_log_of_every_past_format_reads_verifies_and_opens(tmp_path: Path, version: int) -> None:
    keys, store = kept_logs(version, tmp_path)
    assert {record.v for record in store.records()} == {version}
    assert not [verdict for verdict in store.verify() if isinstance(verdict, Damage)]
    traces = [store.read(summary.trace_id) for summary in store.list()]
    whole = [unsealed_trace(trace, keys) for trace in traces if trace]
    assert len(whole) == 5 and not any(trace.erased for trace in whole)
    plans = [trace.opened.ask.plan for trace in whole if trace.opened.ask.plan]
    assert [each.values for plan in plans for each in plan.filters] == [("EMEA", "APAC")]
    questions = {unseal_any(keys, trace.opened.sealed_question) for trace in whole}
    assert {"net revenue last month by region", "net revenue last month for Elvira Canary"} < questions
    assert {trace.closed.outcome for trace in whole if trace.closed} == {
        "answered",
        "abstained",
        "denied",
        "held",
    }
    assert [attempt.outcome for trace in whole for attempt in trace.attempts] == ["blocked"]


@pytest.mark.parametrize("version", FORMATS)
def test_every_kept_line_conforms_to_the_schema_that_was_published_with_its_format(version: int) -> None:
    schema = json.loads(SCHEMA.with_name(f"trace-line-{version}.json").read_text(encoding="utf-8"))
    (log,) = (KEPT / f"format-{version}").glob("*.jsonl")
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    published = kind(schema)
    for line in log.read_text(encoding="utf-8").splitlines():
        published.validate(json.loads(line))


def test_format_2_keeps_no_value_that_format_1_kept_in_clear() -> None:
    old, new = ((next((KEPT / f"format-{v}").glob("*.jsonl"))).read_text(encoding="utf-8") for v in (1, 2))
    assert all(value in old for value in ("EMEA", "Elvira", "2515732.17"))
    assert not [value for value in ("EMEA", "Elvira", "2515732.17") if value in new]


def test_format_3_keeps_how_a_query_ran_what_a_question_goes_on_from_and_whose_word_a_decision_was(
    tmp_path: Path,
) -> None:
    keys, store = kept_logs(3, tmp_path)
    records = [unsealed(record, keys) for record in store.records()]
    ran = [record for record in records if isinstance(record, Close) and record.outcome == "answered"]
    assert len(ran) == 2
    for last in ran:
        pins, run = last.pins, last.run
        assert pins is not None and pins.search_path == "main"
        assert run is not None and run.query_id == last.trace_id and run.backend.isdigit()
        assert run.limits.rows == 10_000 and 0 < run.limits.seconds < 30
        assert run.started < last.at
    first, _, follow_up, *_ = (record for record in records if isinstance(record, Open))
    assert follow_up.follows == first.trace_id and len(first.request) == 32
    assert [is_signed(each, keys) for each in records if isinstance(each, Judgement)] == [True]
    later = [each for each in records if isinstance(each, Hold | Judgement | AnswerAttempt)]
    assert len(later) == 3 and all(each.mono_us > first.mono_us for each in later)


@pytest.mark.parametrize("version", [1, 2])
def test_what_an_older_format_did_not_say_comes_back_empty(tmp_path: Path, version: int) -> None:
    _, store = kept_logs(version, tmp_path)
    for record in store.records():
        if isinstance(record, Close):
            assert record.run is None
            assert record.pins is None or (record.pins.driver, record.pins.search_path) == ("", "")
        elif isinstance(record, Open):
            assert (record.follows, record.request) == ("", "")
