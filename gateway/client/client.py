"""The verbs of a served gateway, typed: the same records as behind every other door."""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx

from gateway.analyses.view import AnalysisCard, AnalysisList, AnalysisReply
from gateway.asking import NO_OPTIONS, AskOptions
from gateway.client.wire import Wire, record_of, refused
from gateway.paged import Paged
from gateway.record.result_view import ResultView
from gateway.reply import (
    DraftReply,
    MetricCard,
    MetricLine,
    MetricList,
    Reply,
    SqlReport,
    TraceLine,
    TraceList,
    TraceView,
)
from gateway.reviews.view import HoldView

P = TypeVar("P", bound=Paged)

SECONDS = 120.0
LONGEST_WAIT = 50.0
PAGE = 200


class Client:
    """A gateway at `url`, asked as the holder of `token`. Safe from several threads.

    What became of a question is a reply with its outcome; a request that is refused raises RequestRefused, a
    gateway that is not reached NotReached. `seconds` is allowed for each attempt, `retries` are made after
    the first: a question carries an idempotency key, so that none of them runs it twice.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        seconds: float = SECONDS,
        retries: int = 2,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._wire = Wire(url.rstrip("/"), token, seconds=seconds, retries=retries, transport=transport)

    def ask(self, plan: object, options: AskOptions = NO_OPTIONS, *, key: str = "") -> Reply:
        """Ask a metric plan; `key` makes it the same request as an earlier one with that key."""
        return self._asked({"plan": plan}, options, key)

    def ask_question(self, question: str, options: AskOptions = NO_OPTIONS, *, key: str = "") -> Reply:
        """Ask a question in words."""
        return self._asked({"question": question}, options, key)

    def ask_body(self, body: object, *, key: str = "") -> Reply:
        """Ask what a file holds: a plan or a question, with what stands beside it."""
        return record_of(self._wire.post("/v1/questions", body, key or str(uuid4())), Reply)

    def check_answer(
        self, draft: str, trace_ids: Sequence[str], declare: object = (), approval_id: str = ""
    ) -> DraftReply:
        """Check a draft: every number must have its cell. Each check counts, so it is sent once."""
        body = {"draft": draft, "trace_ids": list(trace_ids), "declare": declare, "approval_id": approval_id}
        return record_of(self._wire.post("/v1/answers/check", body), DraftReply)

    def check_sql(self, sql: str) -> SqlReport:
        """Say what every check thinks of a piece of SQL. Nothing is executed."""
        return record_of(self._wire.post("/v1/sql/check", {"sql": sql}), SqlReport)

    def wait_decision(self, hold_id: str, seconds: float = 25.0) -> HoldView:
        """Return a hold as soon as it is decided, or as it stands after `seconds`."""
        while True:
            turn = min(seconds, LONGEST_WAIT)
            path = f"/v1/holds/{quote(hold_id, safe='')}"
            found = record_of(self._wire.get(path, {"wait": turn}, waits=turn), HoldView)
            seconds -= turn
            if seconds <= 0 or found.status != "waiting":
                return found

    def metrics(self, search: str = "") -> Iterator[MetricLine]:
        """Yield every metric that the caller may ask for, page by page."""
        for page in self._pages("/v1/metrics", {"search": search}, MetricList):
            yield from page.metrics

    def metric(self, name: str) -> MetricCard:
        """Return one metric with its dimensions and a plan that works."""
        return record_of(self._wire.get(f"/v1/metrics/{quote(name, safe='')}"), MetricCard)

    def analyses(self) -> Iterator[AnalysisCard]:
        """Yield every saved analysis that the caller may run, page by page."""
        for page in self._pages("/v1/analyses", {}, AnalysisList):
            yield from page.analyses

    def run_analysis(
        self, name: str, parameters: Mapping[str, Any], options: AskOptions = NO_OPTIONS
    ) -> AnalysisReply:
        """Run a saved analysis; it is sent once."""
        body = {"parameters": dict(parameters), **_beside(options)}
        return record_of(self._wire.post(f"/v1/analyses/{quote(name, safe='')}", body), AnalysisReply)

    def traces(self) -> Iterator[TraceLine]:
        """Yield the caller's traces, newest first, page by page."""
        for page in self._pages("/v1/traces", {}, TraceList):
            yield from page.traces

    def trace(self, trace_id: str) -> TraceView:
        """Return how an answer came about."""
        return record_of(self._wire.get(f"/v1/traces/{quote(trace_id, safe='')}"), TraceView)

    def result(self, trace_id: str) -> ResultView:
        """Return the rows of one's own answer while they are kept."""
        return record_of(self._wire.get(f"/v1/results/{quote(trace_id, safe='')}"), ResultView)

    def result_file(self, trace_id: str, form: Literal["csv", "arrow", "parquet"]) -> bytes:
        """Return them as a file."""
        got = self._wire.get(f"/v1/results/{quote(trace_id, safe='')}", {"format": form})
        if got.status_code != httpx.codes.OK:
            raise refused(got)
        return got.content

    def close(self) -> None:
        """Give the connections back."""
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _asked(self, body: Mapping[str, object], options: AskOptions, key: str) -> Reply:
        return self.ask_body({**body, **_beside(options)}, key=key)

    def _pages(self, path: str, params: Mapping[str, str], model: type[P]) -> Iterator[P]:
        cursor = ""
        while True:
            sent = {**params, "limit": PAGE, **({"cursor": cursor} if cursor else {})}
            page = record_of(self._wire.get(path, sent), model)
            yield page
            cursor = page.next_cursor
            if not cursor:
                return


def _beside(options: AskOptions) -> dict[str, Any]:
    return options.model_dump(mode="json", by_alias=True, exclude_defaults=True)
