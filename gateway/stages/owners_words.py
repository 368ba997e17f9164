"""The sentence that the owner of a saved analysis wrote, where the result bears it out."""

from gateway.ground import GroundRules, Scope, ground
from gateway.ground.question import scope_of
from gateway.record.journal import Journal
from policies.reading import tells_rows
from traces.grounding import Grounding
from traces.records import Answer, Table

FIGURES = frozenset(("integer", "decimal", "float"))


def borne_out(journal: Journal, table: Table, scope: Scope) -> Grounding | None:
    """Return the owner's sentence with its slots printed, or None: the plain wording is told instead.

    It is checked like the draft of any agent. What fails is said in a note, and reaches nobody.
    """
    saved = journal.entry.saved
    if saved is None or not saved.wording:
        return None
    rules = GroundRules(chance=journal.house.governed.policy.answers.chance)
    found = ground(saved.wording, table, scope, saved.declare, rules)
    if found.verdict in ("pass", "fixed_message"):
        return found
    why = ", ".join(dict.fromkeys(finding.code for finding in found.findings))
    journal.notes.append(f"The owner's sentence is left out: this result does not bear it out ({why}).")
    return None


def answer_of_sql(journal: Journal, table: Table) -> Answer:
    """Return the answer to a query that no plan stands behind: the owner's sentence if it has one."""
    house = journal.house
    if not tells_rows(table, house.governed.policy.reading):
        return Answer(text="")
    columns = tuple(
        column.model_copy(update={"kind": "metric"}) if column.type in FIGURES else column
        for column in table.columns
    )
    scope = scope_of(None, house.words, house.now().date())
    found = borne_out(journal, table.model_copy(update={"columns": columns}), scope)
    return Answer(text=found.text, citations=found.citations) if found else Answer(text="")
