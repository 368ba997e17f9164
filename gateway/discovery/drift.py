"""Two looks at a database -> what is not as it was: columns that came or went, forms that changed."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from gateway.discovery.kinds import PROVED
from gateway.discovery.reports import ColumnProfile, DiscoveryReport, Drift

MOVED = 20
"""Percentage points from which the share of a form has changed."""


def drift_between(before: DiscoveryReport, now: DiscoveryReport) -> Iterator[Drift]:
    """Yield what changed since the look before, column by column."""
    was = {each.column: each for each in before.profiles}
    looked = {each.column: each for each in now.profiles}
    datasets = {name.partition(".")[0] for name in looked}
    unlisted = set(before.unlisted)
    yield from (
        Drift(column=name, drift="new_column", now="not in the layer")
        for name in now.unlisted
        if name not in unlisted
    )
    for name, profile in looked.items():
        if name not in was:
            yield Drift(column=name, drift="new_column", now=_said(profile))
        elif _changed(was[name], profile):
            yield Drift(column=name, drift="changed_pattern", was=_said(was[name]), now=_said(profile))
    for name in was:
        if name not in looked and name.partition(".")[0] in datasets:
            yield Drift(column=name, drift="gone_column", was=_said(was[name]))


def mark_of(drift: Iterable[Drift]) -> str:
    """Return what tells one set of changes from another, whatever the shares came to since."""
    named = sorted(f"{each.column} {each.drift}" for each in drift)
    return sha256("\n".join(named).encode()).hexdigest()[:32]


def _changed(before: ColumnProfile, now: ColumnProfile) -> bool:
    """Say whether a form's share moved, or one appears that was nowhere; without values nothing is told."""
    if not (before.sampled and now.sampled):
        return False
    for kind in PROVED:
        was, is_ = before.percent.get(kind, 0), now.percent.get(kind, 0)
        if abs(is_ - was) >= MOVED or (is_ and not was and kind in ("email", "iban", "card", "phone")):
            return True
    return False


def _said(profile: ColumnProfile) -> str:
    kinds = (f"{kind} {percent}%" for kind, percent in sorted(profile.percent.items()) if kind in PROVED)
    return ", ".join(kinds) or f"no form in {profile.sampled}"
