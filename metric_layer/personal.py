"""A data owner's words on columns, written into the datasets they are about."""

from collections.abc import Iterable

from metric_layer.definitions import Dataset, PersonalTag

NONE = "none"
"""The word for a column that somebody looked at and found to hold no personal data."""


def tagged(datasets: Iterable[Dataset], tags: Iterable[PersonalTag]) -> tuple[Dataset, ...]:
    """Return the datasets with the owners' tags on their columns.

    A tag that stands with the column stays: nobody takes it away from another file.
    """
    said = {each.column: each.tag for each in tags if each.tag != NONE}
    return tuple(_tagged(dataset, said) for dataset in datasets)


def _tagged(dataset: Dataset, said: dict[str, str]) -> Dataset:
    columns = tuple(
        column
        if column.personal or f"{dataset.name}.{column.name}" not in said
        else column.model_copy(update={"personal": said[f"{dataset.name}.{column.name}"]})
        for column in dataset.columns
    )
    return dataset if columns == dataset.columns else dataset.model_copy(update={"columns": columns})
