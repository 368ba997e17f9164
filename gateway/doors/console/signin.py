"""How people come in: a credential is turned into a grant once, and every request asks whom it stands for."""

from typing import Protocol

from pydantic import ValidationError

from gateway.doors.identity import Callers, digest_of
from gateway.doors.identity.scopes import EVERY
from traces.records import Caller

ISSUED, PERSON = "issued:", "person:"


class SignIn(Protocol):
    """A way to sign in. Pages do not know which. Both verbs block."""

    def grant(self, credential: str) -> str:
        """Return what a session keeps for a credential, never the credential; empty where it is nobody's."""
        ...

    def grant_for(self, person: Caller) -> str:
        """Return what a session keeps for somebody whom an identity provider named."""
        ...

    def caller(self, grant: str) -> Caller | None:
        """Return whom a grant stands for now; None once it was taken back."""
        ...


class TokenSignIn:
    """Sign-in by the bearer token of the HTTP door, listed or issued; the session ends with the token.

    A token that was issued for some scopes only opens no pages: they would show more than it may see.
    """

    def __init__(self, callers: Callers) -> None:
        self._callers = callers

    def grant(self, credential: str) -> str:
        """Return the digest of a listed token in hex, or the id of an issued one."""
        token = credential.strip()
        issued = self._callers.issued(token)
        if issued is not None:
            good = EVERY.issubset(issued.scopes) and self._callers.listed(issued.user)
            return f"{ISSUED}{issued.id}" if good else ""
        digest = digest_of(token)
        return digest.hex() if self._callers.by_digest(digest) else ""

    def grant_for(self, person: Caller) -> str:
        """Return the grant of a person: who is whom by the settings of another day counts no more."""
        return f"{PERSON}{self._callers.stamp}:{person.model_dump_json()}"

    def caller(self, grant: str) -> Caller | None:
        """Return the user the token was issued to, or the person an identity provider named."""
        if grant.startswith(ISSUED):
            return self._callers.of_issued(grant.removeprefix(ISSUED))
        if grant.startswith(PERSON):
            stamp, _, person = grant.removeprefix(PERSON).partition(":")
            return _person(person) if stamp == self._callers.stamp else None
        return self._callers.by_digest(bytes.fromhex(grant))


def _person(text: str) -> Caller | None:
    try:
        return Caller.model_validate_json(text)
    except ValidationError:
        return None
