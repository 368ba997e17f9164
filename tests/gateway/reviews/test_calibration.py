"""How well a judge agrees with people: defined figures with their n, undefined ones left undefined."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.holds.opinions import Compared
from gateway.reviews.calibration import calibrate
from gateway.reviews.reliability import reliability_svg

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40)


def said(pairs: list[tuple[float, bool]], check: str = "budget") -> list[Compared]:
    return [Compared(check, "model", chance, accepted) for chance, accepted in pairs]


@given(pairs=PAIRS)
def test_the_bins_hold_every_pair_once_and_the_score_is_that_of_its_definition(
    pairs: list[tuple[float, bool]],
) -> None:
    found = calibrate(said(pairs)).findings
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
    (line,) = calibrate(
        [Compared("claims", "model", 0.7, None), Compared("claims", "model", None, None)]
    ).findings
    assert (line.opinions, line.faults, line.n, line.agreed, line.brier) == (1, 1, 0, None, None)


def test_findings_are_never_folded_into_one_figure() -> None:
    found = calibrate([*said([(0.9, True)]), *said([(0.9, False)], "claims")]).findings
    assert [(each.check, each.agreed) for each in found] == [("budget", 1.0), ("claims", 0.0)]


@given(pairs=PAIRS.filter(bool))
def test_the_plot_is_a_picture_with_a_point_per_filled_bin_and_its_n(pairs: list[tuple[float, bool]]) -> None:
    (line,) = calibrate(said(pairs)).findings
    picture = ET.fromstring(reliability_svg(line))
    named = "{http://www.w3.org/2000/svg}"
    points = picture.findall(f"{named}circle")
    assert len(points) == sum(bool(each.n) for each in line.bins)
    titles = {point.findtext(f"{named}title") for point in points}
    assert titles == {f"n={each.n}" for each in line.bins if each.n}
    assert picture.get("role") == "img" and str(line.n) in (picture.get("aria-label") or "")
