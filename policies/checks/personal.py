"""Personal-data columns are used only as the role's rule for their tag allows."""

from collections.abc import Callable, Iterator

from metric_layer.sql.catalogue import PersonalUse
from metric_layer.sql.reading import ColumnRef
from policies.facts import Finding, SqlFacts

PRESENT = frozenset({"Count"})
"""Aggregates that only ask whether there is a value: over a mask they count the same."""
COUNTING = PRESENT | {"CountDistinct", "ApproxDistinct", "CountIf"}
SHOWN = frozenset({"select", "from"})


def check_pii_column(facts: SqlFacts) -> Iterator[Finding]:
    """No personal column is named in a clause where its rule does not allow it.

    What a plan's SQL derives from a column in aggregate only is made of counts, or the column itself is
    found misused where it is named: its branches are put together from those counts.
    """

    def mine(column: ColumnRef) -> bool:
        counted = facts.origin == "plan" and rules.get((column.table, column.column)) == "aggregate"
        return column.via == "name" or (column.via == "derived" and not counted)

    rules = facts.catalogue.personal
    return _misused(facts, mine, "is personal data")


def check_pii_star(facts: SqlFacts) -> Iterator[Finding]:
    """No star and no NATURAL join reaches a personal column."""
    return _misused(
        facts, lambda column: column.via in ("star", "natural"), "is personal data reached by a star"
    )


def check_pii_whole_row(facts: SqlFacts) -> Iterator[Finding]:
    """No whole row is handed on that holds a personal column."""
    return _misused(facts, lambda column: column.via == "row", "is personal data inside a whole row")


def _misused(facts: SqlFacts, mine: Callable[[ColumnRef], bool], what: str) -> Iterator[Finding]:
    rules = facts.catalogue.personal
    seen: set[ColumnRef] = set()
    for column in facts.reading.columns:
        rule = rules.get((column.table, column.column), "")
        if not rule or not mine(column) or column in seen or _counts_groups(facts, rule, column):
            continue
        if not _allows(rule, column):
            seen.add(column)
            yield Finding(
                "hard",
                f"{column.table}.{column.column} {what}; your role's rule for it is {rule}",
                seen=f"{column.table}.{column.column}",
                threshold=rule,
                place=column.clause,
                span=column.span,
                next_step="leave the column out",
            )


def _counts_groups(facts: SqlFacts, rule: PersonalUse, column: ColumnRef) -> bool:
    """Say whether a plan's SQL counts people to leave small groups out; `conformity` proves that it does."""
    floored = facts.origin == "plan" and facts.resolved is not None and bool(facts.resolved.floors)
    return floored and rule == "aggregate" and column.clause == "having" and column.function in COUNTING


def _allows(rule: PersonalUse, column: ColumnRef) -> bool:
    if rule == "deny" or column.via in ("natural", "row"):
        return False
    if rule == "mask":
        return column.clause in SHOWN or (column.clause == "aggregate" and column.function in PRESENT)
    return column.clause == "aggregate" and column.function in COUNTING
