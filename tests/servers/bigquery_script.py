"""A script of `setup sql`, run in the stand-in's project as a person with every right would run it."""

import json
import re
from collections.abc import Callable, Iterator

import sqlglot
from sqlglot import exp

from tests.servers.bigquery_project import READ, Name, Project, quoted

GIVES = {"dataViewer": READ, "metadataViewer": frozenset({"bigquery.tables.get"})}
SCHEMA = re.compile(r"CREATE SCHEMA IF NOT EXISTS (\S+) OPTIONS \(.+\)", re.DOTALL)
VIEW = re.compile(r"CREATE OR REPLACE VIEW (\S+) AS (.+)", re.DOTALL)
RIGHT = re.compile(
    r"(GRANT|REVOKE) `roles/bigquery\.(\w+)` ON (?:TABLE|VIEW) (\S+)\s+(?:TO|FROM) (.+)", re.DOTALL
)
ROWS = re.compile(
    r"CREATE OR REPLACE ROW ACCESS POLICY \S+ ON (\S+)\s+GRANT TO \((.+?)\)\s+FILTER USING \((.+)\)",
    re.DOTALL,
)
LIMITS = re.compile(r"ALTER PROJECT .+", re.DOTALL)
MEMBER = re.compile(r'"(?:user|serviceAccount):([^"]+)"')
AUTHORISED = re.compile(r"bq show --format=json '?[\w-]+:(\w+)'? \| jq '\.access \+= \[(.+)\]' > ")


def run_script(project: Project, script: str) -> None:
    """Run every statement of a script, and the commands that let a dataset's views read another one."""
    for command in (line[4:] for line in script.splitlines() if line.startswith("--$ ")):
        if found := AUTHORISED.match(command):
            views = json.loads(found[2])["dataset"]
            assert views["targetTypes"] == ["VIEWS"]
            project.authorised.add((found[1], views["dataset"]["datasetId"]))
    for statement in _statements(script):
        _run(project, statement)


def _statements(script: str) -> Iterator[str]:
    lines = (line for line in script.splitlines() if not line.startswith("--"))
    yield from (each.strip() for each in re.split(r";\s*(?:\n|$)", "\n".join(lines)) if each.strip())


def _run(project: Project, statement: str) -> None:
    commands: tuple[tuple[re.Pattern[str], Callable[..., None]], ...] = (
        (SCHEMA, _make_schema),
        (VIEW, _make_view),
        (RIGHT, _give),
        (ROWS, _keep_rows),
        (LIMITS, lambda _: None),
    )
    for pattern, command in commands:
        if found := pattern.fullmatch(statement):
            command(project, *found.groups())
            return
    tree = _without_project(project, sqlglot.parse_one(statement, read="bigquery"))
    project.execute(tree.sql("duckdb"))


def _make_schema(project: Project, name: str) -> None:
    schema = exp.to_table(name, dialect="bigquery").name
    project.duck.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted([schema])}")


def _make_view(project: Project, name: str, select: str) -> None:
    tree = sqlglot.parse_one(select, read="bigquery")
    assert isinstance(tree, exp.Query)
    project.make_view(_name(project, name), tree)


def _give(project: Project, verb: str, role: str, name: str, members: str) -> None:
    table, given = _name(project, name), GIVES[role]
    for member in MEMBER.findall(members):
        held = project.rights.get((member, table), frozenset())
        project.rights[member, table] = held | given if verb == "GRANT" else held - given


def _keep_rows(project: Project, name: str, members: str, condition: str) -> None:
    tree = _without_project(project, sqlglot.parse_one(f"SELECT {condition}", read="bigquery"))
    policies = project.row_policies.setdefault(_name(project, name), {})
    for member in MEMBER.findall(members):
        policies[member] = tree.sql("duckdb").removeprefix("SELECT ")


def _name(project: Project, text: str) -> Name:
    return project.full_name([part.name for part in exp.to_table(text, dialect="bigquery").parts][-2:])


def _without_project(project: Project, tree: exp.Expr) -> exp.Expr:
    for table in tree.find_all(exp.Table):
        if table.catalog:
            assert table.catalog == project.name
            table.set("catalog", None)
    return tree
