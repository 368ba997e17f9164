"""One reply to one idempotency key: who sends a request again gets the reply it had, and nothing runs."""

from collections.abc import Callable
from datetime import timedelta

from gateway.errors import Busy
from gateway.reply import Reply, ReplyIssue
from gateway.stores.conversations import Replies
from metric_layer.issues import Issue
from traces.errors import Unsealable
from traces.keys import KeyStore
from traces.seal import named, seal, unseal

KEPT = timedelta(hours=1)
CALLS = 12
"""How often a question may take its time limit: two windows, each priced, counted and run, and each of these
after a wait for its data."""
MARGIN = timedelta(minutes=15)
"""What all else of a question may take."""


def longest(seconds: float) -> timedelta:
    """Return how long a question may run whose every call of the database may take so many seconds.

    For as long a key stays taken by a question that never ended, because its process did.
    """
    return MARGIN + CALLS * timedelta(seconds=seconds)


def reply_once(
    keys: KeyStore,
    replies: Replies,
    subject: str,
    key: str,
    asked: str,
    work: Callable[[], Reply],
    running: timedelta,
) -> Reply:
    """Return the reply kept under a key, or that of `work`, which may run so long and is kept.

    `asked` is a digest. Replies of questions whose asker left or that the database was too busy for are not
    kept. Raises Busy while the first request with that key still runs.
    """
    key, asked = named(keys, subject, key), named(keys, subject, asked)
    claim = replies.claim(subject, key, asked, running)
    if claim.holder == "other":
        return Reply(outcome="invalid_plan", issues=(_OTHER,))
    if claim.holder == "running":
        if not claim.sealed:
            raise Busy((_RUNS,))
        kept = _opened(keys, subject, claim.sealed)
        if kept is not None:
            return kept
    try:
        reply = work()
        if reply.outcome == "left" or reply.retry_after is not None:
            replies.release(subject, key, claim)
        else:
            sealed = seal(keys, subject, reply.model_dump_json(by_alias=True))
            replies.fill(subject, key, claim, sealed, KEPT)
    except BaseException:
        replies.release(subject, key, claim)
        raise
    return reply


def _opened(keys: KeyStore, subject: str, sealed: str) -> Reply | None:
    try:
        return Reply.model_validate_json(unseal(keys, subject, sealed))
    except Unsealable:  # erased with its subject
        return None


_OTHER = ReplyIssue(
    code="idempotency_key_reused",
    message="This Idempotency-Key was sent with another request, or before access or release stages changed.",
    stage="input",
    next_step="Send a new key with a new question.",
)
_RUNS = Issue(
    code="still_running",
    message="The first request with this Idempotency-Key still runs.",
    next_step="Send the same request again in a few seconds.",
)
