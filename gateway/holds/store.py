"""Where holds are kept: each change is one transaction, so that two people or processes have one effect."""

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from pydantic import TypeAdapter

from gateway.holds.faults import AlreadyDecided, HoldExpired, OwnQuestion, UnknownFinding, UnknownHold
from gateway.holds.records import Held, HeldFinding, HoldKind, HoldStatus, NewHold, Pace, Ruled, Verdict
from gateway.stores.rows import Rows, Statements, Value, can_be_id

SCHEMA = """
CREATE TABLE IF NOT EXISTS review_holds (
    id TEXT PRIMARY KEY,
    trace_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    tenant TEXT NOT NULL,
    asker TEXT NOT NULL,
    role TEXT NOT NULL,
    base TEXT NOT NULL,
    parts TEXT NOT NULL,
    findings TEXT NOT NULL,
    at REAL NOT NULL,
    expires REAL NOT NULL,
    earlier TEXT NOT NULL,
    changed TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting',
    used_by TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS review_holds_open ON review_holds (status, expires);
CREATE INDEX IF NOT EXISTS review_holds_same ON review_holds (base, asker);
CREATE TABLE IF NOT EXISTS review_rulings (
    number INTEGER PRIMARY KEY,
    hold_id TEXT NOT NULL,
    verdict TEXT NOT NULL,
    by TEXT NOT NULL,
    at REAL NOT NULL,
    findings TEXT NOT NULL,
    sealed_reason TEXT NOT NULL,
    own INTEGER NOT NULL,
    recorded INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS review_rulings_hold ON review_rulings (hold_id)
"""
_HOLD = (
    "id, trace_id, kind, tenant, asker, role, parts, findings, at, expires, earlier, changed, status, used_by"
)
_RULING = "verdict, by, at, findings, sealed_reason, own"
_FINDINGS = TypeAdapter(tuple[HeldFinding, ...])
OPEN: tuple[HoldStatus, ...] = ("waiting", "accepted")


