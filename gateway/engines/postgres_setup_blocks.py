"""Parts of the setup script that look at the database to know what is missing and what is too much.

They read the script's own temporary table `cellbound_people`: every database role of the project by its kind,
a `group` per role of the policy, the `asker`s, and the gateway's `login` where it has one.
"""

OURS = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'"
OPEN_TO = """(a.grantee = 0 OR a.grantee IN (
                 SELECT r.oid FROM pg_roles AS r JOIN cellbound_people ON rolname = name))"""
NOT_AN_EXTENSIONS = """NOT EXISTS (SELECT FROM pg_depend AS e
                       WHERE e.classid = '{kind}'::regclass AND e.objid = {oid} AND e.deptype = 'e')"""
FROM_ALL = "' FROM PUBLIC, ' || everybody"

EVERYBODY = "(SELECT string_agg(quote_ident(name), ', ') FROM cellbound_people)"
PEOPLE = "CREATE TEMPORARY TABLE cellbound_people ON COMMIT DROP AS\n  SELECT * FROM (VALUES"
CREATE_ROLES = """\
FOR found IN SELECT name, kind FROM cellbound_people
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) LOOP
  EXECUTE format('CREATE ROLE %I', found.name);
END LOOP;"""
NO_ATTRIBUTES = """\
FOR found IN SELECT rolname FROM pg_roles JOIN cellbound_people ON rolname = name
    WHERE rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication LOOP
  EXECUTE format('ALTER ROLE %I NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION',
                 found.rolname);
END LOOP;"""
NO_MEMBERSHIPS = """\
FOR found IN SELECT g.rolname AS held, u.rolname AS holder, pg_get_userbyid(m.grantor) AS giver
     FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.roleid JOIN pg_roles AS u ON u.oid = m.member
     JOIN cellbound_people ON (name = u.rolname AND kind <> 'login') OR (name = g.rolname AND kind = 'group')
    LOOP
  EXECUTE format('REVOKE %I FROM %I', found.held, found.holder)
       || CASE WHEN current_setting('server_version_num')::int >= 160000
               THEN format(' GRANTED BY %I', found.giver) ELSE '' END;
END LOOP;"""
LIMITS = """\
FOR found IN SELECT name FROM cellbound_people WHERE kind = '{kind}' LOOP
  EXECUTE format('ALTER ROLE %I LOGIN {inherit} CONNECTION LIMIT {connections}', found.name);
  EXECUTE format('ALTER ROLE %I SET statement_timeout = {milliseconds}', found.name);
  EXECUTE format('ALTER ROLE %I SET lock_timeout = {lock}', found.name);
  EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = {milliseconds}', found.name);
  EXECUTE format('ALTER ROLE %I SET temp_file_limit = ''{spill_mb}MB''', found.name);
  IF current_setting('server_version_num')::int >= 150000 THEN
    EXECUTE format('GRANT SET ON PARAMETER temp_file_limit TO %I', found.name);
  END IF;
  IF current_setting('server_version_num')::int >= 170000 THEN
    EXECUTE format('ALTER ROLE %I SET transaction_timeout = {transaction}', found.name);
  END IF;
END LOOP;"""
ACT_FOR_ASKERS = """\
FOR found IN SELECT g.name AS login, u.name AS asker FROM cellbound_people AS g, cellbound_people AS u
    WHERE g.kind = 'login' AND u.kind = 'asker' LOOP
  EXECUTE format('GRANT %I TO %I', found.asker, found.login)
       || CASE WHEN current_setting('server_version_num')::int >= 160000
               THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
END LOOP;"""
NO_OWNING = f"""\
FOR found IN SELECT c.oid::regclass AS relation
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     JOIN cellbound_people ON pg_get_userbyid(c.relowner) = name
    WHERE {OURS} AND c.relkind IN ('r', 'p', 'v', 'm', 'f') LOOP
  EXECUTE format('ALTER TABLE %s OWNER TO CURRENT_USER', found.relation);
END LOOP;
FOR found IN SELECT n.nspname FROM pg_namespace AS n
     JOIN cellbound_people ON pg_get_userbyid(n.nspowner) = name LOOP
  EXECUTE format('ALTER SCHEMA %I OWNER TO CURRENT_USER', found.nspname);
END LOOP;"""
NO_GRANTS = f"""\
FOR found IN SELECT c.oid::regclass AS relation,
                    CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE {OURS}
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND {NOT_AN_EXTENSIONS.format(kind="pg_class", oid="c.oid")}
      AND (EXISTS (SELECT FROM aclexplode(c.relacl) AS a
                    WHERE {OPEN_TO})
           OR EXISTS (SELECT FROM pg_attribute AS t, aclexplode(t.attacl) AS a
                       WHERE t.attrelid = c.oid AND {OPEN_TO})) LOOP
  EXECUTE format('REVOKE ALL ON %s %s', found.kind, found.relation) || {FROM_ALL};
END LOOP;"""
NO_CREATE = f"""\
FOR found IN SELECT DISTINCT n.nspname FROM pg_namespace AS n, aclexplode(n.nspacl) AS a
    WHERE {OURS}
      AND a.privilege_type = 'CREATE' AND {OPEN_TO} LOOP
  EXECUTE format('REVOKE CREATE ON SCHEMA %I', found.nspname) || {FROM_ALL};
END LOOP;
FOR found IN SELECT DISTINCT d.datname FROM pg_database AS d, aclexplode(d.datacl) AS a
    WHERE d.datname = current_database() AND a.privilege_type = 'CREATE'
      AND {OPEN_TO} LOOP
  EXECUTE format('REVOKE CREATE ON DATABASE %I', found.datname) || {FROM_ALL};
END LOOP;"""
NO_ROUTINES = f"""\
FOR found IN SELECT p.oid::regprocedure AS routine
     FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE {OURS}
      AND ({{kinds}})
      AND {NOT_AN_EXTENSIONS.format(kind="pg_proc", oid="p.oid")}
      AND EXISTS (SELECT FROM pg_roles AS u JOIN cellbound_people ON u.rolname = name
                   WHERE has_function_privilege(u.oid, p.oid, 'EXECUTE')) LOOP
  EXECUTE format('REVOKE EXECUTE ON ROUTINE %s', found.routine) || {FROM_ALL};
END LOOP;"""
NO_POLICIES = """\
FOR found IN SELECT polname, polrelid::regclass AS relation FROM pg_policy
    WHERE starts_with(polname, 'cellbound_') LOOP
  EXECUTE format('DROP POLICY %I ON %s', found.polname, found.relation);
END LOOP;"""
FORCE_POLICIES = """\
FOR found IN SELECT c.oid::regclass AS relation, pg_get_userbyid(c.relowner) AS owner FROM pg_class AS c
    WHERE c.relrowsecurity AND c.oid = ANY (ARRAY[
      {scope}]::regclass[]) LOOP
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', found.relation);
  EXECUTE format('CREATE POLICY cellbound_owner ON %s TO %I USING (true) WITH CHECK (true)',
                 found.relation, found.owner);
END LOOP;"""
INVOKER_VIEWS = """\
FOR found IN SELECT DISTINCT v.oid::regclass AS relation
     FROM pg_class AS v JOIN pg_rewrite AS w ON w.ev_class = v.oid
     JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
                        AND d.refclassid = 'pg_class'::regclass
     JOIN pg_class AS t ON t.oid = d.refobjid AND t.relrowsecurity
    WHERE v.relkind = 'v' AND v.oid = ANY (ARRAY[
      {scope}]::regclass[]) LOOP
  EXECUTE format('ALTER VIEW %s SET (security_invoker = true)', found.relation);
  RAISE WARNING 'the view % now needs rights of its readers on the tables behind it', found.relation;
END LOOP;"""


def block(body: str) -> str:
    """Return statements of PL/pgSQL as one statement; the quotes around them stand nowhere inside."""
    tag = next(f"$do{number or ''}$" for number in range(len(body) + 1) if f"$do{number or ''}$" not in body)
    everybody = f"  everybody text := {EVERYBODY};\n" if "everybody" in body else ""
    return f"DO {tag} DECLARE found record;\n{everybody}BEGIN\n{body}\nEND {tag};"
