"""A statement of a user -> what DuckDB runs: rights checked, row policies and old versions put in."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import OptimizeError, SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope

from tests.servers.bigquery_project import CREATE, Failure, Name, Project, quoted

ZERO = "division by zero"
WRITES: dict[type[exp.Expr], tuple[str, str]] = {
    exp.Insert: ("INSERT", "bigquery.tables.updateData"),
    exp.Update: ("UPDATE", "bigquery.tables.updateData"),
    exp.Delete: ("DELETE", "bigquery.tables.updateData"),
    exp.Merge: ("MERGE", "bigquery.tables.updateData"),
    exp.Drop: ("DROP_TABLE", "bigquery.tables.delete"),
    exp.Alter: ("ALTER_TABLE", "bigquery.tables.update"),
    exp.TruncateTable: ("TRUNCATE_TABLE", "bigquery.tables.updateData"),
}
NUMERIC, BIGNUMERIC = "DECIMAL(38, 9)", "DECIMAL(38, 12)"


@dataclass(frozen=True, slots=True)
class Read:
    """One reference to a table: its columns in use, and the conjuncts on it that hold a constant."""

    name: Name
    place: Name
    columns: frozenset[str]
    compared: tuple[exp.Expr, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that the user may run: of what type, on what, and as DuckDB's text, "" for a write."""

    type: str
    reads: tuple[Read, ...]
    tables: tuple[Name, ...]
    duck: str


def read_statement(project: Project, user: str, sql: str) -> Statement:
    """Return what a statement is to a user. Raises Failure."""
    try:
        trees = [tree for tree in sqlglot.parse(sql, read="bigquery") if tree is not None]
    except SqlglotError as error:
        raise Failure(
            400, "invalidQuery", f"Syntax error: {str(error).split('.')[0][:60]} at [1:1]"
        ) from None
    if len(trees) != 1:
        return Statement("SCRIPT", (), (), "")
    tree = trees[0]
    if isinstance(tree, exp.Create):
        if user not in project.creators:
            said = f"Access Denied: Dataset {project.name}:{project.dataset}: Permission {CREATE} denied on"
            raise Failure(403, "accessDenied", f"{said} dataset (or it may not exist).")
        return Statement("CREATE_TABLE", (), (), "")
    if type(tree) in WRITES:
        kind, permission = WRITES[type(tree)]
        target = tree.find(exp.Table)
        name = project.full_name([part.name for part in target.parts[-2:]]) if target else ("", "")
        if not project.may(user, permission, name):
            raise denied(project, name)
        return Statement(kind, (), (name,), "")
    if not isinstance(tree, exp.Query):
        raise Failure(400, "invalidQuery", f"Syntax error: Unexpected keyword {sql.split()[0]} at [1:1]")
    return _select(project, user, tree)


def as_failure(error: duckdb.Error) -> Failure:
    """Return what the service would say about a fault of DuckDB's."""
    text = str(error)
    if ZERO in text:
        return Failure(400, "invalidQuery", "division by zero: 1 / 0")
    if isinstance(error, duckdb.ConversionException):
        found = re.search(r"[Cc]ould not convert string ['\"]([^'\"]*)", text)
        return Failure(400, "invalidQuery", f"Bad int64 value: {found[1] if found else '?'}")
    if isinstance(error, duckdb.OutOfRangeException):
        return Failure(400, "invalidQuery", "int64 overflow")
    if isinstance(error, duckdb.BinderException | duckdb.CatalogException | duckdb.ParserException):
        return Failure(400, "invalidQuery", f"No matching signature: {text.splitlines()[0][:80]} at [1:1]")
    return Failure(500, "internalError", "An internal error occurred and the request could not be completed.")


def denied(project: Project, name: Name) -> Failure:
    """Return what is said of a table that is not there, or not for the user."""
    said = f"Access Denied: Table {project.said(name)}: User does not have permission to query table"
    return Failure(403, "accessDenied", f"{said} {project.said(name)}, or perhaps it does not exist.")


def _select(project: Project, user: str, tree: exp.Query) -> Statement:
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            said = f"Table-valued function not found: {table.this.sql('bigquery')[:40]} at [1:15]"
            raise Failure(400, "invalidQuery", said)
    for table, _ in _sources(tree):
        name = _name(project, table)
        if not project.may(user, "bigquery.tables.getData", name):
            raise denied(project, name)
    _open_views(project, user, tree)
    reads = tuple(_reads(project, user, tree))
    _name_outputs(tree)
    for table, alias in list(_sources(tree)):
        rows = _rows_of(project, user, _name(project, table), _place(project, table))
        table.replace(exp.alias_(exp.Subquery(this=rows), alias, table=True, quoted=True, copy=False))
    tables = tuple(dict.fromkeys(read.name for read in reads))
    return Statement("SELECT", reads, tables, _in_duckdb(tree, user))


def _open_views(project: Project, user: str, tree: exp.Query) -> None:
    """Put the text of each view in its place. Raises Failure where the user may not read what is beneath."""
    for table, alias in list(_sources(tree)):
        name = _name(project, table)
        if name not in project.views:
            continue
        text = project.views[name].copy()
        for base, _ in _sources(text):
            beneath = _name(project, base)
            opened = (beneath[0], name[0]) in project.authorised
            if not opened and not project.may(user, "bigquery.tables.getData", beneath):
                raise denied(project, beneath)
        table.replace(exp.alias_(exp.Subquery(this=text), alias, table=True, quoted=True, copy=False))


def _sources(tree: exp.Expr) -> Iterator[tuple[exp.Table, str]]:
    for scope in traverse_scope(tree):
        for alias, source in scope.sources.items():
            if isinstance(source, exp.Table):
                yield source, alias


