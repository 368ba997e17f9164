"""A proxy that says who is asking, believed only with its secret."""

import hmac
from collections.abc import Mapping

from starlette.datastructures import Headers

from gateway.doors.identity.callers import Callers
from gateway.errors import IdentityRefused
from gateway.settings.identity import ProxySettings
from metric_layer.issues import Issue
from traces.records import Caller

LEAST_SECRET = 32


class TrustedProxy:
    """Reads the user from the one header of the settings, where the secret stands beside it."""

    def __init__(self, settings: ProxySettings, environ: Mapping[str, str], callers: Callers) -> None:
        """Take the secret from the environment. Raises IdentityRefused where it is missing or short."""
        secret = environ.get(settings.secret_env, "")
        if len(secret) < LEAST_SECRET:
            raise IdentityRefused((_no_secret(settings.secret_env, len(secret)),))
        self._settings = settings
        self._secret = secret.encode()
        self._callers = callers

    def speaks(self, headers: Headers) -> bool:
        """Say whether a request claims to come through the proxy."""
        return self._settings.header in headers or self._settings.secret_header in headers

    def caller(self, headers: Headers) -> Caller | None:
        """Return the user that the proxy names; None without its secret, and for a header sent twice."""
        sent = headers.getlist(self._settings.secret_header)
        users = headers.getlist(self._settings.header)
        given = sent[0].encode("utf-8", "replace") if len(sent) == 1 else b""
        if not hmac.compare_digest(given, self._secret) or len(users) != 1:
            return None
        return self._callers.listed(users[0])


def _no_secret(variable: str, length: int) -> Issue:
    return Issue(
        code="proxy_secret_missing",
        message=f"[identity.proxy] needs a secret of {LEAST_SECRET} characters in the variable {variable}.",
        place=f"${variable}",
        seen=f"{length} characters",
        next_step=f"Set {variable} here and in the proxy: `openssl rand -hex 32` makes one.",
    )
