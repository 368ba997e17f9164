"""A secret -> the proof of an asker that the driver sends, over connections that no request outlives."""

import time
from typing import Any
from urllib.parse import quote

from google.auth.credentials import Credentials
from google.auth.impersonated_credentials import Credentials as Impersonated
from google.auth.transport.requests import AuthorizedSession
from google.oauth2.credentials import Credentials as Token

from gateway.engines.base import Identity
from gateway.engines.bigquery_target import Target, on_this_machine

SCOPE = "https://www.googleapis.com/auth/bigquery"
CONNECT_SECONDS = 5.0
LEAST_SECONDS = 0.01


class AskerSession(AuthorizedSession):
    """Sends an asker's requests. `deadline` (monotonic) is when each of them is given up at the latest.

    The driver itself waits two minutes and longer for some, whatever it is told.
    """

    def __init__(self, credentials: Credentials, target: Target) -> None:
        super().__init__(credentials)  # type: ignore[no-untyped-call] # the library is typed in part
        self.deadline = 0.0
        if on_this_machine(target.endpoint):
            self.trust_env = False
            self._auth_request.session.trust_env = False

    def request(self, method: str, url: str, **more: Any) -> Any:  # type: ignore[override] # narrower
        """Send one request; its time is what is left until the deadline."""
        left = max(LEAST_SECONDS, self.deadline - time.monotonic())
        more["timeout"] = (min(CONNECT_SECONDS, left), left)
        return super().request(method, url, **more)  # type: ignore[no-untyped-call]


def proof_of(target: Target, who: Identity, secret: str) -> Credentials:
    """Return what proves the asker: the secret is their own token, or one that may act as their account."""
    token: Credentials = Token(token=secret)  # type: ignore[no-untyped-call]
    if target.authenticator == "oauth":
        return token
    principal = target.principal_of(who)
    place = f"{target.endpoint}/v1/projects/-/serviceAccounts/{quote(principal)}:generateAccessToken"
    found: Credentials = Impersonated(  # type: ignore[no-untyped-call]
        source_credentials=token,
        target_principal=principal,
        target_scopes=[SCOPE],
        iam_endpoint_override=place if on_this_machine(target.endpoint) else None,
    )
    return found
