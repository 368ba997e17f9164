"""The HTTP door: /v1, /mcp, health and counters on one application, behind one token check."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.transport_security import TransportSecuritySettings
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from gateway import __version__
from gateway.doors.console.app import Console
from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.http_analyses import build_analysis_routes
from gateway.doors.http_auth import RequireCaller, current_caller, current_scopes, metadata_routes
from gateway.doors.http_body import BodyLimit
from gateway.doors.http_charts import build_chart_routes
from gateway.doors.http_count import CountResponses
from gateway.doors.http_credentials import Credentials
from gateway.doors.http_description import DescribedApp
from gateway.doors.http_faults import add_fault_handlers
from gateway.doors.http_holds import build_hold_routes
from gateway.doors.http_host import KnownHost
from gateway.doors.http_routes import build_routes
from gateway.doors.identity import Callers
from gateway.doors.identity.entrance import Entrance
from gateway.doors.mcp import build_mcp
from gateway.doors.workers import Workers
from gateway.errors import HouseError
from gateway.reply import Readiness
from gateway.settings.file import ServerSettings
from metric_layer.issues import Issue

READY_SECONDS = 1.0
GRACE_SECONDS = 15


def build_http(
    face: Face, callers: Callers | Entrance, settings: ServerSettings, console: Console | None = None
) -> FastAPI:
    """Return the application. It enters its lifespan once; build another one to serve again."""
    door = callers if isinstance(callers, Entrance) else Entrance(callers)
    counters = Counters()
    workers = Workers(settings.workers, settings.queue)
    mcp = build_mcp(face, current_caller, workers, counters, current_scopes)
    security = TransportSecuritySettings(
        allowed_hosts=list(settings.allowed_hosts), allowed_origins=list(settings.allowed_origins)
    )
    # Called for the session manager it builds; the application it returns is not used.
    mcp.streamable_http_app(
        stateless_http=True, transport_security=security, max_request_body_size=settings.body_bytes
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with mcp.session_manager.run():
            yield
        await asyncio.to_thread(workers.close)

    app = DescribedApp(
        title="cellbound", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.include_router(build_routes(face, workers, counters))
    app.include_router(build_chart_routes(face, workers, counters))
    app.include_router(build_hold_routes(face, workers, counters))
    app.include_router(build_analysis_routes(face, workers, counters))
    _add_health(app, face, workers, counters)
    app.router.routes.append(Route("/mcp", StreamableHTTPASGIApp(mcp.session_manager)))
    app.router.routes.extend(metadata_routes(door.settings))
    if console is not None:
        app.mount("/console", console.app(workers, counters))
    add_fault_handlers(app)
    # The last one added stands outermost.
    app.add_middleware(AuthContextMiddleware)
    app.add_middleware(BodyLimit, limit=settings.body_bytes)
    app.add_middleware(RequireCaller, door=door)
    app.add_middleware(AuthenticationMiddleware, backend=Credentials(door))
    app.add_middleware(KnownHost, allowed=settings.allowed_hosts)
    app.add_middleware(CountResponses, counters=counters)
    return app


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises HouseError where the address is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as fault:
        raise HouseError(
            (
                Issue(
                    code="address_unusable",
                    message=f"Cannot listen on {host} port {port}: {fault.strerror}.",
                    seen=f"{host}:{port}",
                    next_step="Name another address with --host or --port, or end what listens there.",
                ),
            )
        ) from fault


def serve_http(
    face: Face,
    callers: Callers | Entrance,
    settings: ServerSettings,
    listening: socket.socket,
    console: Console | None = None,
) -> None:
    """Serve until a signal ends it; running questions get a grace period, then they are cancelled."""
    config = uvicorn.Config(
        build_http(face, callers, settings, console),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listening])


class _Probe:
    """Asks the house whether it is ready at most once a second, however often that is called from outside."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._lock = asyncio.Lock()
        self._at = float("-inf")
        self._last = Readiness(ready=False, findings=())

    async def readiness(self) -> Readiness:
        async with self._lock:
            if time.monotonic() - self._at > READY_SECONDS:
                self._last = await asyncio.to_thread(self._face.ready)
                self._at = time.monotonic()
            return self._last


def _add_health(app: FastAPI, face: Face, workers: Workers, counters: Counters) -> None:
    probe = _Probe(face)

    @app.get("/health/live", operation_id="live")
    async def live() -> Response:
        """Say that the process runs."""
        return JSONResponse({"live": True})

    @app.get("/health/ready", operation_id="ready")
    async def ready() -> Response:
        """Say whether questions can be answered, part by part; details are for `cellbound doctor`.

        Files that were changed and are wrong are named by code and place: the last good set answers.
        """
        found = await probe.readiness()
        parts = {finding.name: finding.ok for finding in found.findings}
        issues = [{"code": i.code, "place": i.place} for finding in found.findings for i in finding.issues]
        said = {"ready": found.ready, "parts": parts, **({"issues": issues} if issues else {})}
        return JSONResponse(said, 200 if found.ready else 503)

    @app.get("/metrics", operation_id="counters", response_class=PlainTextResponse)
    async def metrics() -> Response:
        """Return the counters of this process as Prometheus text."""
        return PlainTextResponse(counters.text(workers.inside), media_type="text/plain; version=0.0.4")
