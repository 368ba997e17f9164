"""The SQL and commands that make BigQuery hold a project's rights, rows and limits; for a person to run."""

import shlex
from collections.abc import Iterator

from gateway.engines.base import Identity
from gateway.engines.bigquery_names import part
from gateway.engines.bigquery_target import Target, target_of
from gateway.engines.setup import Reading, RoleSetup, Setup, commented

HOME = "bigquery://your-project/your_dataset?location=EU&principal={user}@example.com"
"""Where a project over another engine would stand."""
LEAST_TIMEOUT, MOST_TIMEOUT = 300_000, 21_600_000

HEAD = """\
-- What BigQuery has to hold for the project {project}, so that its limits outlive the gateway's bugs.
-- Written by `cellbound setup sql` from metrics/, policies/ and cellbound.toml. Nothing was run, and no
-- project was asked: look at each statement and command before you run it. Commands stand behind `--$`.
-- `cellbound doctor` says whether something is still missing."""
JOBS = "-- Jobs may be run and nothing may be written: no role of a whole project but this one."
LIMITS = """\
-- Limits of the project's own. A job's bytes are capped by `maximum_bytes_billed` of the engine's url; what a
-- user may read in a day is a custom quota of the project: Query usage per day per user, in the console.
ALTER PROJECT {project} SET OPTIONS ({timeout} = {milliseconds});"""
POOL = """\
-- Compute of its own: a reservation without idle slots of others, assigned to the project.
--$ bq mk --reservation --project_id={project} --location={location} --slots=100 \\
--$   --ignore_idle_slots=true cellbound
--$ bq mk --reservation_assignment --project_id={project} --location={location} \\
--$   --reservation_id=cellbound --job_type=QUERY --assignee_type=PROJECT --assignee_id={project}"""
READS = "-- Reading, table by table. Take wider grants on the dataset back: rights add up."
ROWS = "-- Row access policies. A table that has one shows no row to anybody who is in none of them."
COLUMNS = """\
-- Columns that a role may not see, or sees masked, need a policy tag (with a data policy for a mask). Make
-- the taxonomy once, tag the column, and give the role Fine-Grained Reader or Masked Reader accordingly:"""


def bigquery_home(url: str) -> Target:
    """Return where a project's url points, or an example where it names another engine."""
    return target_of(url if url.startswith("bigquery:") else HOME)


def bigquery_setup(setup: Setup) -> str:
    """Return the script. The same project gives the same text."""
    target = bigquery_home(setup.url)
    milliseconds = int(setup.limits.seconds * 1000)
    limits = LIMITS.format(
        project=part(target.project),
        timeout=part(f"region-{target.location.lower()}.default_query_job_timeout_ms"),
        milliseconds=min(max(milliseconds, LEAST_TIMEOUT), MOST_TIMEOUT),
    )
    pool = POOL.format(project=shlex.quote(target.project), location=shlex.quote(target.location))
    lines = [HEAD.format(project=" ".join(setup.project.split())), "", *_jobs(setup, target), "", limits]
    for section in ((pool,), _reads(setup, target), _rows(setup, target), _columns(setup)):
        lines.extend(("", *section))
    return "\n".join((*lines, ""))


def _jobs(setup: Setup, target: Target) -> Iterator[str]:
    yield JOBS
    for role in setup.roles:
        for member in _members(role, target):
            to = f"--member={shlex.quote(member)} --role=roles/bigquery.jobUser"
            command = f"gcloud projects add-iam-policy-binding {shlex.quote(target.project)} {to}"
            yield commented(command, "--$ ")


def _reads(setup: Setup, target: Target) -> Iterator[str]:
    yield READS
    for relation in setup.relations:
        members = [member for role, _ in setup.readers_of(relation) for member in _members(role, target)]
        if members:
            yield f"GRANT `roles/bigquery.dataViewer` ON TABLE {_table(relation, target)}"
            yield f"  TO {_texts(members)};"


def _rows(setup: Setup, target: Target) -> Iterator[str]:
    yield ROWS
    for relation in setup.relations:
        readers = setup.readers_of(relation)
        if not any(reading.rules for _, reading in readers):
            continue
        for role, reading in readers:
            members = _members(role, target)
            if members:
                policy = part(f"cellbound_{role.name}")
                yield f"CREATE OR REPLACE ROW ACCESS POLICY {policy} ON {_table(relation, target)}"
                yield f"  GRANT TO ({_texts(members)})\n  FILTER USING ({_kept(reading)});"


def _columns(setup: Setup) -> Iterator[str]:
    yield COLUMNS
    for role in setup.roles:
        for reading in role.readings:
            types = setup.types[reading.dataset]
            for column in types:
                rule = "masked" if column in reading.masked else "hidden"
                if rule == "masked" or column not in reading.columns:
                    place = ".".join((*reading.relation, column))
                    yield commented(f"{place}: {rule} for {role.name}", "--   ")


def _kept(reading: Reading) -> str:
    tests = []
    for rule in reading.rules:
        own = ", ".join(map(part, rule.columns))
        keys = f"STRUCT({own})" if len(rule.columns) > 1 else own
        listed = f"SELECT AS STRUCT * FROM ({rule.keys})" if len(rule.columns) > 1 else rule.keys
        tests.append(f"{keys} IN ({listed})" if rule.keys else f"({rule.condition})")
    return " AND ".join(tests) or "TRUE"


def _members(role: RoleSetup, target: Target) -> list[str]:
    kind = "serviceAccount" if target.authenticator == "impersonate" else "user"
    named = (target.principal_of(Identity(user, role.name)) for user in role.users)
    return [f"{kind}:{name}" for name in dict.fromkeys(named)]


def _table(relation: tuple[str, ...], target: Target) -> str:
    return ".".join(map(part, (target.project, *relation) if len(relation) < 3 else relation))


def _texts(members: list[str]) -> str:
    return ", ".join('"' + member.replace("\\", "\\\\").replace('"', '\\"') + '"' for member in members)
