"""The pin of SQL that a reviewer accepted: its hash, its parameters' with it, under the project's key."""

import hmac
from collections.abc import Sequence
from hashlib import sha256

from gateway.playbooks.definition import Acceptance, Parameter, Step

PURPOSE = "analyses"


def digest_of(sql: str, parameters: Sequence[Parameter] = ()) -> str:
    """Return the SHA-256 of a statement and all that its parameters may be, in hex."""
    text = "\0".join((sql, *(parameter.model_dump_json() for parameter in parameters)))
    return sha256(text.encode()).hexdigest()


def seal_of(key: bytes, *, hold: str, by: str, at: str, digest: str) -> str:
    """Return what only the holder of the project's key can write under an acceptance, in hex."""
    text = "\0".join((hold, by, at, digest))
    return hmac.new(key, text.encode(), sha256).hexdigest()


def accepted(step: Step, key: bytes, parameters: Sequence[Parameter] = ()) -> bool:
    """Say whether the SQL of a step and its parameters are what was accepted under this project's key."""
    given = step.accepted
    if given is None:
        return False
    digest = digest_of(step.sql, parameters)
    sealed = seal_of(key, hold=given.hold, by=given.by, at=given.at, digest=digest)
    return digest == given.sha256 and hmac.compare_digest(sealed, given.seal)


def acceptance_of(
    sql: str, key: bytes, *, hold: str, by: str, at: str, parameters: Sequence[Parameter] = ()
) -> Acceptance:
    """Return the pin of a text that was accepted, with the parameters that it holds."""
    digest = digest_of(sql, parameters)
    sealed = seal_of(key, hold=hold, by=by, at=at, digest=digest)
    return Acceptance(hold=hold, by=by, at=at, sha256=digest, seal=sealed)
