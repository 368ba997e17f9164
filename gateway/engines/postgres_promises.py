"""What `inspect` asks PostgreSQL as an asker: the limits that have to hold where the gateway is wrong."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from gateway.engines.base import Promise, RoleScope
from gateway.engines.each_member import Said, clock_said, promises_as
from gateway.engines.postgres_names import RULES, group_of, lists_of, quoted, text
from gateway.engines.postgres_proof import Ask, find_session_faults, texts
from gateway.engines.setup import REVIEWED
from metric_layer.relation import relation_parts

NOT_PERMITTED = "42501"
NOTHING_TO_WRITE_TO = ("55000", "0A000", "42809")
WRITES = ("INSERT INTO {name} DEFAULT VALUES", "DELETE FROM {name}")

PriceWrite = Callable[[str], str]
"""EXPLAINs a write in a transaction that may write; returns the SQLSTATE of the refusal, "" without one."""

OURS = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'"
# Relations and functions that an extension brought are the extension's business.
FOREIGN = """EXISTS (SELECT FROM pg_catalog.pg_depend AS e
                     WHERE e.classid = {catalogue}::pg_catalog.regclass AND e.objid = {oid}
                       AND e.deptype = 'e')"""
SEEN = (
    "pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')"
)
EXTENSION_RELATION = FOREIGN.format(catalogue="'pg_catalog.pg_class'", oid="c.oid")
EXTENSION_FUNCTION = FOREIGN.format(catalogue="'pg_catalog.pg_proc'", oid="p.oid")
OWN_LISTS = "(n.nspname = {rules} AND pg_catalog.starts_with(c.relname, {lists}))"

SEQUENCES = f"""
SELECT 'may advance the sequence ' || n.nspname || '.' || c.relname
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE {OURS} AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
   AND CASE c.relkind WHEN 'S' THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE, UPDATE') END
"""

ATTRIBUTES = """
SELECT 'has the attribute ' || attribute
  FROM pg_catalog.pg_roles AS r,
       LATERAL (VALUES ('SUPERUSER', rolsuper), ('BYPASSRLS', rolbypassrls), ('CREATEROLE', rolcreaterole),
                       ('CREATEDB', rolcreatedb), ('REPLICATION', rolreplication)) AS a (attribute, held)
 WHERE r.rolname IN (current_user, session_user) AND held
"""

MEMBERSHIPS = """
SELECT 'is a member of ' || r.rolname || CASE
         WHEN r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication
         THEN ', which has attributes of an administrator'
         WHEN r.rolname ~ '^pg_' THEN ', a right of the server'
         WHEN r.rolname IN ({groups}) THEN ', the group of another role'
         ELSE ', which owns relations' END
  FROM pg_catalog.pg_roles AS r
 WHERE r.rolname <> current_user AND pg_catalog.pg_has_role(r.oid, 'MEMBER')
   AND (r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication
        OR r.rolname ~ '^pg_' OR r.rolname IN ({groups})
        OR EXISTS (SELECT FROM pg_catalog.pg_class AS c
                    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                   WHERE c.relowner = r.oid AND {ours}))
UNION ALL
SELECT 'owns ' || n.nspname || '.' || c.relname
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE {ours} AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
   AND pg_catalog.pg_get_userbyid(c.relowner) = current_user
"""

READS = f"""
SELECT 'may read ' || n.nspname || '.' || c.relname || ', which the role does not list'
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE {OURS} AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND {SEEN}
   AND NOT {EXTENSION_RELATION} AND NOT {OWN_LISTS}
   AND NOT coalesce(c.oid = ANY (ARRAY[{{scope}}]::pg_catalog.regclass[]), false)
 ORDER BY n.nspname, c.relname LIMIT 20
"""

UNBOUND = f"""
WITH RECURSIVE reads AS (
  SELECT w.ev_class AS top, d.refobjid AS relation
    FROM pg_catalog.pg_rewrite AS w
    JOIN pg_catalog.pg_depend AS d
      ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
     AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> w.ev_class
  UNION
  SELECT reads.top, d.refobjid
    FROM reads JOIN pg_catalog.pg_rewrite AS w ON w.ev_class = reads.relation
    JOIN pg_catalog.pg_depend AS d
      ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
     AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid <> w.ev_class
)
SELECT 'the row policies of ' || n.nspname || '.' || c.relname || ' do not bind its owner (no FORCE)'
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE c.oid = ANY (ARRAY[{{scope}}]::pg_catalog.regclass[])
   AND c.relrowsecurity AND NOT c.relforcerowsecurity
