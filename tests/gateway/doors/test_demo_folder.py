"""The tour's project lives in a folder of the user's own."""

import tempfile
from pathlib import Path

import pytest

from gateway.doors.cli import demo_folder
from gateway.errors import HouseError


def test_the_demo_lives_in_the_cache_and_changes_its_name_with_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = demo_folder.demo_project()
    assert folder.parent == tmp_path / "cellbound"
    assert demo_folder.demo_project() == folder
    changed = tmp_path / "shop.sql"
    changed.write_text("SELECT 1", encoding="utf-8")
    monkeypatch.setattr(demo_folder, "SHOP_SQL", changed)
    assert demo_folder.demo_project() != folder


def test_without_a_cache_the_demo_lives_among_the_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = demo_folder.demo_project()
    assert folder.is_relative_to(tmp_path)
    assert folder.parent.stat().st_mode & 0o077 == 0


def test_without_any_folder_the_demo_says_what_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(blocked))
    with pytest.raises(HouseError) as refused:
        demo_folder.demo_project()
    assert "XDG_CACHE_HOME" in refused.value.issues[0].next_step
