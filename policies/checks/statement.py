"""The text is one SELECT, made of listed syntax only, and means the same to every parser."""

from collections.abc import Iterator

from metric_layer.sql.reading import NodeKind
from policies.facts import Finding, SqlFacts
from policies.faults import faults_of
from policies.lists import sql_lists

WRITES = frozenset(
    {"Insert", "Update", "Delete", "Merge", "TruncateTable", "Copy", "LoadData", "MultitableInserts"}
)
TRAVEL = frozenset({"when", "version", "changes", "system_time"})
TRAVELLERS = frozenset({"HistoricalData", "Version", "Changes"})
ONLY_SELECT = "only SELECT (with CTEs and set operations) is read here"


def check_syntax(facts: SqlFacts) -> Iterator[Finding]:
    """The text can be read in the engine's dialect; without a text that may run there is a reason."""
    yield from faults_of(facts, "syntax")
    if not facts.reading.sql and not facts.reading.faults:
        yield Finding("hard", "no text was written that may run", next_step="correct the syntax", retry=True)


def check_parse_differential(facts: SqlFacts) -> Iterator[Finding]:
    """Nothing in the text is read one way by us and another way by an engine."""
    return faults_of(facts, "parse_differential")


def check_single_statement(facts: SqlFacts) -> Iterator[Finding]:
    """There is exactly one statement; a trailing semicolon or comment is fine."""
    return faults_of(facts, "single_statement")


def check_explain_smuggle(facts: SqlFacts) -> Iterator[Finding]:
    """Nobody but the gateway writes EXPLAIN."""
    return faults_of(facts, "explain_smuggle")


def check_data_modifying_cte(facts: SqlFacts) -> Iterator[Finding]:
    """No CTE and no statement behind a WITH changes data."""
    yield from faults_of(facts, "data_modifying_cte")
    for kind in facts.reading.kinds:
        if kind.name in WRITES:
            yield _refusal(kind, kind.name.upper(), "the query changes data", ONLY_SELECT)


def check_select_into(facts: SqlFacts) -> Iterator[Finding]:
    """A SELECT writes its rows nowhere."""
    return _carrying(facts, "Select", "into", "SELECT INTO makes a table", "leave INTO out")


def check_row_lock(facts: SqlFacts) -> Iterator[Finding]:
    """A SELECT locks no rows."""
    return _carrying(facts, "Select", "locks", "the query locks rows", "leave FOR UPDATE or FOR SHARE out")


def check_time_travel(facts: SqlFacts) -> Iterator[Finding]:
    """Tables are read as they are now."""
    for kind in facts.reading.kinds:
        if kind.name in TRAVELLERS or (kind.name == "Table" and TRAVEL & set(kind.arguments)):
            yield _refusal(
                kind, kind.name, "the query reads old or deleted rows", "read the table as it is now"
            )


def check_statement_type(facts: SqlFacts) -> Iterator[Finding]:
    """The statement is a query, and every syntax node and argument of it is on the list."""
    yield from faults_of(facts, "statement_type")
    lists = sql_lists(facts.catalogue.dialect)
    for kind in facts.reading.kinds:
        if kind.called:
            continue
        allowed = lists.kinds.get(kind.name)
        if allowed is None:
            yield _refusal(kind, kind.name, f"the syntax {kind.name} is not on the list", ONLY_SELECT)
            continue
        for argument in kind.arguments:
            if argument not in allowed and not _is_listed_type(argument, lists.types):
                yield _refusal(kind, argument, f"{kind.name} with {argument} is not on the list", ONLY_SELECT)


def _is_listed_type(argument: str, types: frozenset[str]) -> bool:
    return argument.startswith("type=") and argument[5:] in types


def _carrying(facts: SqlFacts, node: str, argument: str, reason: str, next_step: str) -> Iterator[Finding]:
    for kind in facts.reading.kinds:
        if kind.name == node and argument in kind.arguments:
            yield _refusal(kind, argument.upper(), reason, next_step)


def _refusal(kind: NodeKind, seen: str, reason: str, next_step: str) -> Finding:
    return Finding("hard", reason, seen=seen, place="syntax", span=kind.span, next_step=next_step)
