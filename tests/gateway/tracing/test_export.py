"""Exports say what the forms of their readers ask for, and nothing that anybody wrote or was told."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from gateway.asking import Door
from gateway.errors import HouseError
from gateway.service import Gateway
from gateway.tracing.exporting import namespace_of
from gateway.tracing.found import FORMATS, ExportFormat
from gateway.tracing.sending import ATTEMPTS, MOST_BYTES, Collector
from gateway.wiring import open_gateway
from tests.gateway.tracing.conftest import CLEO, PLAN
from tests.gateway.tracing.receiver import Received, collector, parsed
from traces.export.flat import FlatTrace
from traces.records import Caller

PERSON, SECRET, NUMBER = "Elvira Canarybird", "canary-secret-5d1f", 86753091234
SOURCE = "duckdb://shop"


@pytest.fixture
def asked(house: Gateway, ana: Caller, emil: Caller) -> dict[str, str]:
    """The trace ids of an answer over MCP, a refusal, a held query, words nobody knows, and one of Emil."""
    house.ask(
        ana, {"metrics": ["net_revenue"], "filters": [{"field": "region", "op": "eq", "values": [PERSON]}]}
    )
    odd = {"metrics": ["net_revenue"], "dimensions": [SECRET]}
    free = f"SELECT region AS canary_alias FROM customers WHERE region <> '{PERSON}' LIMIT {NUMBER}"
    having = {"metric": "net_revenue", "op": "gt", "values": [7]}
    plan = {**PLAN, "filters": [*PLAN["filters"], having]}  # type: ignore[misc]
    return {
        "answered": house.ask(ana, plan, door=Door("mcp 2026-06-18")).trace_id,
        "invalid_plan": house.ask(ana, odd, door=Door("http")).trace_id,
        "free": house.ask_planned(ana, lambda _: free).trace_id,
        "words": house.ask_question(ana, f"net revenue last month for {PERSON}").trace_id,
        "emil": house.ask(emil, PLAN).trace_id,
    }


def lines(house: Gateway, caller: Caller, form: ExportFormat, since: datetime | None = None) -> list[Any]:
    return [json.loads(line) for line in house.tracing.export(caller, since).lines(form, SOURCE)]


@pytest.mark.parametrize("form", FORMATS)
def test_no_word_no_value_and_no_sealed_text_is_exported(
    house: Gateway, ana: Caller, asked: dict[str, str], form: ExportFormat
) -> None:
    text = "\n".join(house.tracing.export(CLEO).lines(form, SOURCE))
    told = house.traces.read(asked["answered"])
    assert told is not None and told.closed is not None and told.closed.answer
    values = [each.value for each in told.closed.answer] + [each.text for each in told.closed.answer]
    for canary in (
        "Canarybird",
        SECRET,
        str(NUMBER),
        "canary_alias",
        "EMEA",
        "s2.",
        f'"{ana.user}"',
        *values,
    ):
        assert canary not in text, canary
    assert text.count(asked["answered"]) or text.count(str(UUID(asked["answered"])))


@pytest.mark.parametrize("form", FORMATS)
def test_an_auditor_exports_the_tenant_and_everybody_else_their_own(
    house: Gateway, ana: Caller, emil: Caller, asked: dict[str, str], form: ExportFormat
) -> None:
    def names(caller: Caller) -> set[str]:
        text = "\n".join(house.tracing.export(caller).lines(form, SOURCE)).replace("-", "")
        return {name for name, trace_id in asked.items() if trace_id in text}

    assert names(CLEO) == set(asked) and names(emil) == {"emil"} and names(ana) == set(asked) - {"emil"}
    elsewhere = Caller(user="cleo", roles=("custodian",), tenant="elsewhere")
    assert not list(house.tracing.export(elsewhere).lines(form, SOURCE))


def test_an_auditors_own_question_in_shadow_is_exported_as_they_were_told_of_it(
    audited: Path, ana: Caller
) -> None:
    policy = audited / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8").replace("governed: autonomous", "governed: shadow", 1)
    wide = "datasets: [customers, orders, order_lines, products]\n    may: [ask, audit,"
    policy.write_text(text.replace("datasets: [customers]\n    may: [audit,", wide, 1), encoding="utf-8")
    with closing(open_gateway(audited)) as house:
        own, other = (house.ask(caller, PLAN).trace_id for caller in (CLEO, ana))
        kept = [house.traces.read(each) for each in (own, other)]
        found = {line["trace_id"]: line for line in lines(house, CLEO, "jsonl")}
        told = {
            span.trace_id.hex(): _attributes(span)
            for span in _spans(house)
            if span.kind == Span.SPAN_KIND_CLIENT
        }
    assert [each.closed.came_to for each in kept if each and each.closed] == ["answered"] * 2, "both ran"
    assert (found[own]["came_to"], found[own]["rows"], found[own]["citations"]) == ("not_released", None, 0)
    assert (found[other]["came_to"], found[other]["rows"]) == ("answered", 2), "an auditor reads others'"
    assert "db.response.returned_rows" in told[other]
    assert "db.response.returned_rows" not in told.get(own, {})


def test_only_what_was_asked_since_is_exported(house: Gateway, asked: dict[str, str]) -> None:
    began = house.traces.read(asked["words"])
    assert began is not None
    later = lines(house, CLEO, "jsonl", began.opened.at)
    assert {line["trace_id"] for line in later} == {asked["words"], asked["emil"]}
    assert not lines(house, CLEO, "jsonl", datetime.now(UTC) + timedelta(days=1))


def _spans(house: Gateway) -> Iterator[Span]:
    for line in house.tracing.export(CLEO).lines("otel", SOURCE):
        for resource in parsed(line).resource_spans:
            named = {each.key: each.value.string_value for each in resource.resource.attributes}
            assert named["service.name"] == "cellbound" and named["service.version"]
            for scoped in resource.scope_spans:
                yield from scoped.spans


def _attributes(span: Span) -> dict[str, Any]:
    return {each.key: getattr(each.value, str(each.value.WhichOneof("value"))) for each in span.attributes}


def test_spans_are_otlp_and_named_by_the_conventions(house: Gateway, asked: dict[str, str]) -> None:
    of_answer = [span for span in _spans(house) if span.trace_id.hex() == asked["answered"]]
    (root,) = (span for span in of_answer if not span.parent_span_id)
    told = _attributes(root)
    assert (root.name, root.kind) == ("tools/call ask_metric", Span.SPAN_KIND_SERVER)
    assert (told["mcp.method.name"], told["gen_ai.operation.name"]) == ("tools/call", "execute_tool")
    assert (told["gen_ai.tool.name"], told["cellbound.outcome"]) == ("ask_metric", "answered")
    (query,) = (span for span in of_answer if span.kind == Span.SPAN_KIND_CLIENT)
    said = _attributes(query)
    assert (said["db.system.name"], said["db.operation.name"]) == ("duckdb", "SELECT")
    assert said["db.query.summary"] == query.name == "SELECT customers order_lines orders"
    assert said["cellbound.query_id"] == asked["answered"]
    assert said["db.response.returned_rows"] == 2 and not {"db.query.text", "db.statement"} & set(said)
    assert {span.name for span in of_answer} >= {
        "cellbound.resolve",
        "cellbound.compile",
        "cellbound.explain",
    }
    for span in of_answer:
        assert span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.parent_span_id in (b"", root.span_id) and len(span.span_id) == 8
    assert len({span.span_id for span in of_answer}) == len(of_answer)


def test_a_refusal_has_its_checks_as_events_and_http_its_own_name(
    house: Gateway, asked: dict[str, str]
) -> None:
    roots = {span.trace_id.hex(): span for span in _spans(house) if not span.parent_span_id}
    held, refused = roots[asked["free"]], roots[asked["invalid_plan"]]
    assert refused.name == "execute_tool ask_metric" and refused.kind == Span.SPAN_KIND_SERVER
    checks = [{each.key: each.value.string_value for each in event.attributes} for event in held.events]
    assert {"hold", "soft", "hard"} & {each["cellbound.verdict"] for each in checks}
    assert all(set(each) == {"cellbound.check", "cellbound.verdict", "cellbound.stage"} for each in checks)
    assert held.status.code == Status.STATUS_CODE_UNSET
    assert roots[asked["words"]].name == "execute_tool ask_question"


def test_the_same_question_is_always_the_same_spans(house: Gateway, asked: dict[str, str]) -> None:
    once, again = (sorted(span.span_id for span in _spans(house)) for _ in range(2))
    assert once == again and asked


def test_lineage_events_have_what_the_specification_demands(house: Gateway, asked: dict[str, str]) -> None:
    events = lines(house, CLEO, "openlineage")
    for event in events:
        assert event["eventType"] in {"START", "COMPLETE", "ABORT", "FAIL"}
        assert datetime.fromisoformat(event["eventTime"]).tzinfo is not None
        assert event["schemaURL"] == "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
        assert urlsplit(event["producer"]).scheme and UUID(event["run"]["runId"]).hex
        assert event["job"]["namespace"] and event["job"]["name"]
        for dataset in (*event["inputs"], *event["outputs"]):
            assert dataset["namespace"] and dataset["name"]
        for facet in _facets(event):
            assert facet["_producer"] == event["producer"]
            assert facet["_schemaURL"].startswith("https://openlineage.io/spec/facets/")
    for trace_id in asked.values():
        kinds = [event["eventType"] for event in events if event["run"]["runId"] == str(UUID(trace_id))]
        assert kinds[0] == "START" and len(kinds) == 2
    kinds_of = {event["run"]["runId"]: event["eventType"] for event in events}
    ends = {name: kinds_of[str(UUID(trace_id))] for name, trace_id in asked.items()}
    assert ends["answered"] == "COMPLETE" and ends["invalid_plan"] == ends["free"] == "ABORT"


def _facets(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for holder in (event["run"], event["job"], *event["inputs"], *event["outputs"]):
        yield from holder.get("facets", {}).values()


def test_lineage_names_the_columns_that_were_read_and_what_each_answer_column_is_made_of(
    house: Gateway, asked: dict[str, str]
) -> None:
    (done,) = (
        event
        for event in lines(house, CLEO, "openlineage")
        if event["run"]["runId"] == str(UUID(asked["answered"])) and event["eventType"] == "COMPLETE"
    )
    read = {
        each["name"]: {column["name"] for column in each["facets"]["schema"]["fields"]}
        for each in done["inputs"]
    }
    assert {each["namespace"] for each in done["inputs"]} == {SOURCE}
    assert read == {
        "customers": {"customer_id", "region"},
        "order_lines": {"order_id", "amount"},
        "orders": {"order_id", "customer_id", "order_date", "order_status", "refund_amount"},
    }
    (output,) = done["outputs"]
    lineage = output["facets"]["columnLineage"]["fields"]
    assert {
        name: sorted((f["name"], f["field"]) for f in each["inputFields"]) for name, each in lineage.items()
    } == {
        "region": [("customers", "region")],
        "net_revenue": [("order_lines", "amount"), ("orders", "refund_amount")],
    }


def test_every_flat_line_has_the_same_keys_and_the_answer_its_figures(
    house: Gateway, ana: Caller, asked: dict[str, str]
) -> None:
    found = lines(house, CLEO, "jsonl")
    assert all(set(line) == set(FlatTrace.model_fields) for line in found)
    flat = {line["trace_id"]: FlatTrace.model_validate(line) for line in found}
    answered, held = flat[asked["answered"]], flat[asked["free"]]
    assert (answered.outcome, answered.rows, answered.citations) == ("answered", 2, 2)
    assert answered.subject == house.house.subject(ana) and answered.tables == (
        "customers",
        "order_lines",
        "orders",
    )
    assert "metric net_revenue v3" in answered.definitions and "orders.refund_amount" in answered.columns
    assert (answered.query_id, answered.driver, held.query_id) == (asked["answered"], "", "")
    assert answered.total_ms and answered.steps_us["run"] > 0 and not answered.checks
    assert held.checks and held.holds == 1 and held.outcome == "held"


@pytest.fixture
def received() -> Iterator[Received]:
    with collector() as listening:
        yield listening


def test_a_collector_gets_every_span_under_its_token(
    house: Gateway, asked: dict[str, str], received: Received
) -> None:
    received.reply = b'{"partialSuccess":{"rejectedSpans":"3"}}'
    sender = Collector(received.endpoint + "/", "t0ken")
    rejected = sum(sender.send(request) for request in house.tracing.export(CLEO).requests())
    assert rejected == 3 and received.paths == ["/v1/traces"]
    assert received.headers[0]["authorization"] == "Bearer t0ken"
    assert received.headers[0]["content-type"] == "application/json"
    sent = {
        span.trace_id.hex()
        for request in received.requests
        for resource in request.resource_spans
        for scoped in resource.scope_spans
        for span in scoped.spans
    }
    assert set(asked.values()) <= sent


@pytest.mark.parametrize(
    ("answers", "taken"), [([503, 429], True), ([503] * ATTEMPTS, False), ([400], False)]
)
def test_a_collector_that_is_busy_is_asked_again_and_one_that_refuses_is_named(
    received: Received, answers: list[int], taken: bool
) -> None:
    received.answers[:] = answers
    sender = Collector(received.endpoint)
    if taken:
        assert sender.send({"resourceSpans": []}) == 0 and len(received.paths) == 3
        return
    with pytest.raises(HouseError) as caught:
        sender.send({"resourceSpans": []})
    issue = caught.value.issues[0]
    assert issue.code == "collector_unusable" and str(answers[-1]) in issue.message and issue.next_step
    assert len(received.paths) == len(answers)


ODD = {
    "infinity": b'{"partialSuccess":{"rejectedSpans":1e999}}',
    "a fraction": b'{"partialSuccess":{"rejectedSpans":2.5}}',
    "a truth": b'{"partialSuccess":{"rejectedSpans":true}}',
    "less than none": b'{"partialSuccess":{"rejectedSpans":-3}}',
    "a superscript": '{"partialSuccess":{"rejectedSpans":"²"}}'.encode(),
    "five thousand digits": b'{"partialSuccess":{"rejectedSpans":' + b"9" * 5000 + b"}}",
    "deep": b"[" * 60_000,
    "deep and right": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "a list": b"[]",
    "no object inside": b'{"partialSuccess":[1]}',
    "no text": b"\xff\xfe",
    "too long": b'{"partialSuccess":{"rejectedSpans":"3"}}' + b" " * MOST_BYTES,
    "nothing": b"",
}


@pytest.mark.parametrize("reply", ODD.values(), ids=ODD)
def test_an_answer_that_says_nothing_readable_refuses_no_span(received: Received, reply: bytes) -> None:
    received.reply = reply
    assert Collector(received.endpoint).send({"resourceSpans": []}) == 0


@pytest.mark.parametrize(("reply", "refused"), [(b'"7"', 7), (b"7", 7)])
def test_refused_spans_are_told_as_a_text_or_a_number(received: Received, reply: bytes, refused: int) -> None:
    received.reply = b'{"partialSuccess":{"rejectedSpans":' + reply + b"}}"
    assert Collector(received.endpoint).send({"resourceSpans": []}) == refused


def test_a_collector_that_is_not_there_is_named() -> None:
    with pytest.raises(HouseError) as caught:
        Collector("http://127.0.0.1:1", seconds=2).send({})
    assert caught.value.issues[0].place == "http://127.0.0.1:1/v1/traces"


@pytest.mark.parametrize(
    ("url", "namespace"),
    [
        ("duckdb:var/shop.duckdb", "duckdb://shop"),
        ("duckdb:///srv/data/shop.duckdb", "duckdb://shop"),
        ("postgres://ana:hidden@db.example/shop", "postgres://db.example:5432"),
        ("postgresql://db.example:6000/shop?password=hidden", "postgres://db.example:6000"),
        ("snowflake://account/shop", "snowflake://account"),
    ],
)
def test_the_namespace_of_a_database_holds_no_user_no_secret_and_no_path(url: str, namespace: str) -> None:
    assert namespace_of(url, "shop") == namespace
