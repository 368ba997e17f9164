"""How often one user and one tenant may come in: a minute's worth at once, then as it runs in again."""

import math
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.doors.http.credentials import caller_in
from gateway.doors.http.problem import problem
from gateway.reply import ReplyIssue
from traces.records import Caller

TOO_MANY = 429
MINUTE = 60.0
MOST_KEPT = 10_000


class Rate:
    """So many a minute for each key (GCRA): who was quiet for a minute has a whole minute's worth."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        """0 a minute is no limit."""
        self._every = MINUTE / per_minute if per_minute else 0.0
        self._clock = clock
        self._until: dict[tuple[str, ...], float] = {}

    @property
    def kept(self) -> int:
        """How many keys are remembered."""
        return len(self._until)

    def wait(self, key: tuple[str, ...]) -> float:
        """Return in how many seconds one more may come; 0 for now."""
        if not self._every:
            return 0.0
        over = self._until.get(key, 0.0) + self._every - self._clock() - MINUTE
        return over if over > 1e-9 else 0.0

    def take(self, key: tuple[str, ...]) -> None:
        """Count one."""
        if not self._every:
            return
        now = self._clock()
        if len(self._until) >= MOST_KEPT:
            self._until = {each: until for each, until in self._until.items() if until > now}
        self._until[key] = max(self._until.get(key, 0.0), now) + self._every


class Rates:
    """How often one user and how often one tenant may come in."""

    def __init__(self, user: Rate, tenant: Rate) -> None:
        self._user = user
        self._tenant = tenant

    def wait(self, caller: Caller) -> tuple[float, str]:
        """Return in how many seconds a caller may come, 0 for now, and whose rate says so."""
        user = self._user.wait((caller.tenant, caller.user)), "user"
        return max(user, (self._tenant.wait((caller.tenant,)), "tenant"))

    def take(self, caller: Caller) -> None:
        """Count one."""
        self._user.take((caller.tenant, caller.user))
        self._tenant.take((caller.tenant,))


class RateLimit:
    """Answers 429 to a user or a tenant that comes too often, on every route that takes a credential."""

    def __init__(self, app: ASGIApp, rates: Rates) -> None:
        self._app = app
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or count the request and pass it on."""
        caller = caller_in(scope)
        if caller is not None:
            wait, whose = self._rates.wait(caller)
            if wait:
                seconds = str(math.ceil(wait))
                refused = problem(TOO_MANY, (_often(whose, seconds),), {"Retry-After": seconds})
                await refused(scope, receive, send)
                return
            self._rates.take(caller)
        await self._app(scope, receive, send)


def _often(whose: str, seconds: str) -> ReplyIssue:
    return ReplyIssue(
        code="rate_limited",
        message=f"Too many requests of this {whose} within a minute.",
        stage="input",
        next_step=f"Send it again in {seconds} s.",
    )
