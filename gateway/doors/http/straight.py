"""Requests that go straight to what answers them: past what an application does for routes of any kind."""

from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send


def straight_to(app: Starlette, ends: Mapping[str, ASGIApp]) -> ASGIApp:
    """Return what answers requests to these paths behind an application's middleware, faults as it does."""

    async def end(scope: Scope, receive: Receive, send: Send) -> None:
        await ends[scope["path"]](scope, receive, send)

    faults = dict(app.exception_handlers)
    defect = faults.pop(Exception, None)
    inner: ASGIApp = ExceptionMiddleware(end, handlers=faults)
    for each in reversed(app.user_middleware):
        inner = each.cls(inner, *each.args, **each.kwargs)
    return ServerErrorMiddleware(inner, handler=defect)
