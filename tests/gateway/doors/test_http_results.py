"""The rows of one's own answer as JSON, CSV, Arrow and Parquet: exact, capped, and nobody else's."""

import asyncio
import csv
import io
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.doors.identity import Callers
from gateway.doors.result_files import FORMULAS, csv_of, file_of
from gateway.doors.serving.app import build_http
from gateway.json_cells import json_rows
from gateway.record.kept import OwnResult
from gateway.record.result_view import ResultView
from gateway.service import Gateway
from gateway.settings.file import ServerSettings, load_settings
from gateway.stores.results import ResultStore
from metric_layer.resolved import OutputColumn
from traces.records import Table, Value

DAY = datetime(2026, 11, 2, tzinfo=UTC)


def table_with(*columns: tuple[Value, ...]) -> Table:
    named = tuple(
        OutputColumn(name=f"c{number}", kind="dimension", type="string", label=f"C{number}")
        for number in range(len(columns))
    )
    return Table(columns=named, rows=tuple(zip(*columns, strict=True)))


def own(table: Table) -> OwnResult:
    return OwnResult(ResultView(trace_id="t1", kept_until=DAY, row_count=len(table.rows)), table)


def arrow(data: bytes) -> pa.Table:
    with pa.ipc.open_stream(data) as stream:
        return stream.read_all()


EXACT = (
    st.lists(
        st.none()
        | st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-9999, max_value=9999)
    )
    | st.lists(st.none() | st.integers(-(2**70), 2**70))
    | st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=5))
    | st.lists(st.none() | st.booleans())
    | st.lists(st.none() | st.dates())
)


@given(EXACT)
def test_values_come_back_from_arrow_and_parquet_as_they_were(values: list[Value]) -> None:
    result = own(table_with(tuple(values)))
    read = [arrow(file_of(result, "arrow")), pq.read_table(pa.BufferReader(file_of(result, "parquet")))]
    for found in read:
        for was, became in zip(values, found.column(0).to_pylist(), strict=True):
            assert became == was or became == str(was)
            assert not isinstance(was, Decimal) or became == was, "a decimal stays one"


@given(st.text(st.characters(codec="utf-8"), max_size=12))
def test_no_text_of_a_csv_begins_like_a_formula_and_all_of_it_is_there(text: str) -> None:
    (_, (cell,)) = csv.reader(io.StringIO(csv_of(table_with((text,))).decode(), newline=""))
    assert not cell.startswith(FORMULAS)
    assert cell in (text, f"'{text}")


def test_a_negative_number_of_a_csv_is_a_number_and_a_decimal_keeps_its_zeros() -> None:
    written = csv_of(
        table_with((-5, None), (Decimal("-1.50"), Decimal("1E+3")), ("=1+1", "-2"), (True, None))
    )
    assert written.decode().splitlines() == ["c0,c1,c2,c3", "-5,-1.50,'=1+1,true", ",1000,'-2,"]


@pytest.mark.parametrize("mixed", [(1, Decimal("0.10")), (date(2026, 1, 1), "x"), (2**80, 1)])
def test_values_of_two_kinds_in_a_column_lose_nothing(mixed: tuple[Value, ...]) -> None:
    (found,) = arrow(file_of(own(table_with(mixed)), "arrow")).to_pydict().values()
    assert all(value in (was, str(was)) for value, was in zip(found, mixed, strict=True))


