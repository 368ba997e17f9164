"""From a credential to a caller: bearer tokens for HTTP, a configured user for stdio and the command line."""

import hashlib
import hmac

from gateway.errors import IdentityRefused
from gateway.settings import FILE, IdentitySettings
from metric_layer.issues import Issue
from metric_layer.vocabulary import near
from traces.records import Caller


class Callers:
    """Who may come through which door. No argument and no other header ever says who is asking."""

    def __init__(self, settings: IdentitySettings) -> None:
        self._settings = settings
        self._tokens = tuple((bytes.fromhex(token.sha256), token.user) for token in settings.tokens)

    def by_token(self, token: str) -> Caller | None:
        """Return the caller a bearer token was issued to, or None.

        All digests are compared, each in constant time: how long it takes tells nothing of a token.
        """
        digest = hashlib.sha256(token.encode()).digest()
        found = [user for known, user in self._tokens if hmac.compare_digest(known, digest)]
        return self._settings.caller(found[0]) if len(set(found)) == 1 else None

    def for_cli(self, named: str = "") -> Caller:
        """Return the caller of the command line: `--as USER`, else `identity.cli_user`.

        Raises IdentityRefused where nobody is named or the user is unknown.
        """
        return self._named(named or self._settings.cli_user, "cli_user", "name one with --as USER, or ")

    def for_stdio(self) -> Caller:
        """Return the caller of an MCP client over stdio, `identity.stdio_user`.

        Raises IdentityRefused where nobody is configured.
        """
        return self._named(self._settings.stdio_user, "stdio_user", "")

    def _named(self, user: str, key: str, also: str) -> Caller:
        if not user:
            raise IdentityRefused(
                (
                    Issue(
                        code="no_identity",
                        message="Nobody is asking: this door has no user.",
                        place=FILE,
                        next_step=_sentence(
                            f"{also}set `{key}` under [identity] to one of [identity.users]."
                        ),
                    ),
                )
            )
        if user not in self._settings.users:
            raise IdentityRefused(
                (
                    Issue(
                        code="unknown_user",
                        message=f"{user!r} is not a user of this project.",
                        place=FILE,
                        seen=user,
                        candidates=near(user, tuple(self._settings.users)),
                        next_step="Name a user listed under [identity.users].",
                    ),
                )
            )
        return self._settings.caller(user)


def require_tokens(identity: IdentitySettings) -> None:
    """Raise IdentityRefused when nobody could come in over HTTP."""
    if not identity.tokens:
        raise IdentityRefused(
            (
                Issue(
                    code="no_tokens",
                    message="Nobody has a bearer token, so nobody could ask over HTTP.",
                    place=FILE,
                    next_step="Add [[identity.tokens]] with a user and the SHA-256 of a token in hex.",
                ),
            )
        )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
