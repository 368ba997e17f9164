"""The query jobs of the stand-in: begun, waited for, read by pages, stopped; the wire is in `bigquery.py`."""

import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import duckdb

from tests.servers.bigquery_bytes import bytes_billed, bytes_read
from tests.servers.bigquery_project import Failure, Project, Request
from tests.servers.bigquery_rows import Field, field_of, write_rows
from tests.servers.bigquery_sql import Statement, as_failure, read_statement

EVERY = 0.01
BATCH = 1000
MOST_ROWS = 200_000
HOURS_6 = 21_600_000
Reply = dict[str, Any]


@dataclass(slots=True)
class Job:
    """One query on its way: over once `done` is set. Times are in milliseconds of the service's clock."""

    id: str
    user: str
    configuration: Reply
    statement: Statement
    bytes: int
    cursor: duckdb.DuckDBPyConnection
    created: int
    ended: int = 0
    stopped: str = ""
    done: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    fields: list[Field] = field(default_factory=list)
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    failure: Failure | None = None

    def stop(self, why: str) -> None:
        """Interrupt until it is over: an interrupt that comes before DuckDB starts is lost."""
        self.stopped = why
        while not self.done.wait(EVERY):
            with self.lock:
                if not self.done.is_set():
                    self.cursor.interrupt()

    def finish(self) -> None:
        """Say that it is over; nothing interrupts it any more."""
        with self.lock:
            self.ended = now()
            self.done.set()
            self.cursor.close()


