"""Proves, role by role, that the database itself holds the limits of the policy."""

from gateway.engines.base import EngineError, Promise
from gateway.errors import NotProved
from gateway.house import House, scope_of_role
from gateway.reply import Finding
from metric_layer.issues import Issue
from policies.entitlement import Entitlement

MEND = "Correct the policy or the database; nothing is served until this holds."


def prove_roles(house: House) -> tuple[Finding, ...]:
    """Probe every role of the policy in the database and say what was found, one finding per role."""
    return tuple(_prove(house, role) for role in house.entitlements)


def inspect_roles(house: House) -> tuple[Finding, ...]:
    """Try the limits that outlive our bugs, role by role, and say what was found, one finding per limit."""
    mend = f"`cellbound setup sql --engine {house.engine.dialect}` prints what mends it."
    found: list[Finding] = []
    for role in house.entitlements:
        scope, step = scope_of_role(role, house.keys), mend
        try:
            promises = house.engine.inspect(scope)
        except EngineError as fault:
            promises, step = (Promise("limits", "", (f"not proved: {fault}",)),), fault.next_step or mend
        found.extend(
            Finding(
                name=f"role {role.role_name}: {promise.name}",
                ok=not promise.faults,
                detail="; ".join(promise.faults) or promise.found,
                next_step=step if promise.faults else "",
            )
            for promise in promises
        )
    return tuple(found)


def _prove(house: House, role: Entitlement) -> Finding:
    try:
        faults = house.engine.probe(scope_of_role(role, house.keys))
        next_step = MEND
    except EngineError as fault:
        faults = (f"not proved: {fault}",)
        next_step = fault.next_step or MEND
    return Finding(
        name=f"role {role.role_name}",
        ok=not faults,
        detail="; ".join(faults) or "sees its rows and columns and no others",
        next_step=next_step if faults else "",
    )


def require_proof(house: House) -> None:
    """Raise NotProved, naming every role whose limits could not be proved."""
    broken = [finding for finding in prove_roles(house) if not finding.ok]
    if broken:
        raise NotProved(
            [
                Issue(
                    code="not_proved",
                    message=f"{finding.name}: {finding.detail}.",
                    next_step=finding.next_step,
                )
                for finding in broken
            ]
        )
