"""Hard mode: a role's process reads a file in which nothing else is, so no SQL can find anything else."""

import os
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from subprocess import run

import duckdb
import pytest

from gateway.engines.base import EngineBusy, EngineError, Identity, Limits, Relation, RoleScope
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_extracts import Extracts, name_of, scope_over
from gateway.engines.duckdb_session import open_session
from gateway.settings.file import DuckDBSettings
from tests.gateway.engines.processes import wait_until

HARD = DuckDBSettings(mode="hard")
COUNT = "SELECT count(*) FROM orders"
OLD = f"{'0a' * 16}.duckdb"
Make = Callable[..., DuckDBEngine]


@pytest.fixture
def own(shop: Path, tmp_path: Path) -> Path:
    """A copy of the shop that a test may replace; the clerk's file of it is made in a moment."""
    return Path(shutil.copy(shop, tmp_path / "own.duckdb"))


@pytest.fixture
def clerks(scopes: dict[str, RoleScope]) -> dict[str, RoleScope]:
    """The clerk alone: a small extract."""
    return {"clerk": scopes["clerk"]}


def _grow(path: Path) -> None:
    """Put another file in the place of a database, with one more order of the north."""
    fresh = path.with_name("fresh.duckdb")
    shutil.copy(path, fresh)
    with duckdb.connect(str(fresh)) as database:
        database.execute("INSERT INTO orders SELECT 30001, 1, DATE '2024-01-01', 5, 'north'")
    fresh.replace(path)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_roles_that_see_different_things_are_kept_apart_by_default(
    make_engine: Make, scopes: dict[str, RoleScope]
) -> None:
    clerk = scopes["clerk"]
    modes = {
        make_engine(roles=roles, duckdb=DuckDBSettings(mode=mode)).capabilities().mode: None
        for roles, mode in ((scopes, "auto"), (scopes, "hard"), ({"clerk": clerk}, "hard"))
    }
    assert list(modes) == ["hard"]
    alike = {"clerk": clerk, "other": replace(clerk, role="other", digest="o")}
    for roles, mode in ((alike, "auto"), ({"clerk": clerk}, "auto"), (scopes, "soft")):
        assert make_engine(roles=roles, duckdb=DuckDBSettings(mode=mode)).capabilities().mode == "soft"


def test_an_extract_holds_the_roles_rows_and_columns_and_nothing_else(
    hard_engine: DuckDBEngine,
    kept_extracts: Path,
    scopes: dict[str, RoleScope],
    clerk: Identity,
    limits: Limits,
) -> None:
    assert hard_engine.run(COUNT, clerk, limits, "q").rows == ((10_000,),)
    (extract,) = (
        file
        for file in _files(kept_extracts)
        if file.name == name_of(scopes["clerk"].relations, hard_engine.pin().value)
    )
    with duckdb.connect(str(extract), read_only=True) as database:
        held = database.execute("SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal")
        assert held.fetchall() == [("orders", "order_id"), ("orders", "amount"), ("orders", "region")]
        assert database.execute("SELECT DISTINCT region FROM orders").fetchall() == [("north",)]
    content = extract.read_bytes()
    assert b"north" in content
    for hidden in (b"south", b"@example.org", b"salaries"):
        assert hidden not in content
    assert extract.stat().st_mode & 0o777 == 0o600
    assert kept_extracts.stat().st_mode & 0o777 == 0o700


ATTACKS = (
    "SELECT count(*) FROM {alias}.main.orders WHERE region IS DISTINCT FROM 'north'",
    "SELECT count(*) FROM orders WHERE region = 'south'",
    "SELECT count(*) FROM {alias}.main.customers",
    "SELECT count(*) FROM {alias}.main.salaries",
    "SELECT count(*) FROM query_table('salaries')",
    "SELECT count(customer_id) FROM orders",
    "SELECT count(*) FROM read_blob('{source}') WHERE content IS NOT NULL",
    "SELECT count(*) FROM read_duckdb('{source}', table_name = 'salaries')",
    "SELECT count(*) FROM '{source}'",
    "SELECT count(*) FROM glob('{folder}/*')",
    "ATTACH '{source}' AS again (READ_ONLY)",
    "COPY orders TO '{source}.csv'",
    "SET enable_external_access = true",
)


