"""One reply to one idempotency key: who sends a request again gets the reply it had, and nothing runs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta

from gateway.errors import Busy
from gateway.reply import Reply, ReplyIssue
from gateway.stores.conversations import Claim, Replies
from gateway.stores.rows import StoreUnusable
from metric_layer.issues import Issue
from traces.errors import Unsealable
from traces.keys import KeyStore
from traces.seal import named, seal, unseal

KEPT = timedelta(hours=1)
LEASE = timedelta(seconds=30)
"""How long a key stays taken by a process of which nobody hears any more."""
BEATS = 6
"""How often a process that works renews its lease before it could be over."""


def reply_once(
    keys: KeyStore,
    replies: Replies,
    subject: str,
    key: str,
    asked: str,
    work: Callable[[], Reply],
) -> Reply:
    """Return the reply kept under a key, or that of `work`, which is kept.

    `asked` is a digest. The key is held by a lease that is renewed while `work` runs: a process that dies
    gives it back by itself. Replies of questions whose asker left or that the database was too busy for
    are not kept. Raises Busy while the first request with that key still runs.
    """
    key, asked = named(keys, subject, key), named(keys, subject, asked)
    claim = replies.claim(subject, key, asked, LEASE)
    if claim.holder == "other":
        return Reply(outcome="invalid_plan", issues=(_OTHER,))
    if claim.holder == "running":
        if not claim.sealed:
            raise Busy((_RUNS,))
        kept = _opened(keys, subject, claim.sealed)
        if kept is not None:
            return kept
    lease = _Lease(replies, subject, key, claim)
    try:
        with lease.renewed():
            reply = work()
        if reply.outcome == "left" or reply.retry_after is not None:
            replies.release(subject, key, lease.claim)
        else:
            sealed = seal(keys, subject, reply.model_dump_json(by_alias=True))
            replies.fill(subject, key, lease.claim, sealed, KEPT)
    except BaseException:
        replies.release(subject, key, lease.claim)
        raise
    return reply


@dataclass(slots=True)
class _Lease:
    """A claim on a key that is renewed while its request runs; one that was lost stays lost."""

    replies: Replies
    subject: str
    key: str
    claim: Claim

    @contextmanager
    def renewed(self) -> Iterator[None]:
        """Renew the claim now and then until the block ends."""
        over = threading.Event()
        beating = threading.Thread(target=self._beat, args=(over,), name="idempotency lease", daemon=True)
        beating.start()
        try:
            yield
        finally:
            over.set()
            beating.join()

    def _beat(self, over: threading.Event) -> None:
        while not over.wait(LEASE.total_seconds() / BEATS):
            with suppress(StoreUnusable):  # the next beat may do better, before the lease is over
                claim = self.replies.renew(self.subject, self.key, self.claim, LEASE)
                if claim is None:
                    return
                self.claim = claim


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
