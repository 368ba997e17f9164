"""From a listed credential to a caller: tokens for HTTP, a configured user for stdio and the command line."""

import hashlib
import hmac
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gateway.entrances.token import PREFIX, IssuedToken, TokenRegister
from gateway.errors import IdentityRefused, SettingsInvalid
from gateway.settings.file import FILE, load_settings
from gateway.settings.identity import IdentitySettings
from metric_layer.issues import Issue
from metric_layer.vocabulary import near
from traces.records import Caller

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the settings file said when it had this stamp, and whose tokens were shown since, by SHA-256."""

    settings: IdentitySettings
    stamp: Stamp | None
    shown: dict[bytes, Caller] = field(default_factory=dict)


class Callers:
    """Who may come through which door. No argument and no header of a caller's own ever says who is asking.

    With a `folder` its cellbound.toml is looked at for every credential: what was taken away there (a token,
    a user, a role) counts at once, and a new token too; a new user or role counts from the next start,
    because the database's limits were proved without it. `issued` are the tokens that the gateway issued.
    """

    def __init__(
        self, settings: IdentitySettings, folder: Path | None = None, issued: TokenRegister | None = None
    ) -> None:
        self._settings = settings
        self._file = folder / FILE if folder else None
        self._issued = issued
        self._seen = _Seen(settings, _stamp(self._file))

    def by_digest(self, digest: bytes) -> Caller | None:
        """Return the caller whose token has this SHA-256, or None: a token taken away is known no more.

        All digests are compared, each in constant time: how long it takes tells nothing of a token. One that
        is good is compared once while the file is as it is.
        """
        seen = self._now()
        if digest in seen.shown:
            return seen.shown[digest]
        tokens = ((bytes.fromhex(token.sha256), token.user) for token in seen.settings.tokens)
        found = [user for known, user in tokens if hmac.compare_digest(known, digest)]
        caller = self._listed(found[0], seen.settings) if len(set(found)) == 1 else None
        if caller is not None:
            seen.shown[digest] = caller
        return caller

    def issued(self, token: str) -> IssuedToken | None:
        """Return the record of a token that the gateway issued and that is good now. Blocks."""
        return self._issued.by_text(token) if self._issued and token.startswith(PREFIX) else None

    def of_issued(self, token_id: str) -> Caller | None:
        """Return whom an issued token stands for now, by its id; None once it was taken back. Blocks."""
        found = self._issued.by_id(token_id) if self._issued else None
        return self.listed(found.user) if found else None

    def listed(self, user: str) -> Caller | None:
        """Return a user who was listed at the start and is now, with the roles of both times."""
        return self._listed(user, self._now().settings)

    @property
    def stamp(self) -> str:
        """Return a digest of what makes a person of the identity provider a caller now: rules, or users."""
        now = self._now().settings
        users = "" if now.oidc.rules else now.model_dump_json(include={"users"})
        return hashlib.sha256(f"{now.oidc.model_dump_json()}\n{users}".encode()).hexdigest()[:16]

    def _listed(self, user: str, now: IdentitySettings) -> Caller | None:
        if user not in now.users or user not in self._settings.users:
            return None
        caller, proved = now.caller(user), self._settings.users[user].roles
        return caller.model_copy(update={"roles": tuple(role for role in caller.roles if role in proved)})

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

    def _now(self) -> _Seen:
        """Return what the file says now; one that is wrong now says what it said before."""
        seen = self._seen
        current = _stamp(self._file)
        if self._file is None or current == seen.stamp:
            return seen
        settings = seen.settings
        # A file that is wrong says what it said before: half a saved file must lock nobody out.
        with suppress(SettingsInvalid, OSError):
            settings = load_settings(self._file.parent).identity
        self._seen = _Seen(settings, current)
        return self._seen

    def _named(self, user: str, key: str, also: str) -> Caller:
        if not user:
            next_step = _sentence(f"{also}set `{key}` under [identity] to one of [identity.users].")
            raise IdentityRefused(
                (
                    Issue(
                        code="no_identity",
                        message="Nobody is asking: this door has no user.",
                        place=FILE,
                        next_step=next_step,
                    ),
                )
            )
        if user not in self._settings.users:
            raise IdentityRefused((unknown_user(user, self._settings),))
        return self._settings.caller(user)


def unknown_user(user: str, settings: IdentitySettings) -> Issue:
    """Return what is said of a user whom nobody listed."""
    return Issue(
        code="unknown_user",
        message=f"{user!r} is not a user of this project.",
        place=FILE,
        seen=user,
        candidates=near(user, tuple(settings.users)),
        next_step="Name a user listed under [identity.users].",
    )


def digest_of(token: str) -> bytes:
    """Return the SHA-256 under which a token is known; a text that is no UTF-8 is nobody's."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def require_tokens(identity: IdentitySettings, any_issued: bool = False) -> None:
    """Raise IdentityRefused when nobody could come in over HTTP."""
    if identity.tokens or identity.oidc.issuer or identity.proxy.header or any_issued:
        return
    raise IdentityRefused(
        (
            Issue(
                code="no_tokens",
                message="Nobody has a bearer token, so nobody could ask over HTTP.",
                place=FILE,
                next_step="Make one: `cellbound token create --user USER`; or set [identity.oidc] issuer.",
            ),
        )
    )


def _stamp(file: Path | None) -> Stamp | None:
    try:
        found = file.stat() if file else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino) if found else None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