@pytest.mark.parametrize("spill_mb", [0, 100])
def test_no_sql_on_a_roles_own_connection_finds_another_row(
    shop: Path, clerks: dict[str, RoleScope], limits: Limits, tmp_path: Path, make_engine: Make,
    clerk: Identity, spill_mb: int,
) -> None:  # fmt: skip
    """The session itself is attacked, with nothing of ours that looks at the SQL in between."""
    engine = make_engine(roles=clerks, duckdb=HARD)
    engine.run(COUNT, clerk, limits, "q")
    (extract,) = _files(tmp_path / "extracts")
    over = replace(limits, spill_mb=spill_mb)
    with closing(open_session(extract, scope_over(clerks["clerk"]), over, tmp_path / "s")) as session:
        for attack in ATTACKS:
            sql = attack.format(alias=session.alias, source=shop, folder=shop.parent)
            try:
                found = session.connection.execute(sql).fetchone()
            except duckdb.Error:
                continue
            assert found == (0,), attack


def test_probe_proves_the_file_itself(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits, tmp_path: Path
) -> None:
    engine = make_engine(roles=clerks, duckdb=HARD)
    assert engine.probe(clerks["clerk"]) == ()
    engine.close()
    (extract,) = _files(tmp_path / "extracts")
    with duckdb.connect(str(extract)) as database:
        database.execute("CREATE TABLE more AS SELECT 1 AS a")
        database.execute("ALTER TABLE orders ADD COLUMN customer_id INTEGER")
        database.execute("INSERT INTO orders VALUES (1, 1, 'south', 1)")
    assert make_engine(roles=clerks, duckdb=HARD).probe(clerks["clerk"]) == (
        "clerk: the extract holds main.more, which the role may not see",
        "clerk: the extract holds columns of orders that the role may not see: customer_id",
        "clerk: orders: shows columns that the role may not see: customer_id",
        "clerk: orders: 1 rows break the row rule",
    )


