"""The SQL that makes Snowflake hold a project's roles, rows, masks and limits; for a person to run."""

from collections.abc import Iterator, Mapping

from gateway.engines.setup import Reading, RoleSetup, Setup, commented
from gateway.engines.snowflake_mask_keys import mask_keys
from gateway.engines.snowflake_names import EVERYBODY, literal, part
from gateway.engines.snowflake_target import Target, target_of
from metric_layer.compile import HERE
from metric_layer.definitions import ColumnType
from policies.mask import MASK

HOME = "snowflake://ACCOUNT/YOUR_DATABASE/PUBLIC?warehouse=CELLBOUND"
"""Where a project over another engine would stand."""
TYPES: Mapping[ColumnType, str] = {
    "string": "VARCHAR",
    "integer": "NUMBER(38, 0)",
    "decimal": "NUMBER(38, 12)",
    "float": "FLOAT",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP_NTZ",
    "timestamptz": "TIMESTAMP_TZ",
}
QUEUE_SECONDS = 30
CREDITS = 100

HEAD = """\
-- What Snowflake has to hold for the project {project}, so that its limits outlive the gateway's bugs.
-- Written by `cellbound setup sql` from metrics/, policies/ and cellbound.toml. Nothing was run, and no
-- account was asked: look at each statement before you run it as ACCOUNTADMIN.
-- It takes every right of PUBLIC, and what a role had before, away in the schemas that are read.
-- `cellbound doctor` says whether something is still missing.
ALTER SESSION SET QUOTED_IDENTIFIERS_IGNORE_CASE = TRUE;
USE DATABASE {database};
USE SCHEMA {schema};"""
COMPUTE = """\
-- A warehouse of its own, whose time and credits have an end. The quota is a guess: write what it may cost.
CREATE RESOURCE MONITOR IF NOT EXISTS {monitor} WITH CREDIT_QUOTA = {credits} FREQUENCY = MONTHLY
  START_TIMESTAMP = IMMEDIATELY
  TRIGGERS ON 80 PERCENT DO NOTIFY ON 100 PERCENT DO SUSPEND_IMMEDIATE;
CREATE WAREHOUSE IF NOT EXISTS {warehouse} WITH WAREHOUSE_SIZE = XSMALL INITIALLY_SUSPENDED = TRUE;
ALTER WAREHOUSE {warehouse} SET RESOURCE_MONITOR = {monitor} AUTO_SUSPEND = 60 AUTO_RESUME = TRUE
  STATEMENT_TIMEOUT_IN_SECONDS = {seconds} STATEMENT_QUEUED_TIMEOUT_IN_SECONDS = {queue};"""
ROLES = "-- A role per role of the policy; each user has theirs, and no secondary roles beside it."
READS = """\
-- Reading, and nothing else. Write ON VIEW where a dataset stands on a view. What PUBLIC may, every role may.
-- What `cellbound doctor` finds through another role, or on another warehouse, is revoked where it stands."""
ROWS = "-- Row access policies: a session that holds a role sees the rows of that role's rule, whoever asks."
COLUMNS = """\
-- A grant cannot take a column out. These policies hide its values; the column itself still shows, which
-- `cellbound doctor` says. Where roles differ in columns, let a dataset stand on a secure view without
-- them. A column that decides over rows takes no such policy at all."""


def snowflake_home(url: str) -> Target:
    """Return where a project's url points, or an example where it names another engine."""
    return target_of(url if url.startswith("snowflake:") else HOME)


def snowflake_setup(setup: Setup) -> str:
    """Return the script. The same project gives the same text."""
    target = snowflake_home(setup.url)
    head = HEAD.format(
        project=" ".join(setup.project.split()), database=part(target.database), schema=part(target.schema)
    )
    compute = COMPUTE.format(
        monitor=part("CELLBOUND"),
        credits=CREDITS,
        warehouse=part(target.warehouse),
        seconds=max(1, int(setup.limits.seconds)),
        queue=QUEUE_SECONDS,
    )
    lines = [head, "", compute]
    for section in (_roles(setup), _reads(setup, target), _rows(setup), mask_keys(setup), _columns(setup)):
        if written := tuple(section):
            lines.extend(("", *written))
    return "\n".join((*lines, ""))


def _roles(setup: Setup) -> Iterator[str]:
    yield ROLES
    for role in setup.roles:
        yield f"CREATE ROLE IF NOT EXISTS {_role(role)};"
        for user in role.users:
            name = part(user.upper())
            yield f"GRANT ROLE {_role(role)} TO USER {name};"
            yield f"ALTER USER {name} SET DEFAULT_ROLE = {_role(role)} DEFAULT_SECONDARY_ROLES = ();"


