"""A question in shadow runs and is recorded; nothing of what it came to reaches its asker, on any door."""

import json
from collections.abc import Callable

import pytest

from gateway.asking import EVALUATION, AskOptions
from gateway.replay.sample import Choice
from gateway.reply import Reply
from gateway.service import Gateway
from traces.records import Caller, Close

Plan = dict[str, object]


def secret_of(gateway: Gateway, reply: Reply) -> str:
    """The figure that the trace has and its asker must not see."""
    closed = closed_of(gateway, reply)
    (cited,) = (each for each in closed.answer if each.metric)
    return cited.value


def closed_of(gateway: Gateway, reply: Reply) -> Close:
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None
    return trace.closed


def test_the_reply_says_that_it_is_recorded_and_has_nothing_of_the_answer(
    shadow: Gateway, ana: Caller, total: Plan
) -> None:
    reply = shadow.ask(ana, total)
    assert (reply.outcome, [issue.code for issue in reply.issues]) == ("not_released", ["in_shadow"])
    assert reply.receipt is not None
    told = {name for name, value in reply.model_dump(exclude_defaults=True).items() if value}
    assert told == {"outcome", "trace_id", "receipt", "plan", "issues"}


def test_the_trace_has_what_it_came_to(shadow: Gateway, ana: Caller, total: Plan) -> None:
    closed = closed_of(shadow, shadow.ask(ana, total))
    assert (closed.outcome, closed.came_to) == ("not_released", "answered")
    assert closed.shape is not None and closed.shape.rows == 1
    assert closed.release is not None
    assert (closed.release.question_class, closed.release.stage) == ("governed", "shadow")


def test_nothing_reaches_the_asker_by_any_verb(
    shadow: Gateway, ana: Caller, total: Plan, clock: object
) -> None:
    reply = shadow.ask(ana, total, AskOptions(conversation="c1"))
    secret = secret_of(shadow, reply)
    whole = secret.partition(".")[0]
    assert len(whole) > 5
    assert shadow.results.get(reply.trace_id, shadow.house.subject(ana)) is None
    assert shadow.evidence(ana, reply.trace_id) is None
    draft = shadow.check_answer(ana, f"Net revenue was {secret}.", [reply.trace_id])
    assert (draft.outcome, draft.issues[0].code) == ("invalid", "no_result")
    other = shadow.ask(ana, total)
    said = [
        reply,
        other,
        draft,
        shadow.get_trace(ana, reply.trace_id),
        *shadow.list_traces(ana),
        shadow.replay(ana, reply.trace_id),
        shadow.replay_sample(ana, Choice(most=5)),
        shadow.diff_traces(ana, reply.trace_id, other.trace_id),
        shadow.custody.unseal(ana, reply.trace_id, "curious"),
        shadow.ask_question(ana, "and by region?", AskOptions(conversation="c1")),
    ]
    assert None not in said
    for each in filter(None, said):
        text = each.model_dump_json()
        assert secret not in text and whole not in text and f"{int(whole):,}" not in text, type(each)
        assert "came_to" not in text or json.loads(text).get("came_to") is None


def test_a_view_of_its_own_trace_stops_where_the_run_began(shadow: Gateway, ana: Caller, total: Plan) -> None:
    view = shadow.get_trace(ana, shadow.ask(ana, total).trace_id)
    assert view is not None and view.answer == ""
    (closed,) = (record for record in view.records if record["kind"] == "close")
    assert not any(closed[key] for key in ("came_to", "answer", "shape", "actual", "watermarks", "notes"))
    assert closed["query"] and closed["estimate"]


def test_no_rows_looks_like_any_other_answer(shadow: Gateway, ana: Caller, total: Plan) -> None:
    nothing = {**total, "time": {"field": "order_date", "from": "2019-01-01", "to": "2019-01-31"}}
    some, none = shadow.ask(ana, total), shadow.ask(ana, nothing)
    assert closed_of(shadow, none).came_to == "no_rows"
    hidden = {"trace_id", "receipt", "plan"}
    assert some.model_dump(exclude=hidden) == none.model_dump(exclude=hidden)


def test_what_is_refused_before_anything_runs_says_why(shadow: Gateway, ana: Caller) -> None:
    reply = shadow.ask(ana, {"metrics": ["net_revenu"]})
    assert reply.outcome == "invalid_plan" and reply.issues[0].candidates


def test_an_evaluation_is_told_only_with_the_right_to_evaluate(
    shadow: Gateway, ana: Caller, eva: Caller, total: Plan
) -> None:
    assert shadow.ask(eva, total, door=EVALUATION).outcome == "answered"
    assert shadow.ask(ana, total, door=EVALUATION).outcome == "not_released"
    assert shadow.ask(eva, total).outcome == "not_released"


def test_a_question_told_before_its_class_went_into_shadow_gives_no_new_figure(
    open_house: Callable[[], Gateway], edit: Callable[..., None], ana: Caller, total: Plan
) -> None:
    before = open_house()
    told = before.ask(ana, total)
    assert told.outcome == "answered"
    edit(release={"governed": "shadow"})
    after = open_house()
    report = after.replay(ana, told.trace_id)
    assert report is not None and not report.numbers and not report.totals
    assert "policy" in report.verdict


def test_a_question_that_would_wait_after_it_ran_waits_for_nobody_in_shadow(
    open_house: Callable[[], Gateway], edit: Callable[..., None], ana: Caller, rita: Caller, total: Plan
) -> None:
    edit(release={"governed": "shadow"}, budget={"bytes": {"warn": 1, "hard": 10**12}})
    house = open_house()
    held = house.ask(ana, total)
    assert held.outcome == "held", "what holds it before it runs holds it in shadow, too"
    house.decide_hold(rita, held.hold_id, "accept", "looked at")
    back = house.ask(ana, total, AskOptions(approval_id=held.hold_id))
    assert (back.outcome, back.issues[0].code) == ("not_released", "in_shadow")


@pytest.mark.parametrize("stage", ["dry_run", "shadow", "reviewed", "autonomous"])
def test_each_stage_does_what_it_says(
    open_house: Callable[[], Gateway], edit: Callable[..., None], ana: Caller, total: Plan, stage: str
) -> None:
    edit(release={"governed": stage})
    reply = open_house().ask(ana, total)
    outcomes = {"dry_run": "dry_run", "shadow": "not_released"}
    assert reply.outcome == outcomes.get(stage, "answered")
    assert bool(reply.rows) == (stage in ("reviewed", "autonomous"))


def test_a_class_that_the_policy_does_not_name_runs_dry(
    open_house: Callable[[], Gateway], edit: Callable[..., None], ana: Caller, total: Plan
) -> None:
    edit(release={})
    assert open_house().ask(ana, total).outcome == "dry_run"


def test_free_sql_in_shadow_is_recorded_and_neither_held_nor_told(
    open_house: Callable[[], Gateway], edit: Callable[..., None], ana: Caller
) -> None:
    edit(release={"free": "shadow"})
    house = open_house()
    reply = house.ask_planned(ana, lambda _: "SELECT COUNT(*) AS n FROM orders")
    assert (reply.outcome, reply.sql, reply.rows) == ("not_released", "", ())
    assert closed_of(house, reply).came_to == "answered"
