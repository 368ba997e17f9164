"""From a URL to an engine, and what a file that cannot be opened says."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from gateway.engines.base import EngineError, Identity, Limits, Relation, RoleScope
from gateway.engines.open import dialect_of, open_engine
from gateway.settings.file import EngineSettings

LIMITS = Limits(rows=10, bytes=1000, seconds=60, memory_mb=128, spill_mb=0)
SCOPES = {"r": RoleScope("r", (Relation("t", 'SELECT * FROM {source}."main"."t"'),), "d")}
WRITER = """
import duckdb, sys
database = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


def _fault(url: str, folder: Path) -> EngineError:
    with pytest.raises(EngineError) as caught:
        engine = open_engine(
            EngineSettings(url=url), SCOPES, LIMITS, folder=folder, temp_directory=folder / "spill"
        )
        engine.run("SELECT * FROM t", Identity("u", "r"), LIMITS, "q")
    assert str(folder) not in str(caught.value)
    assert caught.value.next_step
    return caught.value


def _build(path: Path) -> Path:
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE t AS SELECT 1 AS a")
    return path


@pytest.mark.parametrize(
    "written", ["duckdb:data.duckdb", "duckdb://data.duckdb", "duckdb:{}", "duckdb://{}"]
)
def test_a_url_opens_the_file_it_names(tmp_path: Path, written: str) -> None:
    path = _build(tmp_path / "data.duckdb")
    engine = open_engine(
        EngineSettings(url=written.format(path)),
        SCOPES,
        LIMITS,
        folder=tmp_path,
        temp_directory=tmp_path / "spill",
    )
    assert engine.run("SELECT a FROM t", Identity("u", "r"), LIMITS, "q").rows == ((1,),)
    engine.close()


def test_the_dialect_of_a_url_is_known_before_anything_is_opened() -> None:
    assert dialect_of("duckdb:gone.duckdb") == ("duckdb", "main")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("oracle:somewhere", "unknown_engine"),
        ("data.duckdb", "unknown_engine"),
        ("duckdb:", "no_database_file"),
        ("duckdb://", "no_database_file"),
    ],
)
def test_a_url_of_no_engine_says_what_exists(tmp_path: Path, url: str, code: str) -> None:
    fault = _fault(url, tmp_path)
    assert fault.code == code
    assert "duckdb:" in fault.next_step


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    fault = _fault("duckdb:gone.duckdb", tmp_path)
    assert fault.code == "database_missing"
    assert "gone.duckdb" in str(fault)
    assert not (tmp_path / "gone.duckdb").exists()


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00" + bytes(5000)])
def test_a_file_that_is_no_database_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "notes.duckdb").write_bytes(content)
    fault = _fault("duckdb:notes.duckdb", tmp_path)
    assert fault.code == "not_a_database"
    assert "notes.duckdb" in str(fault)


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "folder.duckdb").mkdir()
    assert _fault("duckdb:folder.duckdb", tmp_path).code == "database_missing"


def test_a_file_that_somebody_writes_to_can_be_tried_again(tmp_path: Path) -> None:
    path = _build(tmp_path / "data.duckdb")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"open\n"
        fault = _fault("duckdb:data.duckdb", tmp_path)
    assert (fault.code, fault.retryable) == ("database_locked", True)


def test_a_file_that_this_process_writes_to_is_locked_too(tmp_path: Path) -> None:
    path = _build(tmp_path / "data.duckdb")
    with duckdb.connect(str(path)):
        assert _fault("duckdb:data.duckdb", tmp_path).code == "database_locked"


def test_nobody_can_write_while_the_engine_is_open_not_even_after_a_hash(tmp_path: Path) -> None:
    _build(tmp_path / "data.duckdb")
    engine = open_engine(
        EngineSettings(url="duckdb:data.duckdb"),
        SCOPES,
        LIMITS,
        folder=tmp_path,
        temp_directory=tmp_path / "spill",
    )
    engine.run("SELECT * FROM t", Identity("u", "r"), LIMITS, "q")
    engine.pin()

    def write() -> int:
        command = "import duckdb, sys; duckdb.connect(sys.argv[1]).execute('INSERT INTO t VALUES (2)')"
        arguments = [sys.executable, "-c", command, str(tmp_path / "data.duckdb")]
        return subprocess.run(arguments, capture_output=True, check=False).returncode

    assert write() != 0
    engine.close()
    assert write() == 0