@pytest.fixture
def ask(gateway: Gateway, shop: Path, server: ServerSettings) -> Iterator[Callable[..., httpx.Response]]:
    """Sends a request as a user of the shop."""
    identity = load_settings(shop).identity
    tokens = tuple(
        {"user": user, "sha256": sha256(user.encode()).hexdigest()} for user in ("ana", "emil", "rita")
    )
    identity = type(identity).model_validate({**identity.model_dump(), "tokens": tokens})
    app = build_http(gateway, Callers(identity), server)

    async def sent(user: str, verb: str, path: str, body: object = None) -> httpx.Response:
        transport = httpx.ASGITransport(app)
        headers = {"Authorization": f"Bearer {user}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as http:
            return await http.request(verb, path, headers=headers, json=body, timeout=60)

    yield lambda *given: asyncio.run(sent(*given))


def test_a_result_is_there_in_every_form_with_the_same_values(
    ask: Callable[..., httpx.Response], revenue: dict[str, object]
) -> None:
    reply = ask("ana", "POST", "/v1/questions", revenue).json()
    path = f"/v1/results/{reply['trace_id']}"
    whole = ask("ana", "GET", path)
    assert (whole.json()["rows"], whole.json()["row_count"]) == (reply["rows"], reply["row_count"])
    assert whole.headers["cache-control"] == "private, no-store"
    as_csv = ask("ana", "GET", f"{path}?format=csv")
    assert (
        as_csv.headers["content-disposition"] == f'attachment; filename="cellbound-{reply["trace_id"]}.csv"'
    )
    (_, *lines) = csv.reader(io.StringIO(as_csv.text, newline=""))
    assert lines == [["" if cell is None else str(cell) for cell in row] for row in reply["rows"]]
    as_arrow = arrow(ask("ana", "GET", f"{path}?format=arrow").content)
    as_parquet = pq.read_table(pa.BufferReader(ask("ana", "GET", f"{path}?format=parquet").content))
    for found in (as_arrow, as_parquet):
        rows = json_rows([tuple(row.values()) for row in found.to_pylist()])
        assert [list(row) for row in rows] == reply["rows"]


def test_a_foreign_result_one_that_is_gone_and_one_that_never_was_are_answered_alike(
    ask: Callable[..., httpx.Response], gateway: Gateway, revenue: dict[str, object]
) -> None:
    mine = ask("ana", "POST", "/v1/questions", revenue).json()["trace_id"]
    gone = ask("ana", "POST", "/v1/questions", {**revenue, "limit": 3}).json()["trace_id"]
    gateway.results.put(gone, "somebody", Table(columns=(), rows=()))
    never = "0" * len(mine)
    refused = [ask(*each) for each in (
        ("emil", "GET", f"/v1/results/{mine}"),
        ("rita", "GET", f"/v1/results/{mine}?format=csv"),
        ("ana", "GET", f"/v1/results/{gone}"),
        ("ana", "GET", f"/v1/results/{never}"),
    )]  # fmt: skip
    told: list[Mapping[str, object]] = [answer.json() for answer in refused]
    assert {answer.status_code for answer in refused} == {404}
    for problem in told:
        problem["issues"][0]["seen"] = ""  # type: ignore[index]
    assert all(problem == told[0] for problem in told)
    assert told[0]["code"] == "unknown_result"


def test_a_result_shows_no_more_rows_than_the_answer_did(
    ask: Callable[..., httpx.Response], revenue: dict[str, object]
) -> None:
    reply = ask("ana", "POST", "/v1/questions", {**revenue, "limit": 2}).json()
    for form in ("json", "csv", "arrow"):
        found = ask("ana", "GET", f"/v1/results/{reply['trace_id']}?format={form}")
        assert found.headers["x-cellbound-row-count"] == str(reply["row_count"])
    assert (
        len(ask("ana", "GET", f"/v1/results/{reply['trace_id']}").json()["rows"]) == len(reply["rows"]) == 2
    )


def test_files_hold_the_rows_that_the_policy_shows_and_not_all_that_are_kept(
    ask: Callable[..., httpx.Response],
) -> None:
    plan = {"metrics": ["units_sold", "gross_revenue"], "dimensions": ["product"]}
    reply = ask("ana", "POST", "/v1/questions", plan).json()
    assert len(reply["rows"]) == 50 < reply["row_count"]
    files = {
        form: ask("ana", "GET", f"/v1/results/{reply['trace_id']}?format={form}")
        for form in ("json", "csv", "arrow", "parquet")
    }
    assert {form: file.status_code for form, file in files.items()} == dict.fromkeys(files, 200)
    held = {
        "json": len(files["json"].json()["rows"]),
        "csv": len(list(csv.reader(io.StringIO(files["csv"].text, newline="")))) - 1,
        "arrow": arrow(files["arrow"].content).num_rows,
        "parquet": pq.read_table(pa.BufferReader(files["parquet"].content)).num_rows,
    }
    assert held == dict.fromkeys(held, 50)


def test_rows_are_kept_until_the_time_that_is_told(tmp_path: Path) -> None:
    now = DAY
    store = ResultStore(tmp_path / "results.sqlite", bytes(32), ttl_seconds=60, clock=lambda: now)
    store.put("t1", "ana", table_with((1,)))
    kept = store.get("t1", "ana")
    assert kept is not None and kept.expires == DAY + timedelta(seconds=60)
    now = kept.expires
    assert store.get("t1", "ana") is None
    store.close()
