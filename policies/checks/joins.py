"""Tables are joined on declared keys, and none is multiplied with another."""

from collections.abc import Iterator

from policies.facts import Finding, SqlFacts


def check_join_key(facts: SqlFacts) -> Iterator[Finding]:
    """Every pair of tables that a predicate ties together is tied by a declared key."""
    for link in facts.reading.joins:
        if not link.declared:
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
    """Every source is tied to the others; one-row sources and short lists need not be."""
    for cross in facts.reading.crosses:
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


def _declared(facts: SqlFacts, left: str, right: str) -> tuple[str, ...]:
    return tuple(
        " and ".join(
            f"{join.left_table}.{a} = {join.right_table}.{b}"
            for a, b in zip(join.left_columns, join.right_columns, strict=True)
        )
        for join in facts.catalogue.joins
        if {join.left_table, join.right_table} == {left, right}
    )
