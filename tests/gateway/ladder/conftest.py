"""The shop with classes of question of its own, an owner who may release, and a clock that can be moved."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.gateway.holds.held_shop import Clock
from traces.records import Caller

OLGA = Caller(user="olga", roles=("owner",), teams=("data-governance",), tenant="shop")
EVA = Caller(user="eva", roles=("evaluator",), teams=("analysts",), tenant="shop")
WIDE = ["customers", "orders", "order_lines", "products", "support_tickets", "events"]
Edit = Callable[..., None]


@pytest.fixture
def olga() -> Caller:
    """The owner: may release, and does not evaluate."""
    return OLGA


@pytest.fixture
def eva() -> Caller:
    """An analyst who evaluates."""
    return EVA


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def edit(shop: Path) -> Edit:
    """Writes keys into the shop's policy."""
    file = shop / "policies" / "policy.yml"

    def edited(**keys: object) -> None:
        policy = yaml.safe_load(file.read_text(encoding="utf-8"))
        policy.update(keys)
        file.write_text(yaml.safe_dump(policy), encoding="utf-8")

    policy = yaml.safe_load(file.read_text(encoding="utf-8"))
    roles: Mapping[str, object] = policy["roles"] | {
        "owner": {"datasets": list(WIDE), "may": ["ask", "release"]},
        "evaluator": {"datasets": list(WIDE), "may": ["ask", "evaluate"]},
    }
    edited(roles=roles)
    users = shop / "cellbound.toml"
    more = '[identity.users.eva]\nroles = ["evaluator"]\nteams = ["analysts"]\ntenant = "shop"\n\n'
    text = users.read_text(encoding="utf-8")
    users.write_text(
        text.replace("[identity.users.rita]", f"{more}[identity.users.rita]", 1), encoding="utf-8"
    )
    return edited


@pytest.fixture
def open_house(shop: Path, edit: Edit, clock: Clock, request: pytest.FixtureRequest) -> Callable[[], Gateway]:
    """Opens another process over the shop."""

    def opened() -> Gateway:
        gateway = open_gateway(shop, clock)
        request.addfinalizer(gateway.close)
        return gateway

    return opened


@pytest.fixture
def shadow(open_house: Callable[[], Gateway], edit: Edit) -> Gateway:
    """The shop with all questions over metrics in shadow."""
    edit(release={"governed": "shadow"})
    return open_house()


@pytest.fixture
def total() -> dict[str, object]:
    """Net revenue of the third quarter of 2026: one figure."""
    return {
        "metrics": ["net_revenue"],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30"},
    }
