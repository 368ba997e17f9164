"""A lending library in four dialects: the room in which the SQL checks are tried."""

from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from metric_layer.plan import Dialect
from metric_layer.sql import (
    Catalogue,
    CatalogueColumn,
    CatalogueJoin,
    CatalogueTable,
    Reader,
    Reading,
    ReadLimits,
)
from metric_layer.sql.catalogue import PersonalUse
from policies.facts import SqlFacts
from policies.policy import Policy, Role
from policies.register import SQL_CHECKS, judge, worst
from traces.records import Decision, Verdict

DIALECTS: tuple[Dialect, ...] = ("postgres", "duckdb", "snowflake", "bigquery")
NOW = datetime(2026, 11, 30, tzinfo=UTC)
ROLE = Role(datasets=("loans",))
POLICY = Policy(name="lending", roles={"clerk": ROLE})
TABLES = {
    "lend.members": (
        "member_id:bigint",
        "full_name:text",
        "mail:text!",
        "mobile:text!",
        "branch:text",
        "joined:date",
    ),
    "lend.loans": (
        "loan_id:bigint",
        "member_id:bigint",
        "item_id:bigint",
        "lent_on:date",
        "fee:decimal",
        "state:text",
    ),
    "lend.items": ("item_id:bigint", "title:text", "genre:text", "price:decimal"),
    "lend.fines": ("fine_id:bigint", "loan_id:bigint", "amount:decimal"),
    "lend.gate_log": (
        "entry_id:bigint",
        "member_id:bigint",
        "entered_at:timestamp",
        "door:text",
        "badge:json!",
    ),
}
JOINS = (
    ("lend.loans", "member_id", "lend.members"),
    ("lend.loans", "item_id", "lend.items"),
    ("lend.fines", "loan_id", "lend.loans"),
    ("lend.gate_log", "member_id", "lend.members"),
)


class Judged(NamedTuple):
    """What the checks said of one text, and the reading they looked at."""

    verdict: Verdict
    checks: frozenset[str]
    decisions: tuple[Decision, ...]
    reading: Reading


@cache
def catalogue(dialect: Dialect, personal: PersonalUse = "deny") -> Catalogue:
    """Return the library's catalogue; personal columns carry `personal`."""

    def fold(name: str) -> str:
        return name.upper() if dialect == "snowflake" else name

    tables = []
    for name, specs in TABLES.items():
        columns = tuple(
            CatalogueColumn(fold(column), kind.rstrip("!"), personal if kind.endswith("!") else "")
            for column, kind in (spec.split(":") for spec in specs)
        )
        large = fold("entered_at") if name == "lend.gate_log" else ""
        tables.append(
            CatalogueTable(
                fold(name), columns, (columns[0].name,), time_column=large, max_window_days=90, dataset=name
            )
        )
    joins = tuple(
        CatalogueJoin(fold(left), (fold(column),), fold(right), (fold(column),))
        for left, column, right in JOINS
    )
    home = {"snowflake": "LIBRARY", "bigquery": "library-prod"}.get(dialect, "")
    return Catalogue(dialect, home, fold("lend"), tuple(tables), joins, NOW, f"{dialect}-{personal}")


@cache
def reader(dialect: Dialect, personal: PersonalUse = "deny") -> Reader:
    """Return a reader of the library's catalogue."""
    return Reader(catalogue(dialect, personal), ReadLimits(max_rows=500))


def judged(sql: str, dialect: Dialect = "postgres", personal: PersonalUse = "deny") -> Judged:
    """Run every SQL check over one text, as free SQL."""
    reading = reader(dialect, personal).read(sql)
    facts = SqlFacts("free", POLICY, catalogue(dialect, personal), reading, None)
    decisions = judge(SQL_CHECKS, facts)
    checks = frozenset(d.check for d in decisions if d.verdict in ("soft", "hard"))
    return Judged(worst(decisions), checks, decisions, reading)
