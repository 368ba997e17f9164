"""Looks at everything a question needs: settings, definitions, database, proofs, doors, installation."""

from importlib.metadata import packages_distributions
from pathlib import Path

from gateway.doors.cli_open import opened
from gateway.doors.faults import FAULTS, refusal_for
from gateway.proof import prove_roles
from gateway.reply import Finding, Readiness
from gateway.settings import IdentitySettings

DISTRIBUTION = "cellbound"
ROOMS = ("gateway", "policies", "evals", "traces", "metric_layer")


def examine(project: Path | None) -> Readiness:
    """Return what was found; a project that cannot be opened is itself a finding."""
    findings = (*_project(project), _installation())
    return Readiness(ready=all(finding.ok for finding in findings), findings=findings)


def _project(project: Path | None) -> tuple[Finding, ...]:
    try:
        with opened(project) as house:
            return (
                *house.gateway.ready().findings,
                *prove_roles(house.gateway.house),
                *_doors(house.settings.identity),
            )
    except FAULTS as fault:
        return tuple(
            Finding(
                name=issue.code,
                ok=False,
                detail=f"{issue.place}: {issue.message}" if issue.place else issue.message,
                next_step=issue.next_step,
            )
            for issue in refusal_for(fault, local=True).issues
        )


def _doors(identity: IdentitySettings) -> tuple[Finding, ...]:
    """Say who may come through which door; a door without a user is closed, which is no fault."""
    tokens = sorted({token.user for token in identity.tokens})
    said = (
        ("command line", identity.cli_user or "closed without --as"),
        ("mcp over stdio", identity.stdio_user or "closed"),
        ("http", ", ".join(tokens) or "closed"),
    )
    return tuple(Finding(name=f"door {name}", ok=True, detail=detail) for name, detail in said)


def _installation() -> Finding:
    """Say whether another distribution owns one of our five import names."""
    owners = packages_distributions()
    clashes = [
        f"{room} also belongs to {owner}"
        for room in ROOMS
        for owner in sorted({name for name in owners.get(room, ()) if name.lower() != DISTRIBUTION})
    ]
    return Finding(
        name="installation",
        ok=not clashes,
        detail="; ".join(clashes) or "no other distribution owns one of our import names",
        next_step="Install cellbound into an environment of its own." if clashes else "",
    )
