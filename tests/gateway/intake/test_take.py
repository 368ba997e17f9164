"""What a caller sees, what a team has settled, and what is told beside a plan."""

from datetime import date

import pytest

from gateway.intake import Intake, IntakeAbstain, IntakeAsk, IntakePlan, prepare, take
from metric_layer.load import LayerInvalid
from metric_layer.visible import Visible
from tests.gateway.intake.ferry import RULES, TODAY, layer, words
from tests.gateway.intake.outcomes import plan_of, written

WORDS = words()
FULL = "premium passengers by route and week last month vs last year, top 3"


def asked(question: str, **more: object) -> Intake:
    given = {"visible": Visible(), "today": TODAY} | more
    return take(question, WORDS, **given)  # type: ignore[arg-type]


def test_every_word_with_a_meaning_is_shown_with_what_it_was_read_as() -> None:
    found = asked("Premium passengers by route, last month")
    assert isinstance(found, IntakePlan)
    assert {(each.text, each.kind, each.name) for each in found.explained} == {
        ("Premium", "value", "cabin:Premium"),
        ("passengers", "metric", "passengers"),
        ("route", "dimension", "route"),
        ("last month", "period", "last month"),
    }
    assert all("Premium passengers by route, last month"[e.start : e.end] == e.text for e in found.explained)


def test_all_problems_are_told_at_once_and_the_first_counts() -> None:
    found = asked("why is profit by captain in Poland so high lately?")
    assert isinstance(found, IntakeAbstain)
    assert found.reason == "unsupported"
    told = [problem.reason for problem in found.problems]
    assert told[0] == "unsupported"
    assert {"unknown_metric", "unknown_dimension", "vague_time"} <= set(told)
    assert all(problem.message and problem.next_step for problem in found.problems)


@pytest.mark.parametrize(
    ("question", "term", "options"),
    [
        ("passengers in Germny last month", "Germny", ("market:Germany",)),
        ("revenue last month", "revenue", ("ticket_revenue", "onboard_revenue")),
        ("passengers on 03/04/2026", "03/04/2026", ("2026-04-03", "2026-03-04")),
        ("ticket revenue for flex last month", "flex", ("cabin:Flex", "ticket:Flex")),
    ],
)
def test_a_question_back_names_the_word_and_the_choices(
    question: str, term: str, options: tuple[str, ...]
) -> None:
    found = asked(question)
    assert isinstance(found, IntakeAsk)
    assert (found.term, found.options) == (term, options)
    assert options[0] in found.next_step


@pytest.mark.parametrize(
    ("question", "terms", "outcome"),
    [
        ("revenue last month", {"revenue": "onboard_revenue"}, "m:onboard_revenue t:2026-04-01..2026-04-30"),
        (
            "passengers for the north run last month",
            {"north run": "route:HLTA"},
            "m:passengers f:route=HLTA t:2026-04-01..2026-04-30",
        ),
        (
            "passengers by crossing last month",
            {"crossing": "route"},
            "m:passengers d:route t:2026-04-01..2026-04-30",
        ),
        (
            "passengers on 03/04/2026",
            {"03/04/2026": "2026-03-04"},
            "m:passengers t:2026-03-04..2026-03-04",
        ),
        (
            "ticket revenue for flex last month",
            {"Flex": "ticket:Flex"},
            "m:ticket_revenue f:ticket=Flex t:2026-04-01..2026-04-30",
        ),
    ],
)
def test_a_teams_words_and_earlier_answers_are_used_and_shown(
    question: str, terms: dict[str, str], outcome: str
) -> None:
    found = asked(question, terms=terms)
    assert written(found) == outcome
    assert isinstance(found, IntakePlan)
    assert found.used_terms == tuple(terms.items())


def test_a_term_that_names_nothing_of_the_layer_settles_nothing() -> None:
    found = asked("revenue last month", terms={"revenue": "bookings"})
    assert written(found) == "ask:ambiguous_metric"


