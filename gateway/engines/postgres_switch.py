"""Whether the gateway's own login may act as its askers: what must hold before `set_role` is used.

A role switched inside a shared session is no wall by itself: a SELECT that calls `set_config('role', ...)`,
or a volatile function that does, becomes another member role in the middle of a query.
"""

from psycopg.pq.abc import PGresult
from psycopg.sql import Literal

# Every row of the answer is one thing that is wrong, in words.
_FAULTS = """
WITH me AS (SELECT * FROM pg_catalog.pg_roles WHERE rolname = session_user),
     asker AS (SELECT * FROM pg_catalog.pg_roles WHERE rolname = {user}),
     spaces AS (SELECT n.* FROM pg_catalog.pg_namespace AS n
                 WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
                   AND n.nspname !~ '^pg_(toast|temp)')
SELECT 'the gateway''s login is a superuser, bypasses row policies or manages roles'
  FROM me WHERE rolsuper OR rolbypassrls OR rolcreaterole OR rolreplication
UNION ALL
SELECT 'the gateway''s login has rights of its own through ' || g.rolname || ': grant it WITH INHERIT FALSE'
  FROM me JOIN pg_catalog.pg_auth_members AS m ON m.member = me.oid
  JOIN pg_catalog.pg_roles AS g ON g.oid = m.roleid
 WHERE {inherits}
UNION ALL
SELECT 'the database knows no role of the asker''s name'
 WHERE NOT EXISTS (SELECT FROM asker)
UNION ALL
SELECT 'the asker is the gateway''s own login' FROM asker, me WHERE asker.oid = me.oid
UNION ALL
SELECT 'the asker may call set_config: revoke it from PUBLIC'
  FROM asker
 WHERE pg_catalog.has_function_privilege(asker.oid, 'pg_catalog.set_config(text,text,boolean)', 'EXECUTE')
UNION ALL
SELECT 'the asker may create objects in the database or in schema ' || spaces.nspname
  FROM asker, spaces
 WHERE pg_catalog.has_schema_privilege(asker.oid, spaces.oid, 'CREATE')
    OR pg_catalog.has_database_privilege(asker.oid, pg_catalog.current_database(), 'CREATE')
UNION ALL
SELECT 'the asker may call the volatile function ' || spaces.nspname || '.' || p.proname
  FROM asker, spaces JOIN pg_catalog.pg_proc AS p ON p.pronamespace = spaces.oid
 WHERE p.provolatile = 'v'
   AND pg_catalog.has_schema_privilege(asker.oid, spaces.oid, 'USAGE')
   AND pg_catalog.has_function_privilege(asker.oid, p.oid, 'EXECUTE')
"""
# Before 16 the login as a whole inherits or not; since then every membership says it for itself.
_INHERITS = {False: "me.rolinherit", True: "m.inherit_option"}


def question(user: str, version: int) -> str:
    """Return the statement that looks for reasons why the gateway's login must not act as the user."""
    return _FAULTS.format(user=Literal(user).as_string(), inherits=_INHERITS[version >= 160_000])


def answer(result: PGresult) -> tuple[str, ...]:
    """Return the reasons in the result of `question`, the most general ones first."""
    return tuple(dict.fromkeys((result.get_value(row, 0) or b"").decode() for row in range(result.ntuples)))
