"""What a caller may not see is offered to them nowhere: not as a reading, a near name or a way to split."""

import pytest

from gateway.intake import take
from metric_layer.visible import Visible
from tests.gateway.intake.ferry import TODAY, layer, words

WORDS = words()
ALL = frozenset(layer().metrics)
CASES = (
    ("revenue last month", "onboard_revenue", Visible(metrics=ALL - {"onboard_revenue"})),
    ("onboard revenue by cabin last month", "vessel", Visible(hidden_columns=frozenset({"facts.vessel"}))),
    ("complaint by market last month", "topic", Visible(hidden_columns=frozenset({"facts.topic"}))),
    ("passengers in Germny last month", "Germany", Visible(hidden_columns=frozenset({"facts.market"}))),
    ("onbord revenue last month", "onboard_revenue", Visible(metrics=ALL - {"onboard_revenue"})),
)


@pytest.mark.parametrize(("question", "hidden", "visible"), CASES)
def test_a_hidden_name_is_offered_to_nobody(question: str, hidden: str, visible: Visible) -> None:
    told, seen = (take(question, WORDS, visible=v, today=TODAY) for v in (visible, Visible()))
    assert hidden not in told.model_dump_json()
    assert hidden in seen.model_dump_json()


@pytest.mark.parametrize("question", ["drop passengers last month", "passengers last month; drop refunds"])
def test_what_is_to_be_left_out_of_nothing_is_asked_back(question: str) -> None:
    assert take(question, WORDS, visible=Visible(), today=TODAY).action == "ask"


def test_a_word_all_of_whose_readings_are_hidden_is_a_word_like_any_other() -> None:
    visible = Visible(metrics=ALL - {"onboard_revenue", "ticket_revenue"})
    told = take("revenue last month", WORDS, visible=visible, today=TODAY)
    assert told.action == "abstain"
    assert "revenue_" not in told.model_dump_json() and "_revenue" not in told.model_dump_json()
