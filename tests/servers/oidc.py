"""An OpenID provider on loopback: discovery, keys that rotate, the code flow with PKCE, token exchange.

A person signs in by naming themself: who they are is not what is tested. Everything else is refused as a real
provider refuses it: a code is good once, for its client, its address and its verifier.
"""

import json
import secrets
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

CLIENT, SECRET = "cellbound-console", "a secret between the console and the provider"
EXCHANGER, EXCHANGE_SECRET = "cellbound-gateway", "a secret between the gateway and the provider"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
Private = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key with its id and the one algorithm it signs with."""

    id: str
    algorithm: str
    private: Private

    def public(self) -> dict[str, Any]:
        """Return the public half as a JWK."""
        found: dict[str, Any]
        match self.private:
            case rsa.RSAPrivateKey():
                found = RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
            case ec.EllipticCurvePrivateKey():
                found = ECAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
            case _:
                found = OKPAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        return {**found, "kid": self.id, "use": "sig", "alg": self.algorithm}


def fresh_key(algorithm: str = "ES256") -> SigningKey:
    """Return a new key."""
    private: Private
    if algorithm == "EdDSA":
        private = ed25519.Ed25519PrivateKey.generate()
    elif algorithm.startswith("ES"):
        private = ec.generate_private_key(ec.SECP256R1())
    else:
        private = rsa.generate_private_key(65537, 2048)
    return SigningKey(secrets.token_hex(4), algorithm, private)


@dataclass(slots=True)
class Provider:
    """A running provider. Its keys, its people and its faults may be changed at any time."""

    port: int
    keys: list[SigningKey] = field(default_factory=lambda: [fresh_key()])
    people: dict[str, dict[str, Any]] = field(default_factory=dict)
    audience: str = "https://gateway.example/mcp"
    down: bool = False
    slow: float = 0.0
    id_token_says: dict[str, Any] = field(default_factory=dict)
    key_reads: int = 0
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    exchanged: list[Mapping[str, str]] = field(default_factory=list)
    exchange_gives: dict[str, str] = field(default_factory=dict)

    @property
    def issuer(self) -> str:
        """Return the issuer's name, which is where it is."""
        return f"http://127.0.0.1:{self.port}"

    def rotate(self, algorithm: str = "ES256", *, keep: bool = True) -> SigningKey:
        """Sign with a fresh key from now on; the old ones stay published or not."""
        self.keys = [fresh_key(algorithm), *(self.keys if keep else [])]
        return self.keys[0]

    def token(self, user: str = "ana", *, key: SigningKey | None = None, **claims: Any) -> str:
        """Return an access token; a claim of None is left out."""
        now = int(time.time())
        told = {
            "iss": self.issuer,
            "aud": self.audience,
            "sub": user,
            "iat": now,
            "exp": now + 300,
            "scope": "metrics:read questions:ask traces:read holds:read holds:decide",
            **self.people.get(user, {}),
            **claims,
        }
        return self.signed({name: value for name, value in told.items() if value is not None}, key)

    def signed(self, claims: Mapping[str, Any], key: SigningKey | None = None) -> str:
        """Return claims under the key in use, or another one."""
        by = key or self.keys[0]
        return jwt.encode(dict(claims), by.private, by.algorithm, {"kid": by.id, "typ": "at+jwt"})


