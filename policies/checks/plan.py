"""Checks on the plan: it resolves, the caller may ask it, and its class of question is released."""

from collections.abc import Iterable

from policies.facts import Finding, PlanFacts


def check_plan(facts: PlanFacts) -> Iterable[Finding]:
    """Refuse a plan that does not resolve, one finding per issue, so that all can be mended at once."""
    if facts.plan is None:
        yield Finding("skipped", "free SQL brings no plan")
    elif not facts.issues:
        yield Finding("allow", "every name is governed", seen=", ".join(facts.plan.metrics))
    for issue in facts.issues:
        yield Finding(
            "hard",
            issue.message,
            seen=issue.seen,
            place=issue.path,
            candidates=issue.candidates,
            next_step=issue.next_step,
            retry=True,
        )


def check_entitlement(facts: PlanFacts) -> Iterable[Finding]:
    """Refuse a caller without a role in force, or whose role may not ask."""
    if facts.role is None:
        yield Finding(
            "hard",
            "none of the caller's roles is in the policy",
            seen=", ".join(facts.caller.roles) or "no role",
            next_step="Ask the policy's owner for a role.",
        )
    elif "ask" not in facts.role.may:
        yield Finding(
            "hard",
            f"the role {facts.role_name} may not ask questions",
            seen=facts.role_name,
            next_step="Ask the policy's owner for the right to ask.",
        )
    else:
        yield Finding("allow", "the role may ask", seen=facts.role_name)


def check_definition_status(facts: PlanFacts) -> Iterable[Finding]:
    """Hold a plan that rests on a draft or on a definition out of its term, if the policy says so."""
    for name in facts.unsettled:
        yield Finding(
            "hold",
            f"{name} is a draft or not in effect",
            seen=name,
            place=name,
            next_step="Ask its owner to certify it, or let a reviewer decide.",
        )


def check_release(facts: PlanFacts) -> Iterable[Finding]:
    """Hold free SQL that would be told; a class that the policy does not name only runs dry."""
    name = facts.release_class
    stage = facts.stage or facts.policy.stage_of(name)
    told = stage not in ("dry_run", "shadow") and not facts.dry_run
    if told and facts.policy.match_of(name) == "free":
        yield Finding(
            "hold", "free SQL is always reviewed", seen=stage, next_step="A reviewer has to decide it."
        )
    elif stage == "shadow" and not facts.dry_run:
        yield Finding(
            "allow", f"class {name} runs in shadow: its answers are recorded and not told", seen=stage
        )
    elif stage == "dry_run" and not facts.dry_run:
        yield Finding("allow", f"class {name} runs dry: execution is off", seen=stage)
    else:
        yield Finding("allow", f"class {name} is released", seen=stage)
