"""A reading that an asker chose is kept for the team with its version, used next time, and said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.service import Gateway
from traces.records import Caller

Plan = dict[str, object]
Open = Callable[[], Gateway]
FAY = Caller(user="fay", roles=("analyst",), teams=("finance",), tenant="shop")
TOM = Caller(user="tom", roles=("analyst",), teams=("sales-analytics",), tenant="shop")
LONER = Caller(user="lo", roles=("analyst",), tenant="shop")
TURNOVER: Plan = {"metrics": ["turnover"]}


@pytest.fixture
def unclear(shop: Path, open_shop: Open) -> Open:
    """Opens a shop in which two metrics are called turnover."""
    edit(shop, "synonyms: [revenue, net sales, sales]", "synonyms: [revenue, net sales, sales, turnover]")
    return open_shop


def edit(shop: Path, old: str, new: str) -> None:
    file = shop / "metrics" / "sales.yml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_an_open_term_is_asked_with_each_reading_in_one_line(unclear: Open, ana: Caller) -> None:
    reply = unclear().ask(ana, TURNOVER)
    assert reply.outcome == "needs_clarification"
    (issue,) = reply.issues
    assert issue.term == "turnover"
    assert {option.name for option in issue.options} == {"gross_revenue", "net_revenue"}
    assert all(option.description for option in issue.options)


def test_the_chosen_reading_is_used_next_time_and_said(unclear: Open, ana: Caller) -> None:
    gateway = unclear()
    first = gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    assert first.outcome == "answered" and first.columns[0].name == "net_revenue"
    again = gateway.ask(TOM, TURNOVER)
    assert again.outcome == "answered" and again.rows == first.rows
    assert any("'turnover' was read as net_revenue" in n and "team sales-analytics" in n for n in again.notes)


def test_a_reading_is_kept_for_the_team_only(unclear: Open, ana: Caller) -> None:
    gateway = unclear()
    gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    assert gateway.ask(FAY, TURNOVER).outcome == "needs_clarification"
    assert gateway.ask(LONER, TURNOVER).outcome == "needs_clarification"


def test_who_has_no_team_chooses_for_themself(unclear: Open) -> None:
    gateway = unclear()
    gateway.ask(LONER, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    again = gateway.ask(LONER, TURNOVER)
    assert again.outcome == "answered" and any("as you chose" in note for note in again.notes)


def test_a_reading_said_now_goes_before_the_kept_one(unclear: Open, ana: Caller) -> None:
    gateway = unclear()
    gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    other = gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "gross_revenue"}))
    assert other.columns[0].name == "gross_revenue"
    assert gateway.ask(ana, TURNOVER).columns[0].name == "gross_revenue"


def test_a_revoked_reading_is_asked_again(unclear: Open, ana: Caller) -> None:
    gateway = unclear()
    gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    assert gateway.state.revoke_choice("4:shop/sales-analytics", "turnover")
    assert gateway.ask(ana, TURNOVER).outcome == "needs_clarification"


def test_a_reading_whose_definition_changed_is_asked_again(
    unclear: Open, open_shop: Open, shop: Path, ana: Caller
) -> None:
    gateway = unclear()
    gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    edit(shop, "label: Net revenue\n", "label: Net revenue, again\n")
    assert open_shop().ask(ana, TURNOVER).outcome == "needs_clarification"


def test_a_choice_that_nothing_asked_for_is_not_kept(unclear: Open, ana: Caller) -> None:
    gateway = unclear()
    gateway.ask(ana, {"metrics": ["order_count"]}, options=AskOptions(choices={"turnover": "net_revenue"}))
    assert gateway.state.list_choices("4:shop/sales-analytics") == ()


@pytest.mark.parametrize(
    ("plan", "choices", "named"),
    [
        ({"metrics": ["order_count"]}, {"turnover": "net_revenue"}, ("turnover",)),
        (
            {"metrics": ["order_count"]},
            {"turnover": "net_revenue", "tiem": "order_date"},
            ("turnover", "tiem"),
        ),
        (TURNOVER, {"turnover": "net_revenue", "region": "EMEA"}, ("region",)),
        (TURNOVER, {"region": "EMEA"}, ("region",)),
        (TURNOVER, {"turnover": "net_revenue"}, ()),
    ],
)
def test_a_choice_that_settles_nothing_in_a_plan_is_said_by_its_term(
    unclear: Open, ana: Caller, plan: Plan, choices: dict[str, str], named: tuple[str, ...]
) -> None:
    notes = unclear().ask(ana, plan, options=AskOptions(choices=choices, dry_run=True)).notes
    said = [note for note in notes if note.startswith("A choice of yours was not used")]
    assert len(said) == (1 if named else 0)
    assert all(repr(term) in said[0] for term in named)
    assert not any(repr(term) in note for note in said for term in choices.keys() - set(named))


def test_a_choice_beside_one_that_the_team_made_is_no_less_idle(unclear: Open, ana: Caller) -> None:
    gateway = unclear()
    gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    found = gateway.ask(ana, TURNOVER, options=AskOptions(choices={"region": "EMEA"}))
    assert found.outcome == "answered"
    assert any(
        note.startswith("A choice of yours was not used") and "'region'" in note for note in found.notes
    )


def test_an_answer_with_a_kept_reading_replays_the_same(unclear: Open, ana: Caller) -> None:
    gateway = unclear()
    gateway.ask(ana, TURNOVER, options=AskOptions(choices={"turnover": "net_revenue"}))
    kept = gateway.ask(ana, TURNOVER)
    gateway.state.revoke_choice("4:shop/sales-analytics", "turnover")
    report = gateway.replay(ana, kept.trace_id)
    assert report is not None and report.verdict == "same"
