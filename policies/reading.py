"""What a caller or a model reads of a result: the rows that policy shows, and a summary that always goes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from metric_layer.resolved import ResolvedPlan
from policies.policy import ReadingRules
from policies.small_groups import Protected, hide_small_groups
from policies.summary import Summary, summarize
from traces.records import Table, Value

PLACE = 7
"""Characters that the place of a sampled row takes beside it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a result: `numbers` are the 0-based places of the shown rows in the whole `table`."""

    table: Table
    numbers: tuple[int, ...]
    summary: Summary
    sampled: bool = False

    @property
    def cut(self) -> bool:
        """Say whether rows of the result are not shown."""
        return len(self.numbers) < len(self.table.rows)

    @property
    def rows(self) -> tuple[tuple[Value, ...], ...]:
        """Return the rows that are shown."""
        return tuple(self.table.rows[at] for at in self.numbers)

    def within(self, room: int) -> "Shown":
        """Return as many of the shown rows as fit into `room` characters of JSON."""
        numbers = self.numbers
        place = PLACE if self.sampled else 0
        widths = [_width(row) + place for row in self.table.rows[: max(numbers, default=-1) + 1]]
        while numbers and sum(widths[at] for at in numbers) > room:
            most = len(numbers) - 1 - len(numbers) // 50
            numbers = _spread(len(self.table.rows), most, sampled=self.sampled)
        return replace(self, numbers=numbers)


def protect(table: Table, plan: ResolvedPlan | None, smallest: int) -> Protected:
    """Return the result as its asker may see it, figures of small groups hidden; masked columns come masked.

    Everything that reads a result reads this one: store, wording, citations, draft checks, replies.
    """
    return Protected(table) if plan is None else hide_small_groups(table, plan, smallest)


def tells_rows(table: Table, rules: ReadingRules) -> bool:
    """Say whether a text may go through the rows: where no row is shown, only a grand total is told."""
    return rules.show != "none" or all(column.kind == "metric" for column in table.columns)


def show(table: Table, plan: ResolvedPlan | None, rules: ReadingRules) -> Shown:
    """Return the rows of a protected table that policy shows, and the summary of all of them."""
    sampled = rules.show == "sample"
    numbers = _spread(len(table.rows), _most(plan, rules), sampled=sampled)
    return Shown(table, numbers, summarize(table, plan), sampled)


def _most(plan: ResolvedPlan | None, rules: ReadingRules) -> int:
    if rules.show == "none":
        return 0
    asked = plan.limit if plan is not None and plan.limit is not None else rules.rows
    return min(asked, rules.most_rows)


def _spread(height: int, most: int, *, sampled: bool) -> tuple[int, ...]:
    """Return at most `most` row numbers: the first ones, or a sample spread evenly from first to last."""
    if height <= most or not sampled or most < 2:
        return tuple(range(min(height, most)))
    return tuple(at * (height - 1) // (most - 1) for at in range(most))


def _width(row: Sequence[Value]) -> int:
    """Return how many characters a row takes at most, with a comma and the quotes of an integer too large."""
    return len(json.dumps(row, default=str, separators=(",", ":"))) + 3
