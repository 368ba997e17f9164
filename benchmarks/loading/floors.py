"""Floors on the gateway's own server set-up: an empty handler, and a bare SDK tool with the same reply."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.doors.serving.server import listen, serve_application
from gateway.operation.memory import settle
from gateway.settings.server import ServerSettings


def empty() -> Starlette:
    """Return an application that reads a body and says nothing of it."""

    async def nothing(request: Request) -> Response:
        await request.body()
        return Response(b"{}", media_type="application/json")

    return Starlette(routes=[Route("/v1/questions", nothing, methods=["POST"])])


def sdk(reply: dict[str, Any]) -> Starlette:
    """Return the SDK's server with one tool that returns a reply."""
    server = MCPServer("floor", log_level="WARNING")

    @server.tool()
    async def ask_metric(
        metrics: list[str], dimensions: list[str], filters: list[dict[str, Any]], time: dict[str, str]
    ) -> dict[str, Any]:
        """Return the same reply, whatever is asked."""
        return reply

    server.streamable_http_app(stateless_http=True)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with server.session_manager.run():
            yield

    return Starlette(routes=[Route("/mcp", StreamableHTTPASGIApp(server.session_manager))], lifespan=lifespan)


def main() -> None:
    """Serve one of them on a free port of the loopback, and say which port on stderr."""
    kind, file = sys.argv[1:]
    application = empty() if kind == "empty" else sdk(json.loads(Path(file).read_text(encoding="utf-8")))
    settle()
    with listen("127.0.0.1", 0) as listening:
        sys.stderr.write(f"http://127.0.0.1:{listening.getsockname()[1]}\n")
        sys.stderr.flush()
        serve_application(application, ServerSettings(), listening)


if __name__ == "__main__":
    main()
