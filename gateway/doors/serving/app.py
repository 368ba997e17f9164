"""The one application that is served: /v1, /mcp, health and counters, behind one token check."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware

from gateway import __version__
from gateway.doors.console.app import Console
from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.http.admission import Admission, EarlyAdmission
from gateway.doors.http.analyses import build_analysis_routes
from gateway.doors.http.auth import (
    RequireCaller,
    asking_caller,
    current_caller,
    current_scopes,
    metadata_routes,
)
from gateway.doors.http.body import BodyLimit
from gateway.doors.http.charts import build_chart_routes
from gateway.doors.http.count import CountResponses
from gateway.doors.http.credentials import Credentials
from gateway.doors.http.description import DescribedApp
from gateway.doors.http.faults import add_fault_handlers
from gateway.doors.http.health import add_health
from gateway.doors.http.holds import build_hold_routes
from gateway.doors.http.host import KnownHost
from gateway.doors.http.metrics import Metering, add_metrics
from gateway.doors.http.rate import Rate, RateLimit, Rates
from gateway.doors.http.reads import Reads
from gateway.doors.http.results import build_result_routes
from gateway.doors.http.routes import QUESTIONS, build_routes, questions
from gateway.doors.http.verify import build_verify_route
from gateway.doors.identity import Callers
from gateway.doors.identity.entrance import Entrance
from gateway.doors.mcp.calls import Calls
from gateway.doors.mcp.mounted import PATH, Mounted
from gateway.doors.mcp.server import build_mcp
from gateway.doors.workers import Workers
from gateway.settings.file import ServerSettings

UNTOLD: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
"""FastAPI would tell exceptions with their texts; the house has spans and logs of its own, without values."""
ROUTES: tuple[Callable[[Face, Reads], APIRouter], ...] = (
    build_routes,
    build_result_routes,
    build_chart_routes,
    build_hold_routes,
    build_analysis_routes,
    build_verify_route,
)


def build_http(
    face: Face,
    callers: Callers | Entrance,
    settings: ServerSettings,
    console: Console | None = None,
    *,
    state_key: bytes | None = None,
    metering: Metering | None = None,
) -> FastAPI:
    """Return the application. It enters its lifespan once; build another one to serve again.

    `state_key` seals what an MCP client carries from round to round: processes that serve together share it.
    `metering` is what /metrics tells, and whom.
    """
    door = callers if isinstance(callers, Entrance) else Entrance(callers)
    metering = metering or Metering(readers=settings.metrics)
    counters = metering.counters
    workers = Workers(
        settings.workers,
        settings.queue,
        seconds=settings.queue_seconds,
        tenant=settings.tenant_workers,
        user=settings.user_workers,
        stretch=settings.stretch,
        who=asking_caller,
    )
    reads = Reads(workers, counters)
    calls = Calls()
    mcp = build_mcp(face, current_caller, workers, counters, current_scopes, state_key=state_key, calls=calls)
    mounted = Mounted(mcp, settings, calls, asking_caller)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with mounted.run():
            yield
        await asyncio.to_thread(workers.close)

    app = DescribedApp(
        title="cellbound",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        telemetry=UNTOLD,
    )
    for routes in ROUTES:
        # What is included is built a second time, at the first request.
        app.router.routes.extend(routes(face, reads).routes)
    add_health(app, face, workers.lost)
    add_metrics(app, metering, lambda: workers.inside)
    app.router.routes.insert(0, mounted.route)
    app.straight = {QUESTIONS: questions(face, reads), PATH: mounted.endpoint}
    app.router.routes.extend(metadata_routes(door.settings))
    if console is not None:
        app.mount("/console", console.app(workers, counters))
    add_fault_handlers(app)
    _guard(app, door, settings, counters, workers)
    return app


def _guard(
    app: FastAPI, door: Entrance, settings: ServerSettings, counters: Counters, workers: Workers
) -> None:
    """Put what every request passes in front of an application; the last one added stands outermost."""
    credentials = Credentials(door)
    rates = Rates(Rate(settings.user_per_minute), Rate(settings.tenant_per_minute))
    app.add_middleware(AuthContextMiddleware)
    app.add_middleware(BodyLimit, limit=settings.body_bytes, seconds=settings.body_seconds)
    app.add_middleware(Admission, workers=workers)
    app.add_middleware(RateLimit, rates=rates)
    app.add_middleware(RequireCaller, door=door, credentials=credentials)
    app.add_middleware(KnownHost, allowed=settings.allowed_hosts)
    app.add_middleware(CountResponses, counters=counters)
    app.state.refusing = EarlyAdmission(credentials, workers, rates, counters, settings.allowed_hosts)
