"""What `inspect` tries on DuckDB: every write is refused on a copy, and a wall that is gone is named."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from gateway.engines import duckdb_session
from gateway.engines.base import Limits, RoleScope
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_promises import WRITES, inspect_sessions

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
    ("setting", "fault"),
    [
        ("enable_external_access", "may run COPY kept TO 'FOLDER/out.csv'"),
        ("enable_external_access", "may run ATTACH 'FOLDER/other.duckdb' AS other"),
    ],
)
def test_a_wall_that_is_gone_is_named(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, setting: str, fault: str
) -> None:
    whole: Settings = duckdb_session._settings

    def without(given: Limits, spill: Path, lake: Lake) -> Iterator[tuple[str, str]]:
        return (
            pair for pair in whole(given, spill, lake) if pair[0] not in (setting, "disabled_filesystems")
        )

    monkeypatch.setattr(duckdb_session, "_settings", without)
    written = next(promise for promise in inspect_sessions(limits) if promise.name == "cannot write")
    assert fault in written.faults
    assert len(written.faults) < len(WRITES)
