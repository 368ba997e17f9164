"""The SQL that makes PostgreSQL hold a project's roles, columns, rows and limits; for a person to run."""

from collections.abc import Iterator, Sequence

from gateway.engines import postgres_setup_blocks as blocks
from gateway.engines.postgres_mask_keys import mask_keys
from gateway.engines.postgres_names import RULES, group_of, list_of, quoted, text
from gateway.engines.postgres_proving import proving
from gateway.engines.postgres_setup_blocks import block
from gateway.engines.setup import REVIEWED, Reading, RoleSetup, Setup, commented
from metric_layer.compile import HERE
from policies.mask import MASK

LOCK_MILLISECONDS = 5000

HEAD = """\
-- What PostgreSQL has to hold for the project {project}, so that its limits outlive the gateway's bugs.
-- Written by `cellbound setup sql` from metrics/, policies/ and cellbound.toml. Nothing was run.
-- Read it, then run it in the project's database as a superuser:
--   psql -v ON_ERROR_STOP=1 -d DATABASE -f FILE
-- It can be run again, and takes back what an earlier run made; one project per database. `cellbound doctor`
-- says whether something is still missing.
-- It takes rights away from PUBLIC on every relation, and row security hides the rows of the tables named
-- below from everybody without a policy: look for other readers first.
BEGIN;
SET LOCAL standard_conforming_strings = on;"""
OWNER = "-- FORCE binds the owner, too: a policy lets the owner go on loading the table."
MASKS = """\
-- A grant cannot mask: nothing above lets a role read a column that it may see masked only. Review a view
-- like the one below, name it as the dataset's relation, and write this script again."""


def postgres_setup(setup: Setup) -> str:
    """Return the script. The same project gives the same text."""
    sections = (_roles, _limits, _taken_away, _rules, _grants, mask_keys, _masks)
    lines = [HEAD.format(project=" ".join(setup.project.split()))]
    for section in sections:
        if written := tuple(section(setup)):
            lines.extend(("", *written))
    return "\n".join((*lines, "", "COMMIT;", ""))


def _roles(setup: Setup) -> Iterator[str]:
    yield "-- A group per role of the policy; every asker is a member of theirs and of nothing else."
    named = [*((group_of(role.name), "group") for role in setup.roles), *((u, "asker") for u in setup.users)]
    named.extend([(setup.login, "login")] if setup.login else ())
    people = ",\n    ".join(f"({text(name)}, '{kind}')" for name, kind in named)
    yield f"{blocks.PEOPLE}\n    {people}) AS known (name, kind);"
    yield from map(block, (blocks.CREATE_ROLES, blocks.NO_ATTRIBUTES, blocks.NO_MEMBERSHIPS))
    for role in setup.roles:
        yield from (f"GRANT {quoted(group_of(role.name))} TO {quoted(user)};" for user in role.users)
    if setup.login:
        yield block(blocks.ACT_FOR_ASKERS)
    yield from proving(setup)


