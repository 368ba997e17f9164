"""What `probe` asks as a user, and what it finds wrong: rights to write, columns, row rules, masks."""

from collections.abc import Callable, Iterator, Sequence

from psycopg.pq.abc import PGresult
from psycopg.sql import Literal

from gateway.engines.base import Relation
from gateway.engines.postgres_mask_keys import KEYS
from gateway.engines.postgres_names import quoted
from gateway.engines.setup import REVIEWED
from metric_layer.compile import IS_TOKEN
from metric_layer.relation import relation_parts
from policies.mask import MASK

Ask = Callable[[str], PGresult]

_SPACES = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'"

_SESSION = f"""
SELECT 'may write to ' || n.nspname || '.' || c.relname
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE {_SPACES} AND c.relkind IN ('r', 'p', 'v', 'f')
   AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
   AND (pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
        OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE'))
UNION ALL
SELECT 'may create objects in schema ' || n.nspname
  FROM pg_catalog.pg_namespace AS n
 WHERE {_SPACES} AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')
UNION ALL
SELECT 'may create schemas'
 WHERE pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
UNION ALL
SELECT 'is a member of ' || r.rolname || ', another asker'
  FROM pg_catalog.pg_roles AS r
 WHERE r.rolname IN ({{others}}) AND pg_catalog.pg_has_role(r.oid, 'MEMBER')
"""

_COLUMNS = """
SELECT a.attname
  FROM pg_catalog.pg_attribute AS a
 WHERE a.attrelid = pg_catalog.to_regclass({name}) AND a.attnum > 0 AND NOT a.attisdropped
   AND pg_catalog.has_schema_privilege(
         (SELECT c.relnamespace FROM pg_catalog.pg_class AS c WHERE c.oid = a.attrelid), 'USAGE')
   AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
"""

# Where no probe can count, these open a row policy: the owner it does not bind, and a view that reads a
# row-secured table with its owner's rights.
_OPEN = """
SELECT 'the row policy of ' || c.relname || ' does not bind its owner, who the user acts for'
  FROM pg_catalog.pg_class AS c
 WHERE c.oid = pg_catalog.to_regclass({name}) AND c.relrowsecurity AND NOT c.relforcerowsecurity
   AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
UNION ALL
SELECT 'the view reads ' || t.relname || ' past its row policy: it is not made with security_invoker'
  FROM pg_catalog.pg_class AS v
  JOIN pg_catalog.pg_rewrite AS w ON w.ev_class = v.oid
  JOIN pg_catalog.pg_depend AS d
    ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.objid = w.oid
   AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
  JOIN pg_catalog.pg_class AS t ON t.oid = d.refobjid AND t.relrowsecurity
 WHERE v.oid = pg_catalog.to_regclass({name}) AND v.relkind = 'v'
   AND NOT 'security_invoker=true' = ANY (coalesce(v.reloptions, '{{}}'))
   AND v.relnamespace IS DISTINCT FROM pg_catalog.to_regnamespace({reviewed})
 GROUP BY t.relname
"""


_KEYS = f"""
SELECT 'lets the user read the keys of its hashes'
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE n.nspname = '{KEYS}' AND c.relname = 'masks' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
   AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
"""


def find_session_faults(ask: Ask, others: Sequence[str]) -> Iterator[str]:
    """Yield what the user may do in the database that no asker needs. `others` are the other askers."""
    names = ", ".join(Literal(name).as_string() for name in others) or "NULL"
    yield from texts(ask(_SESSION.format(others=names)))


def find_relation_faults(ask: Ask, relation: Relation) -> Iterator[str]:
    """Yield what is wrong with a relation as the user sees it; no row is returned.

    Raises what `ask` raises when the relation cannot be read.
    """
    name = quoted(*relation_parts(relation.name))
    place = Literal(name).as_string()
    shown = set(texts(ask(_COLUMNS.format(name=place))))
    if more := sorted(shown - set(relation.columns)):
        yield f"shows columns that the role may not see: {', '.join(more)}"
    if less := sorted(set(relation.columns) - shown):
        yield f"does not show columns that the role may see: {', '.join(less)}"
        return
    select = relation.select.replace("{source}.", "")
    if relation.probe:
        if broken := int(texts(ask(relation.probe))[0]):
            yield f"{broken} rows break the row rule"
    else:
        yield from texts(ask(_OPEN.format(name=place, reviewed=Literal(REVIEWED).as_string())))
    if MASK in select:
        seen = ", ".join(quoted(column) for column in relation.columns)
        if texts(ask(f"SELECT 1 FROM (SELECT {seen} FROM {name} EXCEPT {select}) AS unmasked LIMIT 1")):
            yield "shows values that the role's rules mask"
    if IS_TOKEN in select:
        yield from texts(ask(_KEYS))


def texts(result: PGresult) -> list[str]:
    """Return the first column of a result."""
    return [(result.get_value(row, 0) or b"").decode() for row in range(result.ntuples)]
