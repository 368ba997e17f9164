"""Looks at everything a question needs: settings, definitions, database, proofs, doors, installation."""

from importlib.metadata import packages_distributions
from pathlib import Path

from gateway.custody.findings import custody_findings
from gateway.doors.faults import FAULTS, refusal_for
from gateway.doors.opened import opened
from gateway.models.configured import ConfiguredModel
from gateway.models.reach import look_at
from gateway.operation.proof import inspect_roles, prove_roles
from gateway.reply import Finding, Readiness
from gateway.service import Gateway
from gateway.settings.file import IdentitySettings

DISTRIBUTION = "cellbound"
ROOMS = ("gateway", "policies", "evals", "traces", "metric_layer")


def examine(project: Path | None) -> Readiness:
    """Return what was found; a project that cannot be opened is itself a finding, and advice is none."""
    findings = (*_project(project), _installation())
    ready = all(finding.ok or not finding.needed for finding in findings)
    return Readiness(ready=ready, findings=findings)


def _project(project: Path | None) -> tuple[Finding, ...]:
    try:
        with opened(project) as house:
            return (
                *house.gateway.ready().findings,
                _clock(house.gateway),
                *custody_findings(house.settings, house.gateway.house.keys),
                *prove_roles(house.gateway.house),
                *inspect_roles(house.gateway.house),
                *_doors(house.settings.identity),
                *_model(house.gateway),
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


def _model(gateway: Gateway) -> tuple[Finding, ...]:
    """Say whether the model that the settings name could be asked; without one there is nothing to say."""
    model = gateway.house.model
    return (look_at(model),) if isinstance(model, ConfiguredModel) else ()


def _clock(gateway: Gateway) -> Finding:
    """Say whether time goes on: ids and expiries are made of it."""
    now = gateway.house.now()
    newest = next(iter(gateway.traces.list(1)), None)
    ahead = (newest.at - now).total_seconds() if newest else 0.0
    if ahead <= 0:
        return Finding(name="clock", ok=True, detail=f"{now:%Y-%m-%d %H:%M:%S} UTC")
    return Finding(
        name="clock",
        ok=False,
        detail=f"the newest trace is {ahead:.0f} s in the future",
        next_step="Set this machine's clock by a time server.",
    )


def _doors(identity: IdentitySettings) -> tuple[Finding, ...]:
    """Say who may come through which door; a door without a user is closed, which is no fault."""
    tokens = sorted({token.user for token in identity.tokens})
    ways = [
        *([f"listed tokens of {', '.join(tokens)}"] if tokens else []),
        *([f"tokens of {identity.oidc.issuer}"] if identity.oidc.issuer else []),
        *([f"a proxy's header {identity.proxy.header}"] if identity.proxy.header else []),
    ]
    said = (
        ("command line", identity.cli_user or "closed without --as"),
        ("mcp over stdio", identity.stdio_user or "closed"),
        ("http", "; ".join(ways) or "closed to listed tokens; `cellbound token list` shows the issued ones"),
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
