"""Customers of a kind that the question did not ask for, told as all who were counted."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import Q3, check, codes, passes, result

ONE = result("Orders:, Net revenue:EUR", (4410, 901220))
LINES = result("Product line, Net revenue:EUR, Units:", ("Garden", 510220, 7710), ("Kitchen", 330115, 5402))
SMB = replace(
    Q3,
    metrics=("Orders", "Net revenue"),
    filters=(("region", "in", ("Nordics",)), ("customer_segment", "in", ("SMB",))),
)
IBERIA = replace(Q3, metrics=("Net revenue", "Units"), filters=(("region", "in", ("Iberia",)),))
PRO = replace(Q3, metrics=("Orders", "Net revenue"), filters=(("plan", "in", ("Pro",)),))


@pytest.mark.parametrize(
    "draft",
    [
        "SMB customers in the Nordics placed 4,410 orders.",
        "Nordic customers placed 4,410 orders.",
        "Most customers placed one of the 4,410 orders.",
        "To keep customers happy, 4,410 orders were shipped.",
        "Retaining customers was the work behind 4,410 orders.",
        "The largest customers placed many of the 4,410 orders.",
        "Our SMB buyers spent \u20ac901,220.",
        "Active users placed 4,410 orders.",
    ],
)
def test_customers_as_the_question_has_them_may_be_told(draft: str) -> None:
    assert passes(draft, ONE, scope=SMB)


@pytest.mark.parametrize(
    "draft",
    [
        "Enterprise customers in the Nordics placed 4,410 orders.",
        "Benelux customers placed 4,410 orders.",
        "Wholesale buyers brought in \u20ac901,220.",
        "Returning customers placed 4,410 orders.",
        "Orders from enterprise customers came to 4,410.",
        "The 4,410 orders came from SMB and Enterprise customers.",
        "- Corporate clients: 4,410 orders",
        "Austrian customers placed 4,410 orders.",
    ],
)
def test_customers_of_another_kind_block(draft: str) -> None:
    assert codes(check(draft, ONE, scope=SMB)) == {"filter"}


def test_the_values_of_the_result_tell_customers_apart() -> None:
    assert passes("Garden customers in Iberia spent \u20ac510,220.", LINES, scope=IBERIA)
    assert passes("Iberian customers spent \u20ac510,220 on Garden.", LINES, scope=IBERIA)
    assert codes(check("Retail customers spent \u20ac510,220 on Garden.", LINES, scope=IBERIA)) == {"filter"}


def test_the_field_that_was_filtered_may_stand_between() -> None:
    assert passes("Pro plan users placed 4,410 orders.", ONE, scope=PRO)
    assert codes(check("Starter plan users placed 4,410 orders.", ONE, scope=PRO)) == {"filter"}


def test_a_synonym_of_the_filter_is_known_and_a_value_of_another_dimension_is_not() -> None:
    known = {"small-business": ("customer_segment", "SMB"), "premium": ("tier", "Premium")}
    layer = replace(SMB, vocabulary=known)
    assert passes("Small-business customers placed 4,410 orders.", ONE, scope=layer)
    assert codes(check("Premium customers placed 4,410 orders.", ONE, scope=layer)) == {"filter"}


def test_a_table_without_a_question_may_be_told_of_any_customers() -> None:
    assert passes("Enterprise customers placed 4,410 orders.", ONE)
