"""How well a judge agrees with people: defined figures with their n, undefined ones left undefined."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.holds.opinions import Compared
from gateway.holds.records import Pace
from gateway.reviews.calibration import calibrate
from gateway.reviews.pace import paces
from gateway.reviews.reliability import reliability_svg
from policies.judge_policy import FindingRule
from policies.policy import Policy, Role

RULE = FindingRule(judge="model", allow_at=0.9, deny_at=0.1, owner="risk")
POLICY = Policy(name="p", roles={"r": Role(datasets=("d",))}, findings={"budget": RULE})
PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40)


def said(pairs: list[tuple[float, bool]], check: str = "budget") -> list[Compared]:
    return [Compared(check, "model", chance, accepted) for chance, accepted in pairs]


@given(pairs=PAIRS)
def test_the_bins_hold_every_pair_once_and_the_score_is_that_of_its_definition(
    pairs: list[tuple[float, bool]],
) -> None:
    found = calibrate(said(pairs), POLICY)
    if not pairs:
        assert found == ()
        return
    (line,) = found
    assert line.n == len(pairs) == sum(each.n for each in line.bins)
    assert line.brier == pytest.approx(sum((p - a) ** 2 for p, a in pairs) / len(pairs))
    for each in line.bins:
        if each.n:
            assert each.mean_chance is not None and each.accepted is not None
            assert each.low - 1e-9 <= each.mean_chance <= each.high + 1e-9
        else:
            assert each.mean_chance is None and each.accepted is None


def test_opinions_that_nobody_decided_are_counted_and_give_no_figure() -> None:
    unsure = [Compared("claims", "model", 0.7, None), Compared("claims", "model", None, None)]
    (line,) = calibrate(unsure, POLICY)
    assert (line.opinions, line.faults, line.n, line.agreed, line.brier) == (1, 1, 0, None, None)


def test_findings_are_never_folded_into_one_figure() -> None:
    found = calibrate([*said([(0.9, True)]), *said([(0.9, False)], "claims")], POLICY)
    assert [(each.check, each.agreed) for each in found] == [("budget", 1.0), ("claims", 0.0)]


@given(pairs=PAIRS.filter(bool))
def test_the_plot_is_a_picture_with_a_point_per_filled_bin_and_its_n(pairs: list[tuple[float, bool]]) -> None:
    (line,) = calibrate(said(pairs), POLICY)
    picture = ET.fromstring(reliability_svg(line))
    named = "{http://www.w3.org/2000/svg}"
    points = picture.findall(f"{named}circle")
    assert len(points) == sum(bool(each.n) for each in line.bins)
    titles = {point.findtext(f"{named}title") for point in points}
    assert titles == {f"n={each.n}" for each in line.bins if each.n}
    assert picture.get("role") == "img" and str(line.n) in (picture.get("aria-label") or "")


def test_a_finding_stands_beside_the_lines_and_the_owner_that_the_policy_gives_it() -> None:
    budget, claims = calibrate([*said([(0.9, True)]), *said([(0.9, False)], "claims")], POLICY)
    assert (budget.allow_at, budget.deny_at, budget.owner) == (0.9, 0.1, "risk")
    assert (claims.allow_at, claims.deny_at, claims.owner) == (None, None, "")


def test_each_reviewer_has_their_own_pace_and_share() -> None:
    quick = [Pace("q", True, seconds) for seconds in (1.0, 2.0, 9.0)]
    slow = [Pace("s", accepted, 600.0) for accepted in (True, False)]
    first, second = paces([*slow, *quick])
    assert (first.reviewer, first.n, first.accepted, first.median_seconds) == ("q", 3, 1.0, 2.0)
    assert (second.reviewer, second.n, second.accepted, second.median_seconds) == ("s", 2, 0.5, 600.0)
    assert paces([]) == ()
