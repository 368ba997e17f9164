"""The query carries a row cap that can be read."""

from collections.abc import Iterator

from policies.facts import Finding, SqlFacts
from policies.faults import faults_of


def check_row_limit(facts: SqlFacts) -> Iterator[Finding]:
    """The row cap is a number; a missing one was added and a larger one clamped."""
    return faults_of(facts, "row_limit")
