"""What every page of the console works with: the house, its worker threads, and who is visiting."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from starlette.requests import Request

from gateway.asking import Door
from gateway.cancellation import Cancellation
from gateway.doors.console.sessions import Session
from gateway.doors.counters import Counters
from gateway.doors.http.leaver import unless_left
from gateway.doors.workers import Workers
from gateway.record.entitled import Standing
from gateway.service import Gateway
from traces.records import Caller

Result = TypeVar("Result")
DOOR = Door("console")


class Left(Exception):
    """The visitor hung up before their page was ready."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One signed-in person and one request of theirs. `form_key` goes into every form."""

    session: Session
    caller: Caller
    standing: Standing
    form_key: str

    def may(self, right: str) -> bool:
        """Say whether their role has a right; every signed-in person has the empty one."""
        return not right or right in self.standing.rights


@dataclass(frozen=True, slots=True)
class Desk:
    """The house as the pages ask it: verbs block, so they run on the worker threads of all doors.

    `runs` is the folder of the files that evaluations wrote, `cases` that of the cases they ask.
    """

    gateway: Gateway
    workers: Workers
    counters: Counters
    runs: Path
    cases: Path | None = None

    async def call(
        self, request: Request, work: Callable[[], Result], cancellation: Cancellation | None = None
    ) -> Result:
        """Return what `work` returns. Raises Left when the visitor hung up, and stops the question."""
        found: list[Result] = []

        def kept() -> bool:
            found.append(work())
            return True

        if await unless_left(request, self.workers, kept, cancellation) is None:
            raise Left
        return found[0]
