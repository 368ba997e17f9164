"""Which names of a layer a caller may see; a name outside it is answered like a name that does not exist."""

from dataclasses import dataclass

from metric_layer.definitions import Dimension


@dataclass(frozen=True, slots=True)
class Visible:
    """What a caller may see. None means everything; `hidden_columns` holds `dataset.column`."""

    metrics: frozenset[str] | None = None
    datasets: frozenset[str] | None = None
    hidden_columns: frozenset[str] = frozenset()

    def metric(self, name: str) -> bool:
        """Say whether a metric's name may be known."""
        return self.metrics is None or name in self.metrics

    def called(self, metric: str) -> str:
        """Return what a message may call a metric: its name, or words in place of one that is hidden."""
        return metric if self.metric(metric) else "a metric this rests on"

    def dataset(self, name: str) -> bool:
        """Say whether a dataset exists for the caller."""
        return self.datasets is None or name in self.datasets

    def dimension(self, dimension: Dimension) -> bool:
        """Say whether a dimension exists for the caller: its dataset does and its column is not hidden."""
        return (
            self.dataset(dimension.dataset)
            and f"{dimension.dataset}.{dimension.column}" not in self.hidden_columns
        )
