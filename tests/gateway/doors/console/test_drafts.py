"""A text about an answer, checked in the console: each number has its cell, or nothing leaves."""

from collections.abc import Callable

import pytest

from gateway.service import Gateway
from tests.gateway.conftest import ANA
from tests.gateway.doors.console.visitor import Page, Visitor

SignedIn = Callable[..., Visitor]
QUESTION = "new customers in May 2026"


@pytest.fixture
def trace_id(gateway: Gateway) -> str:
    return gateway.ask_question(ANA, QUESTION).trace_id


def check(visitor: Visitor, trace_id: str, draft: str, declare: str = "") -> Page:
    form = visitor.get(f"/console/drafts/{trace_id}")
    return visitor.send(form, f"/console/drafts/{trace_id}", draft=draft, declare=declare)


def test_a_text_passes_with_its_slots_printed(visitor: SignedIn, gateway: Gateway, trace_id: str) -> None:
    ana = visitor("ana")
    assert f"/console/drafts/{trace_id}" in ana.get(f"/console/traces/{trace_id}").markup.every("href")
    page = check(ana, trace_id, draft="We won {{c:0.new_customers}} new customers in May 2026.")
    assert page.status == 200 and "every number has its cell" in page
    (row,) = gateway.result(ANA, trace_id).view.rows  # type: ignore[union-attr]
    assert f"We won {int(str(row[-1])):,} new customers in May 2026." in page


def test_a_number_without_a_cell_is_marked_and_nothing_leaves(visitor: SignedIn, trace_id: str) -> None:
    page = check(visitor("ana"), trace_id, draft="In May 2026 we won\n987654321 new customers.")
    assert "blocked" in page and "nothing leaves" in page
    assert "<mark>987654321</mark>" in page.html


def test_what_is_no_json_is_said_beside_the_text_that_was_typed(visitor: SignedIn, trace_id: str) -> None:
    page = check(visitor("ana"), trace_id, draft="All of May.", declare="[{]")
    assert page.status == 422 and "All of May." in page


def test_the_answer_of_somebody_else_has_no_form(visitor: SignedIn, trace_id: str) -> None:
    assert visitor("fay").get(f"/console/drafts/{trace_id}").status == 404
