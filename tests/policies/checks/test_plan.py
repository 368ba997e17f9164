"""Whose question it is and how far its class is released."""

from typing import Any

import pytest

from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from policies.checks.plan import check_entitlement, check_plan, check_release
from policies.facts import PlanFacts
from policies.policy import Policy, Role
from traces.records import Caller

ROLE = Role(datasets=("orders",))


def facts(**given: Any) -> PlanFacts:
    release = given.pop("release", {})
    base: dict[str, Any] = {
        "caller": Caller(user="ana", roles=("guest",)),
        "role_name": "analyst",
        "role": ROLE,
        "policy": Policy(name="p", roles={"analyst": ROLE}, release=release),
        "plan": MetricPlan(metrics=("order_count",)),
        "issues": (),
        "release_class": "governed",
        "dry_run": False,
    }
    return PlanFacts(**{**base, **given})


def test_every_issue_of_a_plan_is_a_finding_of_its_own() -> None:
    issues = (
        Issue(
            code="unknown_metric", message="No such metric.", path="/metrics/0", candidates=("order_count",)
        ),
        Issue(code="missing_window", message="A window is needed.", next_step="Add time."),
    )
    found = list(check_plan(facts(issues=issues)))
    assert [(f.verdict, f.reason, f.place) for f in found] == [
        ("hard", "No such metric.", "/metrics/0"),
        ("hard", "A window is needed.", ""),
    ]
    assert all(f.retry for f in found)
    assert found[0].candidates == ("order_count",)


def test_free_sql_has_no_plan_to_judge() -> None:
    assert [f.verdict for f in check_plan(facts(plan=None))] == ["skipped"]


def test_a_caller_without_a_role_is_refused_and_told_which_roles_were_seen() -> None:
    (found,) = check_entitlement(facts(role=None, role_name=""))
    assert (found.verdict, found.seen) == ("hard", "guest")


def test_a_role_that_may_not_ask_is_refused() -> None:
    (found,) = check_entitlement(facts(role=ROLE.model_copy(update={"may": ("audit",)})))
    assert found.verdict == "hard"


@pytest.mark.parametrize(
    ("release_class", "stage", "dry_run", "verdict"),
    [
        ("governed", "autonomous", False, "allow"),
        ("governed", "reviewed", False, "allow"),
        ("governed", "shadow", False, "allow"),
        ("governed", None, False, "allow"),
        ("free", "autonomous", False, "hold"),
        ("free", "reviewed", False, "hold"),
        ("free", "autonomous", True, "allow"),
    ],
)
def test_a_class_goes_as_far_as_it_is_released(
    release_class: str, stage: str | None, dry_run: bool, verdict: str
) -> None:
    release = {release_class: stage} if stage else {}
    (found,) = check_release(facts(release=release, release_class=release_class, dry_run=dry_run))
    assert found.verdict == verdict


def test_a_class_that_is_not_named_is_said_to_run_dry() -> None:
    (found,) = check_release(facts())
    assert "execution is off" in found.reason
