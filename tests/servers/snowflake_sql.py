"""A statement of a session -> what DuckDB runs: names folded, rights checked, policies and AT put in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from tests.servers.snowflake_account import NO_ROWS, PUBLIC, Account, Failure, Name, quoted
from tests.servers.snowflake_policies import kept_of, masks_of
from tests.servers.snowflake_schema import view_of

ZERO = "100051"
CHANGED = "SYSTEM$LAST_CHANGE_COMMIT_TIME"
WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.TruncateTable)
FOLDS = "QUOTED_IDENTIFIERS_IGNORE_CASE"


@dataclass(slots=True)
class Session:
    """Somebody's session: `parameters` are set by login and ALTER SESSION, names are as stored."""

    user: str
    role: str
    secondary: str
    database: str
    schema: str
    warehouse: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def folds(self) -> bool:
        """Whether quoted names are read in capitals, too."""
        return self.parameters.get(FOLDS, "false").lower() == "true"


def read_query(account: Account, session: Session, sql: str) -> exp.Query:
    """Return one SELECT as DuckDB runs it for the session's role. Raises Failure."""
    tree = _parsed(sql)
    if isinstance(tree, WRITES):
        written = tree.find(exp.Table)
        name = account.full_name([p.name.upper() for p in written.parts], session.schema) if written else None
        raise refused(".".join(name) if name else "the object")
    if not isinstance(tree, exp.Query):
        raise _syntax(sql.split()[0], 0)
    _fold(tree, session)
    _name_outputs(tree)
    _answer_context(account, session, tree)
    _resolve(account, session, tree)
    for division in list(tree.find_all(exp.Div)):
        division.set("expression", _guarded(division.expression))
    return tree


def as_failure(error: duckdb.Error) -> Failure:
    """Return what the service would say about a fault of DuckDB's."""
    text = str(error)
    if ZERO in text:
        return Failure("100051", "22012", "Division by zero")
    if isinstance(error, duckdb.ConversionException):
        found = re.search(r"[Cc]ould not convert string '([^']*)'", text)
        return Failure("100038", "22018", f"Numeric value '{found[1] if found else '?'}' is not recognized")
    if isinstance(error, duckdb.OutOfRangeException):
        return Failure("100132", "22003", "Number out of representable range")
    if isinstance(error, duckdb.BinderException | duckdb.CatalogException):
        found = re.search(r'"?([\w.$]+)"? (?:not found|does not)|named "([^"]+)"|column "([^"]+)"', text)
        name = next((group for group in found.groups() if group), "?") if found else "?"
        return Failure("000904", "42000", f"SQL compilation error: error line 1\ninvalid identifier '{name}'")
    if isinstance(error, duckdb.InvalidInputException) or "error(" in text:
        return Failure("100038", "22018", "Value is not recognized")
    return Failure("000603", "XX000", "SQL execution internal error")


def refused(name: str) -> Failure:
    """Return what is said to somebody without the right to write."""
    said = f"SQL access control error:\nInsufficient privileges to operate on '{name}'"
    return Failure("003001", "42501", said)


def unknown(name: str) -> Failure:
    """Return what is said of an object that is not there, or not for the role."""
    said = f"SQL compilation error:\nObject '{name}' does not exist or not authorized."
    return Failure("002003", "42S02", said)


def _parsed(sql: str) -> exp.Expr:
    try:
        trees = [tree for tree in sqlglot.parse(sql, read="snowflake") if tree is not None]
    except SqlglotError as error:
        raise _syntax(str(error).split(".")[0][:40], 0) from None
    if len(trees) != 1:
        said = f"Actual statement count {len(trees)} did not match the desired statement count 1."
        raise Failure("000008", "0A000", said)
    return trees[0]


def _syntax(near: str, at: int) -> Failure:
    said = f"SQL compilation error:\nsyntax error line 1 at position {at} unexpected '{near}'."
    return Failure("001003", "42000", said)


def _fold(tree: exp.Expr, session: Session) -> None:
    for identifier in tree.find_all(exp.Identifier):
        if session.folds or not identifier.args.get("quoted"):
            identifier.set("this", identifier.name.upper())
        identifier.set("quoted", True)


def _name_outputs(tree: exp.Query) -> None:
    """Name what has no name as the service does: by its own text."""
    for projection in tree.selects:
        if not isinstance(projection, exp.Alias | exp.Column | exp.Star):
            name = projection.sql("snowflake").upper().replace('"', "")
            projection.replace(exp.alias_(projection.copy(), name, quoted=True))


