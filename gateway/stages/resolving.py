"""What a plan means to who asks it today: resolved once, and looked up when it is asked again."""

from collections.abc import Mapping

from gateway.record.journal import Journal
from metric_layer.plan import MetricPlan
from metric_layer.resolve import Resolved, resolve
from metric_layer.resolved import ResolvedPlan
from policies.entitlement import Entitlement
from policies.small_groups import count_groups


def reading_of(journal: Journal, role: Entitlement, plan: MetricPlan, choices: Mapping[str, str]) -> Resolved:
    """Resolve a plan with these readings of its open terms; what could be is kept for its role and day."""
    house = journal.house
    today = house.now().date()
    key = (role.role_name, today, journal.plan_digest, tuple(sorted(choices.items())))
    known = house.kept.resolutions.found(key)
    if known is not None:
        return known
    found = resolve(
        plan,
        house.layer,
        visible=role.visible,
        choices=choices,
        today=today,
        dialect=house.engine.dialect,
        allow=house.governed.policy.askable,
    )
    return house.kept.resolutions.put(key, found) if isinstance(found, ResolvedPlan) else found


def counting_groups(journal: Journal, role: Entitlement, plan: ResolvedPlan) -> Resolved:
    """Return a plan with the counts of its groups, which the policy and the role decide alone."""
    house = journal.house
    key = ("counted", role.role_name, plan)
    known = house.kept.resolutions.found(key)
    if known is not None:
        return known
    found = count_groups(plan, house.layer, role, house.governed.policy.reading.min_group)
    return house.kept.resolutions.put(key, found) if isinstance(found, ResolvedPlan) else found
