"""What is wrong with the part of a policy that says who decides what is held; all of it at once."""

from collections.abc import Iterator

from metric_layer.issues import Issue
from metric_layer.validate import pointer_text
from metric_layer.vocabulary import near
from policies.judge import PEOPLE_ONLY, QUESTIONS
from policies.judge_policy import FindingRule
from policies.policy import Policy

HELD = tuple(sorted((*QUESTIONS, *PEOPLE_ONLY)))
"""The checks whose findings somebody may decide. All other findings are hard, or settled by code."""


def judge_issues(policy: Policy, place: str) -> Iterator[Issue]:
    """Yield each problem of `findings`: unknown checks, judges without thresholds, an owner or a model."""
    for check, of in policy.findings.items():
        if check not in HELD:
            yield Issue(
                code="unknown_finding",
                message=f"findings names {check!r}, whose findings nobody decides.",
                path=pointer_text(("findings", check)),
                place=place,
                seen=check,
                candidates=near(check, HELD),
                next_step=f"Findings that are held: {', '.join(HELD)}.",
            )
            continue
        for code, message, step in _rule_problems(check, of, policy):
            path = pointer_text(("findings", check))
            yield Issue(code=code, message=message, path=path, place=place, seen=check, next_step=step)


def _rule_problems(check: str, of: FindingRule, policy: Policy) -> Iterator[tuple[str, str, str]]:
    if of.judge == "person":
        if of.allow_at is not None or of.deny_at is not None or of.rules:
            message = f"{check} is decided by a person, who needs no thresholds and no rules."
            yield "thresholds_unused", message, "Name a judge (model or rules), or leave them out."
        return
    if check in PEOPLE_ONLY:
        message = f"{check} is always decided by a person."
        yield "people_only", message, "Leave its judge out."
    if of.allow_at is None or of.deny_at is None:
        message = f"The judge of {check} has no two thresholds."
        yield "no_thresholds", message, "Give it `allow_at` and `deny_at`."
    elif of.allow_at <= of.deny_at:
        message = f"{check} is allowed at {of.allow_at:g}, not above {of.deny_at:g}, where it is denied."
        yield "thresholds_reversed", message, "Write the higher number as `allow_at`."
    if not of.owner:
        yield "no_owner", f"Nobody owns the thresholds of {check}.", "Name their `owner`."
    if of.judge == "model" and policy.judge is None:
        message = f"{check} is put to a model, and the policy names none."
        yield "no_judge", message, "Add `judge: {url: ...}`."
    if of.judge == "rules" and not of.rules:
        yield "no_rules", f"{check} is judged by rules, and there are none.", "Give it `rules`."
    unknown = sorted({role for each in of.rules for role in each.roles} - set(policy.roles))
    if unknown:
        message = f"A rule of {check} names roles that the policy does not define: {', '.join(unknown)}."
        yield "unknown_role", message, f"The roles are: {', '.join(policy.roles)}."
