"""What a client raises: the gateway was not reached, or it said why it does not serve the request."""

from gateway.reply import Refusal


class ClientError(Exception):
    """A request without a reply."""


class NotReached(ClientError):
    """Nothing that answers like a gateway was reached, within the time and the attempts allowed."""


class RequestRefused(ClientError):
    """The gateway refused the request itself: `status` is HTTP's, `refusal` says why and what to do next.

    What became of a *question* is no error: it is a reply with its outcome.
    """

    def __init__(self, status: int, refusal: Refusal, retry_after: float | None = None) -> None:
        super().__init__("; ".join(f"{issue.code}: {issue.message}" for issue in refusal.issues))
        self.status = status
        self.refusal = refusal
        self.retry_after = retry_after
