"""The demo shop over a database of its own: who asks, what each may see, and the house opened over it."""

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path

import pytest

from gateway.cancellation import Cancellation
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.reply import Reply
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.wiring import open_gateway
from policies.mask import MASK
from traces.records import Ask, Caller

Busy = Callable[[], bool]

ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
EMIL = Caller(user="emil", roles=("emea_analyst",), tenant="shop")
SALES = ("customers", "orders", "order_lines", "products")
TABLES = (*SALES, "support_tickets", "events")
HIDDEN = {"customers": ("name", "email", "phone"), "events": ("payload",), "products": ("unit_cost",)}
"""What no analyst sees; who sees one region only sees no shipping fee either."""

DUCKDB = '"duckdb:var/shop.duckdb"'
REVIEWED = ("  governed: autonomous\n", "  governed: autonomous\n  free: reviewed\n")
"""The edit of the policy that lets free SQL be asked."""
WHOLE_ROWS = ("bytes: {warn: 20000000, hard: 40000000}", "bytes: {warn: 500000000, hard: 900000000}")
"""For a database that reads more than the columns in use: the same question reads more bytes."""
IN_AGGREGATE = (
    "    hidden_columns: [products.unit_cost]\n    may: [ask, check_sql]\n",
    "    hidden_columns: [products.unit_cost, customers.name, customers.email, customers.phone]\n"
    "    personal: {contact: aggregate, identity: aggregate}\n    may: [ask, check_sql]\n",
)
"""The edit of the policy under which analysts see people in aggregate only."""
DAYS = {"field": "order_date", "from": "2026-07-01", "to": "2026-07-03", "grain": "day"}
FEW: Mapping[str, object] = {
    "metrics": ["net_revenue", "customers_ordering"],
    "dimensions": ["region", "segment"],
    "time": DAYS,
    "limit": 200,
}
"""A question of which some figures are of fewer than five people."""


def hidden_from(user: str, table: str) -> tuple[str, ...]:
    """Return the columns of a table that a user may not see."""
    return HIDDEN.get(table, ()) + (("shipping_fee",) if user == "emil" else ())


def kept(schema: str = "") -> dict[str, str]:
    """Return the rows that a user of one region sees, as a condition for each table."""
    customers = f"customer_id IN (SELECT customer_id FROM {schema}customers WHERE region = 'EMEA')"
    return {
        "customers": "region = 'EMEA'",
        "orders": customers,
        "order_lines": f"order_id IN (SELECT order_id FROM {schema}orders WHERE {customers})",
    }


@contextmanager
def opened(
    folder: Path, engine: str, policy: Iterable[tuple[str, str]], users: str = ""
) -> Iterator[Gateway]:
    """Open the shop's project as `serve` does, with the `url` and what follows it as `engine` says."""
    shutil.copytree(templates() / "shop", folder)
    replace(folder / "cellbound.toml", [(DUCKDB, engine), ("# A token is kept", f"{users}# A token is kept")])
    replace(folder / "policies" / "policy.yml", policy)
    with closing(open_gateway(folder)) as gateway:
        yield gateway


def replace(file: Path, edits: Iterable[tuple[str, str]]) -> None:
    """Write other text in the place of some that has to be there."""
    written = file.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in written
        written = written.replace(old, new, 1)
    file.write_text(written, encoding="utf-8")


def reviewed(house: Gateway, caller: Caller, sql: str) -> Reply:
    """Ask with free SQL of a planner, accept it as a reviewer who looks at nothing, and ask again."""
    held = house.ask_planned(caller, lambda _: sql)
    if held.outcome != "held":
        return held
    house.state.holds.rule(held.hold_id, "accept", by="rita")
    recorder = StoreRecorder(house.traces, house.results, house.state, house.attestations)
    return answer(house.house, recorder, caller, Ask(approval_id=held.hold_id), planner=lambda _: sql)


def hides_small_groups(house: Gateway, whole: Reply, plan: Mapping[str, object]) -> None:
    """Hold a house whose analysts see people in aggregate against the answer of one that hides nothing.

    Groups below the line are hidden; where a plan is ordered or filtered by a figure they are not there.
    """
    shown = house.ask(ANA, dict(plan))
    assert (whole.outcome, shown.outcome) == ("answered", "answered"), shown.issues
    people = [int(str(row[-1])) for row in whole.rows]
    assert sum(count < 5 for count in people) > 1 < sum(count >= 5 for count in people)
    true = [(*row[:3], MASK, MASK) if few < 5 else row for row, few in zip(whole.rows, people, strict=True)]
    assert _rows(shown.rows) == _rows(true)
    large = [row for row, count in zip(whole.rows, people, strict=True) if count >= 5]
    ranked = house.ask(ANA, {**plan, "order": {"by": "net_revenue", "dir": "asc"}})
    assert ranked.outcome == "answered", ranked.issues
    assert _rows(ranked.rows) == _rows(large)
    assert ranked.actual is not None and ranked.actual.rows == len(large), "the database left the others out"
    least = {"metric": "customers_ordering", "op": "le", "values": [6]}
    filtered = house.ask(ANA, {**plan, "filters": [least]})
    assert _rows(filtered.rows) == _rows(row for row in large if int(str(row[-1])) <= 6), filtered.issues


def _rows(rows: Iterable[tuple[object, ...]]) -> Counter[tuple[object, ...]]:
    """Return rows without their order; a decimal is the same with fewer zeros at its end."""
    return Counter(
        (*row[:3], *(each if each == MASK else Decimal(str(each)) for each in row[3:])) for row in rows
    )


def regions(reply: Reply) -> set[object]:
    """Return the regions that the rows of a reply name."""
    at = next(number for number, column in enumerate(reply.columns) if column.name == "region")
    return {row[at] for row in reply.rows}


def who_leaves(
    house: Gateway, monkeypatch: pytest.MonkeyPatch, slow: str, plan: Mapping[str, object], at_work: Busy
) -> Reply:
    """Ask, have `slow` run in the place of the question's SQL, leave, and return the reply.

    `at_work` says whether the database works on it: it has to begin, and to stop within a second.
    """
    leaver, engine = Cancellation(), house.house.engine
    run = engine.run
    monkeypatch.setattr(engine, "run", lambda sql, *rest, **more: run(slow, *rest, **more))
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(house.ask, ANA, dict(plan), cancellation=leaver)
        deadline = time.monotonic() + 20
        while not at_work():
            assert time.monotonic() < deadline and not asking.done()
            time.sleep(0.01)
        left = time.monotonic()
        leaver.cancel()
        while at_work():
            assert time.monotonic() - left < 1
            time.sleep(0.01)
        return asking.result(10)
