"""Where DuckDB's base relations lie: tables of a database file, and relations that are Parquet files."""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import duckdb

from gateway.engines.base import EngineError, Relation
from gateway.engines.content_hash import ContentHashes, FileIdentity, identity_of, is_file
from gateway.engines.duckdb_errors import as_open_error, first_line
from gateway.engines.duckdb_storage import quote, unquote

NO_FILE = ":memory:"
_FILE = "cellbound_file"
_NAME = r'"(?:[^"]|"")*"'
_PLAIN = re.compile(
    rf"SELECT (?P<columns>(?:(?:{_NAME}\.)?{_NAME} AS {_NAME}(?:, )?)+)"
    rf" FROM {{source}}\.(?P<relation>{_NAME}\.{_NAME})(?: AS {_NAME})?"
)
_COLUMN = re.compile(rf"(?:{_NAME}\.)?({_NAME}) AS ({_NAME})(?:, )?")
_TABLES = """
    SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? AND NOT temporary
    UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ? AND NOT internal
"""

Place = tuple[str, str]


class Source:
    """A database file, and Parquet files by the schema and name of the relation that they are.

    A relation of the file that has the name of a Parquet relation is hidden by it.
    """

    def __init__(self, file: Path, parquet: Mapping[str, str | Sequence[str]] = {}) -> None:
        """Look at nothing yet. A `file` named `:memory:` is none; `parquet` gives patterns of paths."""
        self.file = None if file.name == NO_FILE else file
        self._patterns = {
            place_of(name): (patterns,) if isinstance(patterns, str) else tuple(patterns)
            for name, patterns in parquet.items()
        }

    @property
    def named(self) -> str:
        """What it is called where something is wrong with it."""
        return self.file.name if self.file else "the Parquet files"

    @property
    def lake(self) -> bool:
        """Whether there are Parquet files."""
        return bool(self._patterns)

    def parquet(self) -> Mapping[Place, tuple[Path, ...]]:
        """Return the Parquet files as they are now. Raises EngineError naming all patterns without one."""
        found = {
            place: tuple(each for pattern in patterns for each in _matching(Path(pattern)))
            for place, patterns in self._patterns.items()
        }
        if missing := sorted(".".join(place) for place, files in found.items() if not files):
            raise EngineError(
                "parquet_missing",
                f"there is no Parquet file of {', '.join(missing)}",
                next_step="Compare the paths under [engine.duckdb.parquet] in cellbound.toml with the files.",
            )
        return found

    def there(self) -> bool:
        """Say whether the database file, if there has to be one, is there."""
        return self.file is None or is_file(self.file)

    def identity(self) -> FileIdentity:
        """Return what changes when any file does."""
        own = identity_of(self.file) if self.file else ()
        if not self.lake:
            return own
        lake = (file for files in self.parquet().values() for file in files)
        return (*own, *(part for file in lake for part in identity_of(file)))

    def digest(self, hashes: ContentHashes) -> str:
        """Return one hash of the content of all files. Raises EngineError where one cannot be read."""
        if self.file is not None and not self.lake:
            return hashes.of(self.file)
        parts = [hashes.of(self.file)] if self.file else []
        for place, files in sorted(self.parquet().items()):
            parts.extend(("\x1f".join(place), *map(hashes.of, files)))
        return sha256("\x1e".join(parts).encode()).hexdigest()

    def attach(self, database: duckdb.DuckDBPyConnection, alias: str) -> None:
        """Make the base relations readable under a catalogue of that name. Raises EngineError."""
        own = _FILE if self.lake else alias
        if self.file is not None:
            try:
                database.execute(f"ATTACH {text(self.file)} AS {own} (READ_ONLY, TYPE duckdb)")
            except duckdb.Error as fault:
                raise as_open_error(fault, self.file) from None
        if not self.lake:
            return
        lake = self.parquet()
        database.execute(f"ATTACH ':memory:' AS {alias}")
        tables = database.execute(_TABLES, [own, own]).fetchall() if self.file else []
        selects = {
            **{(schema, name): f"FROM {own}.{quote(schema)}.{quote(name)}" for schema, name in tables},
            **{place: reading(files) for place, files in lake.items()},
        }
        for (schema, name), select in selects.items():
            database.execute(f"CREATE SCHEMA IF NOT EXISTS {alias}.{quote(schema)}")
            database.execute(f"CREATE VIEW {alias}.{quote(schema)}.{quote(name)} AS {select}")

    def columns(self) -> Mapping[Place, frozenset[str]]:
        """Return the columns of each Parquet relation. Raises EngineError for files that are none."""
        found = {}
        with duckdb.connect(":memory:") as database:
            for place, files in self.parquet().items():
                try:
                    described = database.execute(f"DESCRIBE {reading(files)}").fetchall()
                except duckdb.Error as fault:
                    raise EngineError(
                        "parquet_unreadable",
                        f"the Parquet files of {'.'.join(place)} cannot be read: {first_line(fault, _FILE)}",
                        next_step="See that each of them is whole and that all have the same columns.",
                    ) from None
                found[place] = frozenset(str(row[0]) for row in described)
        return found


def whole_of(relation: Relation, columns: Mapping[Place, frozenset[str]]) -> Place | None:
    """Return the Parquet relation of which a role sees each row and column as it is; None where it is none.

    Only a statement that lists plain columns under their own names and nothing else is taken for such.
    """
    found = _PLAIN.fullmatch(relation.select)
    if found is None:
        return None
    schema, name = unquote(found["relation"])
    pairs = _COLUMN.findall(found["columns"])
    shown = frozenset(unquote(column)[0] for column, _ in pairs)
    renamed = any(column != called for column, called in pairs)
    return (schema, name) if not renamed and columns.get((schema, name)) == shown else None


def place_of(name: str) -> Place:
    """Return the schema and name of a relation as SQL text names it."""
    parts = unquote(name)
    return (parts[-2], parts[-1]) if len(parts) > 1 else ("main", parts[0])


def _matching(pattern: Path) -> list[Path]:
    pattern = pattern.absolute()
    return sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))


def reading(files: Sequence[Path | str]) -> str:
    """Return the text that reads Parquet files as one relation, columns matched by their names."""
    return f"FROM read_parquet([{', '.join(map(text, files))}], union_by_name = true)"


def text(path: Path | str) -> str:
    """Return a path as a literal of SQL."""
    return "'" + str(path).replace("'", "''") + "'"
