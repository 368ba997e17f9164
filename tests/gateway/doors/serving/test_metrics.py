"""What a server counts, logs and sends of its questions: outcomes and times, and nobody's words."""

import io
import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from fastapi.testclient import TestClient
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from gateway.doors.counters import BOUNDS, Counters
from gateway.doors.http.metrics import Metering
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.doors.serving.logs import JsonLines, TextLines
from gateway.doors.serving.shared_counts import SharedCounts
from gateway.doors.serving.watching import all_of, counting, logging_each
from gateway.service import Gateway
from gateway.settings.file import ServerSettings
from gateway.tracing.live import MOST_WAITING, LiveSpans
from gateway.tracing.sending import Collector
from tests.gateway.doors.fake import FakeGateway
from traces.records import Caller

Plan = dict[str, object]


def sample(text: str, line: str) -> float:
    """Return the value of one sample."""
    found = [each for each in text.splitlines() if each.startswith(f"{line} ")]
    assert len(found) == 1, (line, text)
    return float(found[0].rpartition(" ")[2])


def test_questions_findings_budgets_and_steps_are_counted_as_they_close(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    counters = Counters()
    gateway.watch = counting(counters)
    assert gateway.ask(ana, revenue).outcome == "answered"
    refused = gateway.ask(ana, {**revenue, "metrics": ["gross_margin"]})
    assert refused.outcome != "answered"
    trace = gateway.traces.read(gateway.list_traces(ana)[0].trace_id)
    assert trace is not None and trace.closed is not None and trace.trace_id == refused.trace_id
    text = counters.text(0)
    assert sample(text, 'cellbound_questions_total{outcome="answered",origin="plan"}') == 1
    assert sample(text, 'cellbound_question_seconds_count{outcome="answered"}') == 1
    assert sample(text, 'cellbound_step_seconds_count{step="run"}') == 1
    assert sample(text, 'cellbound_budget_rows_total{kind="read"}') > 0
    came_to = f'outcome="{trace.closed.outcome}",origin="{trace.opened.origin}"'
    assert sample(text, f"cellbound_questions_total{{{came_to}}}") == 1
    fired = [each for each in trace.closed.decisions if each.verdict not in ("allow", "skipped")]
    assert fired, "a refusal has its reason"
    for each in fired:
        line = f'cellbound_check_firings_total{{check="{each.check}",verdict="{each.verdict}"}}'
        assert sample(text, line) >= 1
    assert "net_revenue" not in text and "ana" not in text and "EMEA" not in text


def test_a_histogram_is_cumulative_and_ends_with_all() -> None:
    counters = Counters()
    for seconds in (0.0001, BOUNDS[0], 0.3, 10_000.0):
        counters.took("cellbound_step_seconds", (("step", "run"),), seconds)
    text = counters.text(0)
    name = 'cellbound_step_seconds_bucket{step="run",le="'
    assert [sample(text, f'{name}{bound}"}}') for bound in (BOUNDS[0], 0.25, 0.5, "+Inf")] == [2, 2, 3, 4]
    assert sample(text, 'cellbound_step_seconds_count{step="run"}') == 4
    assert sample(text, 'cellbound_step_seconds_sum{step="run"}') == pytest.approx(10_000.3011)


def test_processes_tell_each_others_counts_also_of_one_that_ended(tmp_path: Path) -> None:
    own, other = Counters(), Counters()
    own.result("http", "answered")
    other.result("http", "answered")
    other.took("cellbound_step_seconds", (("step", "run"),), 0.2)
    (tmp_path / f"{os.getppid()}.json").write_text(other.dump(2), encoding="utf-8")
    (tmp_path / "999999999.json").write_text(other.dump(5), encoding="utf-8")
    shared = SharedCounts(tmp_path)
    with shared.kept(lambda: own.dump(1)):
        own.result("http", "abstained")
    assert json.loads((tmp_path / f"{os.getpid()}.json").read_text(encoding="utf-8"))["inside"] == 1
    text = own.text(1, shared.told)
    assert sample(text, 'cellbound_results_total{door="http",outcome="answered"}') == 3
    assert sample(text, 'cellbound_step_seconds_count{step="run"}') == 2
    assert sample(text, "cellbound_requests_inside") == 3, "nothing is inside a process that ended"
    assert sample(text, "cellbound_processes") == 2


@pytest.mark.parametrize("disk", ["works", "is full"])
def test_no_process_tells_less_than_another_told_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: str
) -> None:
    members = []
    for pid in (os.getpid(), os.getppid()):
        monkeypatch.setattr(os, "getpid", lambda pid=pid: pid)
        members.append((Counters(), SharedCounts(tmp_path)))
    for counters, shared in members:
        counters.result("http", "answered")
        counters.text(0, shared.told)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if disk == "is full":
        monkeypatch.setattr(Path, "replace", full)
    told = []
    for turn in range(10):
        counters, shared = members[turn % 2]
        counters.result("http", "answered")
        text = counters.text(0, shared.told)
        told.append(sample(text, 'cellbound_results_total{door="http",outcome="answered"}'))
    assert told == sorted(told)
    assert told[-1] == (12 if disk == "works" else 2)


