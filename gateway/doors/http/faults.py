"""What HTTP says when a request cannot be served: always a problem, never a traceback."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount

from gateway.doors.arguments import argument_issues
from gateway.doors.faults import FAULTS, refusal_for, status_for
from gateway.doors.http.pages import CursorRefused
from gateway.doors.http.problem import problem
from gateway.doors.http.request import Rejected
from gateway.doors.status import BUSY, UNKNOWN_CALLER
from gateway.reply import ReplyIssue

RETRY_SECONDS = "2"


def add_fault_handlers(app: FastAPI) -> None:
    """Give an application its answers to everything that can go wrong."""
    for kind in FAULTS:
        app.add_exception_handler(kind, _house_fault)
    app.add_exception_handler(Rejected, _rejected)
    app.add_exception_handler(RequestValidationError, _arguments)
    app.add_exception_handler(CursorRefused, _cursor)
    app.add_exception_handler(HTTPException, _no_such_route)
    app.add_exception_handler(Exception, _defect)


def house_fault(fault: Exception) -> Response:
    """Return what is said of a fault that was raised on purpose."""
    status = status_for(fault)
    headers = {"Retry-After": RETRY_SECONDS} if status == BUSY else {}
    if status == UNKNOWN_CALLER:
        headers = {"WWW-Authenticate": "Bearer"}
    return problem(status.http, refusal_for(fault).issues, headers)


async def _house_fault(_: Request, fault: Exception) -> Response:
    return house_fault(fault)


async def _rejected(_: Request, fault: Exception) -> Response:
    return fault.response if isinstance(fault, Rejected) else await _defect(_, fault)


async def _arguments(_: Request, fault: Exception) -> Response:
    errors = fault.errors() if isinstance(fault, RequestValidationError) else ()
    return problem(422, argument_issues(errors))


async def _cursor(_: Request, fault: Exception) -> Response:
    return problem(422, (fault.issue,)) if isinstance(fault, CursorRefused) else await _defect(_, fault)


async def _no_such_route(request: Request, fault: Exception) -> Response:
    status = fault.status_code if isinstance(fault, HTTPException) else 500
    if (
        status == 404
        and request.url.path == "/"
        and request.method in ("GET", "HEAD")
        and has_console(request)
    ):
        return RedirectResponse("/console")
    # What was typed may hold a token: it is not said again.
    issue = ReplyIssue(
        code="no_such_route",
        message=f"{request.method} does not go here.",
        stage="input",
        next_step="Questions go to POST /v1/questions, agents to /mcp; /openapi.json lists every route.",
    )
    return problem(status, (issue,), fault.headers if isinstance(fault, HTTPException) else None)


def has_console(request: Request) -> bool:
    """Say whether this application serves the console too."""
    return any(isinstance(route, Mount) and route.path == "/console" for route in request.app.routes)


async def _defect(_: Request, fault: Exception) -> Response:
    return problem(500, refusal_for(fault).issues)
