"""Questions over other businesses, calendars and weeks: their rules are in the vocabularies."""

from datetime import date
from pathlib import Path

import pytest
import yaml

from gateway.intake import take
from metric_layer.visible import Visible
from tests.corpora.intake import words_of
from tests.gateway.intake.outcomes import cases, plan_of, written

HERE = Path(__file__).parent
# Each business with the plan that its follow-ups stand on.
EARLIER = {
    "hospital": plan_of("m:admissions d:site t:2026-04-01..2026-06-30"),
    "parcel": plan_of("m:parcels_shipped d:country t:2026-01-01..2026-03-31"),
    "bank": plan_of("m:new_accounts d:product t:2025-10-01..2025-12-31"),
}
VOCABULARIES = {name: yaml.safe_load((HERE / f"{name}.yml").read_text(encoding="utf-8")) for name in EARLIER}
WORDS = {name: words_of(vocabulary) for name, vocabulary in VOCABULARIES.items()}
CASES = [(name, *case) for name in EARLIER for case in cases(HERE / f"{name}.txt")]


@pytest.mark.parametrize(("business", "earlier", "question", "outcome"), CASES)
def test_a_question_of_another_business_has_the_outcome_that_the_rules_demand(
    business: str, earlier: str, question: str, outcome: str
) -> None:
    today: date = VOCABULARIES[business]["today"]
    previous = EARLIER[business] if earlier else None
    found = take(question, WORDS[business], visible=Visible(), today=today, previous=previous)
    assert written(found) == outcome


def test_a_window_that_stands_still_offers_both_readings() -> None:
    found = take(
        "the previous quarter?",
        WORDS["hospital"],
        visible=Visible(),
        today=VOCABULARIES["hospital"]["today"],
        previous=EARLIER["hospital"],
    )
    assert [problem.options for problem in found.problems] == [  # type: ignore[union-attr]
        ("2026-04-01 to 2026-06-30", "2026-01-01 to 2026-03-31")
    ]
