"""Serves an open project over HTTP: alone, or as one of several processes on one port."""

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fastapi import FastAPI

from gateway.doors.console.app import Console
from gateway.doors.console.personal_pages import discovered_in
from gateway.doors.console.signin import TokenSignIn
from gateway.doors.console.single_sign_on import SECRET, sign_on_of
from gateway.doors.counters import Counters
from gateway.doors.faults import FAULTS, refusal_for, status_for
from gateway.doors.http.metrics import Metering
from gateway.doors.identity import require_tokens
from gateway.doors.identity.entrance import entrance_of
from gateway.doors.opened import Opened, opened
from gateway.doors.project import settings_of
from gateway.doors.serving.app import build_http
from gateway.doors.serving.hard_end import HardEnd
from gateway.doors.serving.logs import begin_logging, tell
from gateway.doors.serving.processes import END_SLACK, Processes
from gateway.doors.serving.rechecking import rechecking
from gateway.doors.serving.server import listen, serve_application
from gateway.doors.serving.shared_counts import SharedCounts
from gateway.doors.serving.watching import all_of, counting, logging_each
from gateway.doors.terminal.screen import Terminal
from gateway.doors.watch import watching
from gateway.errors import HouseError
from gateway.operation.memory import settle
from gateway.operation.proof import require_proof
from gateway.record.recorder import Watch
from gateway.settings.file import Settings
from gateway.tracing.live import LiveSpans
from gateway.tracing.sending import TOKEN as SPANS_TOKEN
from gateway.tracing.sending import Collector
from metric_layer.issues import Issue

STATE_PURPOSE = "mcp request state"
METRICS_TOKEN = "CELLBOUND_METRICS_TOKEN"
SPANS_END_SECONDS = 5.0


def serve_project(project: Path | None, host: str, port: int | None, processes: int | None) -> int:
    """Listen, open the project once per process, and serve until a signal ends it. Returns a status.

    Whatever is wrong with the project is raised, or told by the process that found it.
    """
    settings = settings_of(project)
    server = settings.server
    count = processes or server.processes
    begin_logging(server.log)
    _require_metrics_token(settings)
    if count == 1:
        with (
            opened(project) as house,
            _application(house, Metering()) as application,
            _listening(settings, host, port) as listening,
        ):
            _told(settings, listening, count)()
            _serve(house, application, listening, HardEnd(server.grace_seconds + END_SLACK, tell).arm)
        return 0
    with (
        _listening(settings, host, port) as listening,
        tempfile.TemporaryDirectory(prefix="cellbound-counts-") as folder,
    ):

        def member(ready: Callable[[], None]) -> None:
            _member((project, count), listening, Path(folder), ready)

        return Processes(count, member, server.grace_seconds, tell).run(_told(settings, listening, count))


def _listening(settings: Settings, host: str, port: int | None) -> socket.socket:
    server = settings.server
    return listen(host or server.host, server.port if port is None else port, min(server.connections, 4096))


def _told(settings: Settings, listening: socket.socket, count: int) -> Callable[[], None]:
    """Return what says where it listens, once it does."""
    address, bound, *_ = listening.getsockname()
    places = "/console, /v1, /mcp" if settings.server.console else "/v1, /mcp"
    shared = f", {count} processes" if count > 1 else ""

    def say() -> None:
        tell(f"cellbound listens on http://{address}:{bound} ({places}, /health/ready{shared})")

    return say


def _member(
    of: tuple[Path | None, int], listening: socket.socket, counts: Path, ready: Callable[[], None]
) -> None:
    """Serve as one of several; what keeps the house shut is told here and ends this process."""
    shared = SharedCounts(counts)
    try:
        with opened(*of) as house, _application(house, Metering(told=shared.told)) as application:
            ready()
            with shared.kept(application.state.dump):
                _serve(house, application, listening)
    except FAULTS as fault:
        Terminal().issues(refusal_for(fault, local=True).issues, to_stderr=True)
        raise SystemExit(status_for(fault).exit) from fault


@contextmanager
def _application(house: Opened, metering: Metering) -> Iterator[FastAPI]:
    """Build the application of an open project, once its row rules are proved. Raises NotProved."""
    identity = house.settings.identity
    require_tokens(identity, any_issued=bool(house.gateway.state.tokens.listed()))
    entrance = entrance_of(identity, house.callers, house.gateway.house.present, os.environ)
    require_proof(house.gateway.house)
    settle()
    server = house.settings.server
    console = None
    if server.console:
        sign_on = sign_on_of(identity.oidc, entrance.oidc, os.environ.get(SECRET, ""))
        runs = house.settings.at(house.settings.paths.runs)
        discovered = discovered_in(house.settings)
        cases = house.settings.at(house.settings.paths.cases)
        console = Console(house.gateway, TokenSignIn(house.callers), runs, sign_on, discovered, cases)
    told = Metering(Counters(), server.metrics, os.environ.get(METRICS_TOKEN, ""), metering.told)
    state_key = house.gateway.house.keys.commitment(STATE_PURPOSE)
    with _watched(house, told.counters):
        yield build_http(house.gateway, entrance, server, console, state_key=state_key, metering=told)


@contextmanager
def _watched(house: Opened, counters: Counters) -> Iterator[None]:
    """Count every question that ends meanwhile, log it and send its spans, as the settings say."""
    export = house.settings.export
    watches: list[Watch] = [counting(counters)]
    if house.settings.server.log == "json":
        watches.append(logging_each)
    with ExitStack() as ending:
        if export.live and export.otlp:
            collector = Collector(export.otlp, os.environ.get(SPANS_TOKEN, ""), export.seconds)
            spans = LiveSpans(
                collector,
                lambda: house.gateway.house,
                house.gateway.traces.masked,
                lambda what, number: counters.add("cellbound_spans_total", (("became", what),), number),
            )
            ending.callback(spans.close, SPANS_END_SECONDS)
            watches.append(spans)
        house.gateway.watch = all_of(watches)
        yield


def _serve(
    house: Opened, application: FastAPI, listening: socket.socket, ending: Callable[[], None] = lambda: None
) -> None:
    server = house.settings.server
    with watching(house.gateway, server.reload_seconds, tell), rechecking(house, tell):
        serve_application(application, server, listening, ending, application.state.refusing)


def _require_metrics_token(settings: Settings) -> None:
    if settings.server.metrics != "token" or os.environ.get(METRICS_TOKEN):
        return
    raise HouseError(
        (
            Issue(
                code="metrics_token_missing",
                message='server.metrics is "token", and no token is set.',
                seen=METRICS_TOKEN,
                next_step=f"Set {METRICS_TOKEN} to a long random text, or set `metrics` to off or open.",
            ),
        )
    )
