"""No sum, average or count runs over rows that a join has repeated."""

from collections.abc import Iterator

from policies.facts import Finding, SqlFacts


def check_fan_out(facts: SqlFacts) -> Iterator[Finding]:
    """Every SUM, AVG and COUNT is taken at the grain of what it adds up."""
    for fanned in facts.reading.fanned:
        yield Finding(
            "soft",
            f"{fanned.function} counts rows of {fanned.source} once per row of {fanned.by}",
            seen=fanned.seen,
            place="aggregate",
            span=fanned.span,
            next_step=f"aggregate {fanned.source} at its own grain first, then join",
            retry=True,
        )
