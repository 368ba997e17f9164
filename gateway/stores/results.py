"""The result store: the table behind an answer, under a key of its own, for its asker only, for a while."""

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gateway.errors import HouseError
from gateway.stores.opening import open_rows
from gateway.stores.rows import Place, Tables, can_be_id
from gateway.stores.table_bytes import pack, unpack
from metric_layer.issues import Issue
from traces.records import Table

VERSION = 1
KEY_BYTES = 32
NONCE_BYTES = 12
MOST_BYTES = 64_000_000
SWEEP_EVERY = timedelta(seconds=30)
"""An expired result opens for nobody; its bytes go with the first new one so long after a sweep."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    expires REAL NOT NULL,
    wrapped_key BLOB NOT NULL,
    sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS results_subject ON results (subject);
CREATE INDEX IF NOT EXISTS results_expires ON results (expires)
"""
_PUT = """
INSERT INTO results VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET subject = EXCLUDED.subject,
    expires = EXCLUDED.expires, wrapped_key = EXCLUDED.wrapped_key, sealed = EXCLUDED.sealed
"""


class ResultUnreadable(HouseError):
    """A stored result is not what was stored, or the master key is another one."""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A result as its asker may see it, and when it goes."""

    table: Table
    expires: datetime


class ResultStore:
    """Results by id. Each has a random key of its own, wrapped by `wrapping_key` (32 bytes).

    A result is bound to its id and its asker: a row moved under another name does not open. Safe from several
    threads and several processes. Raises StoreUnusable when the file cannot be used.
    """

    def __init__(
        self,
        place: Place,
        wrapping_key: bytes,
        *,
        ttl_seconds: float = 3600,
        clock: Callable[[], datetime] | None = None,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Open or make the file, or name the database.

        `most_bytes` caps one compressed result; `clock` returns aware times.
        """
        self._file = open_rows(place, Tables("results", _SCHEMA, VERSION, "NORMAL"))
        self._wrap = AESGCM(wrapping_key)
        self.ttl = timedelta(seconds=ttl_seconds)
        self._clock = clock or _utc_now
        self._most_bytes = most_bytes
        self._swept = datetime.min.replace(tzinfo=UTC)

    def put(self, result_id: str, subject: str, table: Table) -> bool:
        """Keep a table for `subject`; an older result of that id is replaced. Now and then expired ones go.

        Returns False when the result is larger than the store takes; a draft check then runs the SQL again.
        """
        plain = pack(table)
        if len(plain) > self._most_bytes:
            return False
        key, bound = secrets.token_bytes(KEY_BYTES), _bound(result_id, subject)
        now = self._clock()
        # A clock that was set back must not put the next sweep off.
        sweeps = not self._swept <= now < self._swept + SWEEP_EVERY
        row = (
            result_id,
            subject,
            (now + self.ttl).timestamp(),
            _seal(self._wrap, key, bound),
            _seal(AESGCM(key), plain, bound),
        )
        if not sweeps:
            self._file.write(_PUT, row)
            return True
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM results WHERE expires <= ?", (now.timestamp(),))
            connection.execute(_PUT, row)
        self._swept = now
        return True

    def get(self, result_id: str, subject: str) -> StoredResult | None:
        """Return the result, or None when there is none, it expired, or it is somebody else's: all alike.

        Raises ResultUnreadable when the bytes on disk are not what was stored.
        """
        if not can_be_id(result_id):
            return None
        with self._file.reading() as connection:
            row = connection.execute(
                "SELECT expires, wrapped_key, sealed FROM results"
                " WHERE id = ? AND subject = ? AND expires > ?",
                (result_id, subject, self._clock().timestamp()),
            ).fetchone()
        if row is None:
            return None
        expires, wrapped, sealed = row
        bound = _bound(result_id, subject)
        try:
            plain = _unseal(AESGCM(_unseal(self._wrap, wrapped, bound)), sealed, bound)
        except InvalidTag as error:
            raise ResultUnreadable((_UNREADABLE.model_copy(update={"seen": result_id}),)) from error
        return StoredResult(unpack(plain), datetime.fromtimestamp(expires, UTC))

    def erase(self, subject: str) -> int:
        """Destroy every result of a subject with its key; return how many there were."""
        with self._file.transaction() as connection:
            count = connection.execute("DELETE FROM results WHERE subject = ?", (subject,)).rowcount
        self._file.forget()
        return count

    def purge(self) -> int:
        """Destroy every expired result; return how many there were."""
        with self._file.transaction() as connection:
            now = self._clock().timestamp()
            return connection.execute("DELETE FROM results WHERE expires <= ?", (now,)).rowcount

    def close(self) -> None:
        """Close the file."""
        self._file.close()


_UNREADABLE = Issue(
    code="result_unreadable",
    message="A stored result cannot be opened: it was changed, or the master key is another one.",
    next_step="Ask the question again.",
)


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _bound(result_id: str, subject: str) -> bytes:
    return json.dumps([result_id, subject]).encode()


def _seal(cipher: AESGCM, plain: bytes, bound: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + cipher.encrypt(nonce, plain, bound)


def _unseal(cipher: AESGCM, sealed: bytes, bound: bytes) -> bytes:
    return cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], bound)
