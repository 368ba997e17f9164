"""A table on its way to a dataset, and names as definitions may have them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from unicodedata import combining, normalize

from gateway.engines.catalogue import CatalogueTable

LONGEST = 48


@dataclass(slots=True)
class Draft:
    """A table on its way to a dataset. `types` are those of the columns that can be kept."""

    name: str
    table: CatalogueTable
    types: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.types = {column.name: column.type for column in self.table.columns if column.type}

    @property
    def keys(self) -> Iterator[tuple[str, ...]]:
        """Yield the declared keys whose columns are all kept."""
        for key in (self.table.primary_key, *self.table.unique_keys):
            if key and all(column in self.types for column in key):
                yield key

    def is_key(self, columns: Iterable[str]) -> bool:
        """Say whether two rows never share the values of these columns."""
        return any(set(key) <= set(columns) for key in self.keys)


def slug(name: str) -> str:
    """Return a name as definitions may have it; a letter with an accent is the letter."""
    letters = "".join(each for each in normalize("NFKD", name) if not combining(each))
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", letters)
    plain = re.sub(r"[^a-z0-9]+", "_", spaced.casefold()).strip("_")
    return (plain if plain[:1].isalpha() else f"t_{plain}".rstrip("_"))[:LONGEST].rstrip("_")


def free_name(name: str, taken: set[str]) -> str:
    """Return a name nobody has yet, and take it."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name[: LONGEST - 4]}_{number}", number + 1
    taken.add(found)
    return found


def one_line(text: str) -> str:
    """Return a text without line breaks and characters that no file of definitions may hold."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def filled(**parts: object) -> Mapping[str, object]:
    """Return the parts of a definition that say something."""
    return {key: part for key, part in parts.items() if part not in ("", ())}
