"""Rules of the policy by which a class goes down by itself, held against the newest comparisons."""

from collections.abc import Sequence
from datetime import datetime
from fnmatch import fnmatchcase

from gateway.releases.store import ReleaseStore
from policies.policy import Policy
from policies.release import STAGES, DemotionRule
from traces.release_records import AnswerCompared, EvidenceFigure, Stage


def broken_rule(
    policy: Policy, store: ReleaseStore, name: str, stage: Stage, since: datetime | None
) -> tuple[DemotionRule, EvidenceFigure] | None:
    """Return the rule that takes a class down furthest from its stage, with the share that met it; or None.

    Comparisons from before `since`, the last decision, were known when it was taken and count no more.
    """
    met = []
    for rule in policy.ladder.demote:
        lower = STAGES.index(rule.to) < STAGES.index(stage)
        if lower and any(fnmatchcase(name, pattern) for pattern in rule.classes):
            figure = _share(rule, store, name, since)
            if figure.n >= rule.least and figure.value is not None and figure.value > rule.above:
                met.append((rule, figure))
    return min(met, key=lambda each: STAGES.index(each[0].to), default=None)


def said(rule: DemotionRule, figure: EvidenceFigure) -> str:
    """Return a rule that was met, in words."""
    return f"{rule.measure} {figure.value:.3f} of the last {figure.n}, above {rule.above:g} ({rule.owner})"


def _share(rule: DemotionRule, store: ReleaseStore, name: str, since: datetime | None) -> EvidenceFigure:
    found = store.compared(name, last=rule.last, told_only=rule.measure == "corrected")
    newer = [each for each in found if since is None or each.at > since]
    return EvidenceFigure(name=rule.measure, value=disagreed(newer), n=len(newer))


def disagreed(compared: Sequence[AnswerCompared]) -> float | None:
    """Return the share of comparisons that did not agree; None of none."""
    return sum(not each.agreed for each in compared) / len(compared) if compared else None
