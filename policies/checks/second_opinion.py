"""The database's own reading of a statement against ours."""

from collections.abc import Iterator

from policies.facts import CostFacts, Finding

REPORT = "report this: our reader and the database disagree"


def check_second_opinion(facts: CostFacts) -> Iterator[Finding]:
    """The database counts one SELECT, and reads and calls nothing that our reading of it does not hold.

    A column that only the database names is noted, and refuses nothing.
    """
    opinion = facts.opinion
    if not opinion.one_select:
        yield Finding(
            "hard",
            "the database counts something else than one SELECT",
            place="statement",
            next_step=REPORT,
        )
    for verb, place, names in (
        ("read", "relation", opinion.relations),
        ("call", "function", opinion.functions),
    ):
        for name in names:
            yield Finding(
                "hard",
                f"the database would {verb} {name}, which our reading of the statement does not hold",
                seen=name,
                place=place,
                next_step=REPORT,
            )
    if opinion.columns and not opinion.parts:
        yield Finding(
            "allow",
            "the database names columns that our reading of the statement does not hold",
            seen=", ".join(opinion.columns)[:200],
            place="column",
            next_step="look at the query: engines name columns of their own",
        )
