"""Faults that users of other systems reported about numbers, limits and shapes, and what happens here."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from gateway.doors.evidence_page import evidence_page
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.service import Gateway
from gateway.wiring import open_gateway
from traces.records import Ask, Caller

HUGE = 32198334098493770513452193445
ANN = Caller(user="ann", roles=("everything",), tenant="t")
REX = Caller(user="rex", roles=("everything",), tenant="t")
LAYER = """
datasets:
  - {name: things, relation: things, primary_key: [thing],
     columns: [{name: thing, type: integer}, {name: kind, type: string}, {name: amount, type: decimal}]}
dimensions:
  - {name: thing, dataset: things, column: thing}
  - {name: kind, dataset: things, column: kind}
metrics:
  - {name: amount, version: 1, owner: o, description: d, type: sum, dataset: things, column: amount}
  - {name: average, version: 1, owner: o, description: d, type: avg, dataset: things, column: amount}
"""
POLICY = """
name: t
roles: {everything: {datasets: [things], may: [ask, audit, review]}}
caps: {rows: 1000}
reading: {rows: 1000}
release: {governed: autonomous, free: reviewed}
"""
SETTINGS = '[project]\nname = "t"\n[engine]\nurl = "duckdb:var/t.duckdb"\n'

House = Callable[[str], Gateway]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Opens a project over a table of things, filled by a SELECT of (thing, kind, amount)."""
    opened: list[Gateway] = []

    def filled(select: str) -> Gateway:
        for name in ("metrics", "policies", "var"):
            (tmp_path / name).mkdir()
        (tmp_path / "metrics" / "layer.yml").write_text(LAYER)
        (tmp_path / "policies" / "policy.yml").write_text(POLICY)
        (tmp_path / "cellbound.toml").write_text(SETTINGS)
        with duckdb.connect(str(tmp_path / "var" / "t.duckdb")) as database:
            database.execute(f"CREATE TABLE things AS {select}")
        opened.append(open_gateway(tmp_path))
        return opened[-1]

    yield filled
    for gateway in opened:
        gateway.close()


def test_a_number_beyond_64_bits_is_exact_in_every_form(house: House) -> None:
    """BR-047: an encoder that stops at 64 bits made the whole answer fail."""
    gateway = house(f"SELECT 1 AS thing, 'a' AS kind, {HUGE}::DECIMAL(38, 2) AS amount")
    reply = gateway.ask(ANN, {"metrics": ["amount"]})
    assert reply.outcome == "answered", reply.issues
    assert reply.rows == ((f"{HUGE}.00",),)
    assert f"{HUGE:,}" in reply.answer
    assert f'"{HUGE}.00"' in reply.model_dump_json()
    view, page = gateway.get_trace(ANN, reply.trace_id), gateway.evidence(ANN, reply.trace_id)
    assert view is not None and f"{HUGE:,}" in view.answer
    assert page is not None and f"{HUGE:,}" in evidence_page(page).decode()


@pytest.mark.parametrize(("rows", "cut"), [(999, False), (1000, False), (1001, True)])
def test_a_result_as_long_as_the_cap_is_whole_and_one_row_more_is_cut(
    house: House, rows: int, cut: bool
) -> None:
    """BR-053: a table with exactly the limit's number of rows looked the same as a cut one."""
    gateway = house(
        f"SELECT i::INTEGER AS thing, 'a' AS kind, 1::DECIMAL(5, 2) AS amount FROM range({rows}) r(i)"
    )
    reply = gateway.ask(ANN, {"metrics": ["amount"], "dimensions": ["thing"]})
    assert (reply.row_count, reply.truncated) == (min(rows, 1000), cut)
    assert reply.limit_source == ("rows" if cut else "")


@pytest.mark.parametrize(
    ("limit", "rows", "said"),
    [
        (10, 12, "first 10 rows"),
        (10, 10, ""),
        (10, 3, ""),
    ],
)
def test_a_limit_that_the_asker_chose_is_no_cut_and_says_what_follows(
    house: House, limit: int, rows: int, said: str
) -> None:
    """BR-053: the asker's own limit is an order of the first rows, not a result that was cut."""
    gateway = house(
        f"SELECT i::INTEGER AS thing, 'a' AS kind, i::DECIMAL(5, 2) AS amount FROM range({rows}) r(i)"
    )
    plan = {
        "metrics": ["amount"],
        "dimensions": ["thing"],
        "order": {"by": "amount", "dir": "desc"},
        "limit": limit,
    }
    reply = gateway.ask(ANN, plan)
    assert (reply.row_count, reply.truncated, reply.limit_source) == (min(rows, limit), False, "")
    assert said in " ".join(reply.notes) and ("follow" in " ".join(reply.notes)) is bool(said)
    assert "ties" not in " ".join(reply.notes)


