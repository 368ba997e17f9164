"""Read the manifest of promises: the failure, who asked, what catches it first, the tests that prove it."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

MANIFEST = Path(__file__).with_name("requirements.toml")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A promise. `first` is a check's id or `module:name`; `tests` are `file::name` under tests/."""

    id: str
    source: str
    sentence: str
    first: str
    tests: tuple[str, ...]


def requirements() -> tuple[Requirement, ...]:
    """Return every promise of the manifest."""
    raw = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))["requirement"]
    return tuple(Requirement(**{**entry, "tests": tuple(entry["tests"])}) for entry in raw)
