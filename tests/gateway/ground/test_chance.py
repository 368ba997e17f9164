"""The chance figure: how many random numbers of the same shape would have passed, and whom it blocks."""

from decimal import Decimal
from random import Random

import pytest

from gateway.ground import GroundRules
from tests.gateway.ground.drafts import check, passes, result

DRAW = Random(5)
MANY = result(
    "Town, Takings:, Costs:, Visits:",
    *(
        (f"Town {chr(65 + n // 26)}{chr(97 + n % 26)}", *(DRAW.randrange(1000, 9999) for _ in range(3)))
        for n in range(60)
    ),
)


def value(row: int, column: int) -> Decimal:
    found = MANY.rows[row][column]
    assert isinstance(found, Decimal)
    return found


def test_every_typed_number_carries_its_chance_and_a_printed_one_none() -> None:
    row = str(MANY.rows[3][0])
    found = check(f"Takings in {row} were {value(3, 1):,}. Costs were {{{{c:{row}.costs}}}}.", MANY)
    assert found.verdict == "pass"
    typed, printed = found.citations
    assert typed.chance is not None
    assert 0 < typed.chance <= 0.001
    assert printed.chance is None


def test_above_the_line_a_number_that_names_nothing_blocks() -> None:
    draft = f"It was {value(3, 1):,}."
    assert not passes(draft, MANY)
    assert check(draft, MANY, rules=GroundRules(chance=0.05)).verdict == "pass"


@pytest.mark.parametrize("rows", [1, 60])
def test_the_line_never_blocks_what_row_and_column_or_a_single_row_bind(rows: int) -> None:
    table = MANY.model_copy(update={"rows": MANY.rows[:rows]})
    draft = f"Takings in {MANY.rows[0][0]} were {value(0, 1):,}."
    assert check(draft, table, rules=GroundRules(chance=0.000001)).verdict == "pass"


def test_no_more_random_numbers_pass_than_the_figure_says() -> None:
    """Each number stands alone with the row named and no column."""
    draw, row = Random(9), str(MANY.rows[7][0])
    true = check(f"{row}: {value(7, 2):,}.", MANY)
    assert true.verdict == "pass"
    said = true.citations[0].chance
    assert said is not None
    tried = 400
    passed = sum(passes(f"{row}: {draw.randrange(1000, 10000):,}.", MANY) for _ in range(tried))
    assert passed / tried <= said + 0.01