def test_a_result_says_what_data_it_was(hard_engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    assert hard_engine.run(COUNT, analyst, limits, "q").data == hard_engine.pin()


def test_new_data_gives_a_new_extract_and_the_old_one_goes(
    make_engine: Make,
    own: Path,
    clerks: dict[str, RoleScope],
    clerk: Identity,
    limits: Limits,
    tmp_path: Path,
) -> None:
    engine, folder = make_engine(own, clerks, HARD), tmp_path / "extracts"
    assert engine.run(COUNT, clerk, limits, "q").rows == ((10_000,),)
    before = _files(folder)
    _grow(own)
    rows = engine.run(COUNT, clerk, limits, "q")
    assert (rows.rows, rows.data) == (((10_001,),), engine.pin())
    assert wait_until(lambda: len(_files(folder)) == 1 and _files(folder) != before)


def test_new_data_is_extracted_before_anybody_asks(
    make_engine: Make,
    own: Path,
    clerks: dict[str, RoleScope],
    clerk: Identity,
    limits: Limits,
    tmp_path: Path,
) -> None:
    engine = make_engine(own, clerks, HARD)
    engine.run(COUNT, clerk, limits, "q")
    _grow(own)
    wanted = tmp_path / "extracts" / name_of(clerks["clerk"].relations, engine.pin().value)
    assert wait_until(wanted.is_file)


def test_an_extract_is_used_again_and_another_role_view_gets_another(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits, tmp_path: Path
) -> None:
    folder = tmp_path / "extracts"
    first = make_engine(roles=clerks, duckdb=HARD)
    first.run(COUNT, clerk, limits, "q")
    (made,) = _files(folder)
    at = made.stat().st_mtime_ns
    first.close()
    make_engine(roles=clerks, duckdb=HARD).run(COUNT, clerk, limits, "q")
    assert [file.stat().st_mtime_ns for file in _files(folder)] == [at]
    wider = Relation("orders", 'SELECT "order_id" FROM {source}."main"."orders"')
    other = make_engine(roles={"clerk": RoleScope("clerk", (wider,), "w")}, duckdb=HARD)
    assert other.run(COUNT, clerk, limits, "q").rows == ((30_000,),)
    assert made in _files(folder), "the first engine reads it still"


def test_what_a_dead_gateway_left_half_made_is_removed(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits, tmp_path: Path
) -> None:
    folder = tmp_path / "extracts"
    folder.mkdir()
    half = folder / f".{OLD}.0badcafe"
    half.mkdir()
    (half / "extract.duckdb").write_bytes(b"half")
    os.utime(half, (0, 0))
    (folder / OLD).write_bytes(b"old")
    make_engine(roles=clerks, duckdb=HARD).run(COUNT, clerk, limits, "q")
    assert wait_until(lambda: len(_files(folder)) == 1)


def test_a_folder_in_which_other_things_lie_keeps_them_and_its_rights(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits, tmp_path: Path
) -> None:
    folder = tmp_path / "extracts"
    folder.mkdir(mode=0o755)
    foreign = ("other.duckdb", "own.duckdb.wal", "backup.duckdb.gz", ".half.duckdb.0badcafe", f"{OLD}.bak")
    for name in (*foreign, OLD):
        (folder / name).write_text("precious")
        os.utime(folder / name, (0, 0))
    make_engine(roles=clerks, duckdb=HARD).run(COUNT, clerk, limits, "q")
    assert wait_until(lambda: not (folder / OLD).exists())
    assert {file.read_text() for name in foreign for file in [folder / name]} == {"precious"}
    assert folder.stat().st_mode & 0o777 == 0o755


def test_the_folder_of_the_source_is_none_for_extracts(
    make_engine: Make, own: Path, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits
) -> None:
    before = own.parent.stat().st_mode
    engine = make_engine(own, clerks, HARD, extracts=own.parent)
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, clerk, limits, "q")
    assert caught.value.code == "extracts_beside_source"
    assert own.is_file() and own.parent.stat().st_mode == before