def _name(project: Project, table: exp.Table) -> Name:
    parts = [part.name for part in table.parts]
    if len(parts) == 3 and parts[0] != project.name:
        raise denied(project, (parts[1], parts[2]))
    return project.full_name(parts[-2:])


def _place(project: Project, table: exp.Table) -> Name:
    """Return where the rows of a table are, as of the moment that the text says."""
    version = table.args.get("version")
    moment = None
    if version is not None:
        text = next((literal.name for literal in version.find_all(exp.Literal)), "")
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return project.at(_name(project, table), moment).place


def _reads(project: Project, user: str, tree: exp.Query) -> Iterator[Read]:
    """Yield each reference to a table. Raises Failure for a column that is not there, or hidden."""
    schema: dict[str, object] = {}
    known: set[str] = set()
    plain = tree.copy()
    names: dict[str, tuple[Name, Name]] = {}
    for number, (table, alias) in enumerate(list(_sources(plain))):
        name = _name(project, table)
        short = f"t{number}"
        names[short] = (name, _place(project, table))
        own = project.columns(name)
        schema[short] = dict.fromkeys(own, "text")
        known |= own.keys()
        table.replace(exp.alias_(exp.to_table(short), alias, table=True, quoted=True, copy=False))
    try:
        found = qualify(plain, schema=schema, dialect="bigquery", validate_qualify_columns=True)
    except OptimizeError as error:
        raise _unrecognised(str(error), known) from None
    for scope in traverse_scope(found):
        for alias, source in scope.sources.items():
            if isinstance(source, exp.Table) and source.name in names:
                name, place = names[source.name]
                columns = frozenset(each.name for each in scope.columns if each.table == alias)
                if kept := sorted(columns & set(project.tagged.get((name, user), ()))):
                    said = "Access Denied: BigQuery BigQuery: User does not have permission to access data"
                    column = f"{project.name}.{name[0]}.{name[1]}.{kept[0]}"
                    raise Failure(403, "accessDenied", f"{said} protected by policy tag on column {column}")
                yield Read(name, place, columns, tuple(_compared(scope, alias)))


def _compared(scope: Scope, alias: str) -> Iterator[exp.Expr]:
    where = scope.expression.args.get("where")
    if where is None:
        return
    for conjunct in where.this.flatten() if isinstance(where.this, exp.And) else (where.this,):
        part = conjunct.unnest()
        compares = isinstance(part, exp.GTE | exp.GT | exp.LTE | exp.LT | exp.EQ)
        if not compares or not isinstance(part.this, exp.Column) or part.expression.find(exp.Column):
            continue
        if part.this.table == alias:
            yield part


def _unrecognised(said: str, known: set[str]) -> Failure:
    found = re.search(r"['\"`]?([\w]+)['\"`]? could not be resolved", said)
    name = found[1] if found else "?"
    close = difflib.get_close_matches(name, sorted(known), 1)
    suggested = f"; Did you mean {close[0]}?" if close else ""
    return Failure(400, "invalidQuery", f"Unrecognized name: {name}{suggested} at [1:8]")


def _name_outputs(tree: exp.Query) -> None:
    """Name what has no name as the service does."""
    number = 0
    for projection in tree.selects:
        if not isinstance(projection, exp.Alias | exp.Column | exp.Star):
            projection.replace(exp.alias_(projection.copy(), f"f{number}_", quoted=True))
            number += 1


def _rows_of(project: Project, user: str, name: Name, place: Name) -> exp.Query:
    policies = project.row_policies.get(name)
    kept = "" if policies is None else f" WHERE {policies.get(user, 'FALSE')}"
    found = sqlglot.parse_one(f"SELECT * FROM {quoted(place)}{kept}", read="duckdb")
    assert isinstance(found, exp.Query)
    for table, alias in list(_sources(found)):
        view = project.views.get((table.db, table.name))
        if view is not None:
            beneath = exp.Subquery(this=_plain(view))
            table.replace(exp.alias_(beneath, alias, table=True, quoted=True, copy=False))
    return found


def _plain(view: exp.Query) -> exp.Query:
    """Return a view's text over the rows as DuckDB keeps them."""
    text = view.copy()
    for table in text.find_all(exp.Table):
        table.set("catalog", None)
    return text


def _in_duckdb(tree: exp.Query, user: str) -> str:
    for node in list(tree.walk()):
        if isinstance(node, exp.DataType) and not node.expressions:
            wide = {exp.DataType.Type.DECIMAL: NUMERIC, exp.DataType.Type.BIGDECIMAL: BIGNUMERIC}
            if node.this in wide:
                node.replace(exp.DataType.build(wide[node.this], dialect="duckdb"))
        elif isinstance(node, exp.SetOperation) and node.args.get("by_name"):
            node.set("side", None)  # DuckDB fills in what a side does not have without a word for it
            node.set("kind", None)
        elif isinstance(node, exp.SessionUser):
            node.replace(exp.Literal.string(user))
    for division in list(tree.find_all(exp.Div)):
        division.set("expression", _guarded(division.expression))
    return tree.sql("duckdb", copy=False)


def _guarded(divisor: exp.Expr) -> exp.Expr:
    zero = exp.EQ(this=exp.Paren(this=divisor.copy()), expression=exp.Literal.number(0))
    failing = exp.Anonymous(this="error", expressions=[exp.Literal.string(ZERO)])
    return exp.Paren(this=exp.Case(ifs=[exp.If(this=zero, true=failing)], default=divisor.copy()))
