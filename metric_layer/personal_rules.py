"""Rules for tags of personal data that owners accepted: about a column, once, against no other tag."""

from collections.abc import Iterator

from metric_layer.draft import Draft, Site
from metric_layer.fault import Fault, fault, is_broken, unknown


def check_personal_tags(draft: Draft) -> Iterator[Fault]:
    """A tag names a column that exists, once, and says nothing else than the column's own tag."""
    first: dict[str, Site] = {}
    for item, site in draft.personal:
        dataset, _, column = item.column.partition(".")
        if item.column in first:
            message = f"{item.column} has its tag at {first[item.column].place('column')} already."
            yield fault(item.column, site, ("column",), "duplicate_name", message, "Keep one of the two.")
        first.setdefault(item.column, site)
        if is_broken(draft, "datasets", dataset):
            continue
        known = draft.dataset_by_name.get(dataset)
        if known is None:
            yield unknown(item.column, site, ("column",), "dataset", dataset, draft.dataset_by_name)
            continue
        found = {each.name: each.personal for each in known.columns}
        if column not in found:
            yield unknown(item.column, site, ("column",), "column", column, found)
        elif found[column] not in ("", item.tag):
            message = f"{item.column} is tagged {found[column]} where it is defined, and {item.tag} here."
            yield fault(
                item.column,
                site,
                ("tag",),
                "tag_contradicted",
                message,
                "Change it where it is defined.",
            )
