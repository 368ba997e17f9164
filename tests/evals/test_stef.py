"""STEF without a reference: alignment, the rule judge, the four normalisation rules and the composite."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from evals.stef.against import rank_correlation
from evals.stef.align import align
from evals.stef.batch import spread
from evals.stef.judge import Judged, RuleJudge, Verdict, Wanted
from evals.stef.rulebook import FilterRule, Rulebook, load_rulebook
from evals.stef.score import Stef, band_of, composite, confidence_multiplier, score_query
from evals.stef.wanted import wanted_of_plan
from metric_layer.load import load_layer
from metric_layer.plan import Filter, MetricPlan, Window
from metric_layer.sql.features import SqlFilter, read_features

SHOP = load_layer(Path(__file__).resolve().parents[2] / "examples" / "shop" / "metrics")
OPEN = SqlFilter(column="status", op="eq", values=("open",))
EMEA = SqlFilter(column="region", op="in", values=("emea",))
JULY = SqlFilter(column="day", op="le", values=("2026-07-31",))
PLAIN = Rulebook()
WANTED = Wanted(metrics=(("sum", ("amount",)),), dimensions=("region",), filters=(OPEN,))
RIGHT = "SELECT region, SUM(amount) FROM orders WHERE status = 'Open' GROUP BY region"


def scored(sql: str, wanted: Wanted = WANTED, rules: Rulebook = PLAIN) -> Stef:
    found = score_query(wanted, sql, "duckdb", rules, RuleJudge(rules))
    assert isinstance(found, Stef)
    return found


def test_features_are_read_without_a_schema() -> None:
    found = read_features(
        "WITH a AS (SELECT region AS r, amount FROM t WHERE day BETWEEN '2026-01-01' AND '2026-01-31') "
        "SELECT r AS territory, SUM(amount) FROM a WHERE NOT r IS NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 5",
        "duckdb",
    )
    assert found is not None
    assert (found.shown, found.aggregates, found.groups) == (
        ("region",),
        (("sum", ("amount",)),),
        ("region",),
    )
    assert (found.ordered, found.limit, found.by_name) == (True, 5, True)
    assert {(f.column, f.op, f.values) for f in found.filters} == {
        ("day", "ge", ("2026-01-01",)),
        ("day", "le", ("2026-01-31",)),
        ("region", "not_is", ("null",)),
    }
    assert read_features("DELETE FROM t", "duckdb") is None


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ((OPEN, EMEA), "fully_applied"),
        ((OPEN, EMEA, JULY), "fully_applied_with_extras"),
        ((OPEN,), "partially_applied"),
        ((EMEA,), "not_applied"),
        ((), "not_applied"),
        ((JULY,), "not_applied"),
    ],
)
def test_filters_fall_into_four_classes(found: tuple[SqlFilter, ...], status: str) -> None:
    rules = Rulebook(critical_filters=(FilterRule(column="status"),))
    assert align((OPEN, EMEA), found, rules).status == status


def test_nothing_asked_and_nothing_there_is_vacuous_and_says_so() -> None:
    found = align((), (), PLAIN)
    assert (found.status, found.vacuous) == ("fully_applied", True)
    assert align((), (OPEN,), PLAIN).status == "fully_applied_with_extras"


def test_the_rulebook_maps_columns_and_values_and_excuses_filters() -> None:
    rules = Rulebook(
        column_mappings={"territory": "region"},
        value_mappings={"europe": "emea"},
        benign_filters=(FilterRule(column="deleted", values=("FALSE",)),),
    )
    found = (
        SqlFilter(column="territory", op="eq", values=("europe",)),
        SqlFilter(column="deleted", op="eq", values=("false",)),
    )
    aligned = align((EMEA,), found, rules)
    assert aligned.status == "fully_applied_with_extras" and aligned.all_benign
    other = SqlFilter(column="deleted", op="eq", values=("true",))
    assert not align((EMEA,), (found[0], other), rules).all_benign


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.permutations(["a", "b", "c"]))
def test_spellings_of_a_bound_and_the_order_of_values_do_not_count(day: date, values: list[str]) -> None:
    following = date.fromordinal(day.toordinal() + 1).isoformat()
    until = SqlFilter(column="day", op="le", values=(day.isoformat(),))
    before = SqlFilter(column="DAY", op="lt", values=(f"{following} 00:00:00",))
    listed = SqlFilter(column="x", op="in", values=tuple(values))
    ordered = SqlFilter(column="x", op="in", values=("a", "b", "c"))
    assert align((until, ordered), (before, listed), PLAIN).status == "fully_applied"


@pytest.mark.parametrize(
    ("sql", "verdict"),
    [
        (RIGHT, "correct"),
        (RIGHT.replace("SUM", "AVG"), "incorrect"),
        (RIGHT.replace("'Open'", "'closed'"), "incorrect"),
        (RIGHT.replace(" WHERE status = 'Open'", ""), "incorrect"),
        ("SELECT SUM(amount) FROM orders WHERE status = 'open'", "potentially_incorrect"),
        (RIGHT + " LIMIT 5", "potentially_incorrect"),
        (RIGHT + ", city", "potentially_incorrect"),
        (RIGHT.replace("SELECT region", "SELECT region, city") + ", city", "likely_correct"),
        (RIGHT.replace("'Open'", "'open' AND city = 'x'"), "likely_correct"),
    ],
)
def test_the_gravest_finding_is_the_verdict(sql: str, verdict: Verdict) -> None:
    assert scored(sql).judged.verdict == verdict


def test_the_four_rules_waive_what_production_adds() -> None:
    shown = scored(RIGHT.replace("SELECT region", "SELECT region, city") + ", city")
    assert shown.judged.waived == ("group of a shown column: city",)
    held = scored(RIGHT + ", status")
    assert held.judged.verdict == "correct" and held.judged.waived == ("group held at one value: status",)
    ordered = scored(RIGHT + " ORDER BY 2 DESC")
    assert ordered.judged.verdict == "correct" and ordered.judged.waived == ("order",)
    guarded = scored(RIGHT + " LIMIT 10000")
    assert guarded.judged.verdict == "correct" and guarded.judged.waived == ("safety limit",)


def test_another_grain_than_was_asked_for_is_told_and_a_fiscal_one_is_not_compared() -> None:
    sql = "SELECT date_trunc('{}', day), SUM(amount) FROM orders WHERE status = 'open' GROUP BY 1"
    monthly = WANTED.model_copy(update={"dimensions": ("day",), "grain": "month"})
    assert scored(sql.format("month"), monthly).judged.verdict == "correct"
    weekly = scored(sql.format("week"), monthly).judged
    assert (weekly.verdict, weekly.reasons) == ("potentially_incorrect", ("grain week, not month",))
    fiscal = monthly.model_copy(update={"grain": "fiscal_month"})
    assert scored(sql.format("week"), fiscal).judged.verdict == "correct"


def test_a_top_k_that_was_asked_for_may_not_be_lost() -> None:
    top = WANTED.model_copy(update={"limit": 3, "ordered": True})
    assert scored(RIGHT + " ORDER BY 2 DESC LIMIT 3", top).judged.verdict == "correct"
    assert scored(RIGHT, top).judged.reasons == ("lost top-k",)


def test_doubt_pulls_a_score_down_and_is_shown() -> None:
    unsure = scored(RIGHT, WANTED.model_copy(update={"explained": 0.7}))
    assert (unsure.score, unsure.multiplier, unsure.base) == (80.0, 0.8, 10)
    nested = scored(f"WITH q AS ({RIGHT.replace('SUM(amount)', 'SUM(amount) AS s')}) SELECT region, s FROM q")
    assert nested.judged.confidence == pytest.approx(0.8) and nested.multiplier == 0.8


def test_benign_extras_restore_what_they_cost() -> None:
    sql = RIGHT.replace("'Open'", "'open' AND deleted = 0")
    rules = Rulebook(benign_filters=(FilterRule(column="deleted"),))
    with_rule, without = scored(sql, rules=rules), scored(sql)
    assert (with_rule.score, with_rule.boost) == (100.0, 1)
    assert (without.score, without.boost) == (80.0, 0)


@given(
    st.sampled_from(["correct", "likely_correct", "potentially_incorrect", "incorrect"]),
    st.floats(0, 1),
    st.lists(st.sampled_from([OPEN, EMEA, JULY]), max_size=3),
    st.booleans(),
)
def test_a_score_lies_between_0_and_100_and_follows_from_its_parts(
    verdict: Verdict, confidence: float, found: list[SqlFilter], benign: bool
) -> None:
    rules = Rulebook(benign_filters=(FilterRule(column="day"),) if benign else ())
    stef = composite(align((OPEN, EMEA), found, rules), Judged(verdict=verdict, confidence=confidence), "j")
    assert 0 <= stef.score <= 100
    assert stef.score == pytest.approx(min(stef.base + stef.boost, 10) * 10 * stef.multiplier)


def test_lines_between_bands_and_multipliers() -> None:
    assert [band_of(score) for score in (90, 89.9, 75.1, 75, 50, 49.9)] == [
        "excellent",
        "good",
        "good",
        "marginal",
        "marginal",
        "poor",
    ]
    assert [confidence_multiplier(c) for c in (0.85, 0.849, 0.65, 0.649)] == [1.0, 0.8, 0.8, 0.5]


def test_a_plan_asks_for_its_leaves_and_excuses_what_definitions_filter_by() -> None:
    plan = MetricPlan(
        metrics=("net_revenue",),
        dimensions=("region",),
        filters=(Filter(field="segment", op="eq", values=("consumer",)),),
        time=Window.model_validate({"from": "2026-07-01", "to": "2026-09-30", "grain": "month"}),
    )
    wanted, rules = wanted_of_plan(plan, SHOP, PLAIN)
    assert set(wanted.metrics) == {("sum", ("amount",)), ("sum", ("refund_amount",))}
    assert wanted.dimensions == ("region", "order_date") and wanted.explained == 1.0
    assert {(f.column, f.op) for f in wanted.filters} == {
        ("segment", "eq"),
        ("order_date", "ge"),
        ("order_date", "le"),
    }
    assert rules.is_benign(SqlFilter(column="order_status", op="in", values=("completed", "returned")))
    assert not rules.is_benign(SqlFilter(column="order_status", op="eq", values=("completed",)))


def test_a_rulebook_is_read_and_its_problems_are_told(tmp_path: Path) -> None:
    file = tmp_path / "rules.yml"
    file.write_text(
        "safety_limit: 500\nbenign_filters: [{column: deleted, values: ['0']}]\n", encoding="utf-8"
    )
    found = load_rulebook(file)
    assert isinstance(found, Rulebook) and found.safety_limit == 500
    file.write_text("safety_limt: 500\n", encoding="utf-8")
    issues = load_rulebook(file)
    assert isinstance(issues, list) and "safety_limit" in issues[0].candidates


def test_percentiles_are_values_of_the_list() -> None:
    found = spread([float(at) for at in range(1, 11)])
    assert (found.n, found.mean, found.p10, found.p90) == (10, 5.5, 1.0, 9.0)
    assert spread([]).mean is None


def test_ranks_that_agree_correlate_and_what_never_varies_is_undefined() -> None:
    assert rank_correlation([(1, 10), (2, 20), (3, 90)]) == pytest.approx(1.0)
    assert rank_correlation([(1, 9), (2, 5), (3, 1)]) == pytest.approx(-1.0)
    assert rank_correlation([(1, 1), (1, 2)]) is None and rank_correlation([]) is None


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_a_rank_correlation_is_scipys(pairs: list[tuple[int, int]]) -> None:
    found = rank_correlation([(float(a), float(b)) for a, b in pairs])
    if found is None:
        assert any(len({pair[at] for pair in pairs}) == 1 for at in (0, 1))
    else:
        assert found == pytest.approx(float(spearmanr(*zip(*pairs, strict=True)).statistic))
