"""What follow-ups and repeated requests rest on for a while: plans that were answered, sealed replies."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from gateway.stores.rows import Rows

SCHEMA = """
CREATE TABLE IF NOT EXISTS conversations (
    subject TEXT NOT NULL,
    id TEXT NOT NULL,
    plan TEXT NOT NULL,
    expires REAL NOT NULL,
    PRIMARY KEY (subject, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS replies (
    subject TEXT NOT NULL,
    key TEXT NOT NULL,
    asked TEXT NOT NULL,
    sealed TEXT NOT NULL,
    expires REAL NOT NULL,
    PRIMARY KEY (subject, key)
) STRICT, WITHOUT ROWID
"""
Holder = Literal["mine", "running", "other"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Who has a key, with the sealed reply if there is one.

    `until` is the moment it expires (s). It names the claim: a key is taken again only after that moment.
    """

    holder: Holder
    sealed: str
    until: float


class Conversations:
    """The plan that was last answered in each conversation of a subject, sealed under the subject's key.

    Every method is one transaction.
    """

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def remember(self, subject: str, conversation: str, sealed_plan: str, life: timedelta) -> None:
        """Keep a sealed plan for the follow-ups of the same subject; the newest counts."""
        now = self._clock()
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM conversations WHERE expires <= ?", (now.timestamp(),))
            connection.execute(
                "INSERT INTO conversations VALUES (?, ?, ?, ?) ON CONFLICT (subject, id) DO UPDATE SET"
                " plan = EXCLUDED.plan, expires = EXCLUDED.expires",
                (subject, conversation, sealed_plan, (now + life).timestamp()),
            )

    def recall(self, subject: str, conversation: str) -> str:
        """Return the sealed plan that a follow-up goes on from; empty where there is none any more."""
        with self._file.reading() as connection:
            row = connection.execute(
                "SELECT plan FROM conversations WHERE subject = ? AND id = ? AND expires > ?",
                (subject, conversation, self._clock().timestamp()),
            ).fetchone()
        return str(row[0]) if row else ""

    def erase(self, subject: str) -> int:
        """Forget every conversation of a subject; return how many there were."""
        with self._file.transaction() as connection:
            return connection.execute("DELETE FROM conversations WHERE subject = ?", (subject,)).rowcount


class Replies:
    """The reply to each idempotency key of a subject, sealed. Every method is one transaction."""

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def claim(self, subject: str, key: str, asked: str, life: timedelta) -> Claim:
        """Take a key for a request whose digest is `asked`, or say who has it.

        A key that is taken and neither renewed nor filled within `life` is free again.
        """
        now = self._clock()
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM replies WHERE expires <= ?", (now.timestamp(),))
            row = connection.execute(
                "SELECT asked, sealed, expires FROM replies WHERE subject = ? AND key = ?", (subject, key)
            ).fetchone()
            if row is None:
                until = (now + life).timestamp()
                connection.execute(
                    "INSERT INTO replies VALUES (?, ?, ?, '', ?)", (subject, key, asked, until)
                )
                return Claim("mine", "", until)
        return Claim("running" if row[0] == asked else "other", str(row[1]), float(row[2]))

    def renew(self, subject: str, key: str, claim: Claim, life: timedelta) -> Claim | None:
        """Hold a key for `life` from now on; None where the claim on it is over."""
        until = (self._clock() + life).timestamp()
        with self._file.transaction() as connection:
            held = connection.execute(
                "UPDATE replies SET expires = ? WHERE subject = ? AND key = ? AND expires = ?",
                (until, subject, key, claim.until),
            )
            return Claim("mine", "", until) if held.rowcount == 1 else None

    def fill(self, subject: str, key: str, claim: Claim, sealed: str, life: timedelta) -> None:
        """Keep the reply to a key while the claim on it stands; one that is over keeps nothing."""
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE replies SET sealed = ?, expires = ? WHERE subject = ? AND key = ? AND expires = ?",
                (sealed, (self._clock() + life).timestamp(), subject, key, claim.until),
            )

    def release(self, subject: str, key: str, claim: Claim) -> None:
        """Give a key back whose claim came to nothing worth keeping, unless it was claimed since."""
        with self._file.transaction() as connection:
            connection.execute(
                "DELETE FROM replies WHERE subject = ? AND key = ? AND expires = ?",
                (subject, key, claim.until),
            )

    def erase(self, subject: str) -> int:
        """Forget every reply to a subject; return how many there were."""
        with self._file.transaction() as connection:
            return connection.execute("DELETE FROM replies WHERE subject = ?", (subject,)).rowcount