def test_a_dump_that_is_slow_never_replaces_a_newer_one(tmp_path: Path) -> None:
    counters, shared = Counters(), SharedCounts(tmp_path)
    begun, go = Event(), Event()

    def slow() -> str:
        found = counters.dump(0)
        begun.set()
        go.wait(10)
        return found

    old = Thread(target=lambda: list(shared.told(slow)))
    new = Thread(target=lambda: list(shared.told(lambda: counters.dump(0))))
    old.start()
    assert begun.wait(10)
    counters.result("http", "answered")
    new.start()
    new.join(0.1)
    go.set()
    old.join()
    new.join()
    assert json.loads((tmp_path / f"{os.getpid()}.json").read_text(encoding="utf-8"))["counts"]


@pytest.fixture
def read(
    house: FakeGateway, callers: Callers, server: ServerSettings
) -> Callable[[Metering, str], tuple[int, str]]:
    def asked(metering: Metering, authorization: str) -> tuple[int, str]:
        app = build_http(house, callers, server, metering=metering)
        with TestClient(app, base_url="http://gateway.example") as client:
            headers = {"Authorization": authorization} if authorization else {}
            answer = client.get("/metrics", headers=headers)
            return answer.status_code, answer.text

    return asked


@pytest.mark.parametrize(
    ("metering", "authorization", "status"),
    [
        (Metering(readers="open"), "", 200),
        (Metering(readers="off"), "", 404),
        (Metering(readers="token", token="let me"), "", 401),
        (Metering(readers="token", token="let me"), "Bearer let you", 401),
        (Metering(readers="token", token="let me"), "Bearer let me", 200),
        (Metering(readers="token", token=""), "Bearer ", 401),
    ],
)
def test_metrics_are_read_by_whom_the_settings_let(
    read: Callable[[Metering, str], tuple[int, str]], metering: Metering, authorization: str, status: int
) -> None:
    found, text = read(metering, authorization)
    assert found == status
    assert ("cellbound_requests_inside" in text) == (status == 200)