class Jobs:
    """Every job of a project. Safe from any thread."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.jobs: dict[str, Job] = {}
        self.cancelled: list[str] = []

    def insert(self, user: str, body: Reply) -> Reply:
        """Begin a job, or answer a dry run. Raises Failure."""
        configuration = body.get("configuration", {})
        query = configuration.get("query", {})
        wanted = body.get("jobReference", {}).get("jobId") or uuid.uuid4().hex
        dry = bool(configuration.get("dryRun"))
        project = self.project
        project.log.append(
            Request(
                user=user,
                sql=query["query"],
                dry_run=dry,
                labels=dict(configuration.get("labels", {})),
                most_billed=int(query.get("maximumBytesBilled", 0)),
                timeout_ms=int(configuration.get("jobTimeoutMs", 0)),
                job_id=wanted,
            )
        )
        if wanted in self.jobs:
            raise Failure(409, "duplicate", f"Already Exists: Job {project.name}:{project.location}.{wanted}")
        if project.spent:
            raise Failure(403, project.spent, f"Quota exceeded: Your project exceeded {project.spent}.")
        if query.get("useLegacySql", True):
            raise Failure(400, "invalid", "Legacy SQL is not spoken here.")
        created = now()
        statement = read_statement(project, user, query["query"])
        cursor = project.duck.cursor()
        read = bytes_read(project, cursor, statement.reads)
        job = Job(wanted, user, configuration, statement, read, cursor, created)
        if dry:
            self._describe(job)
            return self.resource(job)
        if statement.type != "SELECT":
            raise Failure(400, "invalidQuery", f"The stand-in does not run {statement.type}.")
        self.jobs[wanted] = job
        threading.Thread(target=self._run, args=(job,), daemon=True).start()
        return self.resource(job)

    def get(self, job_id: str) -> Job:
        """Return a job. Raises Failure."""
        if job_id not in self.jobs:
            said = f"Not found: Job {self.project.name}:{self.project.location}.{job_id}"
            raise Failure(404, "notFound", said)
        return self.jobs[job_id]

    def cancel(self, job_id: str) -> Job:
        """Stop a job."""
        job = self.get(job_id)
        self.cancelled.append(job_id)
        threading.Thread(target=job.stop, args=("User requested cancellation",), daemon=True).start()
        return job

    def results(self, job: Job, query: Mapping[str, str]) -> Reply:
        """Wait for a job as long as the caller says, and return a page of its rows. Raises Failure."""
        complete = job.done.wait(int(query.get("timeoutMs", 10_000)) / 1000)
        reply: Reply = {"kind": "bigquery#getQueryResultsResponse", "jobReference": self._reference(job)}
        if not complete:
            return {**reply, "jobComplete": False}
        if job.failure is not None:
            raise job.failure
        start = int(query.get("pageToken") or query.get("startIndex") or 0)
        most = int(query.get("maxResults", MOST_ROWS))
        page = job.rows[start : start + most]
        reply |= {
            "jobComplete": True,
            "schema": {"fields": job.fields},
            "totalRows": str(len(job.rows)),
            **self._seen(job),
        }
        if most:
            reply["rows"] = write_rows(job.fields, page)
            if start + most < len(job.rows):
                reply["pageToken"] = str(start + most)
        return reply

    def resource(self, job: Job) -> Reply:
        """Return a job as the service describes it."""
        project, statement = self.project, job.statement
        dry = bool(job.configuration.get("dryRun"))
        status: Reply = {"state": "DONE" if job.done.is_set() or dry else "RUNNING"}
        if job.failure is not None:
            status["errorResult"] = {"reason": job.failure.reason, "message": job.failure.said}
            status["errors"] = [status["errorResult"]]
        seen = self._seen(job)
        query: Reply = {
            "statementType": statement.type,
            "referencedTables": [
                {"projectId": project.name, "datasetId": space, "tableId": table}
                for space, table in statement.tables
            ],
            **seen,
        }
        if dry:
            query["schema"] = {"fields": job.fields}
            query["totalBytesProcessedAccuracy"] = self._accuracy(job)
        else:
            query |= {"totalBytesBilled": str(bytes_billed(job.bytes, len(statement.tables)))} if seen else {}
        return {
            "kind": "bigquery#job",
            "id": f"{project.name}:{project.location}.{job.id}",
            "jobReference": self._reference(job),
            "configuration": job.configuration,
            "status": status,
            **({} if dry and project.terse else {"user_email": job.user}),
            "statistics": {
                "creationTime": str(job.created),
                **({} if dry else {"startTime": str(job.created)}),
                **({"endTime": str(job.ended)} if job.ended else {}),
                **({"reservation_id": project.reservation} if project.reservation else {}),
                **seen,
                "query": query,
            },
        }

    def _reference(self, job: Job) -> Reply:
        place = {"projectId": self.project.name, "location": self.project.location}
        return place if job.configuration.get("dryRun") else {**place, "jobId": job.id}

    def _seen(self, job: Job) -> Reply:
        """Return the bytes, unless a row policy keeps them back."""
        hidden = any(name in self.project.row_policies for name in job.statement.tables)
        return {} if hidden else {"totalBytesProcessed": str(job.bytes)}

    def _accuracy(self, job: Job) -> str:
        if not self._seen(job):
            return "UNKNOWN"
        return "UPPER_BOUND" if self.project.clustered & set(job.statement.tables) else "PRECISE"

    def _describe(self, job: Job) -> None:
        """Bind a statement, so that a fault of its text is told; nothing runs."""
        if not job.statement.duck:
            return
        try:
            found = job.cursor.execute(f"DESCRIBE {job.statement.duck}").fetchall()
        except duckdb.Error as error:
            raise as_failure(error) from None
        job.fields = [field_of(str(row[0]), str(row[1])) for row in found]

    def _run(self, job: Job) -> None:
        limit = int(job.configuration.get("jobTimeoutMs", HOURS_6)) / 1000
        timer = threading.Timer(limit, job.stop, (f"Job timed out after {limit:g}s",))
        timer.daemon = True
        timer.start()
        try:
            self._require_affordable(job)
            self._read(job)
        except Failure as failure:
            job.failure = failure
        except duckdb.Error as error:
            stopped = Failure(400, "stopped", f"Job execution was cancelled: {job.stopped}")
            job.failure = stopped if job.stopped else as_failure(error)
        finally:
            timer.cancel()
            job.finish()

    def _require_affordable(self, job: Job) -> None:
        most = int(job.configuration["query"].get("maximumBytesBilled", 0))
        billed = bytes_billed(job.bytes, len(job.statement.tables))
        if most and billed > most:
            said = f"Query exceeded limit for bytes billed: {most}. {billed} or higher required."
            raise Failure(400, "bytesBilledLimitExceeded", said)

    def _read(self, job: Job) -> None:
        job.cursor.execute(job.statement.duck)
        job.fields = [field_of(str(each[0]), str(each[1])) for each in job.cursor.description or []]
        rows: list[tuple[Any, ...]] = []
        while batch := job.cursor.fetchmany(BATCH):
            rows += batch
            if len(rows) > MOST_ROWS:
                said = "Response too large to return. Consider specifying a destination table in your job"
                raise Failure(403, "responseTooLarge", f"{said} configuration.")
        job.rows = rows


def now() -> int:
    """Return the service's clock in milliseconds."""
    return time.time_ns() // 1_000_000
