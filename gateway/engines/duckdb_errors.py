"""What DuckDB raises, said in our own codes: no path, no hidden name and no value of a row in the message."""

import re
from pathlib import Path

import duckdb

from gateway.engines.base import EngineBusy, EngineError
from gateway.engines.file_lock import locked
from gateway.engines.refusals import bad_sql, bad_value, cancelled, failed, refused, timed_out, too_large

BIND_ERRORS = (
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.ParserException,
    duckdb.SyntaxException,
)
_DAMAGED = re.compile("corrupt|checksum|enough bytes", re.IGNORECASE)
_STREAMED = {
    "INTERRUPT": duckdb.InterruptException,
    "Out of Memory": duckdb.OutOfMemoryException,
    "Conversion": duckdb.ConversionException,
    "Out of Range": duckdb.OutOfRangeException,
    "Invalid Input": duckdb.InvalidInputException,
    "IO ": duckdb.IOException,
    "Serialization": duckdb.SerializationException,
    "FATAL": duckdb.FatalException,
    "Permission": duckdb.PermissionException,
}
"""How the text of an error begins that comes out of a stream."""
READING_SECONDS = 5.0
STOPPED_BY_TIME = "maximum execution time"
_TAIL = re.compile(r"\s*(?:Did you mean|Candidate|LINE \d+:|\n).*", re.DOTALL)
_QUOTED_PATH = re.compile(r"""["']?(?:/[^\s"']+)+["']?""")


def as_query_error(error: duckdb.Error, *, seconds: float, alias: str) -> EngineError:
    """Return our error for one that a statement of a caller raised.

    Errors raised while rows are read carry values of rows that a row rule may hide, so their text is dropped.
    """
    if isinstance(error, duckdb.InterruptException):
        if STOPPED_BY_TIME in str(error):
            return timed_out(seconds)
        return cancelled()
    if isinstance(error, duckdb.OutOfMemoryException):
        return too_large("memory or spill space")
    if isinstance(error, BIND_ERRORS):
        return bad_sql(first_line(error, alias))
    if isinstance(error, duckdb.PermissionException):
        return refused()
    if isinstance(error, duckdb.DataError | duckdb.InvalidInputException):
        return bad_value()
    if isinstance(error, duckdb.ConnectionException):
        return EngineError(
            "database_closed", "the database was closed or replaced", retryable=True, next_step="Ask again."
        )
    if isinstance(error, duckdb.SerializationException) or _DAMAGED.search(str(error)):
        return EngineError(
            "database_damaged",
            "a part of the database's file is damaged",
            next_step="Ask again; if it stays so, restore the file from a copy.",
        )
    return failed(type(error).__name__)


def as_stream_error(fault: Exception) -> duckdb.Error:
    """Return what DuckDB raised behind an Arrow stream, which passes on its words only."""
    kind = next((kind for word, kind in _STREAMED.items() if str(fault).startswith(word)), duckdb.Error)
    return kind(str(fault))


def as_open_error(error: duckdb.Error, path: Path) -> EngineError:
    """Return our error for a database file that could not be attached. Names the file, not its folder."""
    text, name = str(error), path.name
    if "lock on file" in text or isinstance(error, duckdb.ResourceInUseException):
        return locked(path)
    if "not a valid DuckDB database file" in text:
        return EngineError(
            "not_a_database",
            f"{name} is not a DuckDB database file",
            next_step="Check the engine's url in cellbound.toml.",
        )
    if "version" in text and isinstance(error, duckdb.IOException | duckdb.SerializationException):
        return EngineError(
            "database_version",
            f"{name} was written by a DuckDB version that {duckdb.__version__} cannot read",
            next_step="Export it with the version that wrote it and import it again.",
        )
    return EngineError(
        "database_unreadable",
        f"the database file {name} could not be opened ({type(error).__name__})",
        next_step="Check the file's permissions and that it is whole.",
    )


def missing_file(path: Path) -> EngineError:
    """Return the error for a database file that is not there."""
    return EngineError(
        "database_missing",
        f"there is no database file {path.name}",
        next_step="Check the engine's url in cellbound.toml, or make one with `cellbound init`.",
    )


def reading_file() -> EngineBusy:
    """Return the error for a file of which nobody knows yet what it holds, and whose asker cannot wait."""
    return EngineBusy(
        "database_reading",
        "the database file is new and is being read through",
        next_step="Ask again in a few seconds.",
        retry_after=READING_SECONDS,
    )


def first_line(error: duckdb.Error, alias: str) -> str:
    """Return what DuckDB said about a statement, without its suggestions, our alias and any path."""
    text = _TAIL.sub("", str(error)).strip()
    text = re.sub(rf'"?{re.escape(alias)}"?\.?', "", text, flags=re.IGNORECASE)
    return _QUOTED_PATH.sub("a file", text)
