"""`search_catalog`: what each role finds, and leave-one-out for who may evaluate, sixteen at a time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gateway.errors import HouseError
from gateway.reply import CatalogHits, Refusal
from gateway.service import Gateway
from traces.records import Caller

PAIRS = 8
CASES = "cases:\n" + "".join(
    f"  - id: {name} {place}\n"
    f"    question: Bring me the zebra{place} figure{more}\n"
    f"    metric: net_revenue\n"
    f"    gold_sql: {sql} zebra{place}\n"
    for place in range(PAIRS)
    for name, sql, more in (
        ("one", "SELECT city FROM", ", please"),
        ("twin", "select City -- same\n      FROM", ""),
    )
).replace("gold_sql: select", "gold_sql: |\n      select")


@pytest.fixture
def cases(shop: Path) -> None:
    (shop / "cases").mkdir()
    (shop / "cases" / "zebra.yml").write_text(CASES, encoding="utf-8")
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(
        text.replace("may: [ask, check_sql, audit, evaluate]", "may: [ask, audit, evaluate]"), "utf-8"
    )


def examples(found: CatalogHits | Refusal) -> set[str]:
    assert isinstance(found, CatalogHits)
    return {hit.name for hit in found.hits if hit.kind == "example"}


def test_a_question_finds_metrics_dimensions_and_values(gateway: Gateway, ana: Caller) -> None:
    found = gateway.search_catalog(ana, "net revenue by region in EMEA", 50)
    assert isinstance(found, CatalogHits)
    hits = {(hit.kind, hit.name): hit for hit in found.hits}
    assert "region" in hits["metric", "net_revenue"].dimensions
    assert "net_revenue" in hits["dimension", "region"].metrics
    assert hits["metric", "net_revenue"].tables


def test_a_role_finds_nothing_that_it_may_not_see(gateway: Gateway, ana: Caller, emil: Caller) -> None:
    everything = gateway.search_catalog(ana, "shipping fees tickets priority", 50)
    seen = gateway.search_catalog(emil, "shipping fees tickets priority", 50)
    assert isinstance(everything, CatalogHits) and isinstance(seen, CatalogHits)
    assert "shipping_fees" in {hit.name for hit in everything.hits}
    told = "".join(hit.model_dump_json() for hit in seen.hits)
    assert "shipping" not in told and "ticket" not in told
    assert gateway.search_catalog(Caller(user="nobody"), "revenue") == CatalogHits(hits=())


def test_what_is_left_off_is_counted(gateway: Gateway, ana: Caller) -> None:
    few = gateway.search_catalog(ana, "revenue orders", 1)
    assert isinstance(few, CatalogHits) and len(few.hits) == 1 and few.left_off > 0


def test_hiding_examples_takes_the_right_to_evaluate(gateway: Gateway, ana: Caller) -> None:
    refused = gateway.search_catalog(ana, "revenue", exclude_examples=["one 1"])
    assert isinstance(refused, Refusal) and refused.issues[0].code == "right_missing"


@pytest.mark.usefixtures("cases")
def test_sixteen_cases_at_once_each_miss_their_own_and_its_twin(
    open_shop: Callable[[], Gateway], rita: Caller
) -> None:
    gateway = open_shop()
    named = [(name, place) for place in range(PAIRS) for name in ("one", "twin")]

    def asked(case: tuple[str, int]) -> set[str]:
        name, place = case
        others = f"zebra{place} zebra{(place + 1) % PAIRS}"
        return examples(gateway.search_catalog(rita, others, 50, [f"{name} {place}"]))

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(asked, named * 3))
    for (_, place), seen in zip(named * 3, found, strict=True):
        neighbour = (place + 1) % PAIRS
        assert seen == {f"one {neighbour}", f"twin {neighbour}"}
    assert examples(gateway.search_catalog(rita, "zebra3")) == {"one 3", "twin 3"}, "and nothing stays hidden"


@pytest.mark.usefixtures("cases")
def test_changed_cases_are_taken_into_force_and_wrong_ones_are_not(
    open_shop: Callable[[], Gateway], shop: Path, rita: Caller
) -> None:
    gateway = open_shop()
    file = shop / "cases" / "zebra.yml"
    file.write_text(CASES.replace("zebra0", "okapi"), encoding="utf-8")
    assert (found := gateway.reload()) is not None and found.outcome == "changed"
    assert examples(gateway.search_catalog(rita, "okapi")) == {"one 0", "twin 0"}
    file.write_text("cases: [{id: a}]", encoding="utf-8")
    assert (found := gateway.reload()) is not None and found.outcome == "refused"
    assert examples(gateway.search_catalog(rita, "okapi")) == {"one 0", "twin 0"}
    with pytest.raises(HouseError):
        open_shop()
