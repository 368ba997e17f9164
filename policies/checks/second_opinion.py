"""The database's own reading of a statement against ours."""

from collections.abc import Iterator

from policies.facts import CostFacts, Finding


def check_second_opinion(facts: CostFacts) -> Iterator[Finding]:
    """The database would read no relation that the statement, as we read it, does not stand on."""
    for relation in facts.strays:
        yield Finding(
            "hard",
            f"the database would read {relation}, which our reading of the statement does not hold",
            seen=relation,
            next_step="report this: our reader and the database disagree",
        )
