"""Questions written from a layer's own grammar are read back to the plan they were written from."""

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Protocol, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.intake import IntakePlan, take
from metric_layer.asked_words import word_set
from metric_layer.visible import Visible
from tests.gateway.intake.ferry import DIMENSIONS, METRICS, TODAY, words
from tests.gateway.intake.outcomes import written

WORDS = words()
LONG = 10_000
# Words of values and dimensions that mean one thing only; the rest asks back and has its own cases.
DOUBLE = frozenset(("flex", "refunds", "US"))
# Behind "monthly" it would be another name of the same metric, and no grain.
SHORT = "pass holders"
PERIODS: dict[str, tuple[str, str]] = {
    "last month": ("2026-04-01", "2026-04-30"),
    "in April 2026": ("2026-04-01", "2026-04-30"),
    "last quarter": ("2026-02-01", "2026-04-30"),
    "in Q1": ("2026-02-01", "2026-04-30"),
    "for FY25 Q2": ("2025-05-01", "2025-07-31"),
    "in H2 FY25": ("2025-08-01", "2026-01-31"),
    "in calendar year 2025": ("2025-01-01", "2025-12-31"),
    "year to date": ("2026-02-01", "2026-05-13"),
    "over the last 7 days": ("2026-05-06", "2026-05-12"),
    "since 1 April": ("2026-04-01", "2026-05-13"),
    "from 2026-03-01 to 2026-04-15": ("2026-03-01", "2026-04-15"),
    "during the Midsummer Sale": ("2025-06-16", "2025-06-23"),
}
COMPARED: dict[str, dict[str, str]] = {
    "vs the same period last year": {
        "last month": "previous_year:2025-04-01..2025-04-30",
        "last quarter": "previous_year:2025-02-01..2025-04-30",
        "year to date": "previous_year:2025-02-01..2025-05-13",
    },
    "compared to the previous period": {
        "last month": "previous_period:2026-03-01..2026-03-31",
        "last quarter": "previous_period:2025-11-01..2026-01-31",
        "over the last 7 days": "previous_period:2026-04-29..2026-05-05",
    },
}
GRAINS = {"day": ("daily", "by day"), "week": ("weekly", "per week"), "month": ("monthly", "month by month")}
SCRAPS = sorted(
    word_set(
        "passengers revenue by per except vs last month Q1 2026 top 3 route Norway in and the "
        "03/04/2026 since what FY25 each compare instead not only all average more than daily , ? "
        "from of flex other us US"
    )
)
OPENINGS = ("", "show me ", "what were the ", "Could you please give me ", "I'd like to see ")
ENDINGS = ("", "?", " please", ", thanks!")
BY = ("by {}", "per {}", "for each {}", "split by {}")
IN = ("in {}", "for {}", "only for {}")
NOT = ("excluding {}", "except {}", "without {}")


T = TypeVar("T")


class Hand(Protocol):
    """What chooses among the words of a question."""

    def one(self, of: Sequence[T]) -> T: ...

    def some(self, of: Sequence[T], least: int = 0) -> list[T]: ...

    def mixed(self, of: Sequence[T]) -> list[T]: ...


class Drawing:
    """Chooses as Hypothesis wants it: a failure is made small."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def one(self, of: Sequence[T]) -> T:
        return self.draw(st.sampled_from(of))

    def some(self, of: Sequence[T], least: int = 0) -> list[T]:
        return self.draw(st.lists(st.sampled_from(of), min_size=least, max_size=2, unique=True))

    def mixed(self, of: Sequence[T]) -> list[T]:
        return list(self.draw(st.permutations(of)))


class Dice:
    """Chooses by dice that fall the same way each time: many questions in seconds."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)

    def one(self, of: Sequence[T]) -> T:
        return self.dice.choice(of)

    def some(self, of: Sequence[T], least: int = 0) -> list[T]:
        return self.dice.sample(of, min(self.dice.randint(least, 2), len(of)))

    def mixed(self, of: Sequence[T]) -> list[T]:
        return self.dice.sample(of, len(of))


