"""One asker's way to the service: how they prove themself, and how their jobs are made, read and stopped."""

import math
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Thread
from typing import Any, TypeVar

from google.api_core.exceptions import Conflict, GoogleAPICallError, NotFound, RetryError
from google.api_core.retry import Retry
from google.auth.exceptions import GoogleAuthError, RefreshError
from google.cloud.bigquery import Client, DatasetReference, QueryJob, QueryJobConfig, SchemaField, Table
from requests.exceptions import RequestException

from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.bigquery_credentials import AskerSession, proof_of
from gateway.engines.bigquery_errors import as_query_error, passes, unauthorised, unreadable
from gateway.engines.bigquery_target import Target
from gateway.engines.blocking import Blocking
from gateway.engines.credentials import Secrets
from gateway.engines.event_loop import Overdue
from gateway.engines.flights import Flight
from gateway.engines.refusals import identity_refused, timed_out, unreachable

RETRY_SECONDS = 3.0
CANCEL_SECONDS = 5.0
PAGE = 10_000
LABEL = "cellbound"
LABEL_LENGTH = 63
FAULTS = (GoogleAPICallError, RetryError, GoogleAuthError, RequestException, TimeoutError, ValueError)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """One caller's way to the service: it can be stopped, and is over at `deadline` (monotonic)."""

    flight: Flight
    limits: Limits
    deadline: float

    @property
    def left(self) -> float:
        """Return the seconds that are left."""
        return max(0.001, self.deadline - time.monotonic())

    def retry(self) -> Retry:
        """Return how often what may be gone in a moment is tried again: for three seconds at most."""
        seconds = min(RETRY_SECONDS, self.left)
        return Retry(predicate=passes, initial=0.1, maximum=1.0, multiplier=2.0, timeout=seconds)


