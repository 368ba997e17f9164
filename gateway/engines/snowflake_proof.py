"""What `probe` and `inspect` ask as a user: rights beyond reading, columns, row rules, masks, limits."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC

from gateway.engines.base import EngineError, Promise, Relation, RoleScope
from gateway.engines.each_member import Said, clock_said, promises_as
from gateway.engines.snowflake_names import EVERYBODY, KEYS, like, part, quoted
from gateway.engines.snowflake_session import Answer
from gateway.engines.snowflake_target import Target
from metric_layer.compile import IS_TOKEN
from metric_layer.relation import relation_parts
from policies.mask import MASK

Ask = Callable[[str], Answer]
Row = dict[str, str]

UNLIMITED = ("0", "172800")
GROUPS = ("ROLE", "DATABASE_ROLE")
READING = ("SELECT", "REFERENCES", "MONITOR")
USED = ("DATABASE", "SCHEMA", "WAREHOUSE", *GROUPS, "FUNCTION", "FILE_FORMAT", "TAG")


@dataclass(frozen=True, slots=True)
class Held:
    """A right that a role has, by itself or `through` a role granted to it."""

    privilege: str
    kind: str
    name: str
    through: str


def held_rights(ask: Ask, role: str) -> Iterator[Held]:
    """Yield every right in the closure of a role's grants, those that everybody has included."""
    seen: set[tuple[str, str]] = set()
    left = [("ROLE", role.upper()), ("ROLE", EVERYBODY)]
    while left:
        kind, name = group = left.pop()
        if group in seen:
            continue
        seen.add(group)
        for row in ask(f"SHOW GRANTS TO {kind.replace('_', ' ')} {quoted(name)}").named():
            if row["granted_on"] in GROUPS and row["privilege"] == "USAGE":
                left.append((row["granted_on"], row["name"]))
            yield Held(row["privilege"], row["granted_on"], row["name"], name)


def write_faults(rights: Iterable[Held], warehouse: str) -> Iterator[str]:
    """Yield each right that reading does not need: nothing is executed to find out."""
    for right in rights:
        reads = right.privilege in READING or (right.privilege == "USAGE" and right.kind in USED)
        if not reads:
            yield f"has {right.privilege} on {right.kind} {right.name} through {right.through}"
        elif right.kind == "WAREHOUSE" and right.name.strip('"') != warehouse:
            yield f"may use the warehouse {right.name}, not only that of the engine's url"


def find_relation_faults(ask: Ask, relation: Relation) -> Iterator[str]:
    """Yield what is wrong with a relation as the user sees it; no row is returned.

    Raises what `ask` raises when the relation cannot be read.
    """
    name = quoted(relation.name)
    stored = [row["column_name"] for row in ask(f"SHOW COLUMNS IN {name}").named()]
    if twins := sorted(
        {column for column in stored if stored.count(column.upper()) and column.upper() != column}
    ):
        yield f"has columns that differ by capitals only: {', '.join(twins)}"
    wanted = {column.upper() for column in relation.columns}
    shown = {column.upper() for column in stored}
    more = sorted(column for column in shown - wanted if _selects(ask, name, column))
    if more:
        yield f"shows columns that the role may not see: {', '.join(more)}"
    if less := sorted(wanted - shown):
        yield f"does not show columns that the role may see: {', '.join(less)}"
        return
    if relation.probe and (broken := int(ask(relation.probe).all()[0][0])):
        yield f"{broken} rows break the row rule"
    select = relation.select.replace("{source}.", "")
    if MASK in select:
        seen = ", ".join(part(column) for column in relation.columns)
        unmasked = f"SELECT 1 FROM (SELECT {seen} FROM {name} EXCEPT {select}) AS unmasked LIMIT 1"
        if ask(unmasked).all():
            yield "shows values that the role's rules mask"
    if IS_TOKEN in select and _selects(ask, f"{KEYS}.MASKS", "KEY"):
        yield "lets the user read the keys of its hashes"


def inspect_asker(ask: Ask, user: str, scope: RoleScope, target: Target) -> tuple[Promise, ...]:
    """Try every limit as an asker. No write is executed and no row is returned.

    Raises EngineError when the asker cannot be acted for at all.
    """
    ask("SELECT 1").all()
    rights = tuple(held_rights(ask, scope.role))
    said: tuple[Said, ...] = (
        ("identity", "logs in as themself, in one role and without secondary roles", ()),
        ("cannot write", f"{len(rights)} rights, all for reading", write_faults(rights, target.warehouse)),
        (
            "reads nothing else",
            f"{len(scope.relations)} relations and no other",
            _reads(rights, scope, target),
        ),
        ("limits", "the warehouse has a time limit of its own", _limits(ask, target)),
        ("compute pool", "the warehouse has a resource monitor", _pool(ask, target)),
        clock_said(lambda: ask("SELECT SYSDATE()").all()[0][0].replace(tzinfo=UTC)),
    )
    return promises_as(user, said)


def _reads(rights: Iterable[Held], scope: RoleScope, target: Target) -> Iterator[str]:
    listed = {_full(relation_parts(relation.name), target) for relation in scope.relations}
    for right in rights:
        if right.privilege == "SELECT" and _full(relation_parts(right.name), target) not in listed:
            yield f"may read {right.name}, which the role does not list"


def _limits(ask: Ask, target: Target) -> Iterator[str]:
    named = "SHOW PARAMETERS LIKE 'STATEMENT_TIMEOUT_IN_SECONDS' IN WAREHOUSE "
    for row in ask(named + part(target.warehouse)).named():
        if row["value"] in UNLIMITED:
            yield "uses a warehouse without a STATEMENT_TIMEOUT_IN_SECONDS of its own"


def _pool(ask: Ask, target: Target) -> Iterator[str]:
    for row in ask(f"SHOW WAREHOUSES LIKE {like(target.warehouse)}").named():
        if row["resource_monitor"] in ("null", "None", ""):
            yield "uses a warehouse without a resource monitor: its cost has no end"


def _selects(ask: Ask, name: str, column: str) -> bool:
    """Say whether a column can be read: pricing a statement tells it and runs nothing."""
    try:
        ask(f"EXPLAIN USING JSON SELECT {part(column)} FROM {name}")
    except EngineError as error:
        if error.code in ("bad_sql", "statement_refused"):
            return False
        raise
    return True


def _full(parts: tuple[str, ...], target: Target) -> tuple[str, ...]:
    """Return a relation's name with database and schema, as the session reads it."""
    home = (target.database, target.schema)
    return (*home[: max(0, 3 - len(parts))], *(part.upper() for part in parts))
