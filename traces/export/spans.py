"""Questions as OpenTelemetry spans in OTLP's JSON form, named by the GenAI, MCP and database conventions.

A trace records how long a step took and not when it began: steps are laid out one after another. Identifiers
are made from the trace's own, so that a question exported twice is the same spans.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from traces.export.exported import Exported, Reads, utc
from traces.model_records import ModelCall
from traces.records import Close, Decision

Json = dict[str, object]
Attribute = str | int | float | bool | Sequence[str]
INTERNAL, SERVER, CLIENT = 1, 2, 3
ERROR = 2
SCHEMA = "https://opentelemetry.io/schemas/1.40.0"
_SYSTEMS = {"postgres": "postgresql", "bigquery": "gcp.bigquery"}
_TOLD = frozenset(("allow", "skipped"))
_MICRO = 1000
_MILLI = 1_000_000


def request_of(spans: Iterable[Json], service: str, version: str) -> Json:
    """Return an ExportTraceServiceRequest that carries spans."""
    resource = {"attributes": _attributes({"service.name": service, "service.version": version})}
    scope = {"name": "cellbound", "version": version}
    scoped = {"scope": scope, "spans": list(spans), "schemaUrl": SCHEMA}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scoped], "schemaUrl": SCHEMA}]}


def spans_of(question: Exported, reads: Reads) -> list[Json]:
    """Return the spans of a question that ended: itself, its steps, its query, and calls of a model."""
    closed = question.closed
    if closed is None:
        return []
    start = round(utc(question.opened.at).timestamp() * 1_000_000) * _MICRO
    found = [_root(question, closed, start)]
    at = start
    for step, spent in closed.steps_us.items():
        end = at + spent * _MICRO
        ran = step == "run" and closed.query is not None
        found.append(
            _query(question, closed, reads, (at, end))
            if ran
            else _span(question, step, f"cellbound.{step}", (at, end))
        )
        at = end
    for number, call in enumerate(closed.calls):
        end = at + call.ms * _MILLI
        found.append(_call(question, call, number, (at, end)))
        at = end
    return found


def _root(question: Exported, closed: Close, start: int) -> Json:
    opened, tool = question.opened, question.tool
    over_mcp = opened.client.startswith("mcp")
    name = f"tools/call {tool}" if over_mcp else f"execute_tool {tool}"
    kind = SERVER if over_mcp or opened.client == "http" else INTERNAL
    end = start + max(closed.mono_us - opened.mono_us, 0) * _MICRO
    attributes: dict[str, Attribute] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.type": "datastore",
        "enduser.pseudo.id": opened.subject,
        "cellbound.trace_id": opened.trace_id,
        "cellbound.outcome": closed.outcome,
        "cellbound.role": opened.role,
        "cellbound.tenant": opened.tenant,
        "cellbound.origin": opened.origin,
        "cellbound.metrics": opened.ask.plan.metrics if opened.ask.plan else (),
        "cellbound.citations": len(closed.answer),
        "cellbound.drafts": question.drafts,
        "cellbound.holds": question.holds,
    }
    if over_mcp:
        attributes["mcp.method.name"] = "tools/call"
    if closed.pins is not None:
        attributes |= {"cellbound.layer": closed.pins.layer, "cellbound.policy": closed.pins.policy}
    span = _span(question, "", name, (start, end), attributes, kind)
    span["events"] = [_event(each, end) for each in closed.decisions if each.verdict not in _TOLD]
    if closed.outcome == "failed":
        span["status"] = {"code": ERROR}
        attributes["error.type"] = closed.failed_step or closed.outcome
        span["attributes"] = _attributes(attributes)
    if opened.ask.step_of:
        first = opened.ask.step_of
        span["links"] = [{"traceId": first, "spanId": _span_id(first, "")}]
    return span


def _query(question: Exported, closed: Close, reads: Reads, between: tuple[int, int]) -> Json:
    """Return the span of the query; its text is left out, and its summary names the tables."""
    dialect = closed.query.dialect if closed.query else ""
    tables = sorted(reads.tables)
    summary = " ".join(("SELECT", *tables))[:255]
    attributes: dict[str, Attribute] = {
        "db.system.name": _SYSTEMS.get(dialect, dialect),
        "db.operation.name": "SELECT",
        "db.query.summary": summary,
    }
    if len(tables) == 1:
        attributes["db.collection.name"] = tables[0]
    if closed.actual is not None:
        attributes["db.response.returned_rows"] = closed.actual.rows
        attributes["cellbound.engine_ms"] = float(closed.actual.ms)
    if closed.run is not None:
        attributes["cellbound.query_id"] = closed.run.query_id
    if closed.estimate is not None and closed.estimate.rows is not None:
        attributes["cellbound.estimated_rows"] = closed.estimate.rows
    return _span(question, "run", summary, between, attributes, CLIENT)


def _call(question: Exported, call: ModelCall, number: int, between: tuple[int, int]) -> Json:
    model = call.model.split(" ", 1)[0]
    attributes: dict[str, Attribute] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": call.tokens_in,
        "gen_ai.usage.output_tokens": call.tokens_out,
        "cellbound.purpose": call.purpose,
        "cellbound.reply": call.outcome,
    }
    span = _span(question, f"call {number}", f"chat {model}", between, attributes, CLIENT)
    if call.fault:
        span["status"] = {"code": ERROR}
        span["attributes"] = _attributes({**attributes, "error.type": call.fault})
    return span


def _event(decision: Decision, at: int) -> Json:
    said = {
        "cellbound.check": decision.check,
        "cellbound.verdict": decision.verdict,
        "cellbound.stage": decision.stage,
    }
    return {"timeUnixNano": str(at), "name": "cellbound.check", "attributes": _attributes(said)}


def _span(
    question: Exported,
    part: str,
    name: str,
    between: tuple[int, int],
    attributes: Mapping[str, Attribute] | None = None,
    kind: int = INTERNAL,
) -> Json:
    trace_id = question.opened.trace_id
    span: Json = {
        "traceId": trace_id,
        "spanId": _span_id(trace_id, part),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": str(between[0]),
        "endTimeUnixNano": str(between[1]),
        "attributes": _attributes(attributes or {}),
    }
    if part:
        span["parentSpanId"] = _span_id(trace_id, "")
    return span


def _span_id(trace_id: str, part: str) -> str:
    return sha256(f"{trace_id}\n{part}".encode()).hexdigest()[:16]


def _attributes(values: Mapping[str, Attribute]) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in values.items()]


def _value(value: Attribute) -> Json:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
    return {"arrayValue": {"values": [{"stringValue": each} for each in value]}}


def batches(spans: Iterable[Sequence[Json]], size: int) -> Iterator[list[Json]]:
    """Yield lists of about `size` spans; those of one question stay together."""
    batch: list[Json] = []
    for each in spans:
        batch.extend(each)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch
