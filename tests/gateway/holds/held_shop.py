"""The shop with a policy of a test's own, its runs counted, and a clock that can be moved."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gateway.asking import AskOptions
from gateway.engines.base import Identity, Limits, Rows
from gateway.reply import Refusal, Reply
from gateway.reviews.view import HoldView
from gateway.service import Gateway
from gateway.wiring import open_gateway
from metric_layer.parse import parse_plan
from policies.judge import Judge
from policies.judge_policy import FindingRule
from policies.load import govern
from policies.policy import Lines, Policy
from traces.records import Caller

Plan = dict[str, object]
RALF = Caller(user="ralf", roles=("reviewer",), teams=("data-governance",), tenant="shop")
TIGHT = {"bytes": Lines(warn=1, hard=10**12), "rows": None}


class Clock:
    """The wall clock, with what a test adds to it."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class Counted:
    """The real engine, counting what it ran."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.runs: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        self.runs.append(query_id)
        return self._inner.run(sql, who, limits, query_id, beside=beside)  # type: ignore[attr-defined, no-any-return]


class Shop:
    """One process over the shop: a gateway whose policy and clock a test changes, and its engine's runs."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder
        self.clock = clock
        self._opened = open_gateway(folder, clock)
        self.engine = Counted(self._opened.house.engine)
        self._opened.houses.replace(replace(self._opened.house, engine=self.engine))  # type: ignore[arg-type]
        self.change(budget=self.policy.budget.model_copy(update=TIGHT))

    @property
    def gateway(self) -> Gateway:
        return self._opened

    @property
    def policy(self) -> Policy:
        return self._opened.house.governed.policy

    def change(self, **keys: object) -> None:
        """Put another policy in force, with its hashes."""
        policy = Policy.model_validate({**dict(self.policy), **keys})
        self._opened.houses.replace(replace(self._opened.house, governed=govern(policy)))

    def rule(self, check: str, **keys: object) -> None:
        """Say who decides one finding."""
        rules: Mapping[str, object] = {**self.policy.findings, check: FindingRule.model_validate(keys)}
        self.change(findings=rules)

    def believe(self, judge: Judge) -> None:
        """Put findings to this judge."""
        self._opened.houses.replace(replace(self._opened.house, judge=judge))

    def ask(self, caller: Caller, plan: Plan, approval: str = "") -> Reply:
        assert not isinstance(parse_plan(plan), tuple)
        return self.gateway.ask(caller, plan, AskOptions(approval_id=approval))

    def decide(self, caller: Caller, hold_id: str, verdict: str = "accept") -> HoldView | Refusal:
        return self.gateway.decide_hold(caller, hold_id, verdict, "looked at it")

    def close(self) -> None:
        self._opened.close()


def seen(found: HoldView | Refusal) -> HoldView:
    """Return a hold that must be there to be seen."""
    assert isinstance(found, HoldView), found
    return found


def code(found: HoldView | Refusal) -> str:
    """Return why nothing came of a request."""
    assert isinstance(found, Refusal), found
    return found.issues[0].code
