"""Files of saved analyses: what is taken, and what is refused with its place."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.playbooks.definition import Analysis, IntegerParameter, PeriodParameter
from gateway.playbooks.filling import filled
from gateway.playbooks.load import AnalysesInvalid, load_analyses
from gateway.playbooks.parameters import Asking, Given, bind
from gateway.playbooks.schema import FILE, schema_text
from metric_layer.issues import Issue
from metric_layer.load import load_layer

SHOP = Path(__file__).parents[3] / "examples" / "shop"
KEY = b"k" * 32
TODAY = date(2026, 11, 15)
ASKING = Asking(load_layer(SHOP / "metrics"), TODAY, loading=True)
GOOD = """\
name: review
version: 1
owner: finance
description: Net revenue of a region.
parameters:
  - {name: region, type: dimension_value, dimension: region}
  - {name: period, type: period, default: last month}
steps:
  - id: total
    plan:
      metrics: [net_revenue]
      filters: [{field: region, op: in, values: [$region]}]
      time: {from: $period.from, to: $period.to}
    wording: Net revenue in {{p:region}} was {{c:0.net_revenue}}.
example: {region: EMEA}
"""


def issues_of(folder: Path, text: str) -> list[Issue]:
    (folder / "review.yml").write_text(text, encoding="utf-8")
    with pytest.raises(AnalysesInvalid) as fault:
        load_analyses(folder, ASKING, KEY)
    return list(fault.value.issues)


def test_a_good_file_is_on_the_shelf_with_the_plans_of_its_example(tmp_path: Path) -> None:
    (tmp_path / "review.yml").write_text(GOOD, encoding="utf-8")
    saved = load_analyses(tmp_path, ASKING, KEY).analyses["review"]
    plan = saved.plans["total"]
    assert plan.time is not None
    assert (plan.time.from_, plan.time.to) == (date(2026, 10, 1), date(2026, 10, 31))
    assert saved.metrics == ("net_revenue",)


def test_the_hash_changes_with_the_content_and_not_with_the_order_of_keys(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        (tmp_path / "review.yml").write_text(text, encoding="utf-8")
        return load_analyses(tmp_path, ASKING, KEY).analyses["review"].digest

    first, *rest = GOOD.splitlines(keepends=True)
    assert digest(GOOD) == digest("".join([*rest, first]))
    assert digest(GOOD) != digest(GOOD.replace("was {{", "is {{"))


def test_a_project_without_the_folder_has_no_analyses(tmp_path: Path) -> None:
    assert load_analyses(tmp_path / "nowhere", ASKING, KEY).analyses == {}


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("metrics: [net_revenue]", "metrics: [net_revenu]", "unknown_metric", 11),
        ("metrics: [net_revenue]", "metrics: [support_cost]", "unknown_metric", 11),
        ("field: region, op", "field: regoin, op", "unknown_dimension", 12),
        ("dimension: region}", "dimension: regoin}", "unknown_dimension", 6),
        ("dimension: region}", "dimension: region, values: [MARS]}", "unknown_value", 6),
        ("[$region]", "[$regoin]", "unknown_parameter", 12),
        ("$period.from", "$period", "unknown_part", 13),
        ("$period.from", "$period.form", "unknown_part", 13),
        ("[$region]", "[EMEA]", "unused_parameter", 6),
        ("{{p:region}}", "{{p:regoin}}", "bad_slot", 14),
        ("{{c:0.net_revenue}}", "{{d:growth}}", "bad_slot", 14),
        ("{{c:0.net_revenue}}", "{{x:0.net_revenue}}", "bad_slot", 14),
        ("example: {region: EMEA}", "example: {region: MARS}", "value_not_allowed", 15),
        ("example: {region: EMEA}", "example: {}", "missing_parameter", 15),
        ("default: last month", "default: one day", "no_period", 7),
        ("version: 1", "version: one", "wrong_type", 2),
        ("owner: finance", "ownr: finance", "unknown_key", 3),
        ("type: period", "type: perod", "invalid_value", 7),
        ("  - id: total", "  - id: total\n    sql: SELECT 1", "plan_or_sql", 9),
    ],
)
def test_a_mistake_is_told_at_its_line_with_what_to_do(
    tmp_path: Path, old: str, new: str, code: str, line: int
) -> None:
    assert GOOD.count(old) == 1
    found = issues_of(tmp_path, GOOD.replace(old, new))
    places = {(issue.code, int(issue.place.rsplit(":", 2)[1])) for issue in found}
    assert (code, line) in places, found
    assert all(issue.next_step for issue in found if issue.code == code)


def test_all_mistakes_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    other = GOOD.replace("name: review", "name: another").replace("[net_revenue]", "[net_revenu]")
    (tmp_path / "another.yml").write_text(other, encoding="utf-8")
    found = issues_of(tmp_path, GOOD.replace("[$region]", "[$regoin]"))
    assert {issue.code for issue in found} == {"unknown_metric", "unknown_parameter", "unused_parameter"}
    assert len({issue.place.rsplit(":", 2)[0] for issue in found}) == 2


def test_an_example_stays_good_when_its_days_have_no_data_any_more(tmp_path: Path) -> None:
    (tmp_path / "review.yml").write_text(GOOD, encoding="utf-8")
    later = replace(ASKING, today=date(2031, 1, 1))
    saved = load_analyses(tmp_path, later, KEY).analyses["review"]
    assert isinstance(bind(saved.analysis, {"region": "EMEA"}, later), dict)
    asked = bind(saved.analysis, {"region": "EMEA"}, replace(later, loading=False))
    assert isinstance(asked, tuple)
    assert [issue.code for issue in asked] == ["no_period"]


def test_two_files_cannot_have_one_name(tmp_path: Path) -> None:
    (tmp_path / "again.yml").write_text(GOOD, encoding="utf-8")
    assert [issue.code for issue in issues_of(tmp_path, GOOD)] == ["duplicate_analysis"]


def test_sql_without_an_acceptance_is_not_loaded(tmp_path: Path) -> None:
    step = "  - id: total\n    sql: SELECT COUNT(*) FROM orders\n"
    head = GOOD[: GOOD.index("parameters:")]
    found = issues_of(tmp_path, f"{head}steps:\n{step}")
    assert [issue.code for issue in found] == ["sql_not_accepted"]


def test_the_committed_schema_is_the_models_own() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text()


def test_the_example_of_the_shop_names_the_schema_in_its_first_line() -> None:
    text = (SHOP / "analyses" / "revenue_review.yml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=analysis.schema.json\n")


def one(parameter: IntegerParameter | PeriodParameter) -> Analysis:
    return Analysis.model_validate(
        {
            "name": "a",
            "version": 1,
            "owner": "o",
            "description": "d",
            "parameters": (parameter,),
            "steps": ({"id": "s", "plan": {}},),
        }
    )


@given(low=st.integers(-50, 50), width=st.integers(0, 50), value=st.integers(-200, 200))
def test_a_number_is_taken_exactly_within_its_bounds(low: int, width: int, value: int) -> None:
    analysis = one(IntegerParameter(type="integer", name="n", minimum=low, maximum=low + width))
    found = bind(analysis, {"n": value}, ASKING)
    assert isinstance(found, dict) == (low <= value <= low + width)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("9" * 5_000, "out_of_bounds"),
        (10**5_000, "out_of_bounds"),
        (-(10**5_000), "out_of_bounds"),
        ("51", "out_of_bounds"),
        ("9" * 5_000 + "x", "wrong_type"),
        ("\N{SUPERSCRIPT TWO}", "wrong_type"),
        ("-3", "wrong_type"),
    ],
    ids=["text", "number", "below", "just above", "no number", "no plain digit", "a sign"],
)
def test_a_number_of_any_length_is_refused_by_its_bounds_in_a_short_sentence(sent: object, code: str) -> None:
    analysis = one(IntegerParameter(type="integer", name="n", minimum=-5, maximum=50))
    found = bind(analysis, {"n": sent}, ASKING)
    assert isinstance(found, tuple)
    assert [issue.code for issue in found] == [code]
    assert len(found[0].message) < 100


def test_a_number_as_text_may_begin_with_zeros() -> None:
    analysis = one(IntegerParameter(type="integer", name="n", minimum=-5, maximum=50))
    assert bind(analysis, {"n": "0" * 5_000 + "7"}, ASKING) == {"n": Given(7, "7")}


@pytest.mark.parametrize("text", ["last {} days", "{}", "Q3 {}", "{}-07-01 to 2026-09-30"])
def test_a_period_with_a_number_of_any_length_is_none(text: str) -> None:
    found = bind(one(PeriodParameter(type="period", name="p")), {"p": text.format("9" * 5_000)}, ASKING)
    assert isinstance(found, tuple)
    assert [issue.code for issue in found] == ["no_period"]


@given(text=st.text(max_size=40))
def test_no_text_makes_the_period_reader_fail_or_give_half_a_window(text: str) -> None:
    found = bind(one(PeriodParameter(type="period", name="p")), {"p": text}, ASKING)
    if isinstance(found, dict):
        assert found["p"].parts["from"] <= found["p"].parts["to"]


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=8).filter(lambda t: not t.startswith("$")),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
def test_a_plan_without_parameters_is_filled_to_itself(plan: object) -> None:
    def plain(value: object) -> object:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        return tuple(map(plain, value)) if isinstance(value, list | tuple) else value

    assert filled(plan, {}) == plain(plan)


def test_a_dollar_sign_can_be_written_and_lists_are_laid_out() -> None:
    bound = {"r": Given(("a", "b"), "a, b"), "n": Given(3, "3")}
    assert filled({"v": ["$r", "$$r", "c"], "w": "$r", "limit": "$n"}, bound) == {
        "v": ("a", "b", "$r", "c"),
        "w": ("a", "b"),
        "limit": 3,
    }


def test_a_parameter_that_is_no_day_says_which_real_one_is_nearest(tmp_path: Path) -> None:
    given = 'type: date, default: 2026-12-31, description: "The last day."'
    text = GOOD.replace("parameters:\n", f"parameters:\n  - {{name: until, {given}}}\n")
    text = text.replace("to: $period.to", "to: $until")
    (tmp_path / "review.yml").write_text(text, encoding="utf-8")
    saved = load_analyses(tmp_path, ASKING, KEY).analyses["review"]
    for sent, name in (({"until": "2026-06-31"}, "until"), ({"period": "2026-06-31"}, "period")):
        found = bind(saved.analysis, {"region": "EMEA", **sent}, ASKING)
        assert isinstance(found, tuple)
        assert [(issue.path, issue.candidates) for issue in found] == [
            (f"/parameters/{name}", ("2026-06-30",))
        ]
        assert "2026-06-31" in found[0].message and "on no calendar" in found[0].message
