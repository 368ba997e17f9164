"""The content hash: right after every change, remembered otherwise, also by the next process."""

import hashlib
import os
from pathlib import Path

import pytest

from gateway.engines.base import EngineError
from gateway.engines.content_hash import ContentHashes


def test_the_hash_is_that_of_the_bytes_and_follows_them(tmp_path: Path) -> None:
    file, hashes = tmp_path / "data.duckdb", ContentHashes()
    for content in (b"one", b"two", b"longer than both"):
        file.write_bytes(content)
        assert hashes.of(file) == hashlib.sha256(content).hexdigest()


def test_a_write_ahead_log_counts(tmp_path: Path) -> None:
    file, hashes = tmp_path / "data.duckdb", ContentHashes()
    file.write_bytes(b"data")
    alone = hashes.of(file)
    (tmp_path / "data.duckdb.wal").write_bytes(b"more")
    assert hashes.of(file) != alone
    assert hashes.of(file) == hashlib.sha256(b"datamore").hexdigest()


def test_the_next_process_does_not_read_the_file_again(tmp_path: Path) -> None:
    file, sidecar = tmp_path / "data.duckdb", tmp_path / "var" / "hashes.json"
    file.write_bytes(b"before")
    first = ContentHashes(sidecar).of(file)
    status = file.stat()
    with file.open("r+b") as stream:
        stream.write(b"after!")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert ContentHashes(sidecar).of(file) == first
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert ContentHashes(sidecar).of(file) == hashlib.sha256(b"after!").hexdigest()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"x": 1}', b'{"x": [[[1]], "y"]}', b"\xff\xfe"])
def test_a_damaged_sidecar_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    file, sidecar = tmp_path / "data.duckdb", tmp_path / "hashes.json"
    file.write_bytes(b"data")
    sidecar.write_bytes(damage)
    assert ContentHashes(sidecar).of(file) == hashlib.sha256(b"data").hexdigest()
    assert sidecar.read_bytes() != damage


def test_a_sidecar_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    file = tmp_path / "data.duckdb"
    file.write_bytes(b"data")
    assert ContentHashes(file / "hashes.json").of(file) == hashlib.sha256(b"data").hexdigest()


def test_two_files_share_a_sidecar(tmp_path: Path) -> None:
    sidecar = tmp_path / "hashes.json"
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode())
        ContentHashes(sidecar).of(tmp_path / name)
    assert sidecar.read_text().count(hashlib.sha256(b"a").hexdigest()) == 1
    assert sidecar.read_text().count(hashlib.sha256(b"b").hexdigest()) == 1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"gone\.duckdb") as caught:
        ContentHashes().of(tmp_path / "gone.duckdb")
    assert caught.value.code == "database_missing"
