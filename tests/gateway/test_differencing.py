"""Of two questions that differ by a few people the second is held, in any process, and replays so."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.reply import Reply
from gateway.service import Gateway
from gateway.state import StateStore
from gateway.stores.asked_before import SCHEMA, AskedBefore
from gateway.stores.opening import open_rows
from gateway.stores.rows import Place, Tables
from policies.differencing import Asked, Mark, is_near, tells_by_itself
from traces.records import Caller

Plan = dict[str, object]
ROLE = """
  researcher:
    datasets: [customers, orders, order_lines, products, support_tickets, events]
    personal: {contact: aggregate, identity: aggregate}
    may: [ask, audit]
  open_researcher:
    datasets: [customers, orders, order_lines, products, support_tickets, events]
"""
RINA = Caller(user="rina", roles=("researcher",), tenant="shop")
OTTO = Caller(user="otto", roles=("researcher",), tenant="shop")
OPEN = Caller(user="olga", roles=("open_researcher",), tenant="shop")

APAC = [{"field": "region", "op": "eq", "values": ["APAC"]}]


def new_customers(to: str, **more: object) -> Plan:
    window = {"field": "customer_since", "from": "2026-01-01", "to": to}
    return {"metrics": ["new_customers"], "time": window, **more}


@pytest.fixture
def project(shop: Path) -> Path:
    """The shop with a role that may see personal data in aggregate."""
    policy = shop / "policies" / "policy.yml"
    text = re.sub(r"\nroles:\n", f"\nroles:{ROLE}", policy.read_text(encoding="utf-8"))
    policy.write_text(text, encoding="utf-8")
    return shop


@pytest.fixture
def gateway(project: Path, open_shop: Callable[[], Gateway]) -> Gateway:
    return open_shop()


def close_windows(gateway: Gateway) -> tuple[Plan, Plan]:
    """Return two windows, one day longer than the other, that differ by one to four new customers."""
    window = {"field": "customer_since", "from": "2026-02-01", "to": "2026-09-30", "grain": "day"}
    plan = {"metrics": ["new_customers"], "time": window, "filters": APAC, "limit": 500}
    days = gateway.ask(OPEN, plan).rows
    few = next(str(day)[:10] for day, count in days if isinstance(count, int) and 0 < count < 5)
    before = (date.fromisoformat(few) - timedelta(days=1)).isoformat()
    return new_customers(before, filters=APAC), new_customers(few, filters=APAC)


def held_for(reply: Reply) -> bool:
    return reply.outcome == "held" and any(issue.code == "differencing" for issue in reply.issues)


def test_a_window_one_day_longer_that_takes_in_few_people_is_held(gateway: Gateway) -> None:
    before, now = close_windows(gateway)
    assert gateway.ask(RINA, before).outcome == "answered"
    reply = gateway.ask(RINA, now)
    assert held_for(reply), (reply.outcome, reply.issues)
    assert not reply.rows and not reply.answer and not reply.citations and reply.summary is None


def test_what_was_held_told_nothing_so_the_first_question_still_stands(gateway: Gateway) -> None:
    before, now = close_windows(gateway)
    assert gateway.ask(RINA, before).outcome == "answered"
    assert held_for(gateway.ask(RINA, now))
    assert gateway.ask(RINA, before).outcome == "answered"
    assert held_for(gateway.ask(RINA, now))


def as_comparison(now: Plan, before: Plan) -> Plan:
    """Return the plan that asks for both windows at once."""
    other = before["time"]
    assert isinstance(other, dict)
    return {**now, "compare": {"kind": "custom", "from": other["from"], "to": other["to"]}}


def test_two_close_windows_of_one_question_are_held(gateway: Gateway) -> None:
    before, now = close_windows(gateway)
    for plan in (as_comparison(now, before), as_comparison(before, now)):
        reply = gateway.ask(RINA, plan)
        assert held_for(reply), (reply.outcome, reply.issues)
        assert not reply.rows and not reply.answer
        report = gateway.replay(RINA, reply.trace_id)
        assert report is not None and getattr(report, "verdict", "") == "same", report


def test_windows_far_apart_are_compared(gateway: Gateway) -> None:
    compared = as_comparison(new_customers("2026-09-30"), new_customers("2026-03-31"))
    assert gateway.ask(RINA, compared).outcome == "answered"


def test_a_window_that_was_compared_with_counts_as_asked(gateway: Gateway) -> None:
    before, now = close_windows(gateway)
    far = {"field": "customer_since", "from": "2026-07-01", "to": "2026-09-30"}
    assert gateway.ask(RINA, as_comparison({**now, "time": far}, before)).outcome == "answered"
    assert held_for(gateway.ask(RINA, now))


def test_a_week_that_was_compared_with_counts_as_the_week_it_is(gateway: Gateway) -> None:
    weeks = {"field": "customer_since", "from": "2026-09-14", "to": "2026-09-20", "grain": "week"}
    compared: Plan = {"metrics": ["new_customers"], "time": weeks, "compare": {"kind": "previous_period"}}
    assert gateway.ask(RINA, compared).outcome == "answered"
    earlier = {"field": "customer_since", "from": "2026-09-07", "to": "2026-09-13", "grain": "week"}
    days = gateway.ask(OPEN, new_customers("2026-09-13", time={**earlier, "grain": "day"})).rows
    total = sum(int(str(count)) for _, count in days)
    most = {"field": "customer_since", "from": "2026-09-07", "to": "2026-09-12", "grain": "week"}
    reply = gateway.ask(RINA, {"metrics": ["new_customers"], "time": most})
    last = int(str(days[-1][1]))
    assert total - last >= 5
    assert held_for(reply) is (0 < last < 5), (last, reply.outcome)


def test_another_metric_beside_it_does_not_hide_that_two_figures_are_close() -> None:
    now = asked(500, "open", metrics={"other"}, beside=(asked(100, "x", "y"),))
    assert is_near(now, asked(98, "x"), 5) and is_near(asked(98, "x"), now, 5)
    assert not tells_by_itself(now, 5)


def test_as_many_people_with_another_figure_are_near() -> None:
    now = asked(100, window=("a", "b"), figures={"all": "1"})
    assert is_near(now, asked(100, window=("a", "c"), figures={"all": "2"}), 5)
    assert not is_near(now, asked(100, window=("a", "c"), figures={"all": "1"}), 5)
    assert not is_near(now, asked(4, window=("a", "c"), figures={"all": "2"}), 5)


def test_another_asker_and_another_role_are_not_held_for_it(gateway: Gateway) -> None:
    before, now = close_windows(gateway)
    assert gateway.ask(RINA, before).outcome == "answered"
    assert gateway.ask(OTTO, now).outcome == "answered"
    assert gateway.ask(OPEN, before).outcome == gateway.ask(OPEN, now).outcome == "answered"


def test_a_second_process_knows_what_the_first_one_answered(
    gateway: Gateway, open_shop: Callable[[], Gateway]
) -> None:
    before, now = close_windows(gateway)
    assert gateway.ask(RINA, before).outcome == "answered"
    assert held_for(open_shop().ask(RINA, now))


def test_a_window_that_differs_by_many_people_is_answered(gateway: Gateway) -> None:
    assert gateway.ask(RINA, new_customers("2026-03-31")).outcome == "answered"
    assert gateway.ask(RINA, new_customers("2026-09-30")).outcome == "answered"


def test_a_replay_keeps_the_recorded_decision(gateway: Gateway) -> None:
    before, now = close_windows(gateway)
    first = gateway.ask(RINA, before)
    held = gateway.ask(RINA, now)
    for trace in (first, held):
        report = gateway.replay(RINA, trace.trace_id)
        assert report is not None and getattr(report, "verdict", "") == "same", report


def test_no_name_and_no_value_of_a_question_is_in_the_state_file(project: Path, gateway: Gateway) -> None:
    plan = new_customers("2026-09-30", filters=[{"field": "segment", "op": "eq", "values": ["consumer"]}])
    assert gateway.ask(RINA, plan).outcome == "answered"
    kept = gateway.state.asked
    with kept._file.reading() as connection:
        (text,) = connection.execute("SELECT asked FROM asked_before").fetchone()
    for word in ("consumer", "segment", "new_customers", "2026"):
        assert word not in text
    assert gateway.state.erase(gateway.house.subject(RINA)) >= 1
    with kept._file.reading() as connection:
        assert connection.execute("SELECT count(*) FROM asked_before").fetchone() == (0,)


def test_a_question_is_forgotten_after_a_day(place: Place) -> None:
    times = [datetime(2026, 11, 30, 12, tzinfo=UTC)]
    file = open_rows(place, Tables("asked", SCHEMA, 1, "FULL"))
    kept = AskedBefore(file, lambda: times[-1])
    assert kept.count_near("a", "rina", asked(100, "x", "y"), 5) == 0
    assert kept.count_near("b", "rina", asked(98, "x"), 5) == 1
    times.append(times[-1] + timedelta(hours=25))
    assert kept.count_near("c", "rina", asked(98, "x"), 5) == 0
    file.close()


def asked(people: int, *values: str, kind: str = "in", **more: object) -> Asked:
    fields = {"f": frozenset((Mark.model_validate({"kind": kind, "values": values}),))} if values else {}
    return Asked.model_validate(
        {"metrics": {"m"}, "grouped": {"g"}, "fields": fields, "groups": {"all": (people,)}, **more}
    )


@pytest.mark.parametrize(
    ("now", "earlier", "near"),
    [
        (asked(100, "x", "y"), asked(98, "x"), True),
        (asked(100, "x", "y"), asked(95, "x"), False),
        (asked(100, "x", "y"), asked(100, "x"), False),
        (asked(100, "x", "y"), asked(100, "x", "z"), True),
        (asked(100, "x"), asked(100, "y"), False),
        (asked(100), asked(97, "x", kind="not"), True),
        (asked(100, "3", kind="above"), asked(98, "4", kind="above"), True),
        (asked(100, "x", "y", "z"), asked(98, "x"), False),
        (asked(100, window=("a", "b")), asked(98, window=("a", "c")), True),
        (asked(100, window=("a", "b")), asked(98, window=("d", "c")), False),
        (asked(100, "x", "y", metrics={"other"}), asked(98, "x"), False),
        (asked(100, "x", "y", grouped={"other"}), asked(98, "x"), False),
        (asked(100, "x", "y", grouped={"f"}), asked(98, "x", grouped={"f"}), False),
        (asked(3, "x", "y"), asked(2, "x"), False),
    ],
)
def test_near_is_one_step_apart_and_few_people(now: Asked, earlier: Asked, near: bool) -> None:
    assert is_near(now, earlier, 5) is near
    assert is_near(earlier, now, 5) is near


COUNTS = st.dictionaries(st.sampled_from("abc"), st.tuples(st.integers(0, 30)), max_size=3)
VALUES = st.frozensets(st.sampled_from("vwxyz"), min_size=1, max_size=4)


@given(VALUES, st.sampled_from("vwxyz"), COUNTS, st.dictionaries(st.sampled_from("abc"), st.integers(0, 9)))
def test_a_value_more_is_near_exactly_where_a_shown_group_grows_by_few(
    values: frozenset[str], more: str, counts: dict[str, tuple[int]], grown: dict[str, int]
) -> None:
    larger = {group: (people + grown.get(group, 0),) for group, (people,) in counts.items()}
    before = asked(0, *(values - {more}), "other", groups=counts)
    after = asked(0, *values, more, "other", groups=larger)
    few = any(people >= 5 and 0 < grown.get(group, 0) < 5 for group, (people,) in counts.items())
    assert is_near(after, before, 5) is is_near(before, after, 5) is few
    assert not is_near(before, before, 5)


def test_of_two_at_once_the_second_sees_the_first(place: Place) -> None:
    one, other = (StateStore(place) for _ in range(2))
    found = [
        one.asked.count_near("a", "s", asked(10, "x", "y"), 5),
        other.asked.count_near("b", "s", asked(8, "x"), 5),
    ]
    assert found == [0, 1]
    one.close()
    other.close()
