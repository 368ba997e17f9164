"""Rows of the house in a database: the seam between a file of SQLite and PostgreSQL.

Stores write one set of statements for both: what SQLite and PostgreSQL read alike, with ? for each value and
times as seconds.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from gateway.errors import HouseError

Row = tuple[Any, ...]
Value = str | int | float | bytes | None
Durability = Literal["FULL", "NORMAL"]
T = TypeVar("T")


class StoreUnusable(HouseError):
    """A store of the project cannot be read or written."""


class Found(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """Return how many rows it changed."""
        ...

    def fetchone(self) -> Any:  # a row, or None: what drivers say themselves
        """Return the next row, or None."""
        ...

    def fetchall(self) -> list[Row]:
        """Return every row that is left."""
        ...

    def __iter__(self) -> Iterator[Row]:
        """Yield every row that is left."""
        ...


class Statements(Protocol):
    """Runs statements; each ? stands for one value."""

    def execute(self, statement: str, values: Sequence[Value] = (), /) -> Found:
        """Run one statement."""
        ...

    def executemany(self, statement: str, rows: Iterable[Sequence[Value]], /) -> object:
        """Run one statement for each row of values."""
        ...


class Rows(Protocol):
    """Tables shared by all who serve a project. Raises StoreUnusable when they cannot be used."""

    def transaction(self) -> AbstractContextManager[Statements]:
        """Give one writer at a time a block of which all is kept or nothing."""
        ...

    def write(self, statement: str, values: Sequence[Value]) -> None:
        """Run one statement that writes, whole or not at all."""
        ...

    def reading(self) -> AbstractContextManager[Statements]:
        """Give one look."""
        ...

    def looked(self, key: Hashable, read: Callable[[Statements], T]) -> T:
        """Return what `read` finds, or what it found under `key` where nothing was written since."""
        ...

    def forget(self) -> None:
        """See that deleted rows are gone, as far as the database can."""
        ...

    def close(self) -> None:
        """Give back what is open."""
        ...


@dataclass(frozen=True, slots=True)
class Database:
    """A PostgreSQL database for the rows of one project, whose replicas all name it.

    `keys` is a commitment of the project's key store, in hexadecimal digits: projects may share a name, and
    never their keys.
    """

    url: str = field(repr=False)
    project: str
    keys: str


Place = Path | Database
"""Where a store keeps its rows: a file of its own, or its tables in a database."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one store, in SQLite's words.

    `durability` is FULL where a lost commit would undo a decision and NORMAL where it only costs a re-run.
    """

    name: str
    schema: str
    version: int
    durability: Durability


def can_be_id(text: str) -> bool:
    """Say whether a row can have this id: PostgreSQL refuses to look for a text with NUL in it."""
    return "\0" not in text
