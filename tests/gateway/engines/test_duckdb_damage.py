"""A database file that opens and is not whole: an extract is made anew once, a source is said to be so."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from gateway.engines.base import EngineError, Identity, Limits, RoleScope
from gateway.engines.duckdb import DuckDBEngine
from gateway.settings.file import DuckDBSettings

HARD = DuckDBSettings(mode="hard")
SQL = "SELECT sum(amount), count(order_id), max(region) FROM orders"
Make = Callable[..., DuckDBEngine]

pytestmark = pytest.mark.faults


@pytest.fixture
def own(shop: Path, tmp_path: Path) -> Path:
    """A copy of the shop that a test may spoil."""
    return Path(shutil.copy(shop, tmp_path / "own.duckdb"))


def _damage(path: Path) -> None:
    """Spoil every block of rows of a file, and leave its beginning, by which it opens, as it is."""
    with duckdb.connect(str(path), read_only=True) as database:
        rows = database.execute("SELECT block_id, block_offset FROM pragma_storage_info('orders')").fetchall()
        sizes = database.execute("PRAGMA database_size").fetchall()
    size = int(sizes[0][2])
    with path.open("r+b") as file:
        for block in {int(row[0]) for row in rows if row[0] is not None and row[0] >= 0}:
            file.seek(3 * 4096 + block * size + 100)
            file.write(b"\xa5" * 64)


def test_an_extract_with_a_damaged_block_is_made_anew_once(
    make_engine: Make, scopes: dict[str, RoleScope], clerk: Identity, limits: Limits, tmp_path: Path
) -> None:
    clerks = {"clerk": scopes["clerk"]}
    first = make_engine(roles=clerks, duckdb=HARD)
    whole = first.run(SQL, clerk, limits, "q").rows
    first.close()
    (made,) = (tmp_path / "extracts").iterdir()
    _damage(made)
    with duckdb.connect(str(made), read_only=True) as database, pytest.raises(duckdb.Error):
        database.execute(SQL).fetchall()
    assert make_engine(roles=clerks, duckdb=HARD).run(SQL, clerk, limits, "q").rows == whole


def test_a_damaged_block_of_the_source_is_said_to_be_one(
    make_engine: Make, own: Path, clerk: Identity, limits: Limits
) -> None:
    _damage(own)
    with pytest.raises(EngineError) as broken:
        make_engine(own).run(SQL, clerk, limits, "q")
    assert broken.value.code == "database_damaged"
    assert str(own) not in str(broken.value)


def test_a_file_that_was_removed_is_missed_at_once(
    make_engine: Make, own: Path, clerk: Identity, limits: Limits
) -> None:
    engine = make_engine(own)
    engine.run(SQL, clerk, limits, "q")
    engine.pin()
    own.unlink()
    for ask in (engine.pin, lambda: engine.run(SQL, clerk, limits, "q")):
        with pytest.raises(EngineError) as missing:
            ask()
        assert missing.value.code == "database_missing"
