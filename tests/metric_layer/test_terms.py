"""An open word is asked and never guessed; definitions that are not in force are refused or said."""

import pytest

from metric_layer.issues import Option
from metric_layer.layer import Layer
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.ledger import answered, ledger, refused, resolving

JULY = {"from": "2026-07-01", "to": "2026-07-31"}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


def test_a_word_that_may_mean_two_metrics_is_asked_with_their_definitions(layer: Layer) -> None:
    found = resolving(layer, metrics=["wealth"])
    assert isinstance(found, tuple)
    (issue,) = found
    assert (issue.code, issue.path, issue.term) == ("ambiguous_term", "/metrics/0", "wealth")
    assert issue.options == (
        Option(name="balance_rows", description="balance_rows, version 1: Balances summed."),
        Option(name="fees", description="fees, version 1: Fees."),
    )


def test_a_chosen_reading_stands_wherever_the_word_stood(layer: Layer) -> None:
    found = answered(
        layer,
        metrics=["Wealth"],
        filters=[{"metric": "Wealth", "op": "gt", "values": [1]}],
        order={"by": "Wealth", "dir": "desc"},
        choices={"Wealth": "fees"},
    )
    assert found.plan.metrics == ("fees",) and found.having[0].metric == "fees"
    assert found.order == (("fees", True),)
    assert found.notes == ("'Wealth' is read as fees (version 1).",)


def test_a_choice_that_is_no_reading_is_answered_with_the_readings(layer: Layer) -> None:
    found = resolving(layer, metrics=["wealth"], choices={"wealth": "balance"})
    assert isinstance(found, tuple)
    assert (found[0].code, found[0].seen, found[0].candidates) == (
        "ambiguous_term",
        "balance",
        ("balance_rows", "fees"),
    )


def test_a_word_for_two_dimensions_is_asked_where_it_stands(layer: Layer) -> None:
    place = {"field": "place", "op": "eq", "values": ["Kiel"]}
    asked = refused(layer, metrics=["visit_count"], dimensions=["place"], filters=[place])
    assert asked == [("ambiguous_term", "/dimensions/0"), ("ambiguous_term", "/filters/0/field")]
    found = answered(
        layer, metrics=["visit_count"], dimensions=["place"], filters=[place], choices={"place": "country"}
    )
    assert found.plan.dimensions == ("country",)


def test_a_word_whose_other_meaning_is_hidden_is_only_unknown(layer: Layer) -> None:
    visible = Visible(datasets=frozenset({"payments"}))
    found = resolving(layer, metrics=["wealth"], visible=visible)
    assert isinstance(found, tuple)
    assert (found[0].code, found[0].candidates[:1]) == ("unknown_metric", ("fees",))


def test_a_word_for_one_definition_stays_a_suggestion(layer: Layer) -> None:
    found = resolving(layer, metrics=["cost"])
    assert isinstance(found, tuple)
    assert (found[0].code, found[0].candidates[:1]) == ("unknown_metric", ("fees",))


def test_grouping_by_a_moment_asks_for_a_grain(layer: Layer) -> None:
    found = resolving(layer, metrics=["visit_count"], dimensions=["visited_at"], time=JULY)
    assert isinstance(found, tuple)
    (issue,) = found
    assert (issue.code, issue.path, issue.term) == ("ambiguous_grain", "/dimensions/0", "grain")
    assert [option.name for option in issue.options][:4] == ["hour", "day", "week", "month"]
    assert all(option.description for option in issue.options)


def test_a_chosen_grain_makes_buckets_of_the_moment(layer: Layer) -> None:
    found = answered(
        layer,
        metrics=["visit_count"],
        dimensions=["visited_at", "country"],
        time=JULY,
        order={"by": "visited_at"},
        choices={"grain": "week"},
    )
    assert [column.name for column in found.outputs] == ["week", "country", "visit_count"]
    assert found.order == (("week", False), ("country", False))


@pytest.mark.parametrize(
    ("time", "grain"),
    [
        (None, "day"),
        ({**JULY, "grain": "month"}, "day"),
        ({**JULY, "field": "seen_at"}, "day"),
        (JULY, "decade"),
    ],
)
def test_a_grain_that_cannot_be_applied_is_asked_again(
    layer: Layer, time: dict[str, str] | None, grain: str
) -> None:
    found = refused(
        layer, metrics=["visit_count"], dimensions=["visited_at"], time=time, choices={"grain": grain}
    )
    assert found == [("ambiguous_grain", "/dimensions/0")]


def test_a_date_needs_no_grain(layer: Layer) -> None:
    assert isinstance(resolving(layer, metrics=["fees"], dimensions=["paid_on"]), ResolvedPlan)


@pytest.mark.parametrize(
    ("metric", "allow", "note"),
    [
        ("new_fees", "draft", "new_fees is a draft (version 3)."),
        ("past_fees", "expired", "past_fees is in effect from the beginning to 2026-01-01 only."),
        ("on_past", "expired", "past_fees is in effect from the beginning to 2026-01-01 only."),
    ],
)
def test_what_is_not_in_force_is_refused_unless_allowed_and_then_said(
    layer: Layer, metric: str, allow: str, note: str
) -> None:
    codes = {"draft": "draft_definition", "expired": "not_effective"}
    assert [code for code, _ in refused(layer, metrics=[metric])] == [codes[allow]]
    other = {"draft": "expired", "expired": "draft"}[allow]
    assert [code for code, _ in refused(layer, metrics=[metric], allow=[other])] == [codes[allow]]
    assert note in answered(layer, metrics=[metric], allow=[allow]).notes


def test_a_hidden_part_that_is_not_in_force_goes_unnamed(layer: Layer) -> None:
    visible = Visible(metrics=frozenset({"on_past"}))
    found = resolving(layer, metrics=["on_past"], visible=visible)
    assert isinstance(found, tuple) and found[0].code == "not_effective"
    assert "past_fees" not in found[0].model_dump_json()
    told = answered(layer, metrics=["on_past"], visible=visible, allow=["expired"]).notes
    assert not any("past_fees" in note for note in told)


def test_a_deprecated_metric_names_what_to_ask_instead(layer: Layer) -> None:
    assert answered(layer, metrics=["old_fees"]).notes == ("old_fees is deprecated; ask fees instead.",)
    hidden = answered(layer, metrics=["old_fees"], visible=Visible(metrics=frozenset({"old_fees"})))
    assert hidden.notes == ("old_fees is deprecated.",)
