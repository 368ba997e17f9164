"""What the checks of a plan may look at: who asks, what resolving it said, what is known of its keys."""

from gateway.record.journal import Journal
from gateway.stages.conservation import attested_for, broken_keys, stale_keys
from metric_layer.issues import Issue
from metric_layer.naming import out_of_force_names
from metric_layer.resolved import ResolvedPlan
from policies.entitlement import Entitlement
from policies.facts import PlanFacts

HIDDEN_METRIC = "a metric that it rests on"


def plan_facts(journal: Journal, role: Entitlement | None, issues: tuple[Issue, ...]) -> PlanFacts:
    """Return the facts of a question's plan as it was resolved; without a role in force nothing is known."""
    plan = journal.resolved
    stale: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    if role and plan:
        journal.attested = attested_for(journal.house, journal.recorder, role, plan)
        stale = stale_keys(journal.house, role, plan, journal.attested)
        unsettled = _unsettled(journal, role, plan)
    return PlanFacts(
        caller=journal.caller,
        role_name=role.role_name if role else "",
        role=role.role if role else None,
        policy=journal.house.governed.policy,
        plan=journal.ask.plan,
        issues=issues,
        release_class=journal.release.question_class,
        stage=journal.release.stage,
        dry_run=journal.ask.dry_run,
        broken_keys=broken_keys(journal.house, role, journal.attested) if role else (),
        stale_keys=stale,
        unsettled=unsettled,
    )


def _unsettled(journal: Journal, role: Entitlement, plan: ResolvedPlan) -> tuple[str, ...]:
    """Return the metrics of a plan that are not in force and are asked under review; hidden ones unnamed."""
    house, policy = journal.house, journal.house.governed.policy
    used = (house.layer.metrics[each.name] for each in plan.used if each.kind == "metric")
    names = out_of_force_names(used, house.now().date(), policy.definitions)
    shown = (name if role.visible.metric(name) else HIDDEN_METRIC for name in names)
    return tuple(dict.fromkeys(shown))
