"""The shop with a scripted model behind it, on loopback."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from gateway.asking import AskOptions
from gateway.reply import Reply
from gateway.service import Gateway
from gateway.wiring import open_gateway
from policies.entitlement import Entitlements
from policies.load import govern
from policies.policy import Policy
from tests.servers.models import Endpoint, Script, running, say
from traces.records import Caller, Trace

QUESTION = "how did the continental business fare by area in Q3 2026"
"""Words that intake does not know, and a period that it does."""
PLAN: dict[str, Any] = {
    "metrics": ["net_revenue"],
    "dimensions": ["region"],
    "time": {"from": "2026-07-01", "to": "2026-09-30"},
}
GOOD = {"steps": [{"id": "a", "plan": PLAN}], "missing": []}
FREE = "SELECT region, COUNT(*) AS n FROM customers GROUP BY region"
JUDGED = {"model_plan": {"judge": "rules", "allow_at": 0.9, "deny_at": 0.1, "owner": "gov",
                         "rules": [{"verdict": "allow", "roles": ["analyst"]}]}}  # fmt: skip
"""A policy under which the analyst's planned questions go on without a person."""


def now() -> datetime:
    return datetime(2026, 11, 2, 9, tzinfo=UTC)


@dataclass
class AgentShop:
    """The shop, its scripted model, and shortcuts."""

    gateway: Gateway
    endpoint: Endpoint
    caller: Caller

    def policy(self, **changes: object) -> None:
        """Put a changed policy in force."""
        house = self.gateway.house
        raw = {**house.governed.policy.model_dump(by_alias=True), **changes}
        governed = govern(Policy.model_validate(raw))
        schema = next(iter(house.entitlements)).catalogue.default_schema
        entitlements = Entitlements(house.layer, governed, house.engine.dialect, schema, now())
        self.gateway.houses.replace(replace(house, governed=governed, entitlements=entitlements))

    def limits(self, **limits: object) -> None:
        """Change limits of the agent."""
        rules = self.gateway.house.governed.policy.agent.model_dump()
        self.policy(agent={**rules, **limits})

    def plays(self, script: Script) -> None:
        """Give the model another script."""
        self.endpoint.script = script

    def ask(self, question: str = QUESTION, who: Caller | None = None, **beside: object) -> Reply:
        return self.gateway.ask_question(who or self.caller, question, AskOptions.model_validate(beside))

    def trace(self, reply: Reply) -> Trace:
        found = self.gateway.traces.read(reply.trace_id)
        assert found is not None
        return found

    def calls(self, reply: Reply) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return purpose, outcome and reasons of each call in a trace."""
        closed = self.trace(reply).closed
        assert closed is not None
        return [(c.purpose, c.outcome, c.checks or ((c.fault,) if c.fault else ())) for c in closed.calls]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running(lambda _: say(GOOD)) as found:
        yield found


@pytest.fixture
def open_agent_shop(shop: Path, endpoint: Endpoint, ana: Caller) -> Iterator[Callable[..., AgentShop]]:
    opened: list[Gateway] = []

    def make(provider: str = "openai", extra: str = "") -> AgentShop:
        url = endpoint.base_url if provider == "openai" else endpoint.anthropic_url
        settings = shop / "cellbound.toml"
        settings.write_text(
            f'{settings.read_text()}\n[agent]\nprovider = "{provider}"\nbase_url = "{url}"\n'
            f'model = "scripted"\ntemperature = 0\n{extra}\n'
        )
        policy = shop / "policies" / "policy.yml"
        more = yaml.safe_dump({"findings": JUDGED, "agent": {"draft": "never"}})
        policy.write_text(f"{policy.read_text()}\n{more}")
        opened.append(open_gateway(shop, now=now))
        return AgentShop(opened[-1], endpoint, ana)

    yield make
    for gateway in opened:
        gateway.close()


@pytest.fixture
def agent_shop(open_agent_shop: Callable[..., AgentShop]) -> AgentShop:
    """The shop over the OpenAI wire; planned questions go on, code words the answers."""
    return open_agent_shop()
