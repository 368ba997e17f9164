"""How many rows tables have, by the database's own count; kept for a minute. Needs no running warehouse."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping

from gateway.engines.snowflake_names import like, part
from gateway.engines.snowflake_session import Answer
from metric_layer.relation import relation_parts

KEPT_SECONDS = 60.0
REMEMBERED = 4096

Ask = Callable[[str], Answer]


class Sizes:
    """What each role was told of tables, kept a minute. Safe from any thread."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], tuple[float, int | None]] = {}

    def of(self, ask: Ask, names: Iterable[str], role: str) -> Mapping[str, int]:
        """Return the rows of the tables whose count is known: not those of views and foreign tables."""
        found: dict[str, int] = {}
        for name in names:
            with self._lock:
                since, rows = self._kept.get((role, name), (0.0, None))
            if time.monotonic() - since > KEPT_SECONDS:
                rows = _rows_of(ask, name)
                self._keep((role, name), rows)
            if rows is not None:
                found[name] = rows
        return found

    def _keep(self, key: tuple[str, str], rows: int | None) -> None:
        with self._lock:
            if len(self._kept) >= REMEMBERED:
                self._kept.clear()
            self._kept[key] = (time.monotonic(), rows)


def _rows_of(ask: Ask, name: str) -> int | None:
    """Return the rows of a table by its full name, None where the database does not say."""
    parts = relation_parts(name)
    if len(parts) != 3:
        return None
    database, schema, table = parts
    place = f"{part(database)}.{part(schema)}"
    listed = ask(f"SHOW TABLES LIKE {like(table)} IN SCHEMA {place}").named()
    counts = [row["rows"] for row in listed if row["name"] == table]
    return int(counts[0]) if counts and counts[0].isdecimal() else None
