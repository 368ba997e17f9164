"""From a decided item to an evaluation case: one button, once, for who may evaluate."""

from collections.abc import Callable
from pathlib import Path

import yaml

from evals.cases import load_folder
from tests.gateway.doors.console.test_holds import QUESTION, decide, held, shop
from tests.gateway.doors.console.visitor import Visitor

__all__ = ["shop"]
SignedIn = Callable[..., Visitor]


def test_an_accepted_item_becomes_a_case_with_its_plan_as_what_is_right(
    visitor: SignedIn, console_shop: Path
) -> None:
    item, rita = held(visitor("ana")), visitor("rita")
    assert "Make a case" not in rita.get(item), "nobody has decided yet"
    page = decide(rita, item, "accept")
    made = rita.send(page, f"{item}/case", question=QUESTION)
    assert made.path == item and "It is an evaluation case" in made and "Make a case" not in made
    (case,) = [each for each in load_folder(console_shop / "cases") if each.question == QUESTION]
    assert case.expect == "answer" and case.gold_plan is not None and case.tags == ("review",)
    assert case.gold_plan.metrics == ("net_revenue",)
    again = rita.send(page, f"{item}/case", question=QUESTION)
    assert again.status == 422 and "duplicate_case" in again


def test_a_denied_item_becomes_a_case_that_wants_no_answer(visitor: SignedIn, console_shop: Path) -> None:
    item, rita = held(visitor("ana")), visitor("rita")
    rita.send(decide(rita, item, "deny"), f"{item}/case", question="revenue, please")
    (case,) = [each for each in load_folder(console_shop / "cases") if each.question == "revenue, please"]
    assert case.expect == "abstain" and case.gold_plan is None


def test_nobody_without_the_right_makes_a_case(visitor: SignedIn, console_shop: Path) -> None:
    file = console_shop / "policies" / "policy.yml"
    assert "evaluate" not in yaml.safe_load(file.read_text(encoding="utf-8"))["roles"]["analyst"].get(
        "may", []
    )
    ana, rita = visitor("ana"), visitor("rita")
    item = held(ana)
    decide(rita, item, "accept")
    page = ana.get(item)
    assert "Make a case" not in page
    form_key = next(value for name, value in page.markup.forms[0].sends if name == "form_key")
    sent = ana.http.post(f"{item}/case", data={"form_key": form_key, "question": QUESTION})
    assert sent.status_code == 403
    assert not [each for each in load_folder(console_shop / "cases") if each.question == QUESTION]


def test_an_item_that_still_waits_makes_no_case(visitor: SignedIn, console_shop: Path) -> None:
    item, rita = held(visitor("ana")), visitor("rita")
    page = rita.get(item)
    refused = rita.send(page, item, to=f"{item}/case", question="which is right?")
    assert refused.status == 422 and "not_decided" in refused
    assert not [each for each in load_folder(console_shop / "cases") if each.question == "which is right?"]


def test_an_accept_that_was_taken_back_becomes_a_case_that_wants_no_answer(
    visitor: SignedIn, console_shop: Path
) -> None:
    item, rita = held(visitor("ana")), visitor("rita")
    decide(rita, item, "accept")
    rita.send(decide(rita, item, "revoke"), f"{item}/case", question="taken back")
    (case,) = [each for each in load_folder(console_shop / "cases") if each.question == "taken back"]
    assert case.expect == "abstain" and case.gold_plan is None
