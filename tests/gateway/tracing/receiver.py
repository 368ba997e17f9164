"""An OTLP/HTTP collector on the loopback, which reads what it gets with OpenTelemetry's own protocol."""

import json
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IDS = ("traceId", "spanId", "parentSpanId")


@dataclass
class Received:
    """What a collector got; `answers` are the statuses to answer with first, then it is always 200."""

    endpoint: str = ""
    requests: list[ExportTraceServiceRequest] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    reply: bytes = b"{}"


def parsed(body: str | bytes) -> ExportTraceServiceRequest:
    """Read a request: protobuf's JSON, but for the ids, which OTLP writes in hexadecimal digits.

    A key that the protocol does not know raises ParseError.
    """
    found = json.loads(body, object_hook=_in_base64)
    request = ExportTraceServiceRequest()
    ParseDict(found, request)
    return request


def _in_base64(found: dict[str, Any]) -> dict[str, Any]:
    ids = {key: b64encode(bytes.fromhex(found[key])).decode() for key in IDS if key in found}
    return {**found, **ids}


@contextmanager
def collector() -> Iterator[Received]:
    """Listen for the length of a block."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            status = received.answers.pop(0) if received.answers else 200
            received.paths.append(self.path)
            received.headers.append({name.lower(): value for name, value in self.headers.items()})
            if status == 200:
                received.bodies.append(body)
                received.requests.append(parsed(body))
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("retry-after", "0")
            self.end_headers()
            self.wfile.write(received.reply if status == 200 else b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    received.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
