"""What stands on one line explains no number that stands on another, before it or behind it."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, codes, passes, regions, result
from tests.gateway.ground.drafts import check as checked

TABLE = regions("USD", "Net revenue", 4812300, 3127450, 5990210)
TRUE = "Iberia made $3,127,450."
QUARTERS = result("Region, Q3 2025:EUR, Q3 2026:EUR", ("North", 400, 500), ("South", 500, 400))
RAN = Scope(today=TODAY, start=date(2026, 7, 1), end=date(2026, 10, 1), metrics=("EUR",))


@pytest.mark.parametrize("draft", ["&#49; . ", "1. ", "1.\t", "7) ", "- 12. ", "> (3) ", "2. .", "4. **"])
def test_a_number_with_no_words_behind_it_on_its_line_is_no_list_marker(draft: str) -> None:
    assert not passes(draft, TABLE)
    assert not passes(f"{draft}\n{TRUE}", TABLE)
    assert not passes(f"{TRUE}\n{draft}\n", TABLE)


@pytest.mark.parametrize("marker", ["1. ", "12) ", "(3) ", "- 2. ", "> 4.  ", "1. **"])
def test_a_marker_of_a_line_with_words_is_no_number(marker: str) -> None:
    assert passes(f"{marker}{TRUE}", TABLE)
    assert passes(f"{marker}$3,127,450 is what Iberia made.", TABLE)


@pytest.mark.parametrize(
    "draft",
    [
        "It came to 7{}July was quiet.",
        "It came to 3.{}March was quiet.",
        "They counted 7{}am and pm are left out.",
        "It is 3{}regions are what the rows are.",
        "It took 12{}days later than planned.",
        "More is said in the table{}9",
        "This is for the week{}31",
        "These are all{}3",
    ],
)
def test_a_line_end_parts_a_number_from_the_words_that_would_explain_it(draft: str) -> None:
    assert not passes(draft.format("\n"), TABLE)
    assert not passes(draft.format("\n\n"), TABLE)


@pytest.mark.parametrize(
    "draft",
    ["In the week of 7 July\n{}", "More is said in table 9.\n{}", "In July\n2026 {}", "As of Q3\n2026, {}"],
)
def test_what_one_line_says_of_a_number_holds_and_a_year_may_open_the_next(draft: str) -> None:
    assert passes(draft.format(TRUE), TABLE)


def test_a_unit_at_the_end_of_a_line_makes_no_amount_of_the_next_a_label() -> None:
    assert codes(checked("Net revenue in USD\nThousands came back.", TABLE)) == {"residual"}
    assert passes("Net revenue in USD thousands.", TABLE)


@pytest.mark.parametrize("later", ["It went up and down.", "In Q3 2025 it was another matter."])
def test_a_period_spoken_of_later_takes_nothing_back(later: str) -> None:
    assert not passes("North made 400.", QUARTERS, scope=RAN)
    assert not passes(f"North made 400. {later}", QUARTERS, scope=RAN)
    assert not passes(f"North made 400.\n\n{later}", QUARTERS, scope=RAN)


def test_a_period_spoken_of_before_or_in_the_sentence_is_meant() -> None:
    assert passes("North made 400 in Q3 2025.", QUARTERS, scope=RAN)
    assert passes("North made 500, up from 400.", QUARTERS, scope=RAN)
