"""Recorded questions as lines of another system's form, for who may read them; sealed parts stay sealed."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit

from gateway import __version__
from gateway.house import House
from gateway.record.entitled import as_told
from gateway.tracing.found import ExportFormat
from gateway.tracing.reads import ReadColumns
from traces.export.exported import Exported, exported
from traces.export.flat import flat_of
from traces.export.lineage import events_of
from traces.export.spans import Json, batches, request_of, spans_of
from traces.records import Caller, Trace
from traces.store.sealed import SealedStore

_SPANS = 512
SERVERS = {"postgres": 5432, "postgresql": 5432}


class Exporting:
    """The questions of one export. `own_only` says that its caller may not read other people's.

    `counted` holds how many questions went out so far.
    """

    def __init__(
        self, house: House, traces: SealedStore, caller: Caller, since: datetime | None = None
    ) -> None:
        self.own_only = "audit" not in house.rights(caller)
        self.counted = Counter[str]()
        self._caller = caller
        self._traces = traces
        self._subject = house.subject(caller)
        self._since = since
        self._reads = ReadColumns(house)

    def lines(self, form: ExportFormat, source: str) -> Iterator[str]:
        """Yield the lines of a file: OTLP requests, OpenLineage events or flat objects, one JSON object each.

        `source` is the namespace of tables in OpenLineage. Raises TraceDamaged.
        """
        match form:
            case "otel":
                yield from map(_json, self.requests())
            case "openlineage":
                for question in self._questions():
                    yield from map(_json, events_of(question, self._reads.of(question), source))
            case "jsonl":
                for question in self._questions():
                    yield flat_of(question, self._reads.of(question)).model_dump_json()

    def requests(self) -> Iterator[Json]:
        """Yield OTLP requests of a few hundred spans each. Raises TraceDamaged."""
        ended = (each for each in self._questions() if each.closed is not None)
        spans = (spans_of(question, self._reads.of(question)) for question in ended)
        for batch in batches(spans, _SPANS):
            yield request_of(batch, "cellbound", __version__)

    def _questions(self) -> Iterator[Exported]:
        only = self._subject if self.own_only else ""
        for question in exported(self._traces.inner.records, self._caller.tenant, only, self._since):
            self.counted["questions"] += 1
            yield _as_told(question) if question.opened.subject == self._subject else question


def namespace_of(url: str, project: str) -> str:
    """Return the namespace of a database as OpenLineage names them; no user, password or path is in it."""
    parts = urlsplit(url)
    if parts.scheme in SERVERS:
        port = parts.port or SERVERS[parts.scheme]
        return f"postgres://{parts.hostname or 'localhost'}:{port}"
    host = parts.hostname or ""
    return f"{parts.scheme}://{host}" if host and parts.scheme != "duckdb" else f"{parts.scheme}://{project}"


def _as_told(question: Exported) -> Exported:
    """Return a question as its own asker may know it: of one in shadow nothing that its run gave."""
    opened, closed = question.opened, question.closed
    told = as_told(Trace(trace_id=opened.trace_id, opened=opened, closed=closed))
    return replace(question, closed=told.closed)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
