"""Near names: what a misspelt word may have meant, and nothing far from it."""

import pytest

from metric_layer.vocabulary import near, near_terms

NAMES = ("net_revenue", "gross_revenue", "order_count", "region")


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("net_revenu", "net_revenue"),
        ("Net Revenue", "net_revenue"),
        ("ordercount", "order_count"),
        ("regoin", "region"),
    ],
)
def test_a_misspelt_name_finds_its_neighbour_first(word: str, first: str) -> None:
    assert near(word, NAMES)[0] == first


def test_a_slip_comes_before_a_word_that_only_holds_its_letters() -> None:
    assert near("prot", ("processes", "protocol", "port"))[0] == "port"


def test_a_name_misspelt_by_a_letter_names_that_one_alone() -> None:
    assert near("net_revenu", NAMES) == ("net_revenue",)


@pytest.mark.parametrize("word", ["", "zzz", "42"])
def test_a_word_far_from_all_finds_none(word: str) -> None:
    assert near(word, NAMES) == ()


def test_the_order_of_the_names_does_not_matter() -> None:
    assert near("revenue", NAMES) == near("revenue", tuple(reversed(NAMES)))


def test_a_synonym_answers_with_the_governed_name_once() -> None:
    terms = {"turnover": "gross_revenue", "turn over": "gross_revenue", "gross_revenue": "gross_revenue"}
    assert near_terms("turnovr", terms) == ("gross_revenue",)