def test_what_a_caller_may_not_see_is_a_word_like_any_other() -> None:
    visible = Visible(metrics=frozenset(("ticket_revenue",)), hidden_columns=frozenset(("facts.cabin",)))
    metric, near = (
        asked(question, visible=visible) for question in ("passengers last month", "passengrs last month")
    )
    assert isinstance(metric, IntakeAbstain)
    assert isinstance(near, IntakeAbstain)
    assert metric.near == near.near == ()
    value = asked("ticket revenue in Premium last month", visible=visible)
    assert written(value) == "no:unknown_value"
    dimension = asked("ticket revenue by cabin last month", visible=visible)
    assert written(dimension) == "no:unknown_dimension"


def test_the_same_question_gives_the_same_plan_whatever_the_order_of_the_definitions() -> None:
    plans = {written(take(FULL, prepare(layer(), RULES), visible=Visible(), today=TODAY)) for _ in range(5)}
    assert len(plans) == 1


@pytest.mark.parametrize(
    "question", ["", "   ", "?", "...", "by", "vs", "last", "7", "\u00e9\u4e2d", "x" * 2000]
)
def test_a_text_that_says_nothing_never_becomes_a_plan(question: str) -> None:
    assert not isinstance(asked(question), IntakePlan)


@pytest.mark.parametrize(
    ("rules", "question", "outcome"),
    [
        ({"current_period": "whole"}, "passengers this month", "m:passengers t:2026-05-01..2026-05-31"),
        (
            {"current_period": "to_yesterday"},
            "passengers this month",
            "m:passengers t:2026-05-01..2026-05-12",
        ),
        ({"last_n": "with_current"}, "passengers last 3 months", "m:passengers t:2026-03-01..2026-05-13"),
        ({"bare_period": "current_year"}, "passengers in October", "no:future_window"),
        ({"default_calendar": "calendar"}, "passengers in Q1", "m:passengers t:2026-01-01..2026-03-31"),
        ({"default_window": "last month"}, "passengers", "m:passengers t:2026-04-01..2026-04-30"),
    ],
)
def test_the_owner_of_a_layer_decides_what_words_mean(
    rules: dict[str, str], question: str, outcome: str
) -> None:
    changed = prepare(layer(), RULES.model_copy(update=rules))
    assert written(take(question, changed, visible=Visible(), today=TODAY)) == outcome


def test_rules_that_name_what_is_not_there_are_refused_all_at_once() -> None:
    wrong = RULES.model_copy(
        update={
            "ambiguous": {"revenue": ("ticket_revenu",)},
            "patterns": {"vesel": "MV [", "vessel": r"MV \d+"},
            "default_window": "soonish",
            "data_from": date(2027, 1, 1),
        }
    )
    with pytest.raises(LayerInvalid) as refused:
        prepare(layer(), wrong)
    codes = [issue.code for issue in refused.value.issues]
    assert codes == [
        "unknown_name",
        "unknown_dimension",
        "bad_pattern",
        "window_reversed",
        "unknown_period",
    ]
    assert refused.value.issues[0].candidates[0] == "ticket_revenue"


def test_a_word_may_be_ambiguous_between_values() -> None:
    double = prepare(
        layer(), RULES.model_copy(update={"ambiguous": {"express": ("cabin:Premium", "ticket:Flex")}})
    )
    found = take("passengers in express last month", double, visible=Visible(), today=TODAY)
    assert written(found) == "ask:ambiguous_value"


def test_metrics_that_count_by_different_fields_leave_the_field_to_each() -> None:
    found = asked("passengers and sailings by route last month")
    assert isinstance(found, IntakePlan)
    assert found.plan.time is not None
    assert found.plan.time.field is None


def test_a_year_that_begins_on_leap_day_is_compared_with_a_day_that_exists() -> None:
    found = take(
        "passengers on 29 February 2024 vs last year",
        WORDS,
        visible=Visible(),
        today=date(2026, 5, 13),
    )
    assert written(found).endswith("c:previous_year:2023-02-28..2023-02-28")


def test_a_follow_up_without_a_plan_before_it_is_a_question_of_its_own() -> None:
    assert written(asked("and just for premium?")) == "ask:missing_metric"


def test_a_whole_question_does_not_stand_on_the_plan_before_it() -> None:
    previous = plan_of("m:ticket_revenue d:route f:market=Norway t:2026-02-01..2026-04-30")
    found = asked("sailings by vessel last week", previous=previous)
    assert written(found) == "m:sailings d:vessel t:2026-05-04..2026-05-10"