def question_by(hand: Hand) -> tuple[str, str]:
    """A question and the outcome it was written from."""
    name, _, _, said, allowed = hand.one(METRICS)
    fields = {field: (words, values) for field, words, values in DIMENSIONS if field in allowed}
    parts: list[str] = []
    outcome = [f"m:{name}"]
    breakdown = hand.some(sorted(fields))
    grain = hand.one(["", *GRAINS])
    if breakdown:
        nouns = " and ".join(hand.one(fields[field][0]) for field in breakdown)
        parts.append(hand.one(BY).format(nouns))
        outcome.append(f"d:{','.join(breakdown)}")
    for field in hand.some(sorted(f for f in fields if fields[f][1])):
        part, written_out = filter_by(hand, field, fields[field][1])
        parts.append(part)
        outcome.append(written_out)
    period = hand.one(sorted(PERIODS))
    first, last = PERIODS[period]
    outcome.append(f"t:{first}..{last}")
    if grain:
        outcome.append(f"g:{grain}")
    parts = hand.mixed([*parts, period])
    ways = sorted(way for way in COMPARED if period in COMPARED[way])
    compared: bool = hand.one((False, True))
    if ways and compared:
        way = hand.one(ways)
        parts.append(way)
        outcome.append(f"c:{COMPARED[way][period]}")
    word = hand.one([way for way in said if way != SHORT])
    before = hand.one(GRAINS[grain]) if grain else ""
    head = f"{before} {word}" if before and " " not in before else f"{word} {before}".strip()
    text = hand.one((" ", ", ")).join([head, *parts])
    return f"{hand.one(OPENINGS)}{text}{hand.one(ENDINGS)}", " ".join(outcome)


def filter_by(hand: Hand, field: str, values: dict[str, tuple[str, ...]]) -> tuple[str, str]:
    """Words that keep or leave out values of a dimension, and the filter they stand for."""
    free = {value: [word for word in said if word not in DOUBLE] for value, said in values.items()}
    chosen = hand.some(sorted(v for v in free if free[v]), least=1)
    text = " and ".join(hand.one(free[value]) for value in chosen)
    negated: bool = hand.one((False, True))
    written_out = f"f:{field}{'!=' if negated else '='}{','.join(chosen)}"
    return hand.one(NOT if negated else IN).format(text), written_out.replace(" ", "~")


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, str]:
    """A question and the outcome it was written from."""
    return question_by(Drawing(draw))


def read_back(question: str) -> list[str]:
    return sorted(written(take(question, WORDS, visible=Visible(), today=TODAY)).split())


@given(questions())
def test_a_question_written_from_the_layer_is_read_back_to_its_plan(written_from: tuple[str, str]) -> None:
    question, outcome = written_from
    assert read_back(question) == sorted(outcome.split())


@pytest.mark.slow
def test_ten_thousand_questions_written_from_the_layer_are_read_back_to_their_plans() -> None:
    asked = dict(question_by(Dice(seed)) for seed in range(LONG + LONG // 10))
    assert len(asked) >= LONG, "that many different questions"
    wrong = {each: outcome for each, outcome in asked.items() if read_back(each) != sorted(outcome.split())}
    assert wrong == {}


@given(
    questions(), st.integers(0, 40), st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=5, max_size=9)
)
def test_a_word_that_nobody_knows_never_goes_into_a_plan_unseen(
    written_from: tuple[str, str], place: int, word: str
) -> None:
    said = written_from[0].split()
    said.insert(min(place, len(said)), f"zq{word}")
    assert not isinstance(take(" ".join(said), WORDS, visible=Visible(), today=TODAY), IntakePlan)


@given(st.text(max_size=80) | st.lists(st.sampled_from(SCRAPS)).map(" ".join))
def test_no_text_raises_and_the_same_text_has_one_outcome(text: str) -> None:
    first, second = (take(text, WORDS, visible=Visible(), today=TODAY) for _ in range(2))
    assert first == second
    if isinstance(first, IntakePlan):
        assert first.plan.metrics
        assert first.plan.time is not None
        assert first.plan.time.from_ <= first.plan.time.to <= date(2026, 5, 13)