@pytest.mark.faults
@pytest.mark.parametrize("content", [b"", b"noise" * 4000, None], ids=["empty", "noise", "cut"])
def test_an_extract_that_cannot_be_opened_is_made_anew(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits, tmp_path: Path,
    content: bytes | None,
) -> None:  # fmt: skip
    first = make_engine(roles=clerks, duckdb=HARD)
    first.run(COUNT, clerk, limits, "q")
    first.close()
    (extract,) = _files(tmp_path / "extracts")
    whole = extract.read_bytes()
    extract.write_bytes(whole[: len(whole) // 2] if content is None else content)
    again = make_engine(roles=clerks, duckdb=HARD)
    assert again.run(COUNT, clerk, limits, "q").rows == ((10_000,),)
    assert _files(tmp_path / "extracts") == [extract]


@pytest.mark.faults
def test_an_extract_is_on_disk_before_it_is_in_place(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    done: list[str] = []
    fsync, replace_file = os.fsync, Path.replace

    def synced(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def moved(self: Path, target: Path) -> Path:
        if self.name == "extract.duckdb":
            done.append("moved")
        return replace_file(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", moved)
    make_engine(roles=clerks, duckdb=HARD).run(COUNT, clerk, limits, "q")
    assert done[-3:] == ["file", "moved", "folder"]


@pytest.mark.faults
def test_a_folder_that_cannot_be_written_to_is_said(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    engine = make_engine(roles=clerks, duckdb=HARD, extracts=tmp_path / "file" / "extracts")
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, clerk, limits, "q")
    assert caught.value.code == "extract_not_written"
    assert "extracts" in caught.value.next_step
    assert str(tmp_path) not in str(caught.value)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes, where this user may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted by this user")
    yield disk
    run(["umount", disk], check=True)


@pytest.mark.faults
def test_a_full_disk_is_said_and_leaves_nothing_behind(
    make_engine: Make, scopes: dict[str, RoleScope], analyst: Identity, limits: Limits, small_disk: Path
) -> None:
    engine = make_engine(duckdb=HARD, extracts=small_disk / "extracts")
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, analyst, limits, "q")
    assert caught.value.code == "extract_not_written"
    assert str(small_disk) not in str(caught.value)
    assert wait_until(lambda: not _files(small_disk / "extracts"))
    clerks_limits = replace(limits, seconds=20)
    assert engine.run(COUNT, Identity("carl", "clerk"), clerks_limits, "q").rows == ((10_000,),)
    engine.close()


@pytest.mark.faults
def test_a_file_replaced_while_it_is_extracted_is_not_taken_for_the_old_one(
    make_engine: Make, own: Path, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    fill = Extracts._fill

    def replaced(*arguments: object) -> None:
        fill(*arguments)  # type: ignore[arg-type]
        monkeypatch.setattr(Extracts, "_fill", fill)
        _grow(own)

    monkeypatch.setattr(Extracts, "_fill", replaced)
    engine = make_engine(own, clerks, HARD)
    with pytest.raises(EngineError) as caught:
        engine.run(COUNT, clerk, limits, "q")
    assert (caught.value.code, caught.value.retryable) == ("database_changing", True)
    assert engine.run(COUNT, clerk, limits, "q").rows == ((10_001,),)


def test_who_cannot_wait_for_the_extract_is_told_to_come_again(
    make_engine: Make, clerks: dict[str, RoleScope], clerk: Identity, limits: Limits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    fill, going_on = Extracts._fill, threading.Event()

    def slow(*arguments: object) -> None:
        going_on.wait(20)
        fill(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Extracts, "_fill", slow)
    engine = make_engine(roles=clerks, duckdb=HARD)
    with pytest.raises(EngineBusy) as caught:
        engine.run(COUNT, clerk, replace(limits, seconds=0.1), "q")
    assert (caught.value.code, caught.value.retry_after > 0) == ("extract_building", True)
    going_on.set()
    assert engine.run(COUNT, clerk, limits, "q").rows == ((10_000,),)


def test_closing_does_not_wait_for_an_extract(
    make_engine: Make, own: Path, limits: Limits, tmp_path: Path
) -> None:
    endless = Relation("t", 'SELECT count(*) AS n FROM {source}."main"."events" a, {source}."main"."events" b'
                            " WHERE a.kind <> b.kind")  # fmt: skip
    engine = make_engine(own, {"r": RoleScope("r", (endless,), "d")}, HARD)
    with pytest.raises(EngineBusy):
        engine.run("SELECT n FROM t", Identity("u", "r"), replace(limits, seconds=0.5), "q")
    started = time.monotonic()
    engine.close()
    assert time.monotonic() - started < 5
    assert not _files(tmp_path / "extracts")


def test_relations_that_cannot_be_extracted_are_named_at_once(make_engine: Make, limits: Limits) -> None:
    scope = RoleScope(
        "r",
        (
            Relation("orders", 'SELECT "no_such_column" FROM {source}."main"."orders"'),
            Relation("gone", 'SELECT * FROM {source}."main"."gone"'),
        ),
        "d",
    )
    with pytest.raises(EngineError) as caught:
        make_engine(roles={"r": scope}, duckdb=HARD).explain("SELECT 1", Identity("u", "r"), limits)
    assert caught.value.code == "relation_unreadable"
    assert "no_such_column" in str(caught.value)
    assert "gone cannot be read" in str(caught.value)
    assert "cellbound_" not in str(caught.value)
    assert os.sep not in str(caught.value)
