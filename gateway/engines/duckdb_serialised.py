"""DuckDB's own parse of a statement, by its serialiser: the functions it calls. Nothing is planned or run."""

import json
from collections.abc import Iterator
from typing import Any

import duckdb

SERIALISE = "SELECT json_serialize_sql(?::VARCHAR)"


def functions_called(cursor: duckdb.DuckDBPyConnection, sql: str) -> tuple[str, ...]:
    """Return the names of the functions that DuckDB reads in a SELECT, operators apart, each once, sorted.

    Syntax that stands for a function comes under the name of that one. A statement that the serialiser does
    not write (PIVOT) gives none.
    """
    (text,) = cursor.execute(SERIALISE, [sql]).fetchone() or ("{}",)
    parsed = json.loads(text)
    return tuple(sorted(set(_names(parsed)))) if not parsed.get("error") else ()


def _names(tree: Any) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(part)
        elif isinstance(part, dict):
            if part.get("class") in {"FUNCTION", "WINDOW"} and not part.get("is_operator"):
                name = part.get("function_name")
                if name:
                    yield ".".join(filter(None, (part.get("catalog"), part.get("schema"), name)))
            waiting.extend(part.values())
