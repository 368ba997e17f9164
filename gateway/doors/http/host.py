"""Which names the HTTP door answers to: a page that points its own name at this address reads nothing."""

from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.doors.http.problem import problem
from gateway.reply import ReplyIssue

MISDIRECTED = 421
OPEN = "/health/"
"""What a balancer asks, which knows the address alone: it says nothing of anybody."""


class KnownHost:
    """Lets a request pass whose one Host header is allowed; `name:*` allows the name with any port."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self._app = app
        self._allowed = tuple(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421, or pass the request on."""
        if scope["type"] != "http" or scope["path"].startswith(OPEN):
            await self._app(scope, receive, send)
            return
        hosts = hosts_in(Headers(scope=scope))
        if are_known(hosts, self._allowed):
            await self._app(scope, receive, send)
            return
        await problem(MISDIRECTED, (_unknown(", ".join(hosts)),))(scope, receive, send)


def hosts_in(headers: Headers) -> list[str]:
    """Return what the Host headers of a request say; there should be one."""
    return headers.getlist("host")


def are_known(hosts: Sequence[str], allowed: Sequence[str]) -> bool:
    """Say whether a request names one host, and one that is allowed."""
    return len(hosts) == 1 and is_allowed(hosts[0], allowed)


def is_allowed(host: str, allowed: Sequence[str]) -> bool:
    """Say whether a Host header is one of those allowed, by the rule that the MCP stack has for /mcp."""
    return any(host.startswith(name[:-1]) if name.endswith(":*") else host == name for name in allowed)


def _unknown(host: str) -> ReplyIssue:
    return ReplyIssue(
        code="unknown_host",
        message="This server does not answer to the name in the Host header.",
        stage="input",
        seen=host,
        next_step="Call it by a name in `allowed_hosts` under [server] in cellbound.toml, or add this one.",
    )
