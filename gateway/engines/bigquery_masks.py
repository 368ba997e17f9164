"""Views of BigQuery that hold what each role sees of a table's rows and columns, masks included."""

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence

from gateway.engines.base import Identity
from gateway.engines.bigquery_mask_keys import HELD, KEYS, held_keys
from gateway.engines.bigquery_names import ASKER, member, part, text
from gateway.engines.bigquery_target import Target
from gateway.engines.setup import REVIEWED, Reading, RoleSetup, Setup, commented
from metric_layer.compile import HERE
from policies.mask import MASK

Readers = Sequence[tuple[RoleSetup, Reading]]

MASKS = """\
-- A grant cannot mask. Review a view like the one below, make it, let its dataset read what it stands on,
-- name it as the dataset's relation, and write this script again. Askers are told when the table changes, and
-- nothing else of it. Its row access policies go on counting for them."""


def is_reviewed(relation: tuple[str, ...]) -> bool:
    """Say whether a relation is a view that a person reviewed."""
    return relation[-2] == REVIEWED


def is_masked(setup: Setup, relation: tuple[str, ...]) -> bool:
    """Say whether some role sees a column of a relation masked that no view masks yet."""
    masked = any(reading.masked for _, reading in setup.readers_of(relation))
    return masked and not is_reviewed(relation)


def readers_at_once(setup: Setup, relation: tuple[str, ...]) -> Readers:
    """Return who may read a relation as it is: where it still waits for its view, who sees all of it."""
    readers = setup.readers_of(relation)
    if not is_masked(setup, relation):
        return readers
    every = set(setup.types[readers[0][1].dataset])
    return [(role, each) for role, each in readers if every <= set(each.columns) and not each.masked]


def table_name(relation: tuple[str, ...], target: Target) -> str:
    """Return a relation's full name, quoted."""
    return ".".join(map(part, (target.project, *relation) if len(relation) < 3 else relation))


def principals_of(role: RoleSetup, target: Target) -> tuple[str, ...]:
    """Return the e-mail addresses by which the service knows the users of a role."""
    return tuple(dict.fromkeys(target.principal_of(Identity(user, role.name)) for user in role.users))


def members_of(role: RoleSetup, target: Target) -> list[str]:
    """Return the users of a role as members of a policy."""
    kind = "serviceAccount" if target.authenticator == "impersonate" else "user"
    return [f"{kind}:{name}" for name in principals_of(role, target)]


def granted(role: RoleSetup, target: Target) -> list[str]:
    """Return the users of a role as a statement of rights names them, each as a quoted text."""
    return [member(name) for name in members_of(role, target)]


def kept(reading: Reading) -> str:
    """Return the condition under which every rule keeps a row."""
    tests = []
    for rule in reading.rules:
        own = ", ".join(map(part, rule.columns))
        keys = f"STRUCT({own})" if len(rule.columns) > 1 else own
        listed = f"SELECT AS STRUCT * FROM ({rule.keys})" if len(rule.columns) > 1 else rule.keys
        tests.append(f"{keys} IN ({listed})" if rule.keys else f"({rule.condition})")
    return " AND ".join(tests) or "TRUE"


def mask_views(setup: Setup, target: Target) -> Iterator[str]:
    """Yield, for review, a view over each table of which some role sees a column masked."""
    for relation in setup.relations:
        if is_masked(setup, relation):
            yield MASKS
            yield commented("\n".join(_view(setup, target, relation)), "--   ")


def _view(setup: Setup, target: Target, relation: tuple[str, ...]) -> Iterator[str]:
    readers = setup.readers_of(relation)
    project, location = part(target.project), text(target.location)
    yield f"CREATE SCHEMA IF NOT EXISTS {project}.{part(REVIEWED)} OPTIONS (location = {location});"
    yield f"CREATE OR REPLACE VIEW {table_name((REVIEWED, relation[-1]), target)} AS SELECT"
    columns = dict.fromkeys(column for _, reading in readers for column in reading.columns)
    types = setup.types[readers[0][1].dataset]
    yield ",\n".join(f"  {_seen(column, types[column], target, readers)}" for column in columns)
    yield f"FROM {table_name(relation, target)}"
    tests = [f"({_is_one_of([role], target)} AND {kept(reading)})" for role, reading in readers if role.users]
    yield f"WHERE {' OR '.join(tests) or 'FALSE'};"
    if whole := [each for role, _ in readers_at_once(setup, relation) for each in granted(role, target)]:
        yield f"REVOKE `roles/bigquery.dataViewer` ON TABLE {table_name(relation, target)}"
        yield f"  FROM {', '.join(whole)};"
    if everybody := [each for role, _ in readers for each in granted(role, target)]:
        for beneath in (table_name(relation, target), *([held_keys(target)] if setup.tenants else ())):
            yield f"GRANT `roles/bigquery.metadataViewer` ON TABLE {beneath}\n  TO {', '.join(everybody)};"
    read = [relation[-2], *([KEYS] if setup.tenants else ())]
    yield from (f"--$ {_authorised(dataset, target)}" for dataset in read)


def _authorised(dataset: str, target: Target) -> str:
    """Return the command that lets every view of the reviewed dataset read a dataset."""
    views = {
        "dataset": {"projectId": target.project, "datasetId": REVIEWED},
        "targetTypes": ["VIEWS"],
    }
    entry = shlex.quote(f".access += [{json.dumps({'dataset': views})}]")
    name, file = shlex.quote(f"{target.project}:{dataset}"), shlex.quote(f"{dataset}.json")
    return f"bq show --format=json {name} | jq {entry} > {file} && bq update --source {file} {name}"


def _seen(column: str, type_: str, target: Target, readers: Readers) -> str:
    """Return a column as each role gets it."""
    name = part(column)
    hidden = [role for role, reading in readers if column not in reading.columns]
    masked = [(role, reading) for role, reading in readers if column in reading.masked]
    if not hidden and not masked:
        return name
    shown = name if type_ == "string" or not masked else f"CAST({name} AS STRING)"
    missing = [f"{name} IS NULL", *([_is_one_of(hidden, target)] if hidden else ())]
    cases = [f"WHEN {' OR '.join(missing)} THEN NULL"]
    for role, reading in masked:
        partly = reading.masks.get(column, text(MASK)).replace(HERE, name).replace(HELD, held_keys(target))
        cases.append(f"WHEN {_is_one_of([role], target)} THEN {partly}")
    return f"CASE {' '.join(cases)} ELSE {shown} END AS {name}"


def _is_one_of(roles: Iterable[RoleSetup], target: Target) -> str:
    names = [text(name.lower()) for role in roles for name in principals_of(role, target)]
    return f"{ASKER} IN ({', '.join(names)})" if names else "FALSE"
