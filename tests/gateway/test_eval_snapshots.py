"""A gateway's own answer and its gold are of one snapshot, also over a PostgreSQL that is written to."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import pytest

from evals.cases import Case
from evals.replies import given_of_reply
from evals.report import count_ceilings
from evals.run import CaseRun, run_case
from evals.subject import Asked, Given
from gateway.asking import EVALUATION
from gateway.bench import open_benches
from gateway.reply import Refusal
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.servers.postgres import Server
from traces.records import Caller

pytestmark = pytest.mark.engine("postgres")

ANA = Caller(user="ana", roles=("analyst",), teams=("sales-analytics",), tenant="shop")
RITA = Caller(user="rita", roles=("reviewer",), teams=("data-governance",), tenant="shop")
TABLES = """
CREATE TABLE customers (customer_id int PRIMARY KEY, region text, segment text, created_at timestamp);
CREATE TABLE orders (order_id int PRIMARY KEY, customer_id int, order_date date, order_status text,
                     shipping_fee numeric(12, 2), refund_amount numeric(12, 2));
CREATE ROLE ana LOGIN;
GRANT SELECT ON customers, orders TO ana;
INSERT INTO orders SELECT n, 1, date '2026-07-01' + n % 30, (ARRAY['completed', 'returned'])[1 + n % 2], 1, 0
FROM generate_series(1, 40) AS n;
"""
WINDOW = {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"}
PLAN = {"metrics": ["order_count"], "dimensions": ["order_status"], "time": WINDOW, "dialect": "postgres"}
CASE = Case(
    id="statuses",
    question="Orders by status in July 2026",
    asker="ana",
    gold_sql="SELECT order_status, count(*) FROM orders WHERE order_date >= DATE '2026-07-01'"
    " AND order_date < DATE '2026-08-01' GROUP BY order_status",
)
NEW_ORDER = "INSERT INTO orders SELECT max(order_id) + 1, 1, '2026-07-05', 'completed', 1, 0 FROM orders"


@pytest.fixture
def house(postgres_server: Server, postgres_database: str, tmp_path: Path) -> Iterator[Gateway]:
    """The shop's project over a PostgreSQL of its own, with the tables that one question needs."""
    postgres_server.execute(TABLES, postgres_database)
    folder = tmp_path / "shop"
    shutil.copytree(templates() / "shop", folder)
    file = folder / "cellbound.toml"
    place = quote(str(postgres_server.folder), safe="")
    url = f"postgresql:///{postgres_database}?host={place}&port={postgres_server.port}"
    file.write_text(file.read_text(encoding="utf-8").replace("duckdb:var/shop.duckdb", url), "utf-8")
    gateway = open_gateway(folder)
    yield gateway
    gateway.close()
    postgres_server.execute("DROP OWNED BY ana; DROP ROLE ana", postgres_database)


@dataclass(frozen=True)
class Answering:
    """The gateway as the subject; `afterwards` happens between its answer and the gold query."""

    house: Gateway
    live: bool
    afterwards: Callable[[], None]

    def answer(self, asked: Asked) -> Given:
        reply = self.house.ask(ANA, PLAN, door=EVALUATION)
        assert reply.outcome == "answered", reply.issues
        self.afterwards()
        return replace(given_of_reply(reply.model_dump(mode="json", by_alias=True)), live=self.live)


def asked(house: Gateway, *, live: bool = True, afterwards: Callable[[], None] = lambda: None) -> CaseRun:
    benches = open_benches(house, RITA, {"ana": ANA})
    assert not isinstance(benches, Refusal)
    question = Asked(case_id=CASE.id, question=CASE.question, exclude=(), asker="ana")
    run = run_case(CASE, question, Answering(house, live, afterwards), benches.of("ana"))
    assert run.scores is not None and not run.scores.ceilings.gold_failed
    return run


def exact(run: CaseRun) -> bool | None:
    assert run.scores is not None
    return run.scores.output.exact


def traces(house: Gateway) -> int:
    return sum(1 for _ in house.traces.records())


def test_on_quiet_data_an_answer_as_it_was_shown_is_of_the_golds_snapshot_and_nothing_runs_twice(
    house: Gateway,
) -> None:
    run = asked(house)
    assert (run.one_snapshot, run.moved, run.gap_s, exact(run)) == (True, False, 0.0, True)
    before = traces(house)
    asked(house)
    both = traces(house) - before
    asked(house, live=False)
    assert traces(house) - before == 2 * both, "one question and one gold query, as for an answer from afar"


def test_when_rows_arrive_in_between_the_answers_query_is_read_again_in_the_golds_snapshot(
    house: Gateway, postgres_server: Server, postgres_database: str
) -> None:
    run = asked(house, afterwards=lambda: postgres_server.execute(NEW_ORDER, postgres_database))
    assert (run.one_snapshot, run.moved, run.gap_s, exact(run)) == (True, True, 0.0, True)
    assert count_ceilings([run])["moved"] == 1 and count_ceilings([run])["apart"] == 0


def test_writes_elsewhere_leave_the_table_that_was_shown(
    house: Gateway, postgres_server: Server, postgres_database: str
) -> None:
    run = asked(
        house, afterwards=lambda: postgres_server.execute("CREATE TABLE x (a int)", postgres_database)
    )
    assert (run.one_snapshot, run.moved, exact(run)) == (True, False, True)


def test_an_answer_from_afar_stays_as_it_was_given_with_its_gap(
    house: Gateway, postgres_server: Server, postgres_database: str
) -> None:
    run = asked(house, live=False, afterwards=lambda: postgres_server.execute(NEW_ORDER, postgres_database))
    assert (run.one_snapshot, run.moved, exact(run)) == (False, False, False)
    assert run.gap_s > 0 and count_ceilings([run])["apart"] == 1
