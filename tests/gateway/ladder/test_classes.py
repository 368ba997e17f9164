"""Which class a question is of: the first that each of its metrics fits, and the most cautious of those."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.asking import AskOptions
from gateway.service import Gateway
from policies.load import PolicyInvalid
from policies.policy import Policy, Role
from policies.release import STAGES, AskedAs, Audience, QuestionClass
from traces.records import Caller

Edit = Callable[..., None]
Open = Callable[[], Gateway]
WINDOW = {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30"}
REVENUE = {"name": "revenue", "metrics": ["net_revenue"], "stage": "shadow"}
NAMES = ("net_revenue", "order_count", "refunds", "units_sold")


def asked(gateway: Gateway, caller: Caller, *metrics: str, **options: object) -> tuple[str, str]:
    reply = gateway.ask(
        caller, {"metrics": list(metrics), "time": WINDOW}, AskOptions.model_validate(options)
    )
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.release is not None
    return trace.closed.release.question_class, reply.outcome


def test_a_class_of_its_own_goes_by_its_own_stage(open_house: Open, edit: Edit, ana: Caller) -> None:
    edit(classes=[REVENUE])
    house = open_house()
    assert asked(house, ana, "net_revenue") == ("revenue", "not_released")
    assert asked(house, ana, "order_count") == ("governed", "answered")


def test_another_metric_beside_it_brings_nothing_out(open_house: Open, edit: Edit, ana: Caller) -> None:
    edit(classes=[REVENUE])
    house = open_house()
    assert asked(house, ana, "order_count", "net_revenue") == ("revenue", "not_released")
    assert asked(house, ana, "net_revenue", "order_count") == ("revenue", "not_released")


def test_an_ambiguous_name_is_of_the_class_of_what_it_was_read_as(
    shop: Path, open_house: Open, edit: Edit, ana: Caller
) -> None:
    edit(classes=[REVENUE])
    sales = shop / "metrics" / "sales.yml"
    named = sales.read_text(encoding="utf-8")
    more = named.replace(
        "synonyms: [revenue, net sales, sales]", "synonyms: [revenue, net sales, sales, turnover]"
    )
    sales.write_text(more, encoding="utf-8")
    house = open_house()
    assert asked(house, ana, "turnover")[1] == "needs_clarification"
    assert asked(house, ana, "turnover", choices={"turnover": "net_revenue"}) == ("revenue", "not_released")


def test_a_class_has_an_audience_and_tags(
    open_house: Open, edit: Edit, ana: Caller, emil: Caller, rita: Caller
) -> None:
    audience = {"roles": ["analyst", "reviewer"], "teams": ["sales-analytics"]}
    money = {"name": "money", "tags": ["money"], "audience": audience, "stage": "shadow"}
    edit(classes=[money], tags={"money": ["*revenue", "refunds"]})
    house = open_house()
    assert asked(house, ana, "refunds")[0] == "money"
    assert asked(house, ana, "order_count")[0] == "governed"
    assert asked(house, emil, "refunds")[0] == "governed", "another role"
    assert asked(house, rita, "refunds")[0] == "governed", "another team"


PATTERNS = st.sampled_from(("net_revenue", "order_*", "*s", "*", "units_sold"))
CLASSES = st.lists(
    st.builds(
        lambda metrics, stage, match, roles: (tuple(metrics), stage, match, tuple(roles)),
        st.lists(PATTERNS, max_size=2),
        st.sampled_from(STAGES),
        st.sampled_from(("governed", "free")),
        st.lists(st.sampled_from(("analyst", "finance")), max_size=1),
    ),
    max_size=4,
)


@given(
    classes=CLASSES,
    metrics=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
    more=st.sampled_from(NAMES),
)
def test_another_metric_never_makes_a_question_freer(
    classes: list[tuple[tuple[str, ...], str, str, tuple[str, ...]]], metrics: list[str], more: str
) -> None:
    policy = Policy(
        name="p",
        roles={"analyst": Role(datasets=("orders",))},
        release={"governed": "reviewed"},
        classes=tuple(
            QuestionClass.model_validate(
                {"name": f"c{n}", "metrics": m, "stage": s, "match": k, "audience": Audience(roles=r)}
            )
            for n, (m, s, k, r) in enumerate(classes)
        ),
    )
    one = policy.class_of(AskedAs("governed", tuple(metrics), "analyst"))
    both = policy.class_of(AskedAs("governed", (*metrics, more), "analyst"))
    assert STAGES.index(policy.stage_of(both)) <= STAGES.index(policy.stage_of(one))
    assert policy.match_of(one) == "governed"
    first = next(
        (
            f"c{n}"
            for n, (patterns, _, kind, roles) in enumerate(classes)
            if kind == "governed"
            and (not roles or "analyst" in roles)
            and (not patterns or any(fnmatchcase(more, each) for each in patterns))
        ),
        "governed",
    )
    assert policy.classes_of(AskedAs("governed", (more,), "analyst")) == (first,)


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({"release": {"free": "autonomous"}}, "free_autonomous"),
        ({"classes": [{"name": "adhoc", "match": "free", "stage": "autonomous"}]}, "free_autonomous"),
        ({"classes": [{"name": "revenue", "stage": "reviewed", "most": "shadow"}]}, "stage_above_most"),
        ({"classes": [{"name": "governed"}]}, "duplicate_class"),
        ({"classes": [REVENUE, {"name": "revenue"}]}, "duplicate_class"),
        ({"classes": [{"name": "revenue", "metrics": ["net_revenu"]}]}, "unknown_metric"),
        ({"classes": [{"name": "revenue", "tags": ["money"]}]}, "unknown_tag"),
        ({"classes": [{"name": "revenue", "audience": {"roles": ["analist"]}}]}, "unknown_role"),
        ({"classes": [{"name": "adhoc", "match": "free", "metrics": ["refunds"]}]}, "free_has_no_metrics"),
        ({"release": {"governd": "shadow"}}, "unknown_release_class"),
        ({"class_budgets": {"revenu": {}}, "classes": [REVENUE]}, "unknown_release_class"),
        ({"ladder": {"demote": [{"classes": ["x"], "above": 0.1, "owner": "o"}]}}, "unknown_release_class"),
        (
            {"ladder": {"demote": [{"above": 0.1, "last": 5, "least": 6, "owner": "o"}]}},
            "rule_never_met",
        ),
    ],
)
def test_a_policy_that_releases_what_is_not_there_is_refused(
    open_house: Open, edit: Edit, keys: dict[str, object], code: str
) -> None:
    edit(**keys)
    with pytest.raises(PolicyInvalid) as refused:
        open_house()
    found = refused.value.issues
    assert code in {issue.code for issue in found}
    assert all(issue.next_step for issue in found)
