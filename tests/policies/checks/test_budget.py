"""The price of a question against its lines: what is held, what is denied, what an unknown price means."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.sql import Catalogue, CatalogueColumn, CatalogueTable
from policies.checks.budget import check_budget, check_day_budget, check_full_scan, check_join_growth, size
from policies.facts import CostFacts
from policies.policy import Budget, Lines, Measures, Policy, Role
from policies.register import SEVERITY
from traces.records import Estimate, JoinGrowth, Scan, Spent

ROLE = Role(datasets=("visits",))
VISITS = CatalogueTable(
    name="web.visits",
    columns=(CatalogueColumn("at", "timestamp"),),
    time_column="at",
    dataset="visits",
)
SHOPS = CatalogueTable(name="web.shops", columns=(CatalogueColumn("id", "integer"),), dataset="shops")


def facts(estimate: Estimate, budget: Budget | None = None, role: Role = ROLE) -> CostFacts:
    catalogue = Catalogue("duckdb", "", "main", (VISITS, SHOPS), (), datetime(2026, 11, 30, tzinfo=UTC), "d")
    policy = Policy(name="p", roles={"analyst": role}, budget=budget or Budget())
    return CostFacts(role=role, policy=policy, catalogue=catalogue, estimate=estimate)


def verdicts(estimate: Estimate, budget: Budget) -> list[str]:
    return [finding.verdict for finding in check_budget(facts(estimate, budget))]


@pytest.mark.parametrize(
    ("seen", "verdict"), [(0, "allow"), (100, "allow"), (101, "hold"), (1000, "hold"), (1001, "hard")]
)
def test_a_price_on_a_line_is_still_below_it(seen: int, verdict: str) -> None:
    budget = Budget(bytes=Lines(warn=100, hard=1000))
    assert verdicts(Estimate(bytes=seen, bound="upper"), budget) == [verdict]


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_dearer_question_never_gets_a_milder_verdict(one: int, other: int) -> None:
    budget = Budget(rows=Lines(warn=10**6, hard=10**9))
    low, high = sorted((one, other))
    mild, strict = (verdicts(Estimate(rows=rows, bound="guess"), budget)[0] for rows in (low, high))
    assert SEVERITY[mild] <= SEVERITY[strict]  # type: ignore[index]


def test_every_measure_is_judged_and_a_missing_one_is_said_to_be_skipped() -> None:
    line = Lines(warn=10, hard=100)
    found = verdicts(Estimate(bytes=11, cost=101.5, bound="exact"), Budget(bytes=line, rows=line, cost=line))
    assert found == ["hold", "skipped", "hard"]


@pytest.mark.parametrize(
    ("lines", "measures"),
    [(("cost",), "in cost"), (("rows", "cost"), "in rows or cost")],
)
def test_lines_whose_measures_nobody_knows_judge_nothing_and_that_is_an_unknown_price(
    lines: tuple[str, ...], measures: str
) -> None:
    known = Estimate(bytes=1, bound="exact")
    given = dict.fromkeys(lines, Lines(warn=10, hard=100))
    (held,) = check_budget(facts(known, Budget(**given)))
    assert (held.verdict, held.seen) == ("hold", "unknown") and held.reason.endswith(measures)
    assert held.next_step
    (capped,) = check_budget(facts(known, Budget(unknown="hard_caps", **given)))
    assert (capped.verdict, capped.seen) == ("allow", "unknown")
    assert measures in capped.reason and "hard caps" in capped.reason


def test_lines_of_a_class_that_judge_nothing_do_not_pass_by_the_lines_beside_them() -> None:
    asked = facts(Estimate(bytes=1, bound="exact"), Budget(bytes=Lines(warn=10, hard=100)))
    free = Measures(cost=Lines(warn=10, hard=100))
    asked = replace(asked, policy=asked.policy.model_copy(update={"class_budgets": {"free": free}}))
    assert [f.verdict for f in check_budget(asked)] == ["allow"]
    assert [f.verdict for f in check_budget(replace(asked, release_class="free"))] == ["allow", "hold"]


def test_a_finding_stands_beside_its_lines_and_says_what_to_do() -> None:
    budget = Budget(bytes=Lines(warn=1_000_000, hard=2_000_000))
    (finding,) = check_budget(facts(Estimate(bytes=2_500_000, bound="upper"), budget))
    assert (finding.seen, finding.threshold) == ("2.5 MB", "warn 1.0 MB, hard 2.0 MB")
    assert finding.next_step and finding.retry


def test_an_unknown_price_never_passes_in_silence() -> None:
    assert verdicts(Estimate(bound="unknown"), Budget(bytes=Lines(warn=1, hard=2))) == ["hold"]
    (finding,) = check_budget(facts(Estimate(bound="unknown"), Budget(unknown="hard_caps")))
    assert (finding.verdict, finding.seen) == ("allow", "unknown")
    assert "cannot estimate" in finding.reason


def test_a_role_may_have_lines_of_its_own() -> None:
    role = ROLE.model_copy(update={"budget": Budget(bytes=Lines(warn=1, hard=2))})
    (finding,) = check_budget(facts(Estimate(bytes=3, bound="upper"), Budget(), role))
    assert finding.verdict == "hard"


@pytest.mark.parametrize(
    ("relation", "full", "held"),
    [
        ("web.visits", True, True),
        ("memory.web.VISITS", True, True),
        ("web.visits", False, False),
        ("web.shops", True, False),
        ("web.more_visits", True, False),
    ],
)
def test_only_a_whole_read_of_a_large_table_is_held(relation: str, full: bool, held: bool) -> None:
    estimate = Estimate(scans=(Scan(relation=relation, rows=5, full=full),), bound="upper")
    assert [finding.verdict for finding in check_full_scan(facts(estimate))] == ["hold"] * held


@pytest.mark.parametrize(
    ("growth", "rows", "held"), [(11.0, 1_000_001, True), (10.0, 1_000_001, False), (11.0, 1_000_000, False)]
)
def test_a_join_that_multiplies_many_rows_is_held(growth: float, rows: int, held: bool) -> None:
    estimate = Estimate(joins=(JoinGrowth(kind="HASH_JOIN", rows=rows, growth=growth),), bound="upper")
    assert [finding.verdict for finding in check_join_growth(facts(estimate))] == ["hold"] * held


@pytest.mark.parametrize(
    ("measure", "value", "shown"),
    [
        ("bytes", 999, "999 B"),
        ("bytes", 1000, "1.0 kB"),
        ("bytes", 10**18, "1000.0 PB"),
        ("rows", 1000, "1,000 rows"),
    ],
)
def test_a_size_is_shown_as_people_read_it(measure: str, value: int, shown: str) -> None:
    assert size(measure, value) == shown


DAY = Budget(day=Measures(bytes=Lines(warn=100, hard=200)))


@pytest.mark.parametrize(
    ("before", "seen", "verdict"), [(0, 100, "allow"), (60, 41, "hold"), (150, 50, "hold"), (150, 51, "hard")]
)
def test_a_question_is_judged_together_with_the_rest_of_its_askers_day(
    before: int, seen: int, verdict: str
) -> None:
    asked = replace(facts(Estimate(bytes=seen, bound="upper"), DAY), day=Spent(bytes=before))
    (finding,) = check_day_budget(asked)
    assert finding.verdict == verdict
    assert [f.verdict for f in check_budget(asked)] == []


def test_a_price_that_nobody_knows_does_not_pass_the_day() -> None:
    for unknown in (Estimate(bound="unknown"), Estimate(rows=3, bound="upper")):
        (finding,) = check_day_budget(replace(facts(unknown, DAY), day=Spent()))
        assert finding.verdict == "hold"
    (finding,) = check_day_budget(facts(Estimate(bytes=500, bound="upper"), DAY))
    assert finding.verdict == "skipped"


def test_a_class_of_questions_has_lines_of_its_own_beside_the_roles() -> None:
    free = Measures(rows=Lines(warn=10, hard=20))
    asked = facts(Estimate(bytes=50, rows=15, bound="upper"), Budget(bytes=Lines(warn=100, hard=200)))
    asked = replace(asked, policy=asked.policy.model_copy(update={"class_budgets": {"free": free}}))
    assert [f.verdict for f in check_budget(asked)] == ["allow"]
    assert [f.verdict for f in check_budget(replace(asked, release_class="free"))] == ["allow", "hold"]


def test_a_cost_without_end_is_above_every_line() -> None:
    dear = Budget(cost=Lines(warn=10**18, hard=10**18))
    for cost in (float("inf"), float("nan"), 1e300):
        assert verdicts(Estimate(cost=cost, bound="guess"), dear) == ["hard"]
