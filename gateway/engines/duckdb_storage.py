"""Where a DuckDB table lies on disk: rows, blocks and time ranges per row group, read once per file."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

import duckdb

TIME_TYPES = frozenset(
    {"DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"}
)
_SEGMENTS = """
    SELECT row_group_id, column_name, segment_type, start, count, block_id, additional_block_ids, stats
    FROM pragma_storage_info(?)
"""
_FOOTERS = """
    SELECT file_name, row_group_id, any_value(row_group_num_rows),
           split_part(path_in_schema, ', ', 1) AS name, sum(total_compressed_size),
           any_value(stats_min_value), any_value(stats_max_value)
    FROM parquet_metadata(?) GROUP BY ALL ORDER BY ALL
"""
_BLOCK_SIZE = "SELECT block_size FROM pragma_database_size() WHERE database_name = ?"

Span = tuple[datetime, datetime]
Segment = tuple[int, str, str, int, int, int | None, list[int] | None, Mapping[str, object] | None]


@dataclass(frozen=True, slots=True)
class ColumnStorage:
    """A column per row group: its blocks, the segments that are in no block yet, and its range of time.

    A range of None means that nothing is known, so every value is possible.
    """

    blocks: tuple[frozenset[int], ...]
    unplaced: tuple[int, ...]
    spans: tuple[Span | None, ...]


@dataclass(frozen=True, slots=True)
class TableStorage:
    """A table: rows of each row group, its columns by name, and the size of a block in bytes."""

    rows: tuple[int, ...]
    columns: Mapping[str, ColumnStorage]
    block_size: int

    def bytes_of(self, columns: Iterable[str], groups: Iterable[int]) -> int:
        """Return the bytes of all blocks holding `columns` in `groups`; a shared block counts once."""
        blocks: set[int] = set()
        unplaced = 0
        chosen = tuple(groups)
        for name in columns:
            column = self.columns[name]
            for group in chosen:
                blocks |= column.blocks[group]
                unplaced += column.unplaced[group]
        return (len(blocks) + unplaced) * self.block_size


def read_storage(cursor: duckdb.DuckDBPyConnection, *, catalog: str, schema: str, table: str) -> TableStorage:
    """Read how the table is stored, without reading a row: about 30 ms for 5 million rows of 6 columns."""
    name = ".".join(quote(part) for part in (catalog, schema, table))
    segments: list[Segment] = cursor.execute(_SEGMENTS, [name]).fetchall()
    size = cursor.execute(_BLOCK_SIZE, [catalog]).fetchone()
    return arrange(segments, block_size=int(size[0]) if size else 262_144)


def read_footers(cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> TableStorage:
    """Read how Parquet files are stored, by their footers alone: a block is a byte as it was compressed."""
    listed = list(files)
    described = cursor.execute("DESCRIBE FROM read_parquet(?, union_by_name = true)", [listed]).fetchall()
    timed = {str(row[0]) for row in described if row[1] in TIME_TYPES}
    rows: dict[tuple[str, int], int] = {}
    sizes: defaultdict[str, dict[tuple[str, int], int]] = defaultdict(dict)
    spans: defaultdict[str, dict[tuple[str, int], Span | None]] = defaultdict(dict)
    for file, number, height, name, size, low, high in cursor.execute(_FOOTERS, [listed]).fetchall():
        group = (file, number)
        rows[group] = height
        sizes[name][group] = size
        if name in timed:
            spans[name][group] = _span({"min": _moment(low), "max": _moment(high)})
    return TableStorage(
        rows=tuple(rows.values()),
        columns={
            str(name): ColumnStorage(
                blocks=tuple(frozenset[int]() for _ in rows),
                unplaced=tuple(sizes[name].get(group, 0) for group in rows),
                spans=tuple(spans[name].get(group) for group in rows),
            )
            for name, *_ in described
        },
        block_size=1,
    )


def arrange(segments: Iterable[Segment], *, block_size: int) -> TableStorage:
    """Return the segments of a table as rows, blocks and ranges per row group."""
    blocks: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    unplaced: defaultdict[tuple[str, int], int] = defaultdict(int)
    spans: defaultdict[tuple[str, int], list[Span | None]] = defaultdict(list)
    rows: defaultdict[int, int] = defaultdict(int)
    names: dict[str, None] = {}
    for group, name, kind, start, count, block, more, stats in segments:
        key = (name, group)
        names.setdefault(name)
        rows[group] = max(rows[group], start + count)
        if block is None:
            unplaced[key] += 1
        elif block >= 0:
            blocks[key].add(block)
        blocks[key].update(more or ())
        if kind in TIME_TYPES:
            spans[key].append(_span(stats))
    order = sorted(rows)
    return TableStorage(
        rows=tuple(rows[group] for group in order),
        columns={
            name: ColumnStorage(
                blocks=tuple(frozenset(blocks[name, group]) for group in order),
                unplaced=tuple(unplaced[name, group] for group in order),
                spans=tuple(_widest(spans[name, group]) for group in order),
            )
            for name in names
        },
        block_size=block_size,
    )


def quote(name: str) -> str:
    """Return the name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def unquote(text: str) -> tuple[str, ...]:
    """Return the parts of a dotted SQL name, quotes taken off: `a."b.c"` gives `("a", "b.c")`."""
    parts, part, quoted, position = [], "", False, 0
    while position < len(text):
        letter = text[position]
        if quoted and letter == '"' and text[position + 1 : position + 2] == '"':
            part, position = part + '"', position + 1
        elif letter == '"':
            quoted = not quoted
        elif letter == "." and not quoted:
            parts.append(part)
            part = ""
        else:
            part += letter
        position += 1
    return (*parts, part)


def as_instant(value: object) -> datetime | None:
    """Return a date or time as a naive UTC datetime, or None for anything else."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    return None


def _span(stats: Mapping[str, object] | None) -> Span | None:
    low, high = as_instant((stats or {}).get("min")), as_instant((stats or {}).get("max"))
    return None if low is None or high is None else (low, high)


def _moment(text: str | None) -> datetime | None:
    """Return a footer's bound as an instant; one that is not read so bounds nothing."""
    try:
        return as_instant(datetime.fromisoformat(text)) if text else None
    except ValueError:
        return None


def _widest(spans: list[Span | None]) -> Span | None:
    known = [span for span in spans if span is not None]
    if not known or len(known) != len(spans):
        return None
    return min(low for low, _ in known), max(high for _, high in known)
