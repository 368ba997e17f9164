"""Conformity is worked out from the plan alone: whatever part of its SQL is changed or dropped, it tells."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

import pytest
from sqlglot import exp, parse_one

from metric_layer.compile import compile_plan
from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.plan import Dialect
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Catalogue, Reader, Reading, ReadLimits
from policies.checks.conformity import check_conformity
from policies.facts import SqlFacts
from policies.register import SQL_CHECKS, judge
from tests.metric_layer.compile.test_dialects import DIALECTS, EXTRA, PLANS
from tests.metric_layer.ledger import LEDGER, ledger
from tests.metric_layer.many_facts import asked as asked_of
from tests.metric_layer.many_facts import many_facts
from tests.metric_layer.test_traps import RIGHT
from tests.metric_layer.trap_shop import resolved_of, trap_layer
from tests.policies.checks.test_governed_sql import POLICY, catalogue_of

MORE: dict[str, dict[str, object]] = {
    "filtered": {
        "metrics": ["fees", "fee_each"],
        "dimensions": ["city"],
        "filters": [
            {"field": "branch", "op": "in", "values": ["north", "south"]},
            {"field": "currency", "op": "ne", "values": ["USD"]},
            {"field": "fee_amount", "op": "between", "values": [-1, 100]},
            {"metric": "fees", "op": "gt", "values": [2.5]},
        ],
        "order": {"by": "fees", "dir": "desc"},
        "limit": 5,
    },
    "moments_of_each_averaged": {
        "metrics": ["mean_each"],
        "dimensions": ["branch"],
        "time": {"from": "2026-01-01", "to": "2026-02-28", "grain": "month"},
    },
    "weeks": {"metrics": ["fees"], "time": {"from": "2026-01-01", "to": "2026-02-28", "grain": "week"}},
    "fiscal_quarters_a_year_earlier": {
        "metrics": ["fees"],
        "time": {"from": "2026-02-01", "to": "2026-07-31", "grain": "fiscal_quarter"},
        "compare": {"kind": "previous_year"},
    },
    "two_windows_filled": {
        "metrics": ["fees"],
        "dimensions": ["branch"],
        "time": {"from": "2026-01-01", "to": "2026-03-31", "grain": "month", "fill": "zero"},
        "compare": {"kind": "previous_year"},
    },
    "a_year_under_way_filled": {
        "metrics": ["fees"],
        "time": {"from": "2026-08-01", "to": "2027-03-31", "grain": "quarter", "fill": "zero"},
        "compare": {"kind": "previous_year"},
    },
    "days_filled": {
        "metrics": ["fees"],
        "dimensions": ["branch"],
        "time": {"from": "2026-01-01", "to": "2026-04-30", "grain": "day", "fill": "empty"},
    },
    "moments_filtered": {
        "metrics": ["kiel_alone", "balance"],
        "filters": [{"field": "branch", "op": "eq", "values": ["north"]}],
    },
}
MEAN_EACH = """
  - {name: mean_each, version: 1, owner: o, description: d, type: sum, dataset: balances, column: amount,
     snapshot: {over: balance_date, pick: average, per: [account]}}
  - {name: kiel_alone, version: 1, owner: o, description: d, type: sum, dataset: balances, column: amount,
     filters: [{field: city, op: eq, values: [Kiel]}], snapshot: {over: balance_date, pick: last}}
