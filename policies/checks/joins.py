"""Tables are joined on declared keys, and none is multiplied with another."""

from collections.abc import Iterator

from metric_layer.compile.parts import GROUPS, SPINE
from policies.facts import Finding, SqlFacts


def check_join_key(facts: SqlFacts) -> Iterator[Finding]:
    """Every pair of tables that a predicate ties together is tied by a declared key.

    A conversion ties two facts by the entity that its definition declares, in the SQL of its plan and in
    the statement that counts the joins of that plan.
    """
    entities = set(_entities(facts))
    for link in facts.reading.joins:
        if not link.declared and not (link.pairs and entities.issuperset(map(frozenset, link.pairs))):
            yield Finding(
                "soft",
                f"{link.left} and {link.right} are joined on a key that nobody declared",
                seen=link.seen,
                place="join",
                span=link.span,
                candidates=_declared(facts, link.left, link.right),
                next_step="join on a declared key",
                retry=True,
            )


def check_cross_join(facts: SqlFacts) -> Iterator[Finding]:
    """Every source is tied to the others; one row, a short list and a plan's own periods need not be."""
    filled = facts.origin == "plan" and facts.resolved is not None and bool(facts.resolved.spine)
    for cross in facts.reading.crosses:
        if filled and {cross.left, cross.right} == {SPINE, GROUPS}:
            continue
        yield Finding(
            "soft",
            f"every row of {cross.left} is paired with every row of {cross.right}",
            seen=f"{cross.left} x {cross.right}",
            place="join",
            span=cross.span,
            candidates=_declared(facts, cross.left, cross.right),
            next_step="write the join condition",
            retry=True,
        )


def _entities(facts: SqlFacts) -> Iterator[frozenset[str]]:
    """Yield the pairs of columns by which the plan's definitions tie an event to one that follows it."""
    names = {table.dataset: table.name for table in facts.catalogue.tables}
    plan = facts.resolved or facts.counted
    for leaf in plan.leaves if plan else ():
        if leaf.followed is not None:
            first, second = names.get(leaf.dataset, ""), names.get(leaf.followed.dataset, "")
            yield from (frozenset((f"{first}.{a}", f"{second}.{b}")) for a, b in leaf.followed.pairs)


def _declared(facts: SqlFacts, left: str, right: str) -> tuple[str, ...]:
    return tuple(
        " and ".join(
            f"{join.left_table}.{a} = {join.right_table}.{b}"
            for a, b in zip(join.left_columns, join.right_columns, strict=True)
        )
        for join in facts.catalogue.joins
        if {join.left_table, join.right_table} == {left, right}
    )
