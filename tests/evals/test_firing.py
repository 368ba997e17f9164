"""Firing rates count questions, not findings, and call a week sudden only with enough behind it."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from evals.firing import firing
from traces.records import Ask, Close, Decision, Open, Verdict

MONDAY = datetime(2026, 8, 3, 12, tzinfo=UTC)
Ended = tuple[Open, Close]


def question(at: int, week: int, verdicts: tuple[Verdict, ...], origin: str = "plan") -> Ended:
    when = MONDAY + timedelta(weeks=week)
    opened = Open(
        trace_id=f"t{at}",
        at=when,
        mono_us=0,
        subject="s",
        role="r",
        tenant="t",
        client="",
        origin=origin,
        ask=Ask(),
    )
    decisions = tuple(Decision(stage="sql", check="fan_out", verdict=v, reason="") for v in verdicts)
    stopped = bool({"soft", "hard"} & set(verdicts))
    closed = Close(
        trace_id=f"t{at}",
        at=when,
        mono_us=0,
        outcome="denied" if stopped else "answered",
        decisions=decisions,
    )
    return opened, closed


def weeks(*counts: tuple[int, int]) -> list[Ended]:
    """Questions of which the first so many fire, week by week."""
    listed = [(week, at < fired) for week, (fired, n) in enumerate(counts) for at in range(n)]
    return [question(at, week, ("soft",) if fires else ("allow",)) for at, (week, fires) in enumerate(listed)]


def test_a_question_counts_once_and_a_skipped_check_not_at_all() -> None:
    found = firing(
        [question(0, 0, ("soft", "hard")), question(1, 0, ("allow",)), question(2, 0, ("skipped",))]
    )
    (rate,) = found.rates
    assert (rate.fired, rate.n, found.questions) == (1, 2, 3)


def test_classes_and_weeks_stay_apart() -> None:
    found = firing([question(0, 0, ("soft",)), question(1, 1, ("soft",)), question(2, 1, ("soft",), "free")])
    assert {(r.question_class, w.week): w.n for r in found.rates for w in r.weeks} == {
        ("governed", "2026-W32"): 1,
        ("governed", "2026-W33"): 1,
        ("free", "2026-W33"): 1,
    }


def test_a_spike_and_a_drop_are_told_with_their_n() -> None:
    (spike,) = firing(weeks((5, 100), (4, 100), (30, 100))).sudden
    assert (spike.kind, spike.week, spike.fired, spike.n) == ("spike", "2026-W34", 30, 100)
    assert (spike.before_fired, spike.before_n) == (9, 200)
    (drop,) = firing(weeks((50, 100), (5, 100))).sudden
    assert drop.kind == "drop"


def test_few_questions_and_steady_weeks_are_not_sudden() -> None:
    assert not firing(weeks((0, 100), (5, 10))).sudden
    assert not firing(weeks((10, 100), (12, 100), (9, 100))).sudden
    assert not firing(weeks((0, 100), (0, 100))).sudden and not firing(weeks((50, 50), (50, 50))).sudden


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=40), st.integers(0, 5))
def test_samples_are_of_their_week_and_outcome_and_do_not_depend_on_the_order(
    drawn: list[tuple[int, bool]], sample: int
) -> None:
    asked = [question(at, week, ("soft",) if stops else ()) for at, (week, stops) in enumerate(drawn)]
    found, turned = firing(asked, sample=sample), firing(asked[::-1], sample=sample)
    assert found.samples == turned.samples
    for name, ids in found.samples.items():
        assert len(ids) <= sample
        for each in ids:
            week, stops = drawn[int(each[1:])]
            assert name == f"2026-W{32 + week} {'stopped' if stops else 'allowed'}"
