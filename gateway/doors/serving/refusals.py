"""What a connection is told that never reaches the application: status, code, and the limit it met."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.reply import ReplyIssue
from gateway.settings.server import ServerSettings

CLOSE: Mapping[str, str] = {"connection": "close"}


@dataclass(frozen=True, slots=True)
class Refused:
    """One refusal; `limit` names the setting under [server] that was met."""

    status: int
    code: str
    message: str
    next_step: str
    limit: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: CLOSE)

    def issue(self, limits: ServerSettings) -> ReplyIssue:
        """Return what is said, with the limit that is in force."""
        threshold = f"{getattr(limits, self.limit):g}" if self.limit else ""
        return ReplyIssue(
            code=self.code,
            message=self.message,
            stage="input",
            threshold=threshold,
            next_step=self.next_step,
        )


TOO_MANY = Refused(
    503,
    "too_many_connections",
    "This server holds as many connections as it may.",
    "Use one connection for many requests, or try again in a few seconds.",
    "connections",
    {**CLOSE, "retry-after": "2"},
)
HEAD_TOO_LARGE = Refused(
    431,
    "head_too_large",
    "The address and headers of the request are too large.",
    "Send fewer or shorter headers.",
    "header_bytes",
)
HEAD_TOO_SLOW = Refused(
    408,
    "head_too_slow",
    "The head of the request did not arrive in time.",
    "Send the request again in one piece.",
    "header_seconds",
)
BAD_REQUEST = Refused(400, "bad_http", "This is no HTTP request.", "Send a request of HTTP/1.1.")
