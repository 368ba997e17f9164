"""One look at a database for personal data: samples under the login of discovery, and what they suggest."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from gateway.discovery.patterns import Patterns
from gateway.discovery.profile import Looked, profile_of, suggestion_of
from gateway.discovery.reports import NO_COLUMN, ColumnProfile, DiscoveryReport, Suggestion, Unread
from gateway.engines.base import EngineError
from gateway.engines.sample import Sampler, hard_limit
from gateway.settings.file import DiscoverySettings
from metric_layer.definitions import Column, Dataset
from metric_layer.layer import Layer
from metric_layer.relation import relation_parts


class Look:
    """Goes through the datasets of a layer. Values stay inside: what leaves are shares, kinds and places."""

    def __init__(self, sampler: Sampler, settings: DiscoverySettings, said: Mapping[str, str]) -> None:
        """Look with a sampler; `said` are the tags that owners gave columns, `none` among them."""
        self._sampler = sampler
        self._said = said
        self._settings = settings
        self._patterns = Patterns(settings.regions)
        self._profiles: list[ColumnProfile] = []
        self._suggestions: list[Suggestion] = []
        self._unlisted: list[str] = []
        self._unread: list[Unread] = []

    def at(self, datasets: Sequence[Dataset], now: datetime) -> DiscoveryReport:
        """Return what was found. What cannot be read is in the report, and hinders nothing else."""
        for dataset in datasets:
            self._dataset(dataset)
        ranked = sorted(
            self._suggestions, key=lambda each: (bool(each.tagged), -each.confidence, each.column)
        )
        return DiscoveryReport(
            at=now,
            rows=hard_limit(self._settings.rows),
            suggestions=tuple(ranked),
            profiles=tuple(self._profiles),
            unlisted=tuple(self._unlisted),
            unread=tuple(self._unread),
        )

    def _dataset(self, dataset: Dataset) -> None:
        relation = relation_parts(dataset.relation)
        try:
            there = {name.lower(): name for name in self._sampler.columns(relation)}
        except EngineError as fault:
            self._unread.append(Unread(place=dataset.name, code=fault.code))
            return
        listed = {column.name.lower() for column in dataset.columns}
        self._unlisted.extend(f"{dataset.name}.{name}" for low, name in there.items() if low not in listed)
        for column in dataset.columns:
            if column.name.lower() not in there:
                self._unread.append(Unread(place=f"{dataset.name}.{column.name}", code=NO_COLUMN))
                continue
            self._column(dataset, column, relation)

    def _column(self, dataset: Dataset, column: Column, relation: tuple[str, ...]) -> None:
        try:
            values = self._sampler.values(relation, column.name, self._settings.rows)
        except EngineError as fault:
            self._unread.append(Unread(place=f"{dataset.name}.{column.name}", code=fault.code))
            values = ()
        tagged = column.personal or self._said.get(f"{dataset.name}.{column.name}", "")
        looked = Looked(dataset.name, column.name, column.type, values, tagged)
        profile = profile_of(looked, self._patterns)
        self._profiles.append(profile)
        found = suggestion_of(looked, profile, self._patterns, guess=self._settings.guess_names)
        if found is not None:
            self._suggestions.append(found)


def datasets_of(layer: Layer, names: Sequence[str]) -> Iterator[Dataset]:
    """Yield the datasets that are named, all where none is. Raises KeyError for an unknown name."""
    for name in names or layer.datasets:
        yield layer.datasets[name]
