"""Where in cellbound.toml a setting stands, for the person who has to mend it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

Path = tuple[str | int, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_NAME = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"^\s*(?P<brackets>\[\[?)\s*(?P<name>{_NAME})\s*\]")
_KEY = re.compile(rf"^\s*(?P<name>{_NAME})\s*=")


def place_of(text: str, path: Sequence[object]) -> tuple[int, int]:
    """Return line and column, from 1, of a key or of the innermost table around it; (0, 0) for neither."""
    wanted = tuple(path)
    best, place = 0, (0, 0)
    for line, column, where in _written(text):
        if best < len(where) and wanted[: len(where)] == where:
            best, place = len(where), (line, column)
    return place


def _written(text: str) -> Iterator[tuple[int, int, Path]]:
    """Yield line, column and whole path of every table and key, the entries of a list by their place."""
    table: Path = ()
    entries: Counter[Path] = Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _TABLE.match(line):
            table = _parts(found["name"])
            if found["brackets"] == "[[":
                entries[table] += 1
                table = (*table, entries[table] - 1)
            yield number, found.start("brackets") + 1, table
        elif found := _KEY.match(line):
            yield number, found.start("name") + 1, (*table, *_parts(found["name"]))


def _parts(name: str) -> Path:
    return tuple(part.strip("\"'") for part in re.findall(_PART, name))
