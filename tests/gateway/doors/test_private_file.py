"""A page with rows is for its owner's eyes, and is there whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from gateway.doors.private_file import write_private


def test_only_the_owner_may_read_it_whatever_was_there_before(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o644)
    write_private(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_replaced_and_what_it_points_at_stays(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "page.html"
    victim.write_text("mine", encoding="utf-8")
    path.symlink_to(victim)
    write_private(path, b"new")
    assert victim.read_text(encoding="utf-8") == "mine"


def test_a_place_that_is_not_there_is_named_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "page.html"
    with pytest.raises(OSError) as fault:
        write_private(path, b"new")
    assert fault.value.filename == str(path)


def test_a_disk_that_fails_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_private(path, b"new")
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [
        ("page.html", "old")
    ]