class HoldStore:
    """Held questions in the project's state file, for several threads and processes.

    Every method is one transaction. Raises StoreUnusable when the file cannot be used.
    """

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock
        self.recording = threading.Lock()

    def same(self, new: NewHold) -> Held | None:
        """Return the hold under which exactly this question of this asker waits already."""
        with self._file.reading() as connection:
            return self._same(connection, new)

    def open(self, new: NewHold) -> Held:
        """Let a question wait; one that waits already goes on waiting under its first hold.

        The accepts of `earlier` move here. Where that was used or taken back meanwhile, nothing is carried.
        """
        with self._file.transaction() as connection:
            waiting = self._same(connection, new)
            if waiting is not None:
                return waiting
            if new.earlier and not self._supersede(connection, new.earlier):
                fresh = tuple(each.model_copy(update={"carried": False}) for each in new.findings)
                new = replace(new, findings=fresh, earlier="")
            connection.execute(
                f"INSERT INTO review_holds (base, {_HOLD}) VALUES ({', '.join('?' * 15)})",
                (new.base, *_row(new)),
            )
        return Held(new, "waiting")

    def find(self, hold_id: str) -> Held | None:
        """Return a hold as it stands now, or None when no hold has that id."""
        with self._file.reading() as connection:
            return self._find(connection, hold_id)

    def list(
        self, status: HoldStatus | None = None, tenant: str | None = None, asker: str = ""
    ) -> tuple[Held, ...]:
        """Return holds of one status, tenant and asker where given, the one that expires first in front."""
        wanted = {"status": status, "tenant": tenant, "asker": asker or None}
        given = {column: value for column, value in wanted.items() if value is not None}
        where = " AND ".join(("1 = 1", *(f"{column} = ?" for column in given)))
        with self._file.reading() as connection:
            rows = connection.execute(
                f"SELECT {_HOLD} FROM review_holds WHERE {where} ORDER BY expires, id", tuple(given.values())
            ).fetchall()
            found = [self._held(connection, row) for row in rows]
        return tuple(held for held in found if status in (None, held.status))

    def rule(
        self,
        hold_id: str,
        verdict: Verdict,
        by: str,
        *,
        findings: Sequence[str] = (),
        sealed_reason: str = "",
    ) -> Held:
        """Accept, deny or take an accept back; without `findings` all of them are meant.

        The hold is accepted once every finding has as many different people as it needs; one denial denies
        it. An accept runs nothing. Raises NotDecidable, by kind.
        """
        now = self._clock()
        with self._file.transaction() as connection:
            held = self._find(connection, hold_id)
            if held is None:
                raise UnknownHold(hold_id, f"there is no hold {hold_id}")
            about = _demand_decidable(held, verdict, by, findings)
            ruled = Ruled(verdict, by, now, about, sealed_reason, own=by == held.hold.asker)
            self._insert(connection, hold_id, ruled)
            decided = replace(held, rulings=(*held.rulings, ruled))
            status = _status_after(decided, verdict)
            connection.execute("UPDATE review_holds SET status = ? WHERE id = ?", (status, hold_id))
        return replace(decided, status=status)

    def use(self, hold_id: str, base: str, asker: str, trace_id: str) -> bool:
        """Use up an accept for one run. True once, for the same asker and question, before it expires."""
        with self._file.transaction() as connection:
            changed = connection.execute(
                "UPDATE review_holds SET status = 'used', used_by = ? WHERE id = ? AND status = 'accepted'"
                " AND base = ? AND asker = ? AND expires > ? AND NOT EXISTS"
                " (SELECT 1 FROM review_rulings WHERE hold_id = id AND recorded = 0)",
                (trace_id, hold_id, base, asker, self._clock().timestamp()),
            )
            return changed.rowcount == 1

    def give_back(self, trace_id: str) -> None:
        """Let an accept count again whose question did not run after all."""
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE review_holds SET status = 'accepted', used_by = ''"
                " WHERE used_by = ? AND status = 'used'",
                (trace_id,),
            )

    def expire(self) -> tuple[Held, ...]:
        """End every hold whose time is over and return those ended just now: each once, by one process."""
        now = self._clock()
        with self._file.transaction() as connection:
            rows = connection.execute(
                "UPDATE review_holds SET status = 'expired' WHERE status IN ('waiting', 'accepted')"
                f" AND expires <= ? RETURNING {_HOLD}",
                (now.timestamp(),),
            ).fetchall()
            rows.sort(key=lambda row: str(row[0]))
            for row in rows:
                self._insert(connection, str(row[0]), Ruled("expired", "", now))
            return tuple(self._held(connection, row) for row in rows)

    def erase(self, asker: str) -> int:
        """Forget the holds of an asker with all that was decided and said of them; return how many."""
        own = "IN (SELECT id FROM review_holds WHERE asker = ?)"
        asked = "IN (SELECT trace_id FROM review_holds WHERE asker = ?)"
        with self._file.transaction() as connection:
            connection.execute(f"DELETE FROM review_rulings WHERE hold_id {own}", (asker,))
            connection.execute(f"DELETE FROM review_opinions WHERE trace_id {asked}", (asker,))
            gone = connection.execute("DELETE FROM review_holds WHERE asker = ?", (asker,)).rowcount
        self._file.forget()
        return gone

    def paces(self, tenant: str) -> tuple[Pace, ...]:
        """Return who of a tenant decided on others' questions, which way, and how long it took them."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT ruled.by, ruled.verdict, ruled.at - held.at FROM review_rulings AS ruled"
                " JOIN review_holds AS held ON held.id = ruled.hold_id"
                " WHERE held.tenant = ? AND ruled.verdict IN ('accept', 'deny') AND ruled.own = 0",
                (tenant,),
            ).fetchall()
        return tuple(Pace(str(by), verdict == "accept", float(took)) for by, verdict, took in rows)

    def unrecorded(self) -> tuple[tuple[int, Held, Ruled], ...]:
        """Return the decisions that no trace holds yet, by number, with the holds they are about."""
        with self._file.reading() as connection:
            rows = connection.execute(
                f"SELECT number, hold_id, {_RULING} FROM review_rulings WHERE recorded = 0 ORDER BY number"
            ).fetchall()
            found = [(int(row[0]), self._find(connection, str(row[1])), _ruled(row[2:])) for row in rows]
        return tuple((number, held, ruled) for number, held, ruled in found if held is not None)

    def mark_recorded(self, numbers: Iterable[int]) -> None:
        """Note that these decisions stand in their traces."""
        with self._file.transaction() as connection:
            connection.executemany(
                "UPDATE review_rulings SET recorded = 1 WHERE number = ?", [(number,) for number in numbers]
            )

    def _supersede(self, connection: Statements, earlier: str) -> bool:
        changed = connection.execute(
            "UPDATE review_holds SET status = 'superseded' WHERE id = ? AND status = 'accepted'"
            " AND expires > ?",
            (earlier, self._clock().timestamp()),
        )
        return changed.rowcount == 1

    def _same(self, connection: Statements, new: NewHold) -> Held | None:
        rows = connection.execute(
            f"SELECT {_HOLD} FROM review_holds WHERE base = ? AND asker = ? AND kind = ?"
            " AND status = 'waiting' AND expires > ? ORDER BY at",
            (new.base, new.asker, new.kind, self._clock().timestamp()),
        ).fetchall()
        for row in rows:
            held = self._held(connection, row)
            if len(held.hold.findings) == len(new.findings) and all(map(held.covers, new.findings)):
                return held
        return None

    def _find(self, connection: Statements, hold_id: str) -> Held | None:
        if not can_be_id(hold_id):
            return None
        row = connection.execute(f"SELECT {_HOLD} FROM review_holds WHERE id = ?", (hold_id,)).fetchone()
        return None if row is None else self._held(connection, row)

    def _held(self, connection: Statements, row: tuple[object, ...]) -> Held:
        """Return a row as a hold; one whose time is over counts as expired before anybody marked it."""
        rulings = connection.execute(
            f"SELECT {_RULING} FROM review_rulings WHERE hold_id = ? ORDER BY number", (str(row[0]),)
        ).fetchall()
        hold, status = _hold(row), cast("HoldStatus", row[12])
        over = status in OPEN and hold.expires <= self._clock()
        return Held(hold, "expired" if over else status, tuple(map(_ruled, rulings)), str(row[13]))

    def _insert(self, connection: Statements, hold_id: str, ruled: Ruled) -> None:
        connection.execute(
            f"INSERT INTO review_rulings (hold_id, {_RULING}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                hold_id,
                ruled.verdict,
                ruled.by,
                ruled.at.timestamp(),
                json.dumps(ruled.findings),
                ruled.sealed_reason,
                int(ruled.own),
            ),
        )


def _demand_decidable(held: Held, verdict: Verdict, by: str, findings: Sequence[str]) -> tuple[str, ...]:
    """Return the keys that a decision is about, or raise why it cannot be taken."""
    _demand_open(held, verdict)
    known = {each.key: each for each in held.hold.findings if not each.carried}
    strangers = [key for key in findings if key not in known]
    if strangers:
        raise UnknownFinding(held.id, f"hold {held.id} has no open finding {', '.join(strangers)}")
    about = tuple(known[key] for key in dict.fromkeys(findings or known))
    if by == held.hold.asker and not all(each.own_allowed for each in about):
        raise OwnQuestion(held.id, "nobody decides their own question")
    if verdict == "accept":
        about = tuple(
            each for each in about if by not in held.accepted_by(each) and not held.is_settled(each)
        )
        if not about:
            raise AlreadyDecided(held.id, f"you accepted hold {held.id} before; somebody else has to as well")
    return tuple(each.key for each in about)


def _demand_open(held: Held, verdict: Verdict) -> None:
    if held.status == "expired":
        expired = f"hold {held.id} expired at {held.hold.expires:%Y-%m-%d %H:%M} UTC"
        raise HoldExpired(held.id, expired)
    wanted = "accepted" if verdict == "revoke" else "waiting"
    if held.status != wanted:
        raise AlreadyDecided(held.id, f"hold {held.id} is {held.status}")


def _status_after(held: Held, verdict: Verdict) -> HoldStatus:
    if verdict != "accept":
        return "denied"
    return "accepted" if all(map(held.is_settled, held.hold.findings)) else "waiting"


def _row(new: NewHold) -> tuple[Value, ...]:
    return (
        new.id,
        new.trace_id,
        new.kind,
        new.tenant,
        new.asker,
        new.role,
        json.dumps(dict(new.parts)),
        _FINDINGS.dump_json(new.findings).decode(),
        new.at.timestamp(),
        new.expires.timestamp(),
        new.earlier,
        json.dumps(new.changed),
        "waiting",
        "",
    )


def _hold(row: tuple[object, ...]) -> NewHold:
    hold_id, trace_id, kind, tenant, asker, role, parts, findings, at, expires, earlier, changed = row[:12]
    return NewHold(
        id=str(hold_id),
        trace_id=str(trace_id),
        kind=cast("HoldKind", kind),
        tenant=str(tenant),
        asker=str(asker),
        role=str(role),
        parts=json.loads(str(parts)),
        findings=_FINDINGS.validate_json(str(findings)),
        at=_time(at),
        expires=_time(expires),
        earlier=str(earlier),
        changed=tuple(json.loads(str(changed))),
    )


def _ruled(row: tuple[object, ...]) -> Ruled:
    verdict, by, at, findings, sealed_reason, own = row
    return Ruled(
        verdict=cast("Verdict", verdict),
        by=str(by),
        at=_time(at),
        findings=tuple(json.loads(str(findings))),
        sealed_reason=str(sealed_reason),
        own=bool(own),
    )


def _time(seconds: object) -> datetime:
    return datetime.fromtimestamp(cast("float", seconds), UTC)
