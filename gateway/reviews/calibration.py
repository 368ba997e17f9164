"""Judges beside the people who decided the same findings: agreement, Brier score, reliability bins."""

from collections.abc import Iterable, Sequence

from gateway.holds.opinions import Compared
from gateway.reviews.view import CalibrationBin, FindingCalibration
from policies.judge_policy import FindingRule, JudgeKind
from policies.policy import Policy

BINS = 10


def calibrate(opinions: Iterable[Compared], policy: Policy) -> tuple[FindingCalibration, ...]:
    """Return one line per finding and judge. Families are never folded into one figure.

    `n` counts opinions that somebody decided later. A figure without any is None, not zero.
    """
    found: dict[tuple[str, JudgeKind], list[Compared]] = {}
    for each in opinions:
        found.setdefault((each.check, each.judge), []).append(each)
    return tuple(
        _finding(check, judge, said, policy.rule_of(check)) for (check, judge), said in sorted(found.items())
    )


def _finding(check: str, judge: JudgeKind, said: Sequence[Compared], rule: FindingRule) -> FindingCalibration:
    given = [each for each in said if each.chance is not None]
    pairs = [(each.chance, each.accepted) for each in given if each.accepted is not None]
    known = [(float(chance), accepted) for chance, accepted in pairs if chance is not None]
    n = len(known)
    return FindingCalibration(
        check=check,
        judge=judge,
        opinions=len(given),
        faults=len(said) - len(given),
        n=n,
        agreed=sum((chance >= 0.5) == accepted for chance, accepted in known) / n if n else None,
        brier=sum((chance - accepted) ** 2 for chance, accepted in known) / n if n else None,
        bins=tuple(_bin(number, known) for number in range(BINS)),
        allow_at=rule.allow_at,
        deny_at=rule.deny_at,
        owner=rule.owner,
    )


def _bin(number: int, known: Sequence[tuple[float, bool]]) -> CalibrationBin:
    inside = [(chance, accepted) for chance, accepted in known if min(int(chance * BINS), BINS - 1) == number]
    n = len(inside)
    return CalibrationBin(
        low=number / BINS,
        high=(number + 1) / BINS,
        n=n,
        mean_chance=sum(chance for chance, _ in inside) / n if n else None,
        accepted=sum(accepted for _, accepted in inside) / n if n else None,
    )
