"""Questions written from a layer's own grammar are read back to the plan they were written from."""

from datetime import date

from hypothesis import given, settings
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


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, str]:
    """A question and the outcome it was written from."""
    name, _, _, said, allowed = draw(st.sampled_from(METRICS))
    fields = {field: (words, values) for field, words, values in DIMENSIONS if field in allowed}
    parts: list[str] = []
    outcome = [f"m:{name}"]
    breakdown = draw(st.lists(st.sampled_from(sorted(fields)), max_size=2, unique=True))
    grain = draw(st.sampled_from(["", *GRAINS]))
    if breakdown:
        nouns = " and ".join(draw(st.sampled_from(fields[field][0])) for field in breakdown)
        parts.append(draw(st.sampled_from(BY)).format(nouns))
        outcome.append(f"d:{','.join(breakdown)}")
    filtered = draw(
        st.lists(st.sampled_from(sorted(f for f in fields if fields[f][1])), max_size=2, unique=True)
    )
    for field in filtered:
        part, written_out = draw(filters(field, fields[field][1]))
        parts.append(part)
        outcome.append(written_out)
    period = draw(st.sampled_from(sorted(PERIODS)))
    first, last = PERIODS[period]
    outcome.append(f"t:{first}..{last}")
    if grain:
        outcome.append(f"g:{grain}")
    parts.append(period)
    parts = list(draw(st.permutations(parts)))
    ways = sorted(way for way in COMPARED if period in COMPARED[way])
    compared: bool = draw(st.booleans())
    if ways and compared:
        way = draw(st.sampled_from(ways))
        parts.append(way)
        outcome.append(f"c:{COMPARED[way][period]}")
    word = draw(st.sampled_from([way for way in said if way != SHORT]))
    before = draw(st.sampled_from(GRAINS[grain])) if grain else ""
    head = f"{before} {word}" if before and " " not in before else f"{word} {before}".strip()
    order = draw(st.sampled_from((" ", ", ")))
    return (
        f"{draw(st.sampled_from(OPENINGS))}{order.join([head, *parts])}{draw(st.sampled_from(ENDINGS))}",
        " ".join(outcome),
    )


@st.composite
def filters(draw: st.DrawFn, field: str, values: dict[str, tuple[str, ...]]) -> tuple[str, str]:
    """Words that keep or leave out values of a dimension, and the filter they stand for."""
    free = {value: [word for word in said if word not in DOUBLE] for value, said in values.items()}
    chosen = draw(
        st.lists(st.sampled_from(sorted(v for v in free if free[v])), min_size=1, max_size=2, unique=True)
    )
    text = " and ".join(draw(st.sampled_from(free[value])) for value in chosen)
    negated = draw(st.booleans())
    sign = "!=" if negated else "="
    return draw(st.sampled_from(NOT if negated else IN)).format(
        text
    ), f"f:{field}{sign}{','.join(chosen)}".replace(" ", "~")


EXAMPLES = LONG if settings().max_examples > 1000 else 300


@settings(max_examples=EXAMPLES)
@given(questions())
def test_a_question_written_from_the_layer_is_read_back_to_its_plan(written_from: tuple[str, str]) -> None:
    question, outcome = written_from
    assert sorted(written(take(question, WORDS, visible=Visible(), today=TODAY)).split()) == sorted(
        outcome.split()
    )


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
