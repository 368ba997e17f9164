"""The SQL and commands that make BigQuery hold a project's rights, rows and limits; for a person to run."""

import shlex
from collections.abc import Iterator

from gateway.engines.bigquery_mask_keys import mask_keys
from gateway.engines.bigquery_masks import (
    granted,
    is_masked,
    is_reviewed,
    kept,
    mask_views,
    members_of,
    readers_at_once,
    table_name,
)
from gateway.engines.bigquery_names import part
from gateway.engines.bigquery_target import Target, target_of
from gateway.engines.setup import Setup, commented

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
READS = """\
-- Reading, table by table. Take wider grants on the dataset back: rights add up. A table of which
-- somebody sees a column masked is read by who sees all of it; the others wait for its view."""
ROWS = "-- Row access policies. A table that has one shows no row to anybody who is in none of them."
COLUMNS = """\
-- Columns that a role may not see need a policy tag. Make the taxonomy once, tag the column, and give
-- everybody else Fine-Grained Reader:"""


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
    for section in (
        (pool,),
        _reads(setup, target),
        _rows(setup, target),
        _columns(setup),
        mask_keys(setup, target),
        mask_views(setup, target),
    ):
        if written := tuple(section):
            lines.extend(("", *written))
    return "\n".join((*lines, ""))


def _jobs(setup: Setup, target: Target) -> Iterator[str]:
    yield JOBS
    for role in setup.roles:
        for member in members_of(role, target):
            to = f"--member={shlex.quote(member)} --role=roles/bigquery.jobUser"
            command = f"gcloud projects add-iam-policy-binding {shlex.quote(target.project)} {to}"
            yield commented(command, "--$ ")


def _reads(setup: Setup, target: Target) -> Iterator[str]:
    yield READS
    for relation in setup.relations:
        readers = [role for role, _ in readers_at_once(setup, relation)]
        if members := [member for role in readers for member in granted(role, target)]:
            kind = "VIEW" if is_reviewed(relation) else "TABLE"
            yield f"GRANT `roles/bigquery.dataViewer` ON {kind} {table_name(relation, target)}"
            yield f"  TO {', '.join(members)};"


def _rows(setup: Setup, target: Target) -> Iterator[str]:
    yield ROWS
    for relation in setup.relations:
        readers = setup.readers_of(relation)
        if is_reviewed(relation) or not any(reading.rules for _, reading in readers):
            continue
        for role, reading in readers:
            if members := granted(role, target):
                policy = part(f"cellbound_{role.name}")
                yield f"CREATE OR REPLACE ROW ACCESS POLICY {policy} ON {table_name(relation, target)}"
                yield f"  GRANT TO ({', '.join(members)})\n  FILTER USING ({kept(reading)});"


def _columns(setup: Setup) -> Iterator[str]:
    yield COLUMNS
    for relation in setup.relations:
        if is_reviewed(relation) or is_masked(setup, relation):
            continue
        for role, reading in setup.readers_of(relation):
            for column in setup.types[reading.dataset]:
                if column not in reading.columns:
                    place = ".".join((*relation, column))
                    yield commented(f"{place}: hidden from {role.name}", "--   ")
