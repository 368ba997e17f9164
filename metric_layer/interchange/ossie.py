"""Apache Ossie documents, wrapped or flat -> definitions."""

from collections import Counter
from collections.abc import Mapping

from metric_layer.interchange.column_types import ColumnTypes
from metric_layer.interchange.composite import Composites
from metric_layer.interchange.gathered import Gathered
from metric_layer.interchange.losses import Losses
from metric_layer.interchange.names import Names, identifier
from metric_layer.interchange.ossie_datasets import OssieDataset, read_dataset, synonyms_of
from metric_layer.interchange.ossie_metrics import OssieMetrics
from metric_layer.interchange.ossie_own import extension_of, read_own
from metric_layer.interchange.reading import ForeignUnreadable, Part, top_of
from metric_layer.issues import Issue
from metric_layer.source import Source

VERSIONS = ("0.1.0", "0.1.1", "0.2.0.dev0")


def read_ossie(source: Source, losses: Losses) -> Gathered:
    """Read a document of any of the three shapes. Raises ForeignUnreadable."""
    top = top_of(source, losses, "Apache Ossie")
    version = top.text("version")
    wrapped = top.holds("semantic_model")
    if version not in VERSIONS or not (wrapped or top.holds("datasets")):
        raise ForeignUnreadable(
            Issue(
                code="wrong_document",
                message=f"This is no Ossie document of a version that is read: {', '.join(VERSIONS)}.",
                place=top.place("version"),
                seen=version,
                next_step="Export it with one of these versions.",
            )
        )
    gathered, names = Gathered(losses), Names()
    top.skip("dialects", "vendors")
    for model in top.parts("semantic_model") if wrapped else [top]:
        model.skip("name")
        layer = extension_of(model)
        if layer is None:
            _Model(model, gathered, names).read()
        else:
            read_own(model, layer, gathered)
    return gathered


class _Model:
    """One semantic model, written by somebody else."""

    def __init__(self, part: Part, gathered: Gathered, names: Names) -> None:
        self._part = part
        self._gathered = gathered
        self._names = names
        self._types = ColumnTypes()

    def read(self) -> None:
        part = self._part
        synonyms_of(part, part.text("name"), has_place=False)
        metrics = part.named("metrics")
        given = {id(each): self._names.give("asked", each.text("name")) for each in metrics}
        datasets = self._datasets()
        self._dimensions(datasets)
        for each in part.named("relationships"):
            self._relationship(each, datasets)
        composites = Composites(self._gathered, self._names)
        OssieMetrics(datasets, self._types, composites).add([(each, given[id(each)]) for each in metrics])
        self._types.settle(self._gathered.losses)
        for dataset in datasets.values():
            self._add_dataset(dataset)

    def _datasets(self) -> dict[str, OssieDataset]:
        found: dict[str, OssieDataset] = {}
        for part in self._part.named("datasets"):
            name = part.text("name")
            given = self._names.give("datasets", name)
            dataset = read_dataset(part, given, self._types)
            if dataset is not None:
                found[name] = dataset
            if given != name:
                part.lose("renamed", name, given, at="name")
        return found

    def _dimensions(self, datasets: Mapping[str, OssieDataset]) -> None:
        often = Counter(identifier(name) for each in datasets.values() for name in each.dimensions)
        for dataset in datasets.values():
            for name, part in dataset.dimensions.items():
                own = [name] if often[identifier(name)] == 1 else []
                given = self._names.give("asked", *own, f"{dataset.name}_{name}")
                if given != name:
                    part.lose("renamed", name, given, at="name")
                payload = {
                    "name": given,
                    "dataset": dataset.name,
                    "column": dataset.columns[name],
                    "label": part.text("label"),
                    "description": part.text("description"),
                    "synonyms": synonyms_of(part, name),
                }
                self._gathered.add("dimensions", payload, part.place())

    def _relationship(self, part: Part, datasets: Mapping[str, OssieDataset]) -> None:
        name = part.text("name")
        extension_of(part)
        synonyms_of(part, name, has_place=False)
        ends = [(part.text(end), part.texts(f"{end}_columns")) for end in ("from", "to")]
        if any(dataset not in datasets for dataset, _ in ends):
            part.refuse("rests_on_refused", name, ", ".join(dataset for dataset, _ in ends))
            return
        near, far = ([datasets[dataset].column(each) for each in columns] for dataset, columns in ends)
        for dataset, columns in ((ends[0][0], near), (ends[1][0], far)):
            for column in columns:
                self._types.know(datasets[dataset].name, column, place=part.place())
        for left, right in zip(near, far, strict=False):
            self._types.join((datasets[ends[0][0]].name, left), (datasets[ends[1][0]].name, right))
        payload: dict[str, object] = {
            "name": self._names.give("relationships", name),
            "from_dataset": datasets[ends[0][0]].name,
            "to_dataset": datasets[ends[1][0]].name,
            "from_columns": tuple(near),
            "to_columns": tuple(far),
        }
        self._gathered.add("relationships", payload, part.place())

    def _add_dataset(self, dataset: OssieDataset) -> None:
        columns = self._types.of(dataset.name)
        if not columns:
            dataset.part.refuse("ossie_no_fields", dataset.name)
            return
        payload: dict[str, object] = {
            "name": dataset.name,
            "relation": dataset.relation,
            "columns": columns,
            "primary_key": dataset.primary_key,
            "unique_keys": dataset.unique_keys,
            "description": dataset.description,
        }
        self._gathered.add("datasets", payload, dataset.part.place())