"""
ASKED = PLANS | MORE
BELOW: dict[str, object] = {
    "metrics": ["shipping", "net"],
    "dimensions": ["buyer_region"],
    "filters": [{"field": "category", "op": "eq", "values": ["light"]}],
}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger(EXTRA + MEAN_EACH)


def told(text: str, plan: ResolvedPlan, catalogue: Catalogue) -> list[str]:
    """What conformity has against a text."""
    facts = SqlFacts("plan", POLICY, catalogue, Reading(text=text, sql=text), plan)
    return [finding.reason for finding in check_conformity(facts)]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ASKED)
def test_every_kind_of_governed_sql_passes_every_check(name: str, dialect: str, layer: Layer) -> None:
    catalogue = catalogue_of(layer, dialect)  # type: ignore[arg-type]
    plan = resolved_of(ASKED[name], layer)
    reading = Reader(catalogue, ReadLimits(max_rows=1000)).read(compile_plan(plan, layer, dialect, 1000))
    decisions = judge(SQL_CHECKS, SqlFacts("plan", POLICY, catalogue, reading, plan))
    assert [each.reason for each in decisions if each.verdict != "allow"] == []
    parsed = parse_one(reading.sql, dialect=dialect)
    assert reading.tree is None or reading.tree == parsed  # looked at by every check, and changed by none


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_what_we_compile_is_the_tree_that_its_text_reads_back_as(dialect: str, layer: Layer) -> None:
    reader = Reader(catalogue_of(layer, dialect), ReadLimits(max_rows=1000))  # type: ignore[arg-type]
    plan = resolved_of(ASKED["two_facts"], layer)
    reading = reader.read(compile_plan(plan, layer, dialect, 1000))
    assert reading.tree == parse_one(reading.sql, dialect=dialect)


def mutants(tree: exp.Expression, dialect: Dialect) -> Iterator[tuple[str, exp.Expr, str]]:
    """Yield the change, its place and the changed text, for every part of a statement that says something."""
    text = tree.sql(dialect)
    for at, kept in enumerate(tree.walk()):
        for change in CHANGES.get(type(kept), ()) if not says_nothing(kept) else ():
            node = next(islice(tree.copy().walk(), at, None))
            root = node.root()
            if change(node) and (changed := root.sql(dialect, copy=False)) != text:
                yield change.__name__, kept, changed


def says_nothing(node: exp.Expr) -> bool:
    """Skip digits of decimals, how many rows at most, what EXISTS selects."""
    if node.find_ancestor(exp.DataType, exp.Limit) is not None:
        return True
    select = node.find_ancestor(exp.Select)
    looked_up = isinstance(node, exp.Literal) and select is not None and isinstance(select.parent, exp.Exists)
    return looked_up and node.parent is select


def other_value(node: exp.Expr) -> bool:
    node.set("this", node.name[:-1] + ("3" if node.name.endswith("2") else "2") if node.name else "x")
    return True


def other_column(node: exp.Expr) -> bool:
    if node.text("table"):
        node.set("this", exp.to_identifier("another", quoted=True))
    return bool(node.text("table"))


def other_operator(node: exp.Expr) -> bool:
    node.replace(OPERATORS[type(node)](this=node.this, expression=node.expression))
    return True


def other_aggregate(node: exp.Expr) -> bool:
    node.replace(AGGREGATES[type(node)](**node.args))
    return True


def first_alone(node: exp.Expr) -> bool:
    """Drop all but the first part: a condition, a branch, what a NULL becomes."""
    node.replace(node.this)
    return True


def other_join(node: exp.Expr) -> bool:
    node.set("side", None if node.text("side") else "LEFT")
    return not node.args.get("kind")


def dropped(node: exp.Expr) -> bool:
    keeps = isinstance(node, exp.Order) and not isinstance(node.parent, exp.Select)
    if not keeps:
        node.pop()
    return not keeps


def one_group_less(node: exp.Expr) -> bool:
    node.expressions.pop()
    return bool(node.expressions)


def other_order(node: exp.Expr) -> bool:
    node.set("desc", not node.args.get("desc"))
    return True


def distinct_union(node: exp.Expr) -> bool:
    node.set("distinct", True)
    return True


OPERATORS: Mapping[type[exp.Expr], type[exp.Expr]] = {
    exp.GTE: exp.GT,
    exp.GT: exp.GTE,
    exp.LT: exp.LTE,
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.Add: exp.Sub,
    exp.Sub: exp.Add,
    exp.Mul: exp.Add,
    exp.Or: exp.And,
}
AGGREGATES: Mapping[type[exp.Expr], type[exp.Expr]] = {
    exp.Sum: exp.Max,
    exp.Max: exp.Min,
    exp.Rank: exp.DenseRank,
    exp.DenseRank: exp.Rank,
}
CHANGES: Mapping[type[exp.Expr], tuple[Callable[[exp.Expr], bool], ...]] = {
    **dict.fromkeys(OPERATORS, (other_operator,)),
    **dict.fromkeys(AGGREGATES, (other_aggregate,)),
    **dict.fromkeys((exp.And, exp.Nullif, exp.Coalesce, exp.Not), (first_alone,)),
    **dict.fromkeys((exp.Where, exp.Having, exp.Order), (dropped,)),
    exp.Union: (first_alone, distinct_union),
    exp.Literal: (other_value,),
    exp.Column: (other_column,),
    exp.Join: (other_join,),
    exp.Group: (one_group_less,),
    exp.Ordered: (other_order,),
}


def unnoticed(plan: ResolvedPlan, layer: Layer, dialect: Dialect = "duckdb") -> list[str]:
    """The changes that conformity lets pass; the statement as it is has to pass."""
    catalogue = catalogue_of(layer, dialect)
    tree = compile_plan(plan, layer, dialect, 1000)
    assert told(tree.sql(dialect), plan, catalogue) == []
    found = list(mutants(tree, dialect))
    assert len(found) > 8
    passed = ((change, kept) for change, kept, text in found if not told(text, plan, catalogue))
    return [f"{change}: {kept.sql(dialect)[:80]}" for change, kept in passed]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
@pytest.mark.parametrize("name", ASKED)
def test_no_part_can_be_changed_or_dropped_unnoticed(name: str, dialect: Dialect, layer: Layer) -> None:
    assert unnoticed(resolved_of(ASKED[name], layer), layer, dialect) == []


@pytest.mark.parametrize("kind", ["mixed", "wide"])
@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_figures_of_many_facts_cannot_change_unnoticed(kind: str, dialect: Dialect) -> None:
    facts = many_facts(14)
    plan = resolved_of(asked_of(kind, 14), facts)
    nested = compile_plan(plan, facts, dialect, 1000).sql(dialect).count('AS "narrow"')
    assert nested == (kind == "wide" and dialect == "postgres")
    assert unnoticed(plan, facts, dialect) == []


def branched(tree: exp.Expr, dialect: Dialect) -> Iterator[str]:
    """Yield the text with one branch more in a union: groups of a branch that is there, without its figures.

    With its conditions or without them, its figures left out or empty.
    """
    for at, union in enumerate(tree.find_all(exp.Union)):
        for side in ("this", "expression"):
            branch = union.args[side]
            if not isinstance(branch, exp.Select) or branch.find(exp.AggFunc) is None:
                continue
            for kept, empty in ((True, True), (True, False), (False, True), (False, False)):
                more = without_figures(branch.copy(), empty=empty)
                if not kept:
                    more.set("where", None)
                copy = tree.copy()
                grown = next(islice(copy.find_all(exp.Union), at, None))
                words = {name: value for name, value in grown.args.items() if isinstance(value, (str, bool))}
                grown.replace(exp.Union(this=grown.copy(), expression=more, **words))
                yield copy.sql(dialect)


def without_figures(select: exp.Select, *, empty: bool) -> exp.Select:
    """Return a SELECT of its groups alone, or with NULL in the place of each figure."""
    figures = [e for e in select.expressions if e.find(exp.AggFunc) or not e.find(exp.Column)]
    for each in figures:
        if empty:
            each.replace(exp.alias_(exp.Null(), each.alias_or_name))
        else:
            each.pop()
    return select


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ASKED)
def test_a_branch_of_groups_without_figures_is_told(name: str, dialect: Dialect, layer: Layer) -> None:
    """Such a branch changes no figure: it adds rows that nobody asked for."""
    plan, catalogue = resolved_of(ASKED[name], layer), catalogue_of(layer, dialect)
    tree = compile_plan(plan, layer, dialect, 1000)
    assert [text for text in branched(tree, dialect) if not told(text, plan, catalogue)] == []


def test_rows_that_are_looked_up_cannot_change_unnoticed() -> None:
    shop = trap_layer()
    assert unnoticed(resolved_of(BELOW, shop), shop) == []


OTHER_WORDS = {
    "weeks": ("fiscal_start_month: 2", "week_start: sunday, fiscal_start_month: 2"),
    "fiscal_quarters_a_year_earlier": ("fiscal_start_month: 2", "fiscal_start_month: 3"),
    "scaled": ("scale: 0.01", "scale: 0.001"),
}
"""A definition that changes where a period begins or what a column is worth, and nothing else."""


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", OTHER_WORDS)
def test_sql_of_another_scale_week_or_fiscal_year_is_no_sql_of_the_plan(
    name: str, dialect: Dialect, layer: Layer
) -> None:
    before, after = OTHER_WORDS[name]
    other = load_text((LEDGER + EXTRA + MEAN_EACH).replace(before, after))
    plan = resolved_of(ASKED[name], layer)
    ours, theirs = (compile_plan(plan, each, dialect, 1000).sql(dialect) for each in (layer, other))
    assert ours != theirs
    assert told(ours, plan, catalogue_of(layer, dialect)) == []
    assert told(theirs, plan, catalogue_of(layer, dialect))
    assert told(theirs, plan, catalogue_of(other, dialect)) == []


def test_a_week_of_the_engine_s_own_is_told_from_the_one_that_is_asked(layer: Layer) -> None:
    plan = resolved_of(ASKED["weeks"], layer)
    text = compile_plan(plan, layer, "bigquery", 1000).sql("bigquery")
    assert told(text.replace("ISOWEEK", "WEEK"), plan, catalogue_of(layer, "bigquery"))


@pytest.mark.parametrize("name", RIGHT)
def test_the_plan_of_one_question_does_not_fit_another(name: str) -> None:
    shop = trap_layer()
    raw, choices, _ = RIGHT[name]
    plan = resolved_of(raw, shop, choices=choices)
    catalogue = catalogue_of(shop, "duckdb")
    for other, (asked, chosen, _) in RIGHT.items():
        text = compile_plan(resolved_of(asked, shop, choices=chosen), shop, "duckdb", 1000).sql("duckdb")
        same = text == compile_plan(plan, shop, "duckdb", 1000).sql("duckdb")
        assert bool(told(text, plan, catalogue)) is not same, other


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "VALUES (1)",
        "SELECT * FROM payments",
        "SELECT p.* FROM payments AS p, accounts AS a LIMIT 1 + 1",
        "WITH t AS (VALUES (1)) SELECT x FROM t WHERE EXISTS (SELECT 1 FROM t)",
        "SELECT SUM(x) FROM (TABLE payments) AS t GROUP BY ALL",
        "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
        "SELECT COUNT(*) FILTER (WHERE fee > 1) OVER (ORDER BY fee) FROM payments QUALIFY TRUE",
    ],
)
def test_sql_of_any_other_kind_is_told_apart(text: str, layer: Layer) -> None:
    plan = resolved_of(ASKED["filtered"], layer)
    assert told(text, plan, catalogue_of(layer, "duckdb"))
