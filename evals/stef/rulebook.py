"""What a deployment says about its own SQL: a rulebook in YAML, every key optional."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import Field

from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.source import read_source
from metric_layer.sql.features import SqlFilter, folded_value
from metric_layer.validate import read_value


class FilterRule(Record):
    """A filter on a column; with `values`, only one on exactly these."""

    column: str
    values: tuple[str, ...] = ()

    def covers(self, found: SqlFilter) -> bool:
        """Say whether the rule speaks of a filter."""
        wanted = {folded_value(value) for value in self.values}
        return found.column == self.column.casefold() and (not wanted or wanted == set(found.values))


class Rulebook(Record):
    """Names and values that mean the same, filters that do no harm, filters that may not be missing.

    `column_mappings` and `value_mappings` go from what a query says to what is meant. A LIMIT of at least
    `safety_limit` is a guard, not a top-k.
    """

    column_mappings: Mapping[str, str] = {}
    value_mappings: Mapping[str, str] = {}
    benign_filters: tuple[FilterRule, ...] = ()
    critical_filters: tuple[FilterRule, ...] = ()
    safety_limit: Annotated[int, Field(ge=1)] = 1000

    def column(self, name: str) -> str:
        """Return the column that a name means."""
        return self.column_mappings.get(name.casefold(), name).casefold()

    def value(self, text: str) -> str:
        """Return the value that a text means."""
        return folded_value(self.value_mappings.get(folded_value(text), text))

    def is_benign(self, found: SqlFilter) -> bool:
        """Say whether an extra filter does no harm."""
        return any(rule.covers(found) for rule in self.benign_filters)

    def is_critical(self, wanted: SqlFilter) -> bool:
        """Say whether a filter may not be missing."""
        return any(rule.covers(wanted) for rule in self.critical_filters)


def load_rulebook(path: Path) -> Rulebook | list[Issue]:
    """Read a rulebook, or return every issue it has with file, line and column."""
    source = read_source(path)
    if isinstance(source, list):
        return source
    found = read_value(
        source.data, partial(Rulebook.model_validate, strict=True), Rulebook, texts=source.texts
    )
    return [source.issue(problem) for problem in found] if isinstance(found, list) else found
