"""The pin of SQL that a reviewer accepted: its hash, under the project's key."""

import hmac
from hashlib import sha256

from gateway.playbooks.definition import Acceptance, Step

PURPOSE = "analyses"


def digest_of(sql: str) -> str:
    """Return the SHA-256 of a text, in hex."""
    return sha256(sql.encode()).hexdigest()


def seal_of(key: bytes, *, hold: str, by: str, at: str, digest: str) -> str:
    """Return what only the holder of the project's key can write under an acceptance, in hex."""
    text = "\0".join((hold, by, at, digest))
    return hmac.new(key, text.encode(), sha256).hexdigest()


def accepted(step: Step, key: bytes) -> bool:
    """Say whether the SQL of a step is, byte for byte, what was accepted under this project's key."""
    given = step.accepted
    if given is None:
        return False
    digest = digest_of(step.sql)
    sealed = seal_of(key, hold=given.hold, by=given.by, at=given.at, digest=digest)
    return digest == given.sha256 and hmac.compare_digest(sealed, given.seal)


def acceptance_of(sql: str, key: bytes, *, hold: str, by: str, at: str) -> Acceptance:
    """Return the pin of a text that was accepted."""
    digest = digest_of(sql)
    sealed = seal_of(key, hold=hold, by=by, at=at, digest=digest)
    return Acceptance(hold=hold, by=by, at=at, sha256=digest, seal=sealed)
