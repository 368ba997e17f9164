"""A plan is read strictly, and whatever is wrong with it is said by JSON pointer in our own words."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.issues import Issue
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan


def issues(raw: object) -> dict[str, Issue]:
    found = parse_plan(raw, visible_names=["region"])
    assert isinstance(found, tuple), found
    return {issue.path: issue for issue in found}


def test_the_seed_plan_is_read() -> None:
    plan = parse_plan(
        {
            "metrics": ["net_revenue"],
            "dimensions": ["region"],
            "filters": [
                {"field": "order_status", "op": "in", "values": ["completed", 1.10, 7, True]},
                {"metric": "net_revenue", "op": "gt", "values": [100]},
            ],
            "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
            "dialect": "duckdb",
        }
    )
    assert isinstance(plan, MetricPlan) and plan.time is not None
    assert plan.time.from_ == date(2026, 7, 1)
    assert plan.filters[0].values == ("completed", Decimal("1.1"), 7, True)


@pytest.mark.parametrize(
    ("raw", "seen"),
    [(None, "null"), ([], "list"), ("net_revenue", "text"), (3, "number"), (True, "boolean")],
)
def test_what_is_no_object_is_no_plan_and_what_it_is_stands_in_words_of_json(raw: object, seen: str) -> None:
    found = issues(raw)[""]
    assert (found.code, found.seen) == ("not_an_object", seen)


def test_unknown_keys_are_named_with_a_near_key_wherever_they_stand() -> None:
    found = issues(
        {
            "metrics": ["a"],
            "dimension": ["b"],
            "filters": [
                {"field": "x", "op": "in", "vals": [1]},
                {"metric": "a", "operator": "gt", "op": "gt"},
            ],
            "time": {"from": "2026-07-01", "to": "2026-07-31", "grian": "month"},
        }
    )
    assert {path: issue.candidates[:1] for path, issue in found.items()} == {
        "/dimension": ("dimensions",),
        "/filters/0/vals": ("values",),
        "/filters/1/operator": ("op",),
        "/time/grian": ("grain",),
    }
    assert {issue.code for issue in found.values()} == {"unknown_key"}


def test_a_governed_name_used_as_a_key_is_told_where_it_belongs() -> None:
    assert "put it into the list" in issues({"metrics": ["a"], "region": "EMEA"})["/region"].next_step


@pytest.mark.parametrize(
    ("raw", "path", "code"),
    [
        ({}, "/metrics", "missing_key"),
        ({"metrics": []}, "/metrics", "invalid_value"),
        ({"metrics": "a"}, "/metrics", "wrong_type"),
        ({"metrics": ["a"] * 51}, "/metrics", "invalid_value"),
        ({"metrics": [1]}, "/metrics/0", "wrong_type"),
        ({"metrics": ["a"], "time": {"from": "2026-07-01"}}, "/time/to", "missing_key"),
        ({"metrics": ["a"], "time": {"from": 20260701, "to": "2026-07-01"}}, "/time/from", "wrong_type"),
        ({"metrics": ["a"], "time": {"from": "2026-02-30", "to": "2026-07-01"}}, "/time/from", "wrong_type"),
        (
            {"metrics": ["a"], "time": {"from": "2026-02-03", "to": "2026-07-01", "grain": "moth"}},
            "/time/grain",
            "invalid_value",
        ),
        (
            {"metrics": ["a"], "filters": [{"field": "x", "op": "like", "values": ["y"]}]},
            "/filters/0/op",
            "invalid_value",
        ),
        (
            {"metrics": ["a"], "filters": [{"field": "x", "op": "in", "values": [None]}]},
            "/filters/0/values/0",
            "wrong_type",
        ),
        (
            {"metrics": ["a"], "filters": [{"field": "x", "op": "in", "values": [[1]]}]},
            "/filters/0/values/0",
            "wrong_type",
        ),
        ({"metrics": ["a"], "filters": ["x = 1"]}, "/filters/0", "wrong_type"),
        ({"metrics": ["a"], "limit": 0}, "/limit", "invalid_value"),
        ({"metrics": ["a"], "limit": "10"}, "/limit", "wrong_type"),
        ({"metrics": ["a"], "limit": True}, "/limit", "wrong_type"),
        ({"metrics": ["a"], "limit": 1.5}, "/limit", "wrong_type"),
        ({"metrics": ["a"], "dialect": "mysql"}, "/dialect", "invalid_value"),
        ({"metrics": ["a"], "order": {"by": "a", "dir": "down"}}, "/order/dir", "invalid_value"),
    ],
)
def test_a_wrong_value_is_named_by_its_pointer(raw: object, path: str, code: str) -> None:
    found = issues(raw)
    assert list(found) == [path]
    assert found[path].code == code
    assert "Input should" not in found[path].message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["metrics", "filters", "time", "from", "to", "field", "op", "values", "metric", "order", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_json_makes_the_parser_fail(raw: object) -> None:
    found = parse_plan(raw)
    assert isinstance(found, MetricPlan) or (found and all(issue.code and issue.message for issue in found))
