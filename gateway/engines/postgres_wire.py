"""Statements sent over one connection in one go and answered in order: one round trip for all of them."""

import select
import time
from collections.abc import Iterator, Sequence
from typing import Any, Self

import psycopg
from psycopg import capabilities, pq
from psycopg.pq.abc import PGresult

CHUNK = 256
SLICE = 0.05
DRAIN_SECONDS = 2.0
BROKEN_OFF = "the connection broke off"

_Status = pq.ExecStatus
_Field = pq.DiagnosticField


class StatementFailed(Exception):
    """The database refused a statement: its SQLSTATE and its own first line, which may name hidden things."""

    def __init__(self, sqlstate: str, said: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate
        self.said = said


class Stalled(Exception):
    """The database did not answer until the deadline."""


class Exchange:
    """Parts of statements on the wire together; an error ends its own part only.

    Every statement goes through the extended protocol, which takes one statement at a time. Leaving the block
    reads what is left; `clean` then says that every statement after the first part went well. A connection
    that has stalled or broken is closed.
    """

    def __init__(self, connection: psycopg.Connection[Any], deadline: float, *parts: Sequence[str]) -> None:
        """Send all parts. `deadline` is on the monotonic clock."""
        self.clean = False
        self._connection = connection
        self._wire = connection.pgconn
        self._deadline = deadline
        self._parts = parts
        self._left = [len(part) for part in parts]
        self._failed = False

    def __enter__(self) -> Self:
        try:
            self._wire.enter_pipeline_mode()
            for part in self._parts:
                for statement in part:
                    self._wire.send_query_params(statement.encode(), None)
                self._wire.pipeline_sync()
            self._flush()
        except (Stalled, psycopg.Error):
            self._connection.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, StatementFailed):
            self._deadline = min(self._deadline, time.monotonic() + DRAIN_SECONDS)
        try:
            self._drain()
            self._wire.exit_pipeline_mode()
        except (Stalled, psycopg.Error):
            self._connection.close()
            return
        idle = self._wire.transaction_status == pq.TransactionStatus.IDLE
        self.clean = idle and not self._failed

    def give_up(self) -> None:
        """Let whoever waits for an answer stop waiting. Safe from any thread."""
        self._deadline = 0.0

    def results(self, count: int) -> tuple[PGresult, ...]:
        """Return the whole results of the next statements. Raises StatementFailed."""
        return tuple(self._result() for _ in range(count))

    def stream(self) -> Iterator[PGresult]:
        """Yield the next statement's rows in chunks as they come, at least one. Raises StatementFailed."""
        if capabilities.has_stream_chunked():
            self._wire.set_chunked_rows_mode(CHUNK)
        else:
            self._wire.set_single_row_mode()
        yield from self._answers()

    def _result(self) -> PGresult:
        *_, last = self._answers()
        return last

    def _answers(self) -> Iterator[PGresult]:
        """Yield what comes back for one statement, then read the end of its part if it was the last one."""
        answered = False
        while (result := self._get()) is not None:
            answered = True
            if result.status in (_Status.FATAL_ERROR, _Status.PIPELINE_ABORTED):
                raise StatementFailed(_field(result, _Field.SQLSTATE), _field(result, _Field.MESSAGE_PRIMARY))
            yield result
        if not answered:
            raise psycopg.OperationalError(BROKEN_OFF)
        self._landed()

    def _landed(self) -> None:
        self._left[0] -= 1
        if self._left[0]:
            return
        end = self._get()
        if end is None or end.status != _Status.PIPELINE_SYNC:
            raise psycopg.OperationalError(BROKEN_OFF)
        self._left.pop(0)

    def _drain(self) -> None:
        """Read all that is left; a failure in a part after the first one is kept in mind."""
        first = len(self._parts)
        while self._left:
            while (result := self._get()) is not None:
                bad = result.status in (_Status.FATAL_ERROR, _Status.PIPELINE_ABORTED)
                self._failed |= bad and len(self._left) < first
            self._landed()

    def _get(self) -> PGresult | None:
        while self._wire.is_busy():
            self._wait(select.POLLIN)
            self._wire.consume_input()
        return self._wire.get_result()

    def _flush(self) -> None:
        while self._wire.flush():
            if self._wait(select.POLLIN | select.POLLOUT) & select.POLLIN:
                self._wire.consume_input()

    def _wait(self, events: int) -> int:
        """Wait until the socket is ready; in slices, so that `give_up` is heard. Raises Stalled."""
        poll = select.poll()
        poll.register(self._wire.socket, events)
        while (left := self._deadline - time.monotonic()) > 0:
            for _, ready in poll.poll(1000 * min(left, SLICE)):
                return ready
        raise Stalled


def _field(result: PGresult, name: pq.DiagnosticField) -> str:
    return (result.error_field(name) or b"").decode("utf-8", "replace")