def _limits(setup: Setup) -> Iterator[str]:
    yield "-- Limits of the database's own: they hold whatever a session asks for, or forgets."
    milliseconds = max(1, int(setup.limits.seconds * 1000))
    yield block(
        blocks.LIMITS.format(
            kind="login" if setup.login else "asker",
            inherit="NOINHERIT" if setup.login else "INHERIT",
            connections=setup.connections,
            milliseconds=milliseconds,
            lock=max(1, min(milliseconds // 2, LOCK_MILLISECONDS)),
            spill_mb=setup.limits.spill_mb,
            transaction=milliseconds * 2,
        )
    )


def _taken_away(setup: Setup) -> Iterator[str]:
    yield "-- Nothing but what is granted below: no writing, no creating, no other relation."
    yield from map(block, (blocks.NO_OWNING, blocks.NO_GRANTS, blocks.NO_CREATE))
    yield block(
        blocks.NO_ROUTINES.format(kinds="p.prosecdef" + (" OR p.provolatile = 'v'" * bool(setup.login)))
    )
    if setup.login:
        yield "-- One login acts for everybody: no SELECT may become somebody else in the middle."
        yield "REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC;"


def _rules(setup: Setup) -> Iterator[str]:
    """Yield row policies, and lists of the keys they keep: an asker may not read what a rule is about."""
    yield "-- Row policies: who reads which rows of a table that somebody reads in part only."
    relations = [each for each in setup.relations if each[0] != REVIEWED]
    yield block(blocks.NO_POLICIES)
    yield f"DROP SCHEMA IF EXISTS {quoted(RULES)} CASCADE;"
    yield f"CREATE SCHEMA {quoted(RULES)};"
    for relation in relations:
        readers = setup.readers_of(relation)
        if any(reading.rules for _, reading in readers):
            yield f"ALTER TABLE {quoted(*relation)} ENABLE ROW LEVEL SECURITY;"
            for role, reading in readers:
                yield from _lists(role, reading)
                yield from _policies(role, reading)
    scope = ",\n      ".join(f"to_regclass({text(quoted(*relation))})" for relation in relations)
    yield OWNER
    yield block(blocks.FORCE_POLICIES.format(scope=scope))
    yield block(blocks.INVOKER_VIEWS.format(scope=scope))


def _lists(role: RoleSetup, reading: Reading) -> Iterator[str]:
    group = quoted(group_of(role.name))
    for number, rule in enumerate(reading.rules, 1):
        if rule.keys:
            view = quoted(RULES, list_of(role.name, reading.dataset, number))
            yield f"CREATE VIEW {view} WITH (security_barrier) AS\n  {rule.keys};"
            yield f"GRANT USAGE ON SCHEMA {quoted(RULES)} TO {group};"
            yield f"GRANT SELECT ON {view} TO {group};"


def _policies(role: RoleSetup, reading: Reading) -> Iterator[str]:
    """Yield a policy that shows rows, and one that no other policy of the table can widen."""
    table, group = quoted(*reading.relation), quoted(group_of(role.name))
    yield f"CREATE POLICY {_policy(role, 'reads')} ON {table} FOR SELECT TO {group} USING (true);"
    if reading.rules:
        yield f"CREATE POLICY {_policy(role, 'rule')} ON {table} AS RESTRICTIVE FOR SELECT TO {group}"
        yield f"  USING ({_kept(role, reading)});"


def _grants(setup: Setup) -> Iterator[str]:
    yield "-- Columns: what each role may read, and no more."
    for role in setup.roles:
        group = quoted(group_of(role.name))
        for schema in dict.fromkeys(each.relation[:-1] for each in role.readings):
            yield f"GRANT USAGE ON SCHEMA {quoted(*schema)} TO {group};"
        for each in role.readings:
            masked = () if each.relation[0] == REVIEWED else each.masked
            columns = ", ".join(quoted(column) for column in each.columns if column not in masked)
            if columns:
                yield f"GRANT SELECT ({columns})\n  ON {quoted(*each.relation)} TO {group};"


def _masks(setup: Setup) -> Iterator[str]:
    for relation in setup.relations:
        readers = setup.readers_of(relation)
        if relation[0] != REVIEWED and any(reading.masked for _, reading in readers):
            yield MASKS
            yield commented("\n".join(_masking_view(setup, relation)), "--   ")


def _masking_view(setup: Setup, relation: tuple[str, ...]) -> Iterator[str]:
    readers = setup.readers_of(relation)
    yield f"CREATE SCHEMA IF NOT EXISTS {quoted(REVIEWED)};"
    yield f"CREATE VIEW {quoted(REVIEWED, relation[-1])} WITH (security_barrier) AS SELECT"
    columns = dict.fromkeys(column for _, reading in readers for column in reading.columns)
    types = setup.types[readers[0][1].dataset]
    for at, column in enumerate(columns, 1):
        comma = "," * (at < len(columns))
        hiding = [(role, reading) for role, reading in readers if column in reading.masked]
        partly = [(role, reading.masks[column]) for role, reading in hiding if column in reading.masks]
        roles = [role for role, reading in hiding if column not in reading.masks]
        yield f"  {_seen(column, types[column], roles, partly)}{comma}"
    yield f"FROM {quoted(*relation)}"
    tests = []
    for role, reading in readers:
        kept = _all_kept(reading, [rule.keys for rule in reading.rules])
        tests.append(f"({_acts_in(role)} AND {kept})" if kept else _acts_in(role))
    yield f"WHERE {' OR '.join(tests)};"


def _seen(
    column: str, type_: str, masked_for: list[RoleSetup], partly: Sequence[tuple[RoleSetup, str]]
) -> str:
    """Return a column as each role gets it; who acts in several roles gets the least of it."""
    name = quoted(column)
    if not masked_for and not partly:
        return name
    shown = name if type_ == "string" else f"{name}::text"
    roles = " OR ".join(map(_acts_in, masked_for))
    if not partly:
        return f"CASE WHEN {name} IS NULL OR NOT ({roles}) THEN {shown} ELSE {text(MASK)} END AS {name}"
    cases = [f"WHEN {name} IS NULL THEN NULL", *([f"WHEN {roles} THEN {text(MASK)}"] if roles else ())]
    cases += [f"WHEN {_acts_in(role)} THEN {mask.replace(HERE, name)}" for role, mask in partly]
    return f"CASE {' '.join(cases)} ELSE {shown} END AS {name}"


def _acts_in(role: RoleSetup) -> str:
    return f"pg_has_role({text(group_of(role.name))}, 'MEMBER')"


def _kept(role: RoleSetup, reading: Reading) -> str:
    """Return the condition under which every rule keeps a row, with the lists of keys that were made."""
    lists = [
        f"SELECT * FROM {quoted(RULES, list_of(role.name, reading.dataset, number))}"
        for number in range(1, len(reading.rules) + 1)
    ]
    return _all_kept(reading, lists)


def _all_kept(reading: Reading, keys: Sequence[str]) -> str:
    tests = []
    for rule, listed in zip(reading.rules, keys, strict=True):
        own = ", ".join(quoted(column) for column in rule.columns)
        tests.append(f"({own}) IN ({listed})" if rule.keys else f"({rule.condition})")
    return " AND ".join(tests)


def _policy(role: RoleSetup, kind: str) -> str:
    return quoted(group_of(f"{role.name} {kind}"))
