"""The page on questions says what happens."""

import re
from pathlib import Path

import pytest

from gateway.intake import take
from metric_layer.visible import Visible
from tests.gateway.intake.ferry import TODAY, words
from tests.gateway.intake.outcomes import plan_of, written

PAGE = Path(__file__).resolve().parents[3] / "docs" / "questions.md"
WORDS = words()
EARLIER = plan_of("m:ticket_revenue d:route t:2026-02-01..2026-04-30")


def shown(kind: str) -> list[tuple[str, str]]:
    blocks = re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line.partition(" => ") for block in blocks for line in block.splitlines()]
    return [(question, outcome) for question, _, outcome in lines]


@pytest.mark.parametrize(("question", "outcome"), shown("questions"))
def test_a_question_on_the_page_has_the_outcome_beside_it(question: str, outcome: str) -> None:
    assert written(take(question, WORDS, visible=Visible(), today=TODAY)) == outcome


@pytest.mark.parametrize(("question", "outcome"), shown("follow-ups"))
def test_a_follow_up_on_the_page_has_the_outcome_beside_it(question: str, outcome: str) -> None:
    assert written(take(question, WORDS, visible=Visible(), today=TODAY, previous=EARLIER)) == outcome