UNION ALL
SELECT DISTINCT n.nspname || '.' || c.relname || ' reads ' || t.relname || ' past its row policies'
       || CASE c.relkind WHEN 'v' THEN ': it is not made with security_invoker' ELSE '' END
  FROM reads JOIN pg_catalog.pg_class AS c ON c.oid = reads.top
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_class AS t ON t.oid = reads.relation AND t.relrowsecurity
 WHERE {OURS} AND c.relkind IN ('v', 'm') AND {SEEN} AND NOT {OWN_LISTS} AND n.nspname <> {{reviewed}}
   AND (c.relkind = 'm' OR NOT coalesce(c.reloptions, '{{{{}}}}') && ARRAY['security_invoker=true',
        'security_invoker=on', 'security_invoker=1', 'security_invoker=yes'])
UNION ALL
SELECT 'may call ' || n.nspname || '.' || p.proname || ', which runs with the rights of its owner'
  FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
 WHERE {OURS} AND p.prosecdef AND NOT {EXTENSION_FUNCTION}
   AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
   AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
"""

# What is in force now is the gateway's; what a session goes back to is the database's own.
LIMITS = """
SELECT 'has no ' || name || ' of the database''s own'
  FROM pg_catalog.pg_settings
 WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND reset_val = '0'
UNION ALL
SELECT 'no ' || name || ' is in force'
  FROM pg_catalog.pg_settings
 WHERE (name IN ('statement_timeout', 'lock_timeout', 'client_connection_check_interval') AND setting = '0')
    OR (name = 'temp_file_limit' AND setting = '-1')
"""
POOL = """
SELECT 'has no connection limit: the whole server can be taken up'
  FROM pg_catalog.pg_roles WHERE rolname = session_user AND rolconnlimit < 0
"""
CLOCK = "SELECT extract(epoch FROM pg_catalog.clock_timestamp())::text"


@dataclass(frozen=True, slots=True)
class Asked:
    """One asker of a role, and how to ask as them. `roles` and `others` are the other roles and askers."""

    user: str
    scope: RoleScope
    roles: Sequence[str]
    others: Sequence[str]
    ask: Ask
    price_write: PriceWrite
    mode: str


def inspect_asker(asked: Asked) -> tuple[Promise, ...]:
    """Try every limit as an asker. No write is executed and no row is returned.

    Raises EngineError when the asker cannot be acted for at all.
    """
    scope = ", ".join(
        f"pg_catalog.to_regclass({text(_name(relation.name))})" for relation in asked.scope.relations
    )
    groups = ", ".join(text(group_of(role)) for role in asked.roles) or "NULL"
    places = {
        "rules": text(RULES),
        "reviewed": text(REVIEWED),
        "lists": text(lists_of(asked.scope.role)),
        "scope": scope,
        "groups": groups,
        "ours": OURS,
    }
    count = len(asked.scope.relations)
    asked.ask("SELECT 1")
    how = "logs in as themself" if asked.mode == "login" else "acted for by a login that was proved"
    tried = f"no right on any relation; EXPLAIN of a write refused on {count} of {count} relations"
    said: tuple[Said, ...] = (
        ("identity", how, ()),
        ("cannot write", tried, _writes(asked)),
        ("stands above nothing", "no attribute of an administrator", _rows(asked, ATTRIBUTES)),
        (
            "memberships",
            "none that gives more, and no relation of their own",
            _rows(asked, MEMBERSHIPS.format(**places)),
        ),
        ("reads nothing else", f"{count} relations and no other", _rows(asked, READS.format(**places))),
        ("row policies bind", "no way past them", _rows(asked, UNBOUND.format(**places))),
        ("limits", "timeouts and caps are in force, and the database has its own", _rows(asked, LIMITS)),
        ("compute pool", "a connection limit of its own", _rows(asked, POOL)),
        clock_said(lambda: datetime.fromtimestamp(float(texts(asked.ask(CLOCK))[0]), UTC)),
    )
    return promises_as(asked.user, said)


def _rows(asked: Asked, statement: str) -> Iterator[str]:
    yield from texts(asked.ask(statement))


def _writes(asked: Asked) -> Iterator[str]:
    yield from find_session_faults(asked.ask, asked.others)
    yield from texts(asked.ask(SEQUENCES))
    for relation in asked.scope.relations:
        for write in WRITES:
            statement = write.format(name=_name(relation.name))
            state = asked.price_write(statement)
            if not state:
                yield f"may run {statement}"
            elif state != NOT_PERMITTED and state not in NOTHING_TO_WRITE_TO:
                yield f"could not be tried with {statement} ({state})"


def _name(relation: str) -> str:
    return quoted(*relation_parts(relation))
