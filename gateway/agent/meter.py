"""What one question has taken so far, held against the limits of the policy. Limits are code, not advice."""

import time
from collections.abc import Callable

from metric_layer.issues import Issue
from policies.agent_policy import AgentRules

CHARACTERS_PER_TOKEN = 4
LEAST_TOKENS = 50
"""A reply of fewer tokens can hold no plan: where no more are left, none is asked for."""


class Exhausted(Exception):
    """A limit of the policy was reached. `limit` is its key under `agent`.

    `issues` is what was wrong with the last reply, where it was to be asked for again.
    """

    def __init__(self, limit: str, seen: float, most: float) -> None:
        super().__init__(limit)
        self.limit = limit
        self.seen = seen
        self.most = most
        self.issues: tuple[Issue, ...] = ()


def limit_issues(fault: Exhausted) -> tuple[Issue, ...]:
    """Return which limit was reached, and what was wrong with the last reply."""
    limit = Issue(
        code="agent_limit",
        message=f"The agent stopped at a limit of the policy: agent.{fault.limit}.",
        seen=f"{fault.seen:g} of {fault.most:g}",
        next_step="Ask in fewer parts or in the words of the layer, or have the policy's owner raise it.",
    )
    return (limit, *fault.issues)


class Meter:
    """Counts for one question. Every method that takes something raises Exhausted instead of going over."""

    def __init__(self, rules: AgentRules, clock: Callable[[], float] = time.monotonic) -> None:
        self.rules = rules
        self._clock = clock
        self._began = clock()
        self.calls = self.retries = self.tokens = self.steps = self.bytes = 0

    def seconds_left(self) -> float:
        """Return how long the question may still take. Raises Exhausted where that is nothing."""
        spent = self._clock() - self._began
        if spent >= self.rules.seconds:
            raise Exhausted("seconds", round(spent, 1), self.rules.seconds)
        return self.rules.seconds - spent

    def call(self, characters: int) -> int:
        """Count a call of a model with so long a request; return how many tokens its reply may have."""
        self.seconds_left()
        if self.calls >= self.rules.calls:
            raise Exhausted("calls", self.calls, self.rules.calls)
        left = self.rules.tokens - self.tokens - characters // CHARACTERS_PER_TOKEN
        if left < LEAST_TOKENS:
            raise Exhausted("tokens", self.rules.tokens - left, self.rules.tokens)
        self.calls += 1
        return left

    def used(self, tokens: int, characters: int) -> None:
        """Count the tokens of a call; where the endpoint counts none, as many as its texts are long."""
        self.tokens += tokens or characters // CHARACTERS_PER_TOKEN

    def retry(self) -> None:
        """Count something that is tried again."""
        if self.retries >= self.rules.retries:
            raise Exhausted("retries", self.retries, self.rules.retries)
        self.retries += 1

    def step(self) -> None:
        """Count a query that is about to run."""
        self.seconds_left()
        if self.steps >= self.rules.steps:
            raise Exhausted("steps", self.steps, self.rules.steps)
        self.steps += 1

    def foresee(self, expected: int) -> None:
        """Refuse queries that together would read more than is left."""
        if self.bytes + expected > self.rules.bytes:
            raise Exhausted("bytes", self.bytes + expected, self.rules.bytes)

    def read(self, size: int) -> None:
        """Count what a query read."""
        self.bytes += size
