"""Every table and column of the text is one that the role may see."""

from collections.abc import Iterator
from difflib import get_close_matches

from metric_layer.sql.reading import TableRef
from policies.facts import Finding, SqlFacts
from policies.faults import faults_of

CATALOGUES = frozenset(
    {"information_schema", "pg_catalog", "account_usage", "organization_usage", "sys", "system", "pg_toast"}
)
CATALOGUE_PREFIXES = ("pg_", "duckdb_", "sqlite_", "pragma_", "__tables")


def check_table_allowlist(facts: SqlFacts) -> Iterator[Finding]:
    """Every table is in the role's catalogue; whether another one exists is not said."""
    yield from faults_of(facts, "table_allowlist")
    for table in facts.reading.tables:
        if not table.known and not _is_catalogue(table):
            yield Finding(
                "hard",
                f"{table.name} is not among the tables you may read",
                seen=table.name,
                place="from",
                span=table.span,
                candidates=_near(table.name, [t.name for t in facts.catalogue.tables]),
                next_step="name a table of the catalogue",
            )


def check_system_catalog(facts: SqlFacts) -> Iterator[Finding]:
    """No system catalogue is read."""
    for table in facts.reading.tables:
        if not table.known and _is_catalogue(table):
            yield Finding(
                "hard",
                "system catalogues are not read",
                seen=table.name,
                place="from",
                span=table.span,
                next_step="list_metrics and describe_metric say what there is",
            )


def check_unknown_column(facts: SqlFacts) -> Iterator[Finding]:
    """Every column belongs to a source in scope, and to only one."""
    for finding in faults_of(facts, "unknown_column"):
        yield Finding(
            "hard",
            finding.reason,
            seen=finding.seen,
            place="column",
            span=finding.span,
            candidates=_near(finding.seen, list(finding.candidates)),
            next_step="name a column of the sources in scope",
            retry=True,
        )


def check_select_star(facts: SqlFacts) -> Iterator[Finding]:
    """Columns of base tables are written out; a star over a CTE or derived table is fine."""
    seen: set[str] = set()
    for star in facts.reading.stars:
        if star.table not in seen:
            seen.add(star.table)
            yield Finding(
                "soft",
                f"all columns of {star.table} are read without naming them",
                seen=star.table,
                place="select",
                span=star.span,
                next_step="write the columns out",
                retry=True,
            )


def _is_catalogue(table: TableRef) -> bool:
    parts = [part.lower() for part in table.name.split(".")]
    return bool(CATALOGUES & set(parts)) or parts[-1].startswith(CATALOGUE_PREFIXES)


def _near(name: str, known: list[str]) -> tuple[str, ...]:
    return tuple(get_close_matches(name, known, n=3, cutoff=0.6))
