"""Records written are records read, and the published schema says what is written."""

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.traces.samples import NOON, closed, opened
from traces.errors import TraceDamaged
from traces.formats import RecordReader, encode
from traces.frame import write_line
from traces.log_records import Recovered
from traces.records import Actual, AnyRecord, Estimate, JoinGrowth
from traces.schema import publish

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
    newer = json.loads(encode(opened("t1"))) | {"v": 2}
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
