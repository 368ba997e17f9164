"""What is counted of a key is kept for the data that was counted, and for no other."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from gateway.engines.base import Rows
from gateway.engines.duckdb import DuckDBEngine
from gateway.service import Gateway
from traces.records import Caller

Open = Callable[[], Gateway]


@pytest.fixture(params=["soft", "hard"])
def open_mode(request: pytest.FixtureRequest, shop: Path, open_shop: Open) -> Open:
    """Opens the shop in either mode."""
    settings = shop / "cellbound.toml"
    text = settings.read_text()
    assert text.count('mode = "soft"') == 1
    settings.write_text(text.replace('mode = "soft"', f'mode = "{request.param}"'))
    return open_shop


@pytest.fixture
def swapped(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Has other data put in the place of the shop's when the next query is about to run."""
    run, file, other = DuckDBEngine.run, shop / "var" / "shop.duckdb", tmp_path / "other.duckdb"

    def replaced(*arguments: object, **named: object) -> Rows:
        monkeypatch.setattr(DuckDBEngine, "run", run)
        shutil.copy(file, other)
        with duckdb.connect(str(other)) as database:
            database.execute("INSERT INTO customers SELECT * FROM customers LIMIT 2")
        other.replace(file)
        return run(*arguments, **named)  # type: ignore[arg-type]

    return lambda: monkeypatch.setattr(DuckDBEngine, "run", replaced)


def test_a_key_counted_on_other_data_is_not_attested_and_the_report_says_so(
    open_mode: Open, swapped: Callable[[], None], ana: Caller
) -> None:
    gateway = open_mode()
    names = tuple(gateway.house.layer.relationships)
    swapped()
    report = gateway.attest(ana)
    assert not report.ok and not gateway.attestations.of(names)
    assert any("the data changed" in key.uncounted for key in report.keys)
    again = gateway.attest(ana)
    counted = {key.relationship for key in again.keys if not key.uncounted}
    kept = gateway.attestations.of(names)
    assert set(kept) == counted and kept["order_customer"].failed
    assert {each.data for each in kept.values()} == {gateway.house.engine.pin().value}
