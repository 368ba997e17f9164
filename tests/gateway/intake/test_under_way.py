"""A period under way is held against as much of the other; what cannot be read is named with what is near."""

from datetime import date

import pytest

from gateway.intake.outcome import IntakeAbstain, IntakeAsk, IntakePlan
from gateway.intake.take import take
from metric_layer.visible import Visible
from tests.gateway.intake.ferry import TODAY
from tests.gateway.intake.test_questions import WORDS


def _taken(question: str) -> object:
    return take(question, WORDS, visible=Visible(), today=TODAY)


@pytest.mark.parametrize("other", ["2025", "last year"])
def test_a_year_under_way_is_held_against_the_same_part_of_the_one_before(other: str) -> None:
    found = _taken(f"passengers 2026 vs {other}")
    assert isinstance(found, IntakePlan)
    assert found.compared is not None
    assert found.plan.time is not None
    first, last = found.plan.time.from_, min(found.plan.time.to, TODAY)
    assert found.compared.from_ == first.replace(year=2025)
    assert found.compared.to == last.replace(year=2025)


def test_whole_years_stay_whole() -> None:
    found = take("passengers 2025 vs 2024", WORDS, visible=Visible(), today=date(2026, 5, 14))
    assert isinstance(found, IntakePlan)
    assert found.compared is not None
    assert (found.compared.from_, found.compared.to) == (date(2024, 1, 1), date(2024, 12, 31))


@pytest.mark.parametrize(
    "text", ["DROP TABLE passengers", "delete from bookings where 1=1", "update bookings set fare = 0"]
)
def test_a_statement_that_writes_is_no_question(text: str) -> None:
    found = _taken(text)
    assert isinstance(found, IntakeAbstain)
    assert found.reason == "unsupported"
    assert found.missing == ("a change of the data",)


def test_an_unknown_word_is_told_before_the_one_way_to_split_beside_it() -> None:
    found = _taken("Fahrgaeste nach route")
    assert isinstance(found, IntakeAsk | IntakeAbstain)
    assert all("route" not in problem.term.lower() for problem in found.problems)
    assert any("Fahrgaeste" in problem.term for problem in found.problems)


def test_an_average_that_is_no_metric_names_the_near_ones() -> None:
    found = _taken("average passengers in April 2026")
    assert isinstance(found, IntakeAbstain)
    assert "passengers" in found.near
