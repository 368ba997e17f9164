"""The catalogue that agents search: metrics, dimensions, values and example questions, ranked by BM25."""

import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from metric_layer.catalog_hits import CatalogHit
from metric_layer.definitions import Dimension, Metric
from metric_layer.layer import Layer
from metric_layer.record import Record
from metric_layer.visible import Visible
from metric_layer.vocabulary import near_terms

GoesWith = Mapping[str, tuple[str, ...]]
"""Metric -> the dimensions it can be asked by."""

NAMED_WEIGHT = 3
"""How often the words of a name count against those of a description."""

HIDING_KEPT = 32
"""How many catalogues that hide examples are kept."""

WORD = re.compile(r"\w+")


class Example(Record):
    """A question with a known answer, by the metrics that answer it. Twins share a `twin`: one gold query."""

    id: str
    question: str
    phrasings: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    twin: str = ""


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """A saved analysis as a search finds it: what it is for, and the metrics it asks for."""

    name: str
    text: str
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A hit before it is one: `named` words count more than `said` ones."""

    hit: CatalogHit
    named: tuple[str, ...]
    said: tuple[str, ...] = ()

    def words(self) -> list[str]:
        """Return the words that a search is held against."""
        named = [word for text in self.named for word in words_of(text)]
        return named * NAMED_WEIGHT + [word for text in self.said for word in words_of(text)]


class Catalog:
    """The entries one role may see, indexed once. Searching changes nothing: threads may share one."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        # It brings scipy along, which nobody who only asks should wait for.
        self._index: Any = import_module("bm25s").BM25()
        # It sets its own logger to DEBUG as it is imported, and says there what each index is built from.
        logging.getLogger("bm25s").setLevel(logging.WARNING)
        self.entries = tuple(entries)
        if self.entries:
            self._index.index([entry.words() for entry in self.entries], show_progress=False)

    def search(self, text: str, limit: int) -> tuple[CatalogHit, ...]:
        """Return the best entries for a text, best first; a misspelt name finds its near ones."""
        if not self.entries:
            return ()
        asked = words_of(text)
        scores = self._index.get_scores(asked) if asked else []
        ranked = sorted(
            ((float(score), place) for place, score in enumerate(scores) if score > 0),
            key=lambda found: (-found[0], found[1]),
        )
        if not ranked:
            terms = {name: entry.hit.name for entry in self.entries for name in entry.named}
            close = near_terms(text, terms)
            ranked = [(0.0, place) for place, e in enumerate(self.entries) if e.hit.name in close]
        return tuple(
            self.entries[place].hit.model_copy(update={"score": round(score, 6)})
            for score, place in ranked[:limit]
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """What a role may see, worked out once: the catalogue without any example in it."""

    goes_with: GoesWith
    tables: GoesWith
    analyses: tuple[AnalysisLine, ...] = ()


class Catalogs:
    """The catalogues of one set of definitions, one per role, each made when it is first searched.

    Those that hide examples are kept for a while: an evaluation asks for each of them several times.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, Catalog] = {}
        self._shown: dict[str, Shown] = {}
        self._hiding: OrderedDict[tuple[str, frozenset[str]], Catalog] = OrderedDict()

    def of(self, key: str, make: Callable[[], Catalog]) -> Catalog:
        """Return the catalogue of a role and what it may see."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            return self._kept[key]

    def shown(self, key: str, make: Callable[[], Shown]) -> Shown:
        """Return what a role may see."""
        found = self._shown.get(key)
        if found is None:
            found = self._shown[key] = make()
        return found

    def hiding(self, key: str, ids: frozenset[str], make: Callable[[], Catalog]) -> Catalog:
        """Return the catalogue of a role without some examples; those asked for last are kept."""
        place = (key, ids)
        with self._lock:
            found = self._hiding.get(place)
        if found is None:
            found = make()
        with self._lock:
            self._hiding[place] = found
            self._hiding.move_to_end(place)
            while len(self._hiding) > HIDING_KEPT:
                self._hiding.popitem(last=False)
        return found


def build_catalog(
    layer: Layer,
    visible: Visible,
    goes_with: GoesWith,
    tables: GoesWith,
    examples: Iterable[Example],
    analyses: Iterable[AnalysisLine] = (),
) -> Catalog:
    """Return the catalogue of what may be seen. A hidden metric hides the examples that it answers."""
    shown = [e for e in examples if e.metrics and all(name in goes_with for name in e.metrics)]
    asked: dict[str, list[str]] = {}
    for example in shown:
        for name in example.metrics:
            asked.setdefault(name, []).extend((example.question, *example.phrasings))
    entries = [
        *(_metric(layer.metrics[name], goes_with, tables, asked.get(name, ())) for name in sorted(goes_with)),
        *_dimensions(layer, visible, goes_with),
        *(_example(example, tables) for example in shown),
        *(_analysis(line) for line in analyses),
    ]
    return Catalog(entries)


def without(examples: Iterable[Example], ids: Iterable[str]) -> tuple[Example, ...]:
    """Return the examples without those named and without their twins."""
    gone = frozenset(ids)
    listed = tuple(examples)
    twins = {example.twin for example in listed if example.id in gone and example.twin}
    return tuple(e for e in listed if e.id not in gone and e.twin not in twins)


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared: case, underscores and a plural s do not count."""
    found = WORD.findall(text.casefold().replace("_", " "))
    return [word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word for word in found]


def _metric(metric: Metric, goes_with: GoesWith, tables: GoesWith, asked: Sequence[str]) -> Entry:
    hit = CatalogHit(
        kind="metric",
        name=metric.name,
        text=metric.description,
        dimensions=goes_with[metric.name],
        tables=tables.get(metric.name, ()),
    )
    named = tuple(word for word in (metric.name, metric.label, *metric.synonyms) if word)
    return Entry(hit, named, (metric.description, *asked))


def _dimensions(layer: Layer, visible: Visible, goes_with: GoesWith) -> Iterator[Entry]:
    for name, dimension in sorted(layer.dimensions.items()):
        if visible.dimension(dimension):
            metrics = tuple(metric for metric, of in goes_with.items() if name in of)
            table = (layer.datasets[dimension.dataset].relation,)
            yield _dimension(dimension, metrics, table)
            for value in dimension.values:
                hit = CatalogHit(
                    kind="value",
                    name=name,
                    text=value.label or value.value,
                    value=value.value,
                    metrics=metrics,
                    tables=table,
                )
                named = tuple(word for word in (value.value, value.label, *value.synonyms) if word)
                yield Entry(hit, named, (dimension.label or name,))


def _dimension(dimension: Dimension, metrics: tuple[str, ...], tables: tuple[str, ...]) -> Entry:
    hit = CatalogHit(
        kind="dimension",
        name=dimension.name,
        text=dimension.description or dimension.label,
        metrics=metrics,
        tables=tables,
    )
    named = tuple(word for word in (dimension.name, dimension.label, *dimension.synonyms) if word)
    return Entry(hit, named, (dimension.description,))


def _analysis(line: AnalysisLine) -> Entry:
    hit = CatalogHit(kind="analysis", name=line.name, text=line.text, metrics=line.metrics)
    return Entry(hit, (line.name,), (line.text,))


def _example(example: Example, tables: GoesWith) -> Entry:
    hit = CatalogHit(
        kind="example",
        name=example.id,
        text=example.question,
        metrics=example.metrics,
        tables=tuple(sorted({table for name in example.metrics for table in tables.get(name, ())})),
    )
    return Entry(hit, (example.question, *example.phrasings))
