"""A rule broken by one definition, and the few sentences that rules share."""

from collections.abc import Iterable
from dataclasses import dataclass

from metric_layer.draft import Draft, Site
from metric_layer.issues import Issue
from metric_layer.vocabulary import near
from metric_layer.zones import near_zones


@dataclass(frozen=True, slots=True)
class Fault:
    """The name of the definition that breaks a rule, and the issue to show."""

    name: str
    issue: Issue


def fault(
    name: str, site: Site, inside: tuple[str | int, ...], code: str, message: str, step: str = ""
) -> Fault:
    """Return a fault at a part of a definition."""
    return Fault(name, Issue(code=code, message=message, place=site.place(*inside), next_step=step))


def unknown(
    name: str, site: Site, inside: tuple[str | int, ...], kind: str, seen: str, known: Iterable[str]
) -> Fault:
    """Return the fault of a name that no definition has."""
    pool = tuple(known)
    candidates = near(seen, pool)
    listed = ", ".join(pool[:12]) or f"define a {kind} first"
    return Fault(
        name,
        Issue(
            code=f"unknown_{kind}",
            message=f"{name} names the {kind} {seen!r}, which does not exist.",
            place=site.place(*inside),
            seen=seen,
            candidates=candidates,
            next_step=f"Did you mean {candidates[0]}?" if candidates else f"Known: {listed}.",
        ),
    )


def unknown_zone(name: str, site: Site, inside: tuple[str | int, ...], seen: str) -> Fault:
    """Return the fault of a time zone that does not exist."""
    candidates = near_zones(seen)
    step = f"Did you mean {candidates[0]}?" if candidates else "Write a name such as Europe/Berlin or UTC."
    issue = Issue(
        code="unknown_zone",
        message=f"There is no time zone {seen!r}.",
        place=site.place(*inside),
        seen=seen,
        candidates=candidates,
        next_step=step,
    )
    return Fault(name, issue)


def is_broken(draft: Draft, section: str, name: str) -> bool:
    """Say whether an item of this name was written but could not be read; it has its own issues already."""
    return (section, name) in draft.broken
