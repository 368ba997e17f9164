"""The words of a layer, indexed once: what each phrase may mean, and what is close to a misspelt one."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gateway.intake.grammar import UNSUPPORTED
from gateway.intake.tokens import key_of, singular
from metric_layer.asking import AskingRules
from metric_layer.asking_rules import check_asking
from metric_layer.expand import leaf_datasets
from metric_layer.known import metric_visible
from metric_layer.layer import Layer
from metric_layer.load import LayerInvalid
from metric_layer.visible import Visible

MeaningKind = Literal["metric", "dimension", "value", "ambiguous", "unsupported"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase may stand for: `name` is a metric, a dimension, a value or a kind of refusal.

    `options` are the metrics an ambiguous word may mean.
    """

    kind: MeaningKind
    name: str
    dimension: str = ""
    options: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """Return the code a choice is sent back with: a name, or dimension:value."""
        return f"{self.dimension}:{self.name}" if self.kind == "value" else self.name


@dataclass(frozen=True)
class Prepared:
    """A layer's words. `exact` and `folded` map keys to meanings, `allowed` metrics to their dimensions."""

    layer: Layer
    rules: AskingRules
    exact: Mapping[str, tuple[Meaning, ...]]
    folded: Mapping[str, tuple[Meaning, ...]]
    longest: int
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    by_letter: Mapping[str, tuple[str, ...]]
    allowed: Mapping[str, frozenset[str]]

    def near(self, words: str, visible: Visible) -> tuple[Meaning, ...]:
        """Return what a misspelt phrase may have meant, closest first, as far as the caller may see it."""
        key = key_of(words)[1]
        cutoff = 0 if len(key) < 4 else 1 if len(key) < 8 else 2
        if not cutoff:
            return ()
        swapped = (k for k in self.by_letter.get(key[1], ()) if k[1:2] == key[0])
        alike = (*self.by_letter.get(key[0], ()), *swapped)
        hits = process.extract(key, alike, scorer=OSA.distance, score_cutoff=cutoff, limit=None)
        ranked = sorted(hits, key=lambda hit: (hit[1], hit[0]))
        found = (meaning for near, _, _ in ranked for meaning in self.folded[near])
        shown = (self.as_shown(meaning, visible) for meaning in found)
        return tuple(dict.fromkeys(m for m in shown if m is not None and m.kind != "unsupported"))

    def shows(self, meaning: Meaning, visible: Visible) -> bool:
        """Say whether a caller may know of a meaning; what they may not see is a word like any other."""
        if meaning.kind == "metric":
            return metric_visible(self.layer, meaning.name, visible)
        if meaning.kind in ("dimension", "value"):
            return visible.dimension(self.layer.dimensions[meaning.dimension])
        return True

    def as_shown(self, meaning: Meaning, visible: Visible) -> Meaning | None:
        """Return a meaning as far as a caller may know of it: an ambiguous word without hidden readings."""
        if not self.shows(meaning, visible):
            return None
        if meaning.kind != "ambiguous":
            return meaning
        options = tuple(code for code in meaning.options if self.shows(self._of_code(code), visible))
        return replace(meaning, options=options) if options else None

    def _of_code(self, code: str) -> Meaning:
        dimension, _, value = code.partition(":")
        if dimension in self.layer.metrics:
            return Meaning("metric", dimension)
        return Meaning("value" if value else "dimension", value or dimension, dimension)

    def value_of(self, text: str, visible: Visible) -> Iterator[Meaning]:
        """Yield the values that follow a dimension's pattern; only a text with a digit may differ in case."""
        for dimension, pattern in self.patterns:
            if not visible.dimension(self.layer.dimensions[dimension]):
                continue
            found = next((way for way in _spelled(text) if pattern.fullmatch(way)), None)
            if found is not None:
                yield Meaning("value", found, dimension)


def _by_letter(keys: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Group keys by their first letter: slips rarely change it, and East is not West misspelt."""
    found: dict[str, list[str]] = {}
    for key in keys:
        found.setdefault(key[0], []).append(key)
    return {letter: tuple(group) for letter, group in found.items()}


def _spelled(text: str) -> Iterator[str]:
    """Yield a value as it may be kept; one with a digit in other cases and the singular ("stores #7")."""
    yield text
    if any(sign.isdigit() for sign in text):
        said = text.replace("#", " ").split()
        one = " ".join(singular(word) if word.isalpha() else word for word in said)
        for way in (text, one):
            yield from (way, way.title(), way.upper(), way.lower(), way.capitalize())


def prepare(layer: Layer, rules: AskingRules) -> Prepared:
    """Index a layer's words under its owner's rules. Raises LayerInvalid with all that is wrong in them."""
    issues = check_asking(rules, layer)
    if issues:
        raise LayerInvalid(issues)
    exact: dict[str, dict[Meaning, None]] = {}
    folded: dict[str, dict[Meaning, None]] = {}
    for term, meaning in _terms(layer, rules):
        key, fold = key_of(term)
        if not key:
            continue
        exact.setdefault(key, {})[meaning] = None
        for each in {fold, *_joined(term)}:
            folded.setdefault(each, {})[meaning] = None
    dimensions = layer.dimensions.values()
    return Prepared(
        layer=layer,
        rules=rules,
        exact=MappingProxyType({key: tuple(found) for key, found in exact.items()}),
        folded=MappingProxyType({key: tuple(found) for key, found in folded.items()}),
        longest=max((len(key.split()) for key in exact), default=1),
        patterns=tuple((name, re.compile(text)) for name, text in sorted(rules.patterns.items())),
        by_letter=MappingProxyType(_by_letter(folded)),
        allowed=MappingProxyType(
            {
                name: frozenset(
                    d.name
                    for d in dimensions
                    if (metric.dimensions is None or d.name in metric.dimensions)
                    and leaf_datasets(layer, name) <= layer.to_one_sources[d.dataset]
                )
                for name, metric in layer.metrics.items()
            }
        ),
    )


def _joined(term: str) -> Iterator[str]:
    """Yield a hyphenated term as people run it together: "in-store" as "instore"."""
    if "-" in term:
        yield key_of(term.replace("-", ""))[1]


def _terms(layer: Layer, rules: AskingRules) -> Iterator[tuple[str, Meaning]]:
    for metric in layer.metrics.values():
        for word in _said(metric.name, metric.label, metric.synonyms):
            yield word, Meaning("metric", metric.name)
    for dimension in layer.dimensions.values():
        for word in _said(dimension.name, dimension.label, dimension.synonyms):
            yield word, Meaning("dimension", dimension.name, dimension.name)
        for value in dimension.values:
            meaning = Meaning("value", value.value, dimension.name)
            yield from ((word, meaning) for word in _said(value.value, value.label, value.synonyms))
    for word, options in rules.ambiguous.items():
        yield word, Meaning("ambiguous", word, options=options)
    for kind, said in (*UNSUPPORTED.items(), *rules.unsupported.items()):
        yield from ((form, Meaning("unsupported", kind)) for word in said for form in _forms(word))


def _forms(word: str) -> Iterator[str]:
    """Yield a verb with its endings: whoever asks for what was "predicted" asks to predict."""
    yield word
    if word.isalpha() and len(word) > 4:
        stem = word.removesuffix("e")
        yield from (f"{stem}ed", f"{stem}ing")


def _said(name: str, label: str, synonyms: Iterable[str]) -> Iterator[str]:
    yield from (word for word in (name, label, *synonyms) if word)