def _answer_context(account: Account, session: Session, tree: exp.Expr) -> None:
    answers: Mapping[type[exp.Expr], str] = {
        exp.CurrentUser: session.user,
        exp.CurrentRole: session.role,
        exp.CurrentSecondaryRoles: f'{{"roles":"","value":"{session.secondary.removesuffix("NONE")}"}}',
        exp.CurrentAccount: account.name.upper(),
        exp.CurrentVersion: "9.99.0",
        exp.CurrentDatabase: session.database,
        exp.CurrentSchema: session.schema,
        exp.CurrentWarehouse: session.warehouse,
    }
    for node in list(tree.walk()):
        if type(node) in answers:
            node.replace(exp.Literal.string(answers[type(node)]))
        elif isinstance(node, exp.Anonymous) and node.name.upper() == CHANGED:
            name = _named(account, session, node.expressions[0].name)
            node.replace(exp.Literal.number(_changed(account, session, name)))
        elif isinstance(node, exp.Anonymous) and "$" in node.name:
            raise Failure("002140", "42601", f"SQL compilation error:\nUnknown function {node.name}")


def _named(account: Account, session: Session, text: str) -> Name:
    parts = [part.name for part in exp.to_table(text, dialect="snowflake").parts]
    return account.full_name(parts, session.schema)


def _changed(account: Account, session: Session, name: Name) -> int:
    """Return the time of a table's last change, of a view's that of anything, in nanoseconds."""
    _readable(account, session, name)
    versions = account.versions[name]
    return int(versions[-1].since.timestamp() * 1_000_000) * 1000


def _readable(account: Account, session: Session, name: Name) -> None:
    if account.current(name) is None or not account.may(session.role, "SELECT", ".".join(name)):
        raise unknown(".".join(name))


def _resolve(account: Account, session: Session, tree: exp.Query) -> None:
    """Put the rows that the role may see in the place of each table."""
    references = [
        (source, alias)
        for scope in traverse_scope(tree)
        for alias, source in scope.sources.items()
        if isinstance(source, exp.Table)
    ]
    for table, alias in references:
        if not isinstance(table.this, exp.Identifier):
            _refuse_function(table)
            continue
        name = account.full_name([part.name for part in table.parts], session.schema)
        if name[1] == PUBLIC and name[2] == "DUAL":
            continue
        if (view := view_of(account, session.role, name)) is not None:
            table.replace(exp.alias_(exp.Subquery(this=view), alias, table=True, quoted=True, copy=False))
            continue
        _readable(account, session, name)
        when = table.args.get("when")
        version = account.at(name, _moment(when)) if when else account.current(name)
        assert version is not None
        rows = _rows_of(account, session, name, version.place)
        table.replace(exp.alias_(exp.Subquery(this=rows), alias, table=True, quoted=True, copy=False))


def _refuse_function(table: exp.Table) -> None:
    raise unknown(table.sql("snowflake"))


def _moment(when: exp.Expr) -> datetime:
    text = next((literal.name for literal in when.find_all(exp.Literal)), "")
    if str(when.args.get("kind")).upper() != "TIMESTAMP":
        raise _syntax("AT", 0)
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _rows_of(account: Account, session: Session, name: Name, place: Name) -> exp.Query:
    role, user = session.role, session.user
    roles = account.closure(role)
    columns = account.shown.get((name, role))
    masks = {**account.masks.get((name, role), {}), **masks_of(account, role, user, name)}
    given = columns or tuple(masks and _columns_of(account, place))
    shown = (
        ", ".join(f"{masks.get(column, quoted([column]))} AS {quoted([column])}" for column in given) or "*"
    )
    policies = account.row_policies.get(name)
    kept = ""
    if policies is not None:
        kept = " WHERE " + " OR ".join(f"({policies[r]})" for r in sorted(roles & set(policies)) or ()) or ""
        kept = kept if kept != " WHERE " else f" WHERE {NO_ROWS}"
    if condition := kept_of(account, role, user, name):
        kept = f"{kept} AND ({condition})" if kept else f" WHERE {condition}"
    found = sqlglot.parse_one(f"SELECT {shown} FROM {quoted(place)}{kept}", read="duckdb")
    assert isinstance(found, exp.Query)
    return found


def _columns_of(account: Account, place: Name) -> list[str]:
    found = account.duck.cursor().execute(f"DESCRIBE {quoted(place)}").fetchall()
    return [str(row[0]) for row in found]


def _guarded(divisor: exp.Expr) -> exp.Expr:
    zero = exp.EQ(this=exp.Paren(this=divisor.copy()), expression=exp.Literal.number(0))
    failing = exp.Anonymous(this="error", expressions=[exp.Literal.string(ZERO)])
    return exp.Paren(this=exp.Case(ifs=[exp.If(this=zero, true=failing)], default=divisor.copy()))
