"""Bearer tokens that this gateway issued: known by their SHA-256, shown once, taken back at any moment."""

import hmac
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256

from gateway.entrances.token import PREFIX, IssuedToken
from gateway.stores.rows import Rows, can_be_id

SCHEMA = """
CREATE TABLE IF NOT EXISTS issued_tokens (
    id TEXT PRIMARY KEY,
    user_name TEXT NOT NULL,
    digest TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created REAL NOT NULL,
    expires REAL NOT NULL,
    revoked REAL NOT NULL
) STRICT, WITHOUT ROWID
"""
_ID_BYTES, _SECRET_BYTES = 6, 32
_COLUMNS = "id, user_name, digest, scopes, created, expires, revoked"


class IssuedTokens:
    """The tokens of a project, shared by all who serve it. Every method is one transaction."""

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def issue(self, user: str, scopes: tuple[str, ...], expires: datetime | None) -> tuple[IssuedToken, str]:
        """Return a fresh token's record and its text, which nobody can be told again."""
        token_id, secret = secrets.token_hex(_ID_BYTES), secrets.token_urlsafe(_SECRET_BYTES)
        text = f"{PREFIX}{token_id}_{secret}"
        now = self._clock()
        with self._file.transaction() as connection:
            connection.execute(
                f"INSERT INTO issued_tokens ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    token_id,
                    user,
                    _digest(text),
                    " ".join(scopes),
                    now.timestamp(),
                    expires.timestamp() if expires else 0.0,
                    0.0,
                ),
            )
        return IssuedToken(token_id, user, scopes, now, expires, None), text

    def by_text(self, text: str) -> IssuedToken | None:
        """Return the good token of this text, or None. Its digest is compared in constant time."""
        token_id, _, _ = text.removeprefix(PREFIX).partition("_")
        found = self._row(token_id) if text.startswith(PREFIX) else None
        if found is None or not hmac.compare_digest(found[1], _digest(text)):
            return None
        return found[0] if found[0].is_good(self._clock()) else None

    def by_id(self, token_id: str) -> IssuedToken | None:
        """Return a token that is good now by its id, or None: how a session asks again who it stands for."""
        found = self._row(token_id)
        return found[0] if found and found[0].is_good(self._clock()) else None

    def revoke(self, token_id: str) -> bool:
        """Take a token back; returns whether there was one that was not taken back before."""
        with self._file.transaction() as connection:
            gone = connection.execute(
                "UPDATE issued_tokens SET revoked = ? WHERE id = ? AND revoked = 0",
                (self._clock().timestamp(), token_id),
            )
            return gone.rowcount == 1

    def listed(self) -> tuple[IssuedToken, ...]:
        """Return every token, the oldest first."""
        with self._file.reading() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM issued_tokens ORDER BY created, id").fetchall()
        return tuple(_read(row)[0] for row in rows)

    def _row(self, token_id: str) -> tuple[IssuedToken, str] | None:
        if not can_be_id(token_id):
            return None
        with self._file.reading() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM issued_tokens WHERE id = ?", (token_id,)
            ).fetchone()
        return _read(row) if row else None


def _read(row: tuple[str, str, str, str, float, float, float]) -> tuple[IssuedToken, str]:
    token_id, user, digest, scopes, created, expires, revoked = row
    token = IssuedToken(
        token_id, user, tuple(scopes.split()), _time(created), _maybe(expires), _maybe(revoked)
    )
    return token, digest


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _maybe(seconds: float) -> datetime | None:
    return _time(seconds) if seconds else None


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
