"""A dry run and what is known of its tables -> an Estimate. Pure: no database is asked."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from google.cloud.bigquery import QueryJob

from gateway.engines.bigquery_names import part, quoted
from gateway.engines.bigquery_tables import Stored
from gateway.engines.refusals import not_one_select
from traces.records import Bound, Estimate, Scan

BOUNDS: Mapping[str, Bound] = {"PRECISE": "exact", "UPPER_BOUND": "upper"}
RECURSIVE = re.compile(r"\bWITH\s+RECURSIVE\b", re.IGNORECASE)
UNSEEN = "how rows grow in joins is not known before the run"
SHARED = "rows of a table that is read in part are shared out evenly over its bytes"
HIDDEN = "row policies of the database hide what would be read"
UNBOUNDED = "recursion has no known price"
UNSURE = "the service does not vouch for its figure"

Columns = Mapping[str, frozenset[str]] | None
"""The columns that a statement names of each table, where it could be read."""


@dataclass(frozen=True, slots=True)
class Priced:
    """What a dry run said. `bytes` is None where the service keeps it back; `tables` are full names.

    `viewed` says that the text names a view, whose own past cannot be read.
    """

    sql: str
    bytes: int | None
    accuracy: str
    tables: tuple[str, ...]
    viewed: bool = False


def priced_of(job: QueryJob, sql: str) -> Priced:
    """Return what a dry run said. Raises EngineError for a statement that is not one SELECT."""
    if job.statement_type != "SELECT":
        raise not_one_select()
    # The client has no property for how far the figure can be trusted.
    said = job._properties.get("statistics", {}).get("query", {})
    return Priced(
        sql=sql,
        bytes=job.total_bytes_processed,
        accuracy=str(said.get("totalBytesProcessedAccuracy", "")),
        tables=tuple(f"{each.project}.{each.dataset_id}.{each.table_id}" for each in job.referenced_tables),
    )


def whole_selects(stored: Iterable[Stored | None], columns: Columns) -> Iterator[tuple[str, str]]:
    """Yield each table that can be read in part, with the statement that reads all of its columns in use."""
    for table in stored:
        if table is not None and table.parted and columns and table.name in columns:
            names = ", ".join(part(name) for name in sorted(columns[table.name]))
            yield table.name, f"SELECT {names} FROM {quoted(table.name)}"


def estimate(
    priced: Priced, stored: Mapping[str, Stored | None], columns: Columns, whole: Mapping[str, int | None]
) -> Estimate:
    """Return what would be read, table by table. `whole` is what a table that can be read in part has.

    A table is read in part for certain only where the statement reads less than all of it. Bytes can be
    trusted as far as the service says; where it says nothing, or of recursion, the bound is `unknown`.
    """
    hidden = _hidden(priced, stored, columns)
    scans = tuple(_scan(name, priced, table, whole.get(name)) for name, table in stored.items())
    bound = BOUNDS.get(priced.accuracy, "unknown")
    recursive = RECURSIVE.search(priced.sql) is not None
    counted = [scan.rows for scan in scans if scan.rows is not None]
    return Estimate(
        rows=sum(counted) if len(counted) == len(scans) else None,
        bytes=None if hidden else priced.bytes,
        scans=scans,
        bound="unknown" if hidden or recursive else bound,
        row_secured=hidden,
        notes=tuple(
            note
            for note, said in (
                (HIDDEN, hidden),
                (UNBOUNDED, recursive),
                (UNSURE, bound == "unknown" and not hidden),
                (SHARED, any(not scan.full for scan in scans)),
                (UNSEEN, len(scans) > 1 or bool(re.search(r"\bJOIN\b", priced.sql))),
            )
            if said
        ),
    )


def _hidden(priced: Priced, stored: Mapping[str, Stored | None], columns: Columns) -> bool:
    """Say whether the service keeps its figure back: it says none, or none of columns that hold rows."""
    if priced.bytes:
        return False
    if priced.bytes is None:
        return True
    filled = [table.name for table in stored.values() if table is not None and table.rows]
    return any(columns is None or columns.get(name) for name in filled)


def _scan(name: str, priced: Priced, table: Stored | None, whole: int | None) -> Scan:
    alone = priced.bytes if len(priced.tables) == 1 else None
    stored = table.rows if table is not None else None
    if priced.bytes is None or not whole or priced.bytes >= whole:
        return Scan(relation=name, rows=stored, bytes=alone, full=True)
    rows = None if stored is None else -(-stored * priced.bytes // whole)
    return Scan(relation=name, rows=rows, bytes=alone, full=False)
