"""A bearer token that this gateway issued, as it is kept: without the token."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

PREFIX = "cellbound_"


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """What is known of a token. `expires` and `revoked` are None where never."""

    id: str
    user: str
    scopes: tuple[str, ...]
    created: datetime
    expires: datetime | None
    revoked: datetime | None

    def is_good(self, now: datetime) -> bool:
        """Say whether it opens a door."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class TokenRegister(Protocol):
    """Where issued tokens are looked up. Both verbs block."""

    def by_text(self, text: str) -> IssuedToken | None:
        """Return the token of this text if it is good now, or None."""
        ...

    def by_id(self, token_id: str) -> IssuedToken | None:
        """Return the token of this id if it is good now, or None."""
        ...
