"""Masking covers every kind of record: each text is sealed, keyed, the layer's, or written by code."""

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from metric_layer.issues import Issue
from metric_layer.plan import Dialect, Filter, MetricFilter, MetricPlan, Order, Window
from tests.traces.samples import NOON, citation, closed, decision, opened
from traces.errors import Unsealable
from traces.formats import encode
from traces.keys import KeyStore
from traces.literals import MARK, without_literals
from traces.private import private_of
from traces.records import AnswerAttempt, AnyRecord, Ask, Close, Hold, Open, Query, Trace
from traces.seal import key_id_of
from traces.sealing import is_erased, masked_trace, sealed, unsealed, unsealed_trace

CODE, SEALED, SCRUBBED, KEYED, LAYER, OWN = (
    "code",
    "sealed",
    "scrubbed",
    "keyed",
    "layer",
    "sealed by its writer",
)
TEXTS: dict[str, str] = {
    # written by code, or configured: ids, pseudonyms, codes, versions, hashes under a key of the project
    **dict.fromkeys(
        (
            "Open.trace_id", "Open.subject", "Open.role",
            "Open.tenant", "Open.client", "Open.follows", "Ask.narrower_of", "Ask.step_of",
            "Hold.trace_id", "Hold.hold_id", "Hold.earlier", "Hold.changed", "Judgement.trace_id",
            "Judgement.hold_id", "Judgement.by", "Judgement.findings", "Judgement.key_id",
            "Judgement.signature", "Run.query_id", "Run.backend", "Pins.driver", "Pins.search_path",
            "Approval.check", "Approval.ruling",
            "Approval.hold_id", "AnswerAttempt.trace_id", "Close.trace_id", "Close.failed_step",
            "Close.steps_us", "ModelCall.model", "ModelCall.prompt",
            "ModelCall.checks", "ModelCall.fault", "Pins.model",
            "Pins.prompt", "Decision.check", "Decision.threshold", "Estimate.notes", "Scan.relation",
            "JoinGrowth.kind", "Shape.keyed_hash", "Shape.key_id", "ColumnShape.type", "ColumnShape.low",
            "ColumnShape.high", "ColumnShape.total", "PeriodShape.start", "PeriodShape.keyed_hash",
            "Citation.metric", "Citation.trace_id", "Cell.column", "DataReference.value", "Pins.layer",
            "Pins.policy", "Pins.thresholds", "Pins.allowlist", "Pins.entitlement", "Pins.calendar",
            "Pins.gateway", "Pins.parser", "Pins.engine", "Pins.engine_version", "Pins.mode", "Pins.zone",
            "Used.name", "Used.owner", "Used.digest", "Issue.code", "Recovered.segment",
            "Recovered.cut_sha256", "SegmentStart.log", "SegmentStart.previous", "SegmentStart.key_id",
            "Erased.by", "Erased.subject", "Erased.key_ids", "Erased.of", "LegalHold.by", "LegalHold.subject",
            "Unsealed.by", "UnsealedBatch.by", "UnsealedBatch.since", "UnsealedBatch.ids",
            "StefMark.judge", "StefMark.rules",
            "Unsealed.of", "Unsealed.subject", "Retired.by", "RetiredSegment.log",
            "RetiredSegment.segment", "RetiredSegment.head", "KeysRotated.by", "Impersonated.by",
            "Impersonated.of", "Impersonated.subject", "Watermark.name", "Watermark.newest",
            "StageDecided.by", "StageDecided.question_class", "StageDecided.policy", "StageDecided.rule",
            "StageDecided.key_id", "StageDecided.signature", "EvidenceFigure.name", "AnswerCompared.by",
            "AnswerCompared.of", "AnswerCompared.question_class", "ReleasePin.question_class",
            "KeysRotated.kinds", "AnalysisPin.name", "AnalysisPin.digest", "AnalysisPin.step",
            "KeysRotated.key_ids",
        ),
        CODE,
    ),
    **dict.fromkeys(
        ("Open.program", "Filter.values", "MetricFilter.values", "Query.sql", "Query.guard", "Citation.text",
         "Citation.value", "Citation.row_key", "Citation.expression"),
        SEALED,
    ),
    **dict.fromkeys(
        ("Decision.reason", "Decision.seen", "Decision.place", "Decision.next_step", "Decision.candidates",
         "Issue.message", "Issue.path", "Issue.place", "Issue.seen", "Issue.next_step", "Issue.term",
         "Issue.candidates", "Option.name", "Option.description", "Close.notes"),
        SCRUBBED,
    ),
    **dict.fromkeys(
        ("Open.conversation", "Open.request", "Query.digest", "Hold.binding", "AnswerAttempt.digest",
         "Decision.input", "Decision.output"),
        KEYED,
    ),
    **dict.fromkeys(
        ("MetricPlan.metrics", "MetricPlan.dimensions", "Filter.field", "MetricFilter.metric", "Window.field",
         "Window.zone", "Order.by", "Ask.choices", "Ask.approval_id", "Close.readings", "ColumnShape.name"),
        LAYER,
    ),
}  # fmt: skip
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
KNOWN = frozenset({"net_revenue", "region", "order_date", "month"})
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=5, max_size=24).map(
    lambda text: f"Zx{text.strip()}qZ"
)