def test_a_tie_at_a_chosen_limit_is_said(house: House) -> None:
    gateway = house("SELECT i::INTEGER AS thing, 'a' AS kind, 7::DECIMAL(5, 2) AS amount FROM range(5) r(i)")
    plan = {
        "metrics": ["amount"],
        "dimensions": ["thing"],
        "order": {"by": "amount", "dir": "desc"},
        "limit": 3,
    }
    reply = gateway.ask(ANN, plan)
    assert any("ties with the last one shown" in note for note in reply.notes)


@pytest.mark.parametrize(
    ("sql", "names", "row"),
    [
        (
            "SELECT a.thing, a.kind, b.kind FROM things AS a JOIN things AS b ON a.thing = b.thing",
            ["thing", "kind_1", "kind_2"],
            (1, "a", "a"),
        ),
        ("SELECT COUNT(*), COUNT(kind) FROM things", ["count_star()", "count(things.kind)"], (1, 1)),
    ],
)
def test_two_columns_of_one_name_are_never_one(
    house: House, sql: str, names: list[str], row: tuple[object, ...]
) -> None:
    """BR-050: of two result columns with one name the first value was lost."""
    gateway = house("SELECT 1 AS thing, 'a' AS kind, 1::DECIMAL(5, 2) AS amount")
    held = gateway.ask_planned(ANN, lambda _: sql)
    gateway.decide_hold(REX, held.hold_id, "accept", "read it")
    recorder = StoreRecorder(gateway.traces, gateway.results, gateway.state, gateway.attestations)
    reply = answer(gateway.house, recorder, ANN, Ask(approval_id=held.hold_id), planner=lambda _: sql)
    assert reply.outcome == "answered", reply.issues
    assert [column.name for column in reply.columns] == names
    assert reply.rows == (row,)


def test_a_total_is_told_once_and_only_for_what_adds_up(house: House) -> None:
    """BR-008: an export added averages up to a total of its own."""
    gateway = house(
        "SELECT * FROM (VALUES (1, 'a', 10::DECIMAL(5, 2)), (2, 'a', 20), (3, 'b', 90))"
        " AS t(thing, kind, amount)"
    )
    reply = gateway.ask(ANN, {"metrics": ["average", "amount"], "dimensions": ["kind"]})
    assert reply.summary is not None
    totals = {column.name: column.total for column in reply.summary.columns}
    assert totals == {"kind": "", "average": "", "amount": "120.00"}
    assert "total" not in json.dumps([column.model_dump(mode="json") for column in reply.columns])
    whole = gateway.ask(ANN, {"metrics": ["average"]})
    assert whole.rows[0][0] == "40.0000000000"


def test_a_table_whose_name_has_to_be_quoted_is_asked_like_any_other(tmp_path: Path) -> None:
    for name in ("metrics", "policies", "var"):
        (tmp_path / name).mkdir()
    layer = LAYER.replace("relation: things,", "relation: '\"my things.2\"',")
    assert layer != LAYER
    (tmp_path / "metrics" / "layer.yml").write_text(layer)
    (tmp_path / "policies" / "policy.yml").write_text(POLICY)
    (tmp_path / "cellbound.toml").write_text(SETTINGS)
    with duckdb.connect(str(tmp_path / "var" / "t.duckdb")) as database:
        database.execute(
            "CREATE TABLE \"my things.2\" AS SELECT 1 AS thing, 'a' AS kind, 5::DECIMAL(5, 2) AS amount"
        )
    gateway = open_gateway(tmp_path)
    reply = gateway.ask(ANN, {"metrics": ["amount"], "dimensions": ["kind"]})
    gateway.close()
    assert reply.outcome == "answered", reply.issues
    assert reply.rows == (("a", "5.00"),)