def test_a_logged_question_names_its_trace_and_outcome_and_nothing_of_anybody(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("cellbound.questions")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        gateway.watch = all_of([logging_each])
        reply = gateway.ask(ana, revenue)
    finally:
        logger.removeHandler(handler)
    said = json.loads(lines.getvalue())
    assert (said["trace_id"], said["outcome"], said["level"]) == (reply.trace_id, "answered", "info")
    assert said["ms"] > 0
    assert not {"ana", "EMEA", "net_revenue", "completed"} & set(json.dumps(said).replace('"', " ").split())


@pytest.mark.parametrize("lines", [JsonLines(), TextLines()])
def test_an_exception_is_logged_by_its_kind_and_place_never_by_its_words(lines: logging.Formatter) -> None:
    with pytest.raises(ValueError, match="secret") as raised:
        int("secret of somebody")
    info = (ValueError, raised.value, raised.tb)
    record = logging.LogRecord("cellbound", logging.ERROR, "", 0, "It failed", (), info)
    said = lines.format(record)
    assert "ValueError" in said and "test_metrics.py:" in said and "It failed" in said
    assert "secret" not in said and "\n" not in said


class Sink:
    """A collector that takes spans down; it stands still until `let` is set."""

    def __init__(self) -> None:
        self.taken: list[ExportTraceServiceRequest] = []
        self.let = Event()
        self.let.set()
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                sink.let.wait(20)
                sink.taken.append(json_format.Parse(body, ExportTraceServiceRequest()))
                self.send_response(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *args: object) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def spans(self) -> list[str]:
        return [
            span.name
            for request in self.taken
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@pytest.fixture
def sink() -> Iterator[Sink]:
    found = Sink()
    yield found
    found.let.set()
    found.server.shutdown()
    found.server.server_close()
    found.thread.join()


def live(gateway: Gateway, place: str, counters: Counters) -> LiveSpans:
    return LiveSpans(
        Collector(place, seconds=5.0),
        lambda: gateway.house,
        gateway.traces.masked,
        lambda what, number: counters.add("cellbound_spans_total", (("became", what),), number),
    )


def test_the_spans_of_a_question_are_sent_as_it_ends_without_its_values(
    gateway: Gateway, ana: Caller, revenue: Plan, sink: Sink
) -> None:
    counters = Counters()
    spans = live(gateway, f"http://127.0.0.1:{sink.server.server_port}", counters)
    gateway.watch = spans
    gateway.ask(ana, revenue)
    spans.close(20)
    assert "execute_tool ask_metric" in sink.spans() and "cellbound.compile" in sink.spans()
    said = " ".join(map(str, sink.taken))
    assert "completed" not in said and "EMEA" not in said
    assert sample(counters.text(0), 'cellbound_spans_total{became="sent"}') == 1


def test_a_collector_that_is_gone_costs_its_spans_and_no_question(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    counters = Counters()
    spans = live(gateway, "http://127.0.0.1:9", counters)
    gateway.watch = spans
    assert gateway.ask(ana, revenue).outcome == "answered"
    spans.close(20)
    assert sample(counters.text(0), 'cellbound_spans_total{became="dropped"}') == 1


def test_a_batch_that_fails_is_counted_and_the_next_is_sent(
    gateway: Gateway, ana: Caller, revenue: Plan, sink: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    counters = Counters()
    spans = live(gateway, f"http://127.0.0.1:{sink.server.server_port}", counters)
    gateway.ask(ana, revenue)
    trace = gateway.traces.read(gateway.list_traces(ana)[0].trace_id)
    assert trace is not None and trace.closed is not None
    broken = trace.closed.model_copy(update={"metrics": None, "shape": 1, "calls": 1})
    spans(trace.opened, broken)
    until = time.monotonic() + 20
    while 'cellbound_spans_total{became="dropped"} 1' not in counters.text(0):
        assert time.monotonic() < until, "the failing batch is never counted"
        time.sleep(0.05)
    spans(trace.opened, trace.closed)
    spans.close(20)
    assert sample(counters.text(0), 'cellbound_spans_total{became="sent"}') == 1
    assert "spans are dropped: " in caplog.text


def test_a_collector_that_stands_still_never_holds_a_question_up(
    gateway: Gateway, ana: Caller, revenue: Plan, sink: Sink
) -> None:
    counters = Counters()
    sink.let.clear()
    spans = live(gateway, f"http://127.0.0.1:{sink.server.server_port}", counters)
    gateway.ask(ana, revenue)
    trace = gateway.traces.read(gateway.list_traces(ana)[0].trace_id)
    assert trace is not None and trace.closed is not None
    for _ in range(MOST_WAITING + 500):
        spans(trace.opened, trace.closed)
    assert sample(counters.text(0), 'cellbound_spans_total{became="dropped"}') >= 1
    sink.let.set()
    spans.close(20)