def texts_of(kind: Any, owner: str, seen: set[str]) -> Iterator[str]:
    """Yield `Class.field` for each field that can hold a text, through every record inside a record."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if kind.__name__ in seen:
            return
        seen.add(kind.__name__)
        for name, field in kind.model_fields.items():
            yield from texts_of(field.annotation, f"{kind.__name__}.{name}", seen)
    elif kind is str:
        yield owner
    elif get_origin(kind) is not Literal:
        for part in get_args(kind):
            yield from texts_of(part, owner, seen)


def known(name: str) -> bool:
    return name in KNOWN


def test_every_text_of_every_record_has_its_kind() -> None:
    found = set(texts_of(AnyRecord, "", set()))
    found = {name for name in found if not name.partition(".")[2].startswith("sealed")}
    assert len(found) > 90
    assert sorted(found - TEXTS.keys()) == [], "say of each new text how it is kept"
    assert sorted(TEXTS.keys() - found) == []


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyStore:
    return KeyStore.open(tmp_path_factory.mktemp("keys") / "keys.json")


def question(value: str) -> Open:
    """A question with a personal value wherever a caller can write one."""
    plan = MetricPlan(
        metrics=("net_revenue", value),
        dimensions=("region", value),
        filters=(
            Filter(field="region", op="in", values=(value, 7, Decimal("12.50"), True)),
            Filter(field=value, op="eq", values=("EMEA",)),
            MetricFilter(metric=value, op="gt", values=(Decimal("1.0"),)),
        ),
        time=Window.model_validate({"from": date(2026, 7, 1), "to": date(2026, 7, 31), "zone": value[:60]}),
        order=Order(by=value),
    )
    ask = Ask(plan=plan, choices={value: value, "region": "region"}, approval_id=value)
    return opened("t1").model_copy(update={"ask": ask, "program": value})


def said(value: str) -> dict[str, object]:
    """Every text of a decision or an issue that may repeat the value, spelled in several ways."""
    return {
        "reason": f"{value!r} is not a value of region",
        "seen": value,
        "place": f"/filters/{value}",
        "next_step": f"Write {value}, not {value.upper()}.",
        "candidates": (value, "EMEA"),
    }


def records_about(value: str, dialect: Dialect) -> tuple[AnyRecord, ...]:
    quoted = value.replace("'", "''") if dialect in ("duckdb", "postgres") else value.replace("\\", "\\\\")
    quoted = quoted.replace("'", "\\'") if dialect in ("snowflake", "bigquery") else quoted
    sql = f"SELECT 1 AS \"one\" FROM t WHERE region IN ('{quoted}') AND d >= CAST('2026-07-01' AS DATE)"
    spoken = decision().model_copy(update={"verdict": "hard", "input": "d" * 64, **said(value)})
    issue = Issue(code="unknown_value", message=f"No {value}.", seen=value, term=value, path=f"/f/{value}",
                  place=value, next_step=f"Drop {value}", candidates=(value,))  # fmt: skip
    cited = citation(value).model_copy(update={"row_key": (value,), "expression": value})
    query = Query(sql=sql, guard=sql, dialect=dialect, origin="plan", digest="e" * 64)
    return (
        question(value),
        Hold(trace_id="t1", at=NOON, hold_id="h1", findings=(spoken,), binding="9" * 64, expires=NOON),
        AnswerAttempt(
            trace_id="t1",
            at=NOON,
            attempt=1,
            passed=False,
            outcome="blocked",
            decisions=(spoken,),
            citations=(cited,),
            digest="c" * 64,
        ),
        closed(
            "t1",
            query=query,
            decisions=(decision(), spoken),
            issues=(issue,),
            answer=(cited, citation()),
            notes=(f"{value!r} was read as region.", "no value"),
            readings={value: value},
        ),
    )


def spellings(value: str) -> set[bytes]:
    bare = value.strip()
    ways = {bare, repr(bare)[1:-1], bare.replace("'", "''"), bare.upper(), bare.casefold()}
    return {text.encode() for way in ways for text in (way, json.dumps(way)[1:-1])}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=WORDS, dialect=st.sampled_from(DIALECTS))
def test_a_value_of_the_asker_stands_in_no_byte_of_a_stored_record(
    keys: KeyStore, value: str, dialect: Dialect
) -> None:
    private = private_of(question(value), known)
    for record in records_about(value, dialect):
        stored = sealed(record, private, known, keys)
        body = encode(stored)
        assert not [way for way in spellings(value) if way in body], record.kind
        assert unsealed(stored, keys) == record
        assert not is_erased(unsealed(stored, keys))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=WORDS)
def test_what_is_said_of_free_sql_a_question_or_a_draft_is_sealed_whole(keys: KeyStore, value: str) -> None:
    free = opened("t1").model_copy(update={"origin": "free", "ask": Ask()})
    private = private_of(free, known)
    sql = f"SELECT 1 AS one FROM t WHERE x = '{value.replace(chr(39), chr(39) * 2)}' AND n = 8675309"
    spoken = decision().model_copy(update={"stage": "sql", "verdict": "hard", **said(value)})
    query = Query(sql=sql, dialect="duckdb", origin="free", digest="e" * 64)
    issue = Issue(code="x", message=value, seen=value)
    record = closed("t1", query=query, decisions=(spoken,), issues=(issue,), answer=())
    stored = sealed(record, private, known, keys)
    body = encode(stored)
    assert not [way for way in spellings(value) if way in body] and b"8675309" not in body
    assert unsealed(stored, keys) == record
    worded = private_of(opened("t1").model_copy(update={"sealed_question": "s2.x.y.z"}), known)
    drafted = decision().model_copy(update={"stage": "answer", "verdict": "hard", **said(value)})
    told = closed("t1", decisions=(drafted,), issues=(issue,), notes=(f"{value!r} was read as region.",))
    body = encode(sealed(told, worded, known, keys))
    assert not [way for way in spellings(value) if way in body]


def test_of_many_verdicts_only_the_one_that_repeats_a_value_is_written_without_it(keys: KeyStore) -> None:
    private = private_of(question("Elvira Canary"), known)
    told = decision().model_copy(update={"reason": "the estimate for Elvira Canary is high"})
    stored = sealed(closed("t1", decisions=(decision("a"), told, decision("b"))), private, known, keys)
    plain = decision().reason
    assert [each.reason for each in stored.decisions] == [plain, f"the estimate for {MARK} is high", plain]


def test_what_stays_in_clear_is_what_an_auditor_needs(keys: KeyStore) -> None:
    value = "Elvira Canary"
    private = private_of(question(value), known)
    first, _, _, last = (sealed(each, private, known, keys) for each in records_about(value, "duckdb"))
    assert isinstance(first, Open) and isinstance(last, Close) and first.ask.plan and last.query
    plan = first.ask.plan
    assert plan.metrics == ("net_revenue", MARK) and plan.dimensions == ("region", MARK)
    assert plan.filters[0].values == (MARK,) * 4 and plan.time and plan.time.from_ == date(2026, 7, 1)
    assert last.query.sql == (
        f"SELECT 1 AS \"one\" FROM t WHERE region IN ('{MARK}') AND d >= CAST('2026-07-01' AS DATE)"
    )
    assert last.decisions[0].reason == decision().reason and last.decisions[1].check == "budget"
    assert last.answer[0].cell == citation().cell and last.answer[0].metric == "net_revenue"


def test_unkeyed_hashes_are_keyed_on_their_way_to_the_disk(keys: KeyStore) -> None:
    private = private_of(question("Elvira"), known)
    for record in records_about("Elvira", "duckdb"):
        body = encode(sealed(record, private, known, keys)).decode()
        assert not [letter for letter in "cde9" if letter * 64 in body]


def test_the_plan_that_comes_back_is_the_one_that_was_asked_to_the_type_of_each_value(keys: KeyStore) -> None:
    asked = question("Elvira")
    back = unsealed(sealed(asked, private_of(asked, known), known, keys), keys)
    assert back.ask.plan is not None
    assert [type(value) for value in back.ask.plan.filters[0].values] == [str, int, Decimal, bool]


def test_an_erased_trace_stays_masked_and_says_so(tmp_path: Path) -> None:
    keys = KeyStore.open(tmp_path / "keys.json")
    private = private_of(question("Elvira"), known)
    first, hold, attempt, last = (
        sealed(each, private, known, keys) for each in records_about("Elvira", "duckdb")
    )
    assert isinstance(first, Open) and isinstance(last, Close)
    assert isinstance(hold, Hold) and isinstance(attempt, AnswerAttempt)
    trace = Trace(trace_id="t1", opened=first, holds=(hold,), attempts=(attempt,), closed=last)
    assert not unsealed_trace(trace, keys).erased
    keys.destroy_subject(private.subject)
    after = unsealed_trace(trace, keys)
    assert after == trace and after.erased


def test_a_sealed_part_that_was_altered_is_refused(keys: KeyStore) -> None:
    asked = question("Elvira")
    stored = sealed(asked, private_of(asked, known), known, keys)
    assert key_id_of(stored.sealed)
    turned = stored.sealed[:-6] + ("A" if stored.sealed[-6] != "A" else "B") + stored.sealed[-5:]
    with pytest.raises(Unsealable) as refused:
        unsealed(stored.model_copy(update={"sealed": turned}), keys)
    assert refused.value.code == "seal_altered"


def test_a_masked_trace_holds_no_value_without_any_key() -> None:
    private = private_of(question("Elvira"), known)
    first, hold, attempt, last = records_about("Elvira", "duckdb")
    assert isinstance(first, Open) and isinstance(last, Close)
    assert isinstance(hold, Hold) and isinstance(attempt, AnswerAttempt)
    trace = Trace(trace_id="t1", opened=first, holds=(hold,), attempts=(attempt,), closed=last)
    assert "elvira" not in masked_trace(trace, private, known).model_dump_json().casefold()


@pytest.mark.parametrize(
    ("dialect", "sql", "shown"),
    [
        ("duckdb", "SELECT \"it's\", 'O''Brien', x1 FROM t", f"SELECT \"it's\", '{MARK}', x1 FROM t"),
        ("postgres", r"SELECT E'it\'s', 'a\' FROM t", f"SELECT '{MARK}', '{MARK}' FROM t"),
        ("postgres", "SELECT $$it's$$, $a$x$a$ -- 'y\n", f"SELECT '{MARK}', '{MARK}' /* {MARK} */\n"),
        ("snowflake", r"SELECT 'it\'s', 'c''d', "+ '"N\'m"', f"SELECT '{MARK}', '{MARK}', \"N'm\""),
        ("bigquery", "SELECT `a'b`, 'x\\'y', \"d'q\" FROM t", f"SELECT `a'b`, '{MARK}', '{MARK}' FROM t"),
        ("duckdb", "SELECT '2026-07-01', '2026-07-01 10:00:00', 5, 'month'", None),
        ("duckdb", "SELECT 1 /* it's */ , 'never closed", f"SELECT 1 /* {MARK} */ , '{MARK}'"),
        ("duckdb", "SELECT a - 4711 / 2.5, t.4711", f"SELECT a - {MARK} / 2.5, t.{MARK}"),
    ],
)  # fmt: skip
def test_literals_are_found_by_the_quotes_of_each_dialect(
    dialect: Dialect, sql: str, shown: str | None
) -> None:
    found = without_literals(sql, dialect, lambda text: text == "4711", known, whole=False)
    assert found == (sql if shown is None else shown)
