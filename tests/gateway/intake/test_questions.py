"""Questions over a ferry line, each with the outcome that the rules of the page demand."""

import pytest

from gateway.intake import take
from metric_layer.visible import Visible
from tests.gateway.intake.ferry import TODAY, words
from tests.gateway.intake.outcomes import cases, plan_of, written

EARLIER = {
    "": None,
    "A": plan_of("m:ticket_revenue d:route t:2026-02-01..2026-04-30"),
    "B": plan_of("m:passengers f:market=Norway t:2026-04-01..2026-04-30 g:week"),
    "C": plan_of(
        "m:passengers d:route t:2026-04-01..2026-04-30 c:previous_year:2025-04-01..2025-04-30 "
        "o:passengers:desc n:5"
    ),
}
WORDS = words()


@pytest.mark.parametrize(("earlier", "question", "outcome"), cases())
def test_a_question_has_the_outcome_that_the_rules_demand(earlier: str, question: str, outcome: str) -> None:
    found = take(question, WORDS, visible=Visible(), today=TODAY, previous=EARLIER[earlier])
    assert written(found) == outcome