def _reads(setup: Setup, target: Target) -> Iterator[str]:
    yield READS
    everywhere = (each.relation[:-1] for role in setup.roles for each in role.readings)
    for place in dict.fromkeys(everywhere):
        yield from _revoked(".".join(map(part, place)), EVERYBODY)
    for role in setup.roles:
        schemas = dict.fromkeys(".".join(map(part, each.relation[:-1])) for each in role.readings)
        yield f"GRANT USAGE ON WAREHOUSE {part(target.warehouse)} TO ROLE {_role(role)};"
        yield f"GRANT USAGE ON DATABASE {part(target.database)} TO ROLE {_role(role)};"
        for schema in schemas:
            yield from _revoked(schema, _role(role))
            yield f"GRANT USAGE ON SCHEMA {schema} TO ROLE {_role(role)};"
        for each in role.readings:
            yield f"GRANT SELECT ON TABLE {_table(each.relation)} TO ROLE {_role(role)};"


def _revoked(schema: str, role: str) -> Iterator[str]:
    for what in (f"SCHEMA {schema}", f"ALL TABLES IN SCHEMA {schema}", f"ALL VIEWS IN SCHEMA {schema}"):
        yield f"REVOKE ALL PRIVILEGES ON {what} FROM ROLE {role};"


def _rows(setup: Setup) -> Iterator[str]:
    yield ROWS
    for relation in setup.relations:
        readers = [(role, reading) for role, reading in setup.readers_of(relation) if reading.rules]
        columns = dict.fromkeys(
            column for _, reading in readers for rule in reading.rules for column in rule.columns
        )
        if not readers:
            continue
        types = setup.types[readers[0][1].dataset]
        policy = part(f"cellbound_rows_{relation[-1]}")
        takes = ", ".join(f"{part(column)} {TYPES[types[column]]}" for column in columns)
        cases = "\n  ".join(f"WHEN {_holds(role)} THEN {_kept(reading)}" for role, reading in readers)
        yield f"CREATE ROW ACCESS POLICY IF NOT EXISTS {policy} AS ({takes}) RETURNS BOOLEAN -> FALSE;"
        yield f"ALTER ROW ACCESS POLICY {policy} SET BODY -> CASE\n  {cases}\n  ELSE TRUE END;"
        yield f"ALTER TABLE {_table(relation)} ADD ROW ACCESS POLICY {policy}"
        yield f"  ON ({', '.join(map(part, columns))}); -- once: a table has one"


def _columns(setup: Setup) -> Iterator[str]:
    yield COLUMNS
    for relation in setup.relations:
        readers = setup.readers_of(relation)
        types = setup.types[readers[0][1].dataset]
        deciding = {name for _, reading in readers for rule in reading.rules for name in rule.columns}
        for column in types:
            hidden = [role for role, reading in readers if column not in reading.columns]
            masked = [
                (role, reading.masks.get(column, "")) for role, reading in readers if column in reading.masked
            ]
            if not hidden and not masked:
                continue
            if column in deciding:
                names = ", ".join(role.name for role in (*hidden, *(role for role, _ in masked)))
                place = f"{_table(relation)}.{part(column)}"
                yield commented(f"{place} decides over rows: hide it from {names} by a view.", "-- ")
                continue
            policy, type_ = part(f"cellbound_{relation[-1]}_{column}"), TYPES[types[column]]
            mask = literal(MASK) if types[column] == "string" else "NULL"
            cases = [f"WHEN {_holds(role)} THEN NULL" for role in hidden]
            cases += [
                f"WHEN {_holds(role)} AND val IS NOT NULL THEN {_partly(partly, types[column]) or mask}"
                for role, partly in masked
            ]
            body = "\n  ".join(cases)
            takes = f"(val {type_}) RETURNS {type_}"
            yield f"CREATE MASKING POLICY IF NOT EXISTS {policy} AS {takes} -> NULL;"
            yield f"ALTER MASKING POLICY {policy} SET BODY -> CASE\n  {body}\n  ELSE val END;"
            yield f"ALTER TABLE {_table(relation)} MODIFY COLUMN {part(column)}"
            yield f"  SET MASKING POLICY {policy} FORCE;"


def _partly(mask: str, type_: str) -> str:
    """Return a mask over the value of a policy; a policy returns what it takes, so only a text has one."""
    return f"({mask.replace(HERE, 'val')})" if mask and type_ == "string" else ""


def _kept(reading: Reading) -> str:
    tests = (
        f"({', '.join(map(part, rule.columns))}) IN ({rule.keys})" if rule.keys else f"({rule.condition})"
        for rule in reading.rules
    )
    return " AND ".join(tests)


def _holds(role: RoleSetup) -> str:
    return f"IS_ROLE_IN_SESSION({literal(role.name.upper())})"


def _role(role: RoleSetup) -> str:
    return part(role.name.upper())


def _table(relation: tuple[str, ...]) -> str:
    return ".".join(map(part, relation))
