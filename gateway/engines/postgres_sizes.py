"""How large the relations of a plan are, by the database's count of their files; kept for a minute."""

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from psycopg.pq.abc import PGresult
from psycopg.sql import Literal

KEPT_SECONDS = 60.0
REMEMBERED = 4096

RelationName = tuple[str, str]

_SIZES = """
SELECT w.schema, w.name, pg_catalog.pg_table_size(c.oid), c.reltuples::bigint,
       rn.nspname, r.relname,
       (SELECT count(*) FROM pg_catalog.pg_partition_tree(r.oid) AS leaf WHERE leaf.isleaf),
       pg_catalog.row_security_active(c.oid)
  FROM (VALUES {wanted}) AS w(schema, name)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = w.schema
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.name
  LEFT JOIN pg_catalog.pg_class AS r ON r.oid = pg_catalog.pg_partition_root(c.oid)
  LEFT JOIN pg_catalog.pg_namespace AS rn ON rn.oid = r.relnamespace
"""


@dataclass(frozen=True, slots=True)
class Size:
    """A stored relation: bytes with TOAST, rows as last counted (-1 never), and what it is a partition of.

    `secured` says whether a row policy keeps rows of it from the user.
    """

    bytes: int
    rows: int
    whole: RelationName
    leaves: int
    secured: bool


class Sizes:
    """Sizes by user and relation, at most a minute old. Safe from any thread."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._lock = threading.Lock()
        self._known: dict[tuple[str, RelationName], tuple[float, Size]] = {}

    def known(
        self, user: str, names: Iterable[RelationName]
    ) -> tuple[dict[RelationName, Size], frozenset[RelationName]]:
        """Return the sizes that are fresh, and the names that have to be asked."""
        oldest = time.monotonic() - KEPT_SECONDS
        with self._lock:
            found = {name: self._known[user, name] for name in names if (user, name) in self._known}
        fresh = {name: size for name, (at, size) in found.items() if at > oldest}
        return fresh, frozenset(names) - fresh.keys()

    def keep(self, user: str, sizes: Mapping[RelationName, Size]) -> None:
        """Remember sizes that were just read."""
        now = time.monotonic()
        with self._lock:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            self._known.update({(user, name): (now, size) for name, size in sizes.items()})


def question(names: Iterable[RelationName]) -> str:
    """Return the statement that asks for the sizes of relations; it needs no right on them."""
    rows = (f"({Literal(schema).as_string()}, {Literal(name).as_string()})" for schema, name in sorted(names))
    return _SIZES.format(wanted=", ".join(rows))


def answer(result: PGresult) -> dict[RelationName, Size]:
    """Return the sizes in the result of `question`; what went away meanwhile is not in it."""
    found = {}
    for row in range(result.ntuples):
        schema, name, size, rows, root_schema, root, leaves, secured = (
            (result.get_value(row, at) or b"").decode() for at in range(8)
        )
        whole = (root_schema, root) if root else (schema, name)
        found[schema, name] = Size(int(size), int(rows), whole, max(int(leaves), 1), secured == "t")
    return found
