"""A policy that says wrongly who decides what is held is refused at load, all of it at once."""

import pytest

from policies.judge_issues import HELD, judge_issues
from policies.policy import Policy
from policies.register import (
    ANSWER_CHECKS,
    COST_CHECKS,
    DIFFERENCE_CHECKS,
    GUARD_CHECKS,
    PLAN_CHECKS,
    SQL_CHECKS,
)

ROLES = {"analyst": {"datasets": ["orders"]}}
STRANGE = [{"verdict": "allow", "roles": ["x"]}]
MODEL = {"judge": "model", "allow_at": 0.9, "deny_at": 0.1, "owner": "data-governance"}


def found(findings: dict[str, object], **keys: object) -> list[str]:
    policy = Policy.model_validate({"name": "p", "roles": ROLES, "findings": findings, **keys})
    issues = tuple(judge_issues(policy, "policy.yml"))
    assert all(issue.next_step and issue.place == "policy.yml" and issue.path for issue in issues)
    return [issue.code for issue in issues]


def test_a_rule_that_is_whole_is_taken() -> None:
    assert found({"budget": MODEL, "join_key": {"two_person": True}}, judge={"url": "http://judge/"}) == []


@pytest.mark.parametrize(
    ("check", "of", "code"),
    [
        ("budgt", {}, "unknown_finding"),
        ("pii_column", {"two_person": True}, "unknown_finding"),
        ("release", MODEL, "people_only"),
        ("budget", MODEL, "no_judge"),
        ("budget", {**MODEL, "allow_at": None}, "no_thresholds"),
        ("budget", {**MODEL, "allow_at": 0.1, "deny_at": 0.9}, "thresholds_reversed"),
        ("budget", {**MODEL, "owner": ""}, "no_owner"),
        ("budget", {**MODEL, "judge": "rules"}, "no_rules"),
        (
            "budget",
            {**MODEL, "judge": "rules", "rules": STRANGE},
            "unknown_role",
        ),
        ("budget", {"allow_at": 0.9}, "thresholds_unused"),
    ],
)
def test_each_mistake_has_its_code(check: str, of: dict[str, object], code: str) -> None:
    assert code in found({check: of})


def test_all_mistakes_come_at_once() -> None:
    codes = found({"budgt": {}, "release": {"judge": "model"}, "budget": {"judge": "rules"}})
    assert {"unknown_finding", "people_only", "no_thresholds", "no_owner", "no_rules"} <= set(codes)


def test_what_may_be_decided_is_a_check_or_comes_from_who_reads_the_words() -> None:
    known = {each.id for each in PLAN_CHECKS} | {each.id for each in SQL_CHECKS}
    known |= {each.id for each in COST_CHECKS} | {each.id for each in GUARD_CHECKS}
    known |= {each.id for each in DIFFERENCE_CHECKS}
    known |= {each.id for each in ANSWER_CHECKS}
    assert set(HELD) - known == {"nearby_question", "model_plan"}
