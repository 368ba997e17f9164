"""A plan that cannot be read whole: what is wrong with its form, and with the names that stand in it."""

from collections.abc import Iterator

from metric_layer.issues import Issue
from metric_layer.known import visible_dimensions, visible_metrics
from metric_layer.naming import name_issues
from metric_layer.parse import parse_plan
from metric_layer.settle import Words
from metric_layer.validate import plain


def unread(raw: object, words: Words) -> tuple[Issue, ...]:
    """Return all that a caller has to mend before a plan can be read: keys, values and unknown names."""
    names = (*visible_metrics(words.layer, words.visible), *visible_dimensions(words.layer, words.visible))
    found = parse_plan(raw, visible_names=names)
    wrong = found if isinstance(found, tuple) else ()
    told = {issue.path for issue in wrong}
    return (*wrong, *(issue for issue in name_problems(plain(raw), words) if issue.path not in told))


def name_problems(raw: object, words: Words) -> Iterator[Issue]:
    """Yield what is wrong with the names of a plan of plain values, as far as they stand where names do."""
    for index, name in enumerate(_listed(raw, "metrics")):
        if isinstance(name, str):
            yield from name_issues("metric", name, f"/metrics/{index}", words)
    for index, name in enumerate(_listed(raw, "dimensions")):
        if isinstance(name, str):
            yield from name_issues("dimension", name, f"/dimensions/{index}", words)
    for index, asked in enumerate(_listed(raw, "filters")):
        field = asked.get("field") if isinstance(asked, dict) else None
        if isinstance(field, str):
            yield from name_issues("dimension", field, f"/filters/{index}/field", words)


def _listed(raw: object, key: str) -> tuple[object, ...]:
    found = raw.get(key) if isinstance(raw, dict) else None
    return found if isinstance(found, tuple) else ()