@contextmanager
def running(**more: Any) -> Iterator[Provider]:
    """Serve a provider on a free port of the loopback address."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.provider = Provider(server.server_address[1], **more)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    provider: Provider

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        provider, url = self.server.provider, urlsplit(self.path)
        time.sleep(provider.slow)
        if provider.down:
            return self._send(503, {"error": "temporarily_unavailable"})
        match url.path:
            case "/.well-known/openid-configuration":
                return self._send(200, _description(provider))
            case "/keys":
                provider.key_reads += 1
                return self._send(200, {"keys": [key.public() for key in provider.keys]})
            case "/authorize":
                return self._page({name: values[0] for name, values in parse_qs(url.query).items()})
        return self._send(404, {"error": "not_found"})

    def do_POST(self) -> None:
        provider, url = self.server.provider, urlsplit(self.path)
        sent = self.rfile.read(int(self.headers.get("content-length", "0"))).decode()
        form = {name: values[0] for name, values in parse_qs(sent).items()}
        time.sleep(provider.slow)
        if provider.down:
            return self._send(503, {"error": "temporarily_unavailable"})
        if url.path == "/authorize":
            return self._redirect(form)
        if url.path != "/token":
            return self._send(404, {"error": "not_found"})
        if form.get("grant_type") == EXCHANGE:
            return self._exchange(form)
        return self._redeem(form)

    def _page(self, asked: Mapping[str, str]) -> None:
        fields = "".join(
            f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
            for name, value in asked.items()
        )
        page = (
            "<!doctype html><html lang=en><title>Provider</title><h1>Who are you?</h1>"
            f'<form method="post" action="/authorize">{fields}'
            '<label>User <input name="user"></label><button>Go on</button></form></html>'
        )
        self._answer(200, page.encode(), {"content-type": "text/html"})

    def _redirect(self, form: Mapping[str, str]) -> None:
        """Give out a code, unless the request is none of the flow we know."""
        wanted = ("client_id", "redirect_uri", "state", "nonce", "code_challenge", "user")
        known = form.get("response_type") == "code" and form.get("code_challenge_method") == "S256"
        if not known or any(not form.get(name) for name in wanted) or form["client_id"] != CLIENT:
            return self._send(400, {"error": "invalid_request"})
        provider, code = self.server.provider, secrets.token_urlsafe(16)
        provider.codes[code] = {name: form[name] for name in wanted}
        back = urlencode({"code": code, "state": form["state"], "iss": provider.issuer})
        return self._answer(303, b"", {"location": f"{form['redirect_uri']}?{back}"})

    def _redeem(self, form: Mapping[str, str]) -> None:
        provider = self.server.provider
        asked = provider.codes.pop(form.get("code", ""), None)
        proof = (
            urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        )
        if self._client() != (CLIENT, SECRET):
            return self._send(401, {"error": "invalid_client"})
        if (
            asked is None
            or form.get("redirect_uri") != asked["redirect_uri"]
            or not secrets.compare_digest(proof, asked["code_challenge"])
        ):
            return self._send(400, {"error": "invalid_grant"})
        told = {"aud": CLIENT, "nonce": asked["nonce"], "scope": None, **provider.id_token_says}
        id_token = provider.token(asked["user"], **told)
        return self._send(200, {"access_token": "opaque", "token_type": "Bearer", "id_token": id_token})

    def _exchange(self, form: Mapping[str, str]) -> None:
        """Exchange a token of ours, meant for the gateway, for what the database takes of its user."""
        provider = self.server.provider
        if self._client() != (EXCHANGER, EXCHANGE_SECRET):
            return self._send(401, {"error": "invalid_client"})
        if form.get("subject_token_type") != ACCESS_TOKEN:
            return self._send(400, {"error": "invalid_request"})
        try:
            keys = {key.id: key for key in provider.keys}
            token = form["subject_token"]
            key = keys[jwt.get_unverified_header(token)["kid"]]
            claims = jwt.decode(token, key.private.public_key(), [key.algorithm], audience=provider.audience)
        except (jwt.PyJWTError, KeyError):
            return self._send(400, {"error": "invalid_grant"})
        provider.exchanged.append(form)
        given = provider.exchange_gives.get(claims["sub"])
        if given is None:
            return self._send(400, {"error": "invalid_target"})
        body = {
            "access_token": given,
            "issued_token_type": ACCESS_TOKEN,
            "token_type": "N_A",
            "expires_in": 60,
        }
        return self._send(200, body)

    def _client(self) -> tuple[str, str]:
        scheme, _, value = self.headers.get("authorization", "").partition(" ")
        name, _, secret = (b64decode(value).decode() if scheme == "Basic" else "").partition(":")
        return name, secret

    def _send(self, status: int, body: Mapping[str, Any]) -> None:
        self._answer(status, json.dumps(body).encode(), {"content-type": "application/json"})

    def _answer(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _description(provider: Provider) -> Mapping[str, Any]:
    return {
        "issuer": provider.issuer,
        "authorization_endpoint": f"{provider.issuer}/authorize",
        "token_endpoint": f"{provider.issuer}/token",
        "jwks_uri": f"{provider.issuer}/keys",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
    }
