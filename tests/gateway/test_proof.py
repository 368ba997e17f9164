"""Nothing is served until every role's limits were proved in the database itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.errors import NotProved
from gateway.operation.proof import prove_roles, require_proof
from gateway.service import Gateway


def test_every_role_of_the_policy_is_proved(gateway: Gateway) -> None:
    findings = prove_roles(gateway.house)
    assert {finding.name for finding in findings} == {
        f"role {role.role_name}" for role in gateway.house.entitlements
    }
    assert all(finding.ok for finding in findings), findings
    require_proof(gateway.house)


def test_without_its_database_nothing_is_proved_and_the_next_step_is_the_engines(
    shop: Path, open_shop: Callable[[], Gateway]
) -> None:
    (shop / "var" / "shop.duckdb").unlink()
    house = open_shop().house
    with pytest.raises(NotProved) as refused:
        require_proof(house)
    issues = refused.value.issues
    assert {issue.code for issue in issues} == {"not_proved"}
    assert len(issues) == len(tuple(house.entitlements))
    assert all("cellbound.toml" in issue.next_step for issue in issues)
