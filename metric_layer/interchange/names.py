"""Names of other layers -> names that a definition here may have, each given once."""

import re

from metric_layer.definitions import GRAINS

LENGTH = 100
_OTHER = re.compile(r"[^a-z0-9]+")


def identifier(name: str) -> str:
    """Return the nearest name of small letters, digits and underscores."""
    words = _OTHER.sub("_", name.lower()).strip("_") or "unnamed"
    return (words if words[0].isalpha() else f"n_{words}")[:LENGTH]


class Names:
    """The names given so far. Metrics, dimensions and clocks share one list, on which grains are taken."""

    def __init__(self) -> None:
        self._given: dict[str, set[str]] = {"datasets": set(), "relationships": set(), "asked": set(GRAINS)}

    def free(self, kind: str, wanted: str) -> bool:
        """Say whether nobody has a name yet."""
        return identifier(wanted) not in self._given[kind]

    def give(self, kind: str, *wanted: str) -> str:
        """Give the first of the wanted names that is free, else the last one with a number behind it."""
        for name in (identifier(each) for each in wanted):
            if name not in self._given[kind]:
                self._given[kind].add(name)
                return name
        last, count = identifier(wanted[-1])[: LENGTH - 5], 2
        while f"{last}_{count}" in self._given[kind]:
            count += 1
        self._given[kind].add(f"{last}_{count}")
        return f"{last}_{count}"
