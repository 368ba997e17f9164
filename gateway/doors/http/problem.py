"""Problems over HTTP (RFC 9457): what went wrong with a request that never became a question."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import NamedTuple

from starlette.responses import Response

from gateway.reply import ReplyIssue
from metric_layer.record import Record

MEDIA_TYPE = "application/problem+json"


class Problem(Record):
    """An RFC 9457 problem; `code` and `issues` are ours."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    issues: tuple[ReplyIssue, ...]


class Written(NamedTuple):
    """An answer as it goes over a connection: all lines of its head but the empty one, and its body."""

    head: bytes
    body: bytes


def written(answer: Response) -> Written:
    """Return an answer as bytes of HTTP/1.1, for who gives it without an application."""
    status = b"HTTP/1.1 %d %s\r\n" % (answer.status_code, HTTPStatus(answer.status_code).phrase.encode())
    return Written(status + lines(answer.raw_headers), bytes(answer.body))


def lines(headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Return headers as the lines of a head."""
    return b"".join(b"%s: %s\r\n" % header for header in headers)


def problem(status: int, issues: Sequence[ReplyIssue], headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem response; the first issue gives it its code. There must be one."""
    return Response(problem_of(status, issues).model_dump_json(), status, headers, MEDIA_TYPE)


def problem_of(status: int, issues: Sequence[ReplyIssue]) -> Problem:
    """Return issues as a problem; the first one gives it its code. There must be one."""
    first = issues[0]
    return Problem(
        type=f"urn:cellbound:problem:{first.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=first.message,
        code=first.code,
        issues=tuple(map(_in_words_of_http, issues)),
    )


def _in_words_of_http(issue: ReplyIssue) -> ReplyIssue:
    """Return an issue whose next step names a route and not the tool of MCP that does the same."""
    step = issue.next_step.replace("with list_metrics", "with GET /v1/metrics")
    return issue if step == issue.next_step else issue.model_copy(update={"next_step": step})
