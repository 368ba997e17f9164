"""Which names are the layer's own: only those may stand in a trace in clear."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from metric_layer.layer import Layer
from metric_layer.plan import Grain
from metric_layer.vocabulary import folded

_REMEMBERED = 4096
_DAYS = re.compile(r"\d{4}(-\d\d){0,2}( to \d{4}-\d\d-\d\d)?\Z")


class KnownNames:
    """The names, labels, synonyms, columns and listed values of a layer, zones, grains and days."""

    def __init__(self, layer: Layer) -> None:
        self._names = frozenset(_names_of(layer))
        self._values = {
            name: frozenset(each.value for each in dimension.values)
            for name, dimension in layer.dimensions.items()
        }
        self._met: set[str] = set()

    def __call__(self, name: str) -> bool:
        """Say whether a name is the layer's, or one that code made of it: `net_revenue_previous`.

        Those that are get remembered; others may be private, and are not.
        """
        if name in self._met:
            return True
        found = self._is_known(name)
        if found and len(self._met) < _REMEMBERED:
            self._met.add(name)
        return found

    def _is_known(self, name: str) -> bool:
        bare = name.removeprefix("by ")
        if folded(bare) in self._names or _DAYS.match(bare) or _is_zone(bare):
            return True
        dimension, _, value = bare.partition(":")
        return value in self._values.get(dimension, ()) or self._is_made_of_one(bare)

    def _is_made_of_one(self, name: str) -> bool:
        stem, cut, _ = name.rpartition("_")
        while cut:
            if folded(stem) in self._names:
                return True
            stem, cut, _ = stem.rpartition("_")
        return False


def _names_of(layer: Layer) -> Iterator[str]:
    named = (layer.metrics, layer.dimensions, layer.datasets, layer.relationships, layer.terms, layer.senses)
    for names in named:
        yield from map(folded, names)
    yield from map(folded, get_args(Grain))
    for name, dataset in layer.datasets.items():
        yield from map(folded, (*dataset.relation.split("."), *layer.column_types[name]))


@lru_cache(maxsize=512)
def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return "/" in name or name == "UTC"
