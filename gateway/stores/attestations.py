"""What is known about the keys that joins rest on: attestations per relationship, and guards that held."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256

from gateway.remembered import Remembered
from gateway.stores.opening import open_rows
from gateway.stores.rows import Place, Statements, Tables
from metric_layer.layer import Layer

VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS attestations (
    relationship TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    data TEXT NOT NULL,
    to_rows INTEGER NOT NULL,
    to_keys INTEGER NOT NULL,
    to_nulls INTEGER NOT NULL,
    from_rows INTEGER,
    from_keys INTEGER,
    from_nulls INTEGER,
    orphans INTEGER,
    at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS held (
    guard TEXT PRIMARY KEY,
    at REAL NOT NULL
) STRICT, WITHOUT ROWID
"""
_COUNTS = "to_rows, to_keys, to_nulls, from_rows, from_keys, from_nulls, orphans"
_COLUMNS = f"relationship, definition, data, {_COUNTS}, at"
_PUT_HELD = "INSERT INTO held VALUES (?, ?) ON CONFLICT (guard) DO UPDATE SET at = EXCLUDED.at"
_ANEW = ", ".join(f"{name} = EXCLUDED.{name}" for name in _COLUMNS.split(", ")[1:])
KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class KeyCounts:
    """What a look at both sides of a relationship counted. `orphans` are rows whose key meets no row.

    `to_keys` counts different keys without missing parts; `from_keys` too, for a one-to-one relationship. A
    large dataset is not counted.
    """

    to_rows: int
    to_keys: int
    to_nulls: int
    from_rows: int | None
    from_keys: int | None
    from_nulls: int | None
    orphans: int | None

    @property
    def repeated(self) -> int:
        """Return how many rows repeat a key that only one row may have."""
        repeated = self.to_rows - self.to_nulls - self.to_keys
        if self.from_keys is None or self.from_rows is None or self.from_nulls is None:
            return repeated
        return repeated + self.from_rows - self.from_nulls - self.from_keys


@dataclass(frozen=True, slots=True)
class Attestation:
    """What was counted for a relationship under `edge_digest` and a data reference ("" if none)."""

    relationship: str
    definition: str
    data: str
    counts: KeyCounts
    at: datetime

    @property
    def failed(self) -> bool:
        """Say whether the declared key is not one."""
        return self.counts.repeated > 0


def edge_digest(layer: Layer, relationship: str) -> str:
    """Return what a count of keys rests on: the definitions of the relationship and of both datasets."""
    edge = layer.relationships[relationship]
    parts = (
        layer.digest_of("relationship", relationship),
        layer.digest_of("dataset", edge.from_dataset),
        layer.digest_of("dataset", edge.to_dataset),
    )
    return sha256("\x1f".join(parts).encode()).hexdigest()


class AttestationStore:
    """The newest attestation of each relationship, and the guards that held, in one rebuildable file.

    Every method is one transaction. Raises StoreUnusable when the file cannot be used.
    """

    def __init__(self, place: Place, *, clock: Callable[[], datetime]) -> None:
        """Open or make the file, or name the database. `clock` returns aware times."""
        self._file = open_rows(place, Tables("attestations", _SCHEMA, VERSION, "NORMAL"))
        self._clock = clock
        self._known: Remembered[str, datetime] = Remembered()

    def record(self, relationship: str, definition: str, data: str, counts: KeyCounts) -> Attestation:
        """Keep what was counted; it takes the place of an older attestation."""
        found = Attestation(relationship, definition, data, counts, self._clock())
        row = (relationship, definition, data, *astuple(counts), found.at.timestamp())
        with self._file.transaction() as connection:
            connection.execute(
                f"INSERT INTO attestations ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                f" ON CONFLICT (relationship) DO UPDATE SET {_ANEW}",
                row,
            )
        return found

    def of(self, relationships: Iterable[str]) -> Mapping[str, Attestation]:
        """Return the attestations there are of these relationships, by name."""
        names = tuple(sorted(set(relationships)))
        return self._file.looked(names, partial(_attested, names)) if names else {}

    def guard_held(self, guard: str, since: datetime) -> datetime | None:
        """Return when this very guard held, if that was at or after a moment: what held once did hold."""
        held = self._known.found(guard)
        if held is None or held < since:
            held = self._file.looked(guard, partial(_held, guard))
            if held is not None:
                self._known.put(guard, held)
        return held if held is not None and held >= since else None

    def note_held(self, guard: str) -> None:
        """Remember that a guard held just now; what held long ago is forgotten."""
        now = self._clock()
        with self._file.transaction() as connection:
            connection.execute(_PUT_HELD, (guard, now.timestamp()))
            connection.execute("DELETE FROM held WHERE at < ?", ((now - KEPT).timestamp(),))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _attested(names: Sequence[str], statements: Statements) -> Mapping[str, Attestation]:
    marks = ", ".join("?" * len(names))
    rows = statements.execute(
        f"SELECT {_COLUMNS} FROM attestations WHERE relationship IN ({marks})", names
    ).fetchall()
    return {
        name: Attestation(name, definition, data, KeyCounts(*counts), datetime.fromtimestamp(at, UTC))
        for name, definition, data, *counts, at in rows
    }


def _held(guard: str, statements: Statements) -> datetime | None:
    row = statements.execute("SELECT at FROM held WHERE guard = ?", (guard,)).fetchone()
    return datetime.fromtimestamp(row[0], UTC) if row else None
