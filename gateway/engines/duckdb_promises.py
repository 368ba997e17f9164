"""What `inspect` tries on DuckDB: writes, through a session like a role's, over a copy that may be spoilt."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from gateway.engines.base import Limits, Promise, Relation, RoleScope
from gateway.engines.duckdb_session import Session, open_session
from gateway.engines.duckdb_source import text

# Refused by the read-only file, by switched-off files, and by the locked configuration.
WRITES = (
    "INSERT INTO {alias}.main.kept VALUES (2)",
    "UPDATE {alias}.main.kept SET number = 2",
    "DELETE FROM {alias}.main.kept",
    "DROP TABLE {alias}.main.kept",
    "CREATE TABLE {alias}.main.made (number INTEGER)",
    "COPY kept TO '{folder}/out.csv'",
    "ATTACH '{folder}/other.duckdb' AS other",
    "SET memory_limit = '64MB'",
)
# Refused because the session may open the role's Parquet files, and those for reading only.
ELSEWHERE = (
    "SELECT * FROM read_parquet('{folder}/other.parquet')",
    "SELECT * FROM read_parquet('{folder}/*.parquet')",
    "SELECT * FROM '{folder}/other.parquet'",
    "SELECT * FROM read_blob('{folder}/other.parquet')",
    "SELECT * FROM glob('{folder}/*')",
    "COPY (SELECT 2 AS number) TO '{folder}/kept.parquet'",
    "ATTACH '{folder}/other.parquet' AS another",
)
ROW = "CREATE TABLE kept AS SELECT 1 AS number"
COPY = RoleScope("copy", (Relation("kept", 'SELECT "number" FROM {source}."main"."kept"'),), digest="")


def inspect_sessions(limits: Limits, *, lake: bool = False) -> tuple[Promise, ...]:
    """Say what every role's session is held to, by one that is opened like it. The data is not touched.

    With a `lake` that session reads a Parquet file too.
    """
    with TemporaryDirectory(prefix="cellbound-") as folder:
        file = Path(folder) / "copy.duckdb"
        with duckdb.connect(str(file)) as made:
            made.execute(ROW)
            for name in ("kept", "other"):
                made.execute(f"COPY kept TO {text(Path(folder) / f'{name}.parquet')}")
        scope = _with_parquet(Path(folder) / "kept.parquet") if lake else COPY
        with closing(open_session(file, scope, limits, Path(folder) / "spill")) as session:
            written = tuple(_allowed(session, WRITES, folder))
            read = tuple(_allowed(session, ELSEWHERE, folder))
            uncapped = tuple(_uncapped(session, limits))
    caps = f"{limits.seconds:g} s, {limits.memory_mb} MB of memory and {limits.spill_mb} MB of disk"
    return (
        Promise("cannot write", f"{len(WRITES)} ways to write are refused on a copy", written),
        Promise("cannot open other files", f"{len(ELSEWHERE)} ways to open a file are refused", read),
        Promise("limits", f"a query has {caps}, whatever else runs", uncapped),
    )


def _with_parquet(file: Path) -> RoleScope:
    whole = Relation("whole", "", files=(str(file),))
    return RoleScope(COPY.role, (*COPY.relations, whole), COPY.digest)


def _allowed(session: Session, statements: Iterable[str], folder: str) -> Iterator[str]:
    for write in statements:
        try:
            session.connection.execute(write.format(alias=session.alias, folder=folder))
        except duckdb.Error:
            continue
        yield f"may run {write.format(alias='DATA', folder='FOLDER')}"


def _uncapped(session: Session, limits: Limits) -> Iterator[str]:
    with session.cursor(limits.seconds) as cursor:
        row = cursor.driver.execute("SELECT current_setting('max_execution_time')").fetchone()
    if row is None or not 0 < int(row[0]) <= limits.seconds * 1000:
        yield "a query has no time limit"
    with duckdb.connect() as known:
        for name, most in (("memory_limit", limits.memory_mb), ("max_temp_directory_size", limits.spill_mb)):
            known.execute(f"SET {name}='{most}MB'")
            if _setting(session.connection, name) != _setting(known, name):
                yield f"{name} is not {most} MB"


def _setting(connection: duckdb.DuckDBPyConnection, name: str) -> object:
    return connection.execute("SELECT current_setting(?)", [name]).fetchone()