class Answer:
    """The rows of a job that is done, fetched page by page as they are asked for."""

    def __init__(self, session: "Session", call: Call, job: QueryJob, rows: Any) -> None:
        self.job = job
        self.columns: tuple[SchemaField, ...] = tuple(rows.schema)
        self._session = session
        self._call = call
        self._pages = rows.pages

    def pages(self) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of each page. Raises EngineError."""
        while (page := self._session.waited(self._call, self._next, priced=False)) is not None:
            yield page

    def all(self) -> list[tuple[Any, ...]]:
        """Return every row of a statement of our own."""
        return [row for page in self.pages() for row in page]

    def _next(self) -> list[tuple[Any, ...]] | None:
        page = next(self._pages, None)
        return None if page is None else [tuple(row.values()) for row in page]


class Session:
    """A client of one asker. `born` is on the monotonic clock. One at a time uses it.

    Whoever waits for it can leave at any moment, which spoils it and cancels the job.
    """

    def __init__(self, target: Target, who: Identity, secrets: Secrets) -> None:
        """Connect to nothing yet."""
        self.who = who
        self.born = time.monotonic()
        self._target = target
        self._secrets = secrets
        self._thread = Blocking("bigquery")
        self._http: AskerSession | None = None
        self._service: Client | None = None
        self._proved = False
        self._spoiled = False

    def usable(self) -> bool:
        """Say whether the next question of the same asker may have it."""
        return self._proved and not self._spoiled

    def price(self, call: Call, sql: str) -> QueryJob:
        """Return a dry run of one statement: nothing is executed and nothing billed. Raises EngineError."""
        config = self._config(call)
        config.dry_run = True
        config.use_query_cache = False

        def dry_run(service: Client) -> QueryJob:
            return service.query(
                sql, job_config=config, retry=call.retry(), timeout=call.left, job_retry=None
            )

        job = self._proving(call, dry_run, priced=True)
        # A dry run that does not say whose it is shows no row; a job that runs has to say it.
        return self._required_asker(job) if job.user_email else job

    def ask(self, call: Call, sql: str, rows: int) -> Answer:
        """Run one statement and return its rows, `rows` at most. Raises EngineError.

        The job has a name of ours, so that it can be cancelled before the service has answered. Traces keep
        it, and it does not begin like a token.
        """
        config = self._config(call)
        config.maximum_bytes_billed = self._target.most_billed
        config.job_timeout_ms = math.ceil(call.left * 1000)
        name = f"{LABEL}-{re.sub(r'[^A-Za-z0-9_-]', '_', call.flight.query_id)}-{uuid.uuid4().hex}"

        def begun(service: Client) -> QueryJob:
            try:
                return service.query(
                    sql,
                    job_config=config,
                    job_id=name,
                    retry=call.retry(),
                    timeout=call.left,
                    job_retry=None,
                )
            except Conflict:  # the service has taken it, and its answer was lost
                found = service.get_job(name, retry=call.retry(), timeout=call.left)
                assert isinstance(found, QueryJob)
                return found

        try:
            job = self._required_asker(self._proving(call, begun, priced=False))
            found = self.waited(call, lambda: _rows_of(job, call, rows), priced=False)
        except EngineError as error:
            if self._spoiled or error.retryable:
                Thread(target=self._cancel, args=(name,), daemon=True).start()
            raise
        return Answer(self, call, job, found)

    def table(self, call: Call, name: str) -> Table | None:
        """Return a table by its full name, as the asker is told of it; None where they are told nothing."""

        def look(service: Client) -> Table | None:
            try:
                return service.get_table(name, retry=call.retry(), timeout=call.left)
            except GoogleAPICallError as error:
                if error.code in (403, 404):
                    return None
                raise

        return self._proving(call, look, priced=True)

    def table_names(self, call: Call) -> tuple[str, ...]:
        """Return the full name of every table of the dataset that the asker may list."""

        def look(service: Client) -> tuple[str, ...]:
            dataset = DatasetReference(self._target.project, self._target.dataset)
            found = service.list_tables(dataset, retry=call.retry(), timeout=call.left)
            return tuple(f"{each.project}.{each.dataset_id}.{each.table_id}" for each in found)

        return self._proving(call, look, priced=True)

    def permitted(self, call: Call, name: str, permissions: Iterable[str]) -> tuple[str, ...]:
        """Return which permissions the asker has on a table by its full name."""
        asked = list(permissions)

        def look(service: Client) -> tuple[str, ...]:
            found = service.test_iam_permissions(name, asked, retry=call.retry(), timeout=call.left)
            return tuple(found.get("permissions", ()))

        return self._proving(call, look, priced=True)

    def waited(self, call: Call, work: Callable[[], T], *, priced: bool) -> T:
        """Return what the driver's work gives. Raises EngineError in our own words."""
        if self._http is not None:
            self._http.deadline = call.deadline
        try:
            return self._thread.wait(work, call.flight, call.deadline)
        except Overdue:
            self._spoiled = True
            raise timed_out(call.limits.whole) from None
        except EngineError:
            self._spoiled = True
            raise
        except FAULTS as error:
            self._spoiled = self._spoiled or not isinstance(error, GoogleAPICallError)
            raise _as_ours(error, call, priced) from None

    def close(self) -> None:
        """Give the connections back; nobody waits for what is under way."""
        self._thread.close()
        self._forget()

    def _proving(self, call: Call, work: Callable[[Client], T], *, priced: bool) -> T:
        """Do something as the asker, with a credential asked anew if the one at hand has expired."""
        was_proved = self._proved
        try:
            found = self.waited(call, lambda: work(self._opened(call)), priced=priced)
        except EngineError as error:
            if error.code != "login_refused" or not was_proved:
                raise
            self._forget()
            return self._proving(call, work, priced=priced)
        self._proved = True
        return found

    def _opened(self, call: Call) -> Client:
        """Return the asker's client. Nothing but their secret is asked for yet, which may take a while."""
        if self._service is None:
            secret = self._secrets.of(self.who.user, self._target.place())
            self._http = AskerSession(proof_of(self._target, self.who, secret), self._target)
            self._http.deadline = call.deadline
            self._service = self._client(self._http)
        return self._service

    def _forget(self) -> None:
        """Give the connections back, and the credential up."""
        if self._service is not None:
            self._service.close()  # type: ignore[no-untyped-call] # the library is typed in part
        self._service = None
        self._proved = False

    def _client(self, http: AskerSession) -> Client:
        target = self._target
        return Client(
            project=target.project,
            credentials=http.credentials,
            location=target.location,
            client_options={"api_endpoint": target.endpoint},
            _http=http,
        )

    def _config(self, call: Call) -> QueryJobConfig:
        config = QueryJobConfig()
        config.use_legacy_sql = False
        config.default_dataset = DatasetReference(self._target.project, self._target.dataset)
        trace = re.sub(r"[^a-z0-9_-]", "_", call.flight.query_id.lower())[:LABEL_LENGTH]
        config.labels = {LABEL: trace}
        return config

    def _required_asker(self, job: QueryJob) -> QueryJob:
        """Return a job that the service says is the asker's, in the one project."""
        wanted, said = self._target.principal_of(self.who), str(job.user_email or "")
        if said.lower() != wanted.lower() or job.project != self._target.project:
            self._spoiled = True
            raise identity_refused(f"the job is not one of {wanted!r} in the project of the engine's url")
        return job

    def _cancel(self, name: str) -> None:
        """Tell the service to stop a job, over a connection of its own: it may not know the job yet."""
        if self._http is None:  # nothing was asked yet
            return
        http = AskerSession(self._http.credentials, self._target)
        http.deadline = time.monotonic() + CANCEL_SECONDS
        retry = Retry(predicate=_may_come, initial=0.05, maximum=0.5, timeout=CANCEL_SECONDS)
        service = self._client(http)
        try:
            service.cancel_job(name, retry=retry)
        except (GoogleAPICallError, RetryError, GoogleAuthError, RequestException):
            return
        finally:
            service.close()  # type: ignore[no-untyped-call] # the library is typed in part


def _rows_of(job: QueryJob, call: Call, most: int) -> Any:
    return job.result(
        page_size=min(most, PAGE), max_results=most, retry=call.retry(), timeout=call.left, job_retry=None
    )


def _may_come(error: Exception) -> bool:
    return isinstance(error, NotFound) or passes(error)


def _as_ours(error: Exception, call: Call, priced: bool) -> EngineError:
    if isinstance(error, RetryError):
        error = error.cause if isinstance(error.cause, Exception) else error
    if isinstance(error, GoogleAPICallError):
        return as_query_error(error, priced=priced)
    if time.monotonic() >= call.deadline or isinstance(error, TimeoutError):
        return timed_out(call.limits.whole)
    if isinstance(error, RefreshError):
        return unauthorised()
    if isinstance(error, GoogleAuthError | RequestException | RetryError):
        return unreachable()
    return unreadable()
