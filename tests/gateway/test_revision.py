"""Recorded questions under two versions of a layer: which would be others, and which definition did it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.replay.revision import RevisedQuestion, Revision
from gateway.service import Gateway
from metric_layer.layer import Layer
from metric_layer.load import load_layer
from traces.records import Caller

Plan = dict[str, object]
Edit = Callable[[str], str]


@pytest.fixture
def edited(shop: Path, tmp_path: Path) -> Callable[[str, Edit], Layer]:
    """Return the shop's layer with an edit made to one of its files."""

    def load(name: str, edit: Edit) -> Layer:
        folder = tmp_path / "edited"
        folder.mkdir(exist_ok=True)
        for file in (shop / "metrics").glob("*.yml"):
            text = file.read_text(encoding="utf-8")
            after = edit(text) if file.name == name else text
            assert (after != text) == (file.name == name), "the edit changed nothing"
            (folder / file.name).write_text(after, encoding="utf-8")
        return load_layer(folder)

    return load


def with_shipping(text: str) -> str:
    head, found, tail = text.partition("- name: net_revenue\n")
    tail = tail.replace("version: 3", "version: 4", 1)
    return (
        head + found + tail.replace("gross_revenue - refunds", "gross_revenue - refunds - shipping_fees", 1)
    )


def asked(gateway: Gateway, who: Caller, plan: Plan) -> str:
    return gateway.ask(who, plan, options=AskOptions(dry_run=True)).trace_id


def revised(gateway: Gateway, who: Caller, new: Layer) -> Revision:
    return gateway.revise(who, gateway.house.layer, new)


def only(revision: Revision) -> RevisedQuestion:
    assert len(revision.changed) == 1, revision
    return revision.changed[0]


def test_a_changed_formula_names_the_questions_that_rest_on_it(
    gateway: Gateway, ana: Caller, revenue: Plan, edited: Callable[[str, Edit], Layer]
) -> None:
    asked(gateway, ana, revenue)
    last = asked(gateway, ana, revenue)
    asked(gateway, ana, {**revenue, "metrics": ["order_count"]})
    found = revised(gateway, ana, edited("sales.yml", with_shipping))
    assert (found.questions, found.distinct, found.same, found.refused) == (3, 2, 1, 0)
    question = only(found)
    assert (question.becomes, question.times, question.trace_id) == ("other_sql", 2, last)
    assert question.because[0] == "metric net_revenue v3 -> v4"
    assert "shipping_fee" in question.new_sql and "shipping_fee" not in question.old_sql


def test_words_leave_every_question_the_same(
    gateway: Gateway, ana: Caller, revenue: Plan, edited: Callable[[str, Edit], Layer]
) -> None:
    asked(gateway, ana, revenue)
    other = edited("sales.yml", lambda text: text.replace("label: Net revenue", "label: Revenue, net"))
    found = revised(gateway, ana, other)
    assert (found.same, found.changed) == (1, ())


def test_another_unit_over_the_same_rows_is_said(
    gateway: Gateway, ana: Caller, revenue: Plan, edited: Callable[[str, Edit], Layer]
) -> None:
    asked(gateway, ana, revenue)

    def in_cents(text: str) -> str:
        head, found, tail = text.partition("- name: net_revenue\n")
        return head + found + tail.replace("decimals: 2", "decimals: 0", 1)

    question = only(revised(gateway, ana, edited("sales.yml", in_cents)))
    assert (question.becomes, question.old_sql) == ("other_output", "")
    assert question.because == ("metric net_revenue changed without a new version",)


def test_a_question_that_can_no_longer_be_answered_says_why(
    gateway: Gateway, ana: Caller, revenue: Plan, edited: Callable[[str, Edit], Layer]
) -> None:
    asked(gateway, ana, revenue)
    gone = edited("sales.yml", lambda text: text.replace("net_revenue", "nett_revenue"))
    question = only(revised(gateway, ana, gone))
    assert question.becomes == "not_answerable"
    assert [issue.code for issue in question.issues] == ["unknown_metric"]
    assert "metric net_revenue is gone" in question.because
    back = gateway.revise(ana, gone, gateway.house.layer)
    assert only(back).becomes == "answerable"


def test_an_auditor_sees_the_questions_of_all_and_others_their_own(
    gateway: Gateway,
    ana: Caller,
    emil: Caller,
    rita: Caller,
    revenue: Plan,
    edited: Callable[[str, Edit], Layer],
) -> None:
    asked(gateway, ana, revenue)
    asked(gateway, emil, revenue)
    asked(gateway, rita.model_copy(update={"tenant": "elsewhere"}), revenue)
    other = edited("sales.yml", with_shipping)
    own, all_of_them = revised(gateway, ana, other), revised(gateway, rita, other)
    assert (own.questions, own.own_only) == (1, True)
    assert (all_of_them.questions, all_of_them.own_only) == (2, False)


def test_a_question_is_judged_in_the_role_it_was_asked_in(
    gateway: Gateway, emil: Caller, rita: Caller, revenue: Plan, edited: Callable[[str, Edit], Layer]
) -> None:
    asked(gateway, emil, revenue)
    question = only(revised(gateway, rita, edited("sales.yml", with_shipping)))
    assert question.role == "emea_analyst"
    assert question.becomes == "not_answerable", (
        "shipping is hidden from that role, and so is what it is part of"
    )


def test_what_neither_answers_is_counted_apart(
    gateway: Gateway, ana: Caller, edited: Callable[[str, Edit], Layer]
) -> None:
    asked(gateway, ana, {"metrics": ["no_such_metric"]})
    found = revised(gateway, ana, edited("sales.yml", with_shipping))
    assert (found.questions, found.refused, found.changed) == (1, 1, ())


def test_nothing_runs_and_nothing_is_recorded(
    gateway: Gateway,
    ana: Caller,
    revenue: Plan,
    edited: Callable[[str, Edit], Layer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked(gateway, ana, revenue)
    before = gateway.list_traces(ana)
    monkeypatch.setattr(gateway.house.engine, "run", lambda *_: pytest.fail("ran"))
    monkeypatch.setattr(gateway.house.engine, "explain", lambda *_: pytest.fail("explained"))
    revised(gateway, ana, edited("sales.yml", with_shipping))
    assert gateway.list_traces(ana) == before
