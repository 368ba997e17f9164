"""A gateway's own answer and its gold are of one moment over the stand-ins of both clouds too."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evals.cases import Case
from evals.replies import given_of_reply
from evals.report import count_ceilings
from evals.run import CaseRun, run_case
from evals.subject import Asked, Given
from gateway.asking import EVALUATION
from gateway.bench import open_benches
from gateway.reply import Refusal
from gateway.service import Gateway
from tests.gateway import cloud_shop
from tests.gateway.bigquery_shop import bigquery_shop
from tests.gateway.cloud_shop import CloudShop
from tests.gateway.shop_house import ANA, opened
from tests.gateway.snowflake_shop import snowflake_shop
from traces.records import Caller

SHOPS: Mapping[str, Callable[[Path], AbstractContextManager[CloudShop]]] = {
    "snowflake": snowflake_shop,
    "bigquery": bigquery_shop,
}
RITA = Caller(user="rita", roles=("reviewer",), teams=("data-governance",), tenant="shop")
WINDOW = {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"}
GOLD = (
    "SELECT order_status, count(*) AS n FROM orders WHERE order_date >= DATE '2026-07-01'"
    " AND order_date < DATE '2026-08-01' GROUP BY order_status"
)
CASE = Case(id="statuses", question="Orders by status in July 2026", asker="ana", gold_sql=GOLD)
NEW_ORDER = (
    "INSERT INTO orders (order_id, customer_id, order_date, order_status)"
    " SELECT max(order_id) + 1, 1, DATE '2026-07-05', 'completed' FROM orders"
)


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.engine(name)) for name in SHOPS])
def cloud(request: pytest.FixtureRequest, shop_file: Path) -> Iterator[CloudShop]:
    """The demo shop's rows in a stand-in of this test's own, for it writes."""
    with SHOPS[request.param](shop_file) as found:
        yield found


@pytest.fixture
def house(cloud: CloudShop, tmp_path: Path) -> Iterator[Gateway]:
    engine = f'"{cloud.url}"\ncredentials = "hook:{cloud_shop.__name__}:token_of"'
    with opened(tmp_path / "house", engine, cloud.policy) as gateway:
        yield gateway


@dataclass(frozen=True)
class Answering:
    """The gateway as the subject; `afterwards` happens between its answer and the gold query."""

    house: Gateway
    dialect: str
    afterwards: Callable[[], object]

    def answer(self, asked: Asked) -> Given:
        plan = {
            "metrics": ["order_count"],
            "dimensions": ["order_status"],
            "time": WINDOW,
            "dialect": self.dialect,
        }
        reply = self.house.ask(ANA, plan, door=EVALUATION)
        assert reply.outcome == "answered", reply.issues
        self.afterwards()
        return replace(given_of_reply(reply.model_dump(mode="json", by_alias=True)), live=True)


def asked(house: Gateway, cloud: CloudShop, afterwards: Callable[[], object]) -> CaseRun:
    benches = open_benches(house, RITA, {"ana": ANA})
    assert not isinstance(benches, Refusal)
    question = Asked(case_id=CASE.id, question=CASE.question, exclude=(), asker="ana")
    run = run_case(CASE, question, Answering(house, cloud.name, afterwards), benches.of("ana"))
    assert run.scores is not None and not run.scores.ceilings.gold_failed
    return run


def test_on_quiet_data_the_answer_as_shown_is_of_the_golds_moment(house: Gateway, cloud: CloudShop) -> None:
    run = asked(house, cloud, lambda: None)
    assert run.scores is not None
    assert (run.one_snapshot, run.moved, run.gap_s, run.scores.output.exact) == (True, False, 0.0, True)


def test_when_rows_arrive_in_between_the_answers_query_is_read_again_at_the_golds_moment(
    house: Gateway, cloud: CloudShop
) -> None:
    run = asked(house, cloud, lambda: cloud.write(NEW_ORDER))
    assert run.scores is not None
    assert (run.one_snapshot, run.moved, run.gap_s, run.scores.output.exact) == (True, True, 0.0, True)
    assert count_ceilings([run])["moved"] == 1 and count_ceilings([run])["apart"] == 0
