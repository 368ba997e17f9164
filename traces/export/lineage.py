"""Questions as OpenLineage run events: what was read, column by column, for which answer.

Written after version 2-0-2 of the specification (https://openlineage.io/spec/2-0-2/OpenLineage.json) and the
facets that each `_schemaURL` names. An answer is a run of the job that its metrics make; nobody is named.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Literal

from traces.export.exported import Exported, Reads, utc, uuid_of
from traces.literals import MARK
from traces.records import Outcome

Json = dict[str, object]
EventType = Literal["START", "COMPLETE", "ABORT", "FAIL"]
PRODUCER = "urn:cellbound:gateway"
SPEC = "https://openlineage.io/spec"
_EVENT = f"{SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"
_COMPLETE = frozenset(("answered", "no_rows", "partial", "dry_run"))


def events_of(question: Exported, reads: Reads, source: str) -> Iterator[Json]:
    """Yield a START, and a COMPLETE, FAIL or ABORT once the question ended.

    `source` is the namespace of the tables: the address of the database.
    """
    opened, closed = question.opened, question.closed
    yield _event("START", utc(opened.at), question, {})
    if closed is None:
        return
    inputs = [_input(source, table, columns) for table, columns in sorted(reads.tables.items())]
    data: Json = {"inputs": inputs}
    if closed.outcome in ("answered", "partial"):
        data["outputs"] = [_output(question, reads, source)]
    yield _event(_type_of(closed.outcome), utc(closed.at), question, data)


def _type_of(outcome: Outcome) -> EventType:
    """Return how a run ended: what was refused, held or left was ended before it was done."""
    if outcome in _COMPLETE:
        return "COMPLETE"
    return "FAIL" if outcome == "failed" else "ABORT"


def _event(kind: EventType, at: datetime, question: Exported, data: Mapping[str, object]) -> Json:
    opened, closed = question.opened, question.closed
    run: Json = {"runId": uuid_of(opened.trace_id)}
    facets: Json = {}
    if closed is not None and closed.pins is not None:
        engine = {"version": closed.pins.engine_version, "name": closed.pins.engine}
        facets["processing_engine"] = _facet("1-1-1/ProcessingEngineRunFacet", engine)
    if facets:
        run["facets"] = facets
    job: Json = dict(_job(question))
    told = {"processingType": "BATCH", "integration": "CELLBOUND", "jobType": "QUERY"}
    job["facets"] = {"jobType": _facet("2-0-4/JobTypeJobFacet", told)}
    return {
        "eventType": kind,
        "eventTime": at.isoformat(),
        "run": run,
        "job": job,
        "inputs": [],
        "outputs": [],
        **data,
        "producer": PRODUCER,
        "schemaURL": _EVENT,
    }


def _job(question: Exported) -> Mapping[str, str]:
    """Return the job: the metrics asked, else the saved analysis or the kind of query."""
    opened = question.opened
    names = [name for name in (opened.ask.plan.metrics if opened.ask.plan else ()) if name != MARK]
    other = opened.analysis.name if opened.analysis else opened.origin
    return {"namespace": f"cellbound/{opened.tenant}", "name": "+".join(sorted(names)) or other}


def _input(source: str, table: str, columns: Mapping[str, str]) -> Json:
    fields = [{"name": name, "type": kind} for name, kind in sorted(columns.items())]
    return {
        "namespace": source,
        "name": table,
        "facets": {"schema": _facet("1-2-0/SchemaDatasetFacet", {"fields": fields})},
    }


def _output(question: Exported, reads: Reads, source: str) -> Json:
    fields = {
        each.name: {
            "inputFields": [
                {"namespace": source, "name": table, "field": column} for table, column in each.sources
            ]
        }
        for each in reads.outputs
    }
    schema = [{"name": each.name, "type": each.type} for each in reads.outputs]
    job = _job(question)
    return {
        "namespace": job["namespace"],
        "name": f"answers/{job['name']}",
        "facets": {
            "schema": _facet("1-2-0/SchemaDatasetFacet", {"fields": schema}),
            "columnLineage": _facet("1-2-0/ColumnLineageDatasetFacet", {"fields": fields}),
        },
    }


def _facet(schema: str, content: Mapping[str, object]) -> Json:
    name = schema.rpartition("/")[2]
    return {"_producer": PRODUCER, "_schemaURL": f"{SPEC}/facets/{schema}.json#/$defs/{name}", **content}
