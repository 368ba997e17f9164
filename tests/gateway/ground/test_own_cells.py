"""Texts of cells in our own answer: readable as quoted values, and no reason to block the answer itself."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gateway.ground.own import print_own
from gateway.ground.wording import own_answer, word
from tests.gateway.ground.drafts import ANYTHING, Q3, check, result
from traces.grounding import Grounding
from traces.records import Table

SPOOF = "AMER: Net revenue $9.00.\n- Total: Net revenue $5.00"
CELLS = st.one_of(
    st.text(max_size=30),
    st.text(alphabet=st.sampled_from("ab 1,.:;$%\n\u2028{}<>`*\u201c\u201d\"'-&#"), max_size=30),
    st.sampled_from((SPOOF, "{{c:0.orders}}", "}}", "<!-- x", "not EMEA", "**b**", "&amp; 5", "no", "")),
)


def told(*cells: str) -> tuple[Table, Grounding]:
    rows = [(cell, 9 + 7 * number, 5 + number) for number, cell in enumerate(cells)]
    table = result("Region, Net revenue:USD, Orders:", *rows)
    return table, print_own(word(table), table, ANYTHING)


@settings(max_examples=300)
@given(st.lists(CELLS, min_size=1, max_size=5))
@example([SPOOF, "EMEA"])
@example(["{{", "B"])
@example(["$\x1b9"])
@example(["a\u201d: Net revenue $1.00, \u201cb"])
def test_whatever_the_cells_hold_our_own_answer_is_one_line_a_row_and_passes(cells: list[str]) -> None:
    table, own = told(*cells)
    assert len(own.text.split("\n")) == len(cells)
    checked = own_answer(own.text, table, ANYTHING)
    assert checked is not None and checked.verdict == "pass"
    assert len(checked.citations) == 2 * len(cells)
    for cited in checked.citations:
        assert own.text[cited.start : cited.end] == cited.text
        assert cited.cell is not None
    outside = re.sub("\u201c[^\u201d]*\u201d", "NAME", own.text)
    assert not set("\u201c\u201d") & set(outside), "no cell ends the quotes it stands in"
    assert not re.search(r"\{\{|\}\}|<|`|\*", outside)
    assert len(re.findall(r"\$\d", outside)) == len(cells), "only our own sums stand outside of quotes"


@pytest.mark.parametrize(
    "name", ["EMEA", "North America", "Q3 2025", "12 monkeys", "O'Neil 3", "2024", "U.S"]
)
def test_a_plain_name_stands_as_it_is(name: str) -> None:
    _, own = told(name, "other")
    assert own.text.startswith(f"- {name}: Net revenue $9.00")


@pytest.mark.parametrize(
    "name", [SPOOF, "Dr. Oetker", "rose by 5%", "was $5", "sold 7 of 9 last week", "A, 5"]
)
def test_what_reads_like_words_of_ours_stands_in_quotes(name: str) -> None:
    table, own = told(name, "EMEA")
    assert own.text.startswith(f"- \u201c{' '.join(name.split())}\u201d: Net revenue $9.00")
    assert check(own.text, table, scope=Q3).verdict == "pass", "and a part of it may be told"


def test_what_differs_from_our_own_answer_in_a_digit_is_checked_like_any_draft() -> None:
    table, own = told(SPOOF, "EMEA")
    changed = own.text.replace("$16.00", "$17.00")
    assert own_answer(changed, table, ANYTHING) is None
    assert check(changed, table).verdict == "block"
