"""What `inspect` tries on DuckDB: every write is refused on a copy, and a wall that is gone is named."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.engines import duckdb_session
from gateway.engines.base import Limits, RoleScope
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_cursor import Cursor
from gateway.engines.duckdb_promises import ELSEWHERE, WRITES, inspect_sessions

MakeEngine = Callable[..., DuckDBEngine]
Lake = Mapping[str, tuple[str, ...]]
Settings = Callable[[Limits, Path, Lake], Iterator[tuple[str, str]]]


def test_a_sound_engine_keeps_every_promise_and_leaves_the_data_alone(
    make_engine: MakeEngine, scopes: dict[str, RoleScope], shop: Path
) -> None:
    before = shop.read_bytes()
    for spill in (0, 64):
        promises = make_engine(spill_mb=spill).inspect(scopes["clerk"])
        assert {promise.name for promise in promises} == {"cannot write", "cannot open other files", "limits"}
        assert not [fault for promise in promises for fault in promise.faults]
    assert shop.read_bytes() == before


@pytest.mark.parametrize(
    ("promise", "fault"),
    [
        ("cannot write", "may run COPY kept TO 'FOLDER/out.csv'"),
        ("cannot write", "may run ATTACH 'FOLDER/other.duckdb' AS other"),
        ("cannot open other files", "may run SELECT * FROM read_blob('FOLDER/other.parquet')"),
    ],
)
def test_a_wall_that_is_gone_is_named(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, promise: str, fault: str
) -> None:
    _leave_out(monkeypatch, "enable_external_access", "disabled_filesystems")
    promises = {each.name: each.faults for each in inspect_sessions(limits)}
    assert fault in promises[promise]
    assert len(promises["cannot write"]) < len(WRITES)
    assert len(promises["cannot open other files"]) == len(ELSEWHERE), "a way that no wall has to refuse"


@pytest.mark.parametrize("spill", [0, 64])
@pytest.mark.parametrize("name", ["memory_limit", "max_temp_directory_size"])
def test_a_cap_that_is_gone_is_named(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, name: str, spill: int
) -> None:
    _leave_out(monkeypatch, name)
    given = replace(limits, spill_mb=spill)
    found = {each.name: each.faults for each in inspect_sessions(given)}
    most = given.memory_mb if name == "memory_limit" else spill
    assert found["limits"] == (f"{name} is not {most} MB",)


def test_a_query_without_a_time_limit_is_named(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    monkeypatch.setattr(Cursor, "limit", lambda *_: None)
    found = {each.name: each.faults for each in inspect_sessions(limits)}
    assert found["limits"] == ("a query has no time limit",)


def _leave_out(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Open every session without some of its settings."""
    whole: Settings = duckdb_session._settings

    def without(given: Limits, spill: Path, lake: Lake) -> Iterator[tuple[str, str]]:
        return (pair for pair in whole(given, spill, lake) if pair[0] not in names)

    monkeypatch.setattr(duckdb_session, "_settings", without)
