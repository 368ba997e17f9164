"""Where a login's secret comes from, for every engine."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from gateway.engines.base import EngineError
from gateway.engines.credentials import FromEnvironment, secrets_of


def hook(login: str, place: Mapping[str, str]) -> str:
    """Return a secret that says what it was asked for."""
    return f"{login} at {place['database']}"


def _kept(folder: Path, login: str, secret: str, mode: int = 0o600) -> None:
    folder.mkdir(exist_ok=True)
    (folder / login).write_text(secret)
    (folder / login).chmod(mode)


def test_each_source_gives_the_secret_of_the_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELLBOUND_DB_PASSWORD_ANA_SMITH", "from the environment")
    _kept(tmp_path / "secrets", "ana.smith", "from a file\n")
    found = {
        written: source.of("ana.smith", {"database": "SHOP"})
        for written in ("environment", "files:secrets", f"hook:{__name__}:hook")
        if (source := secrets_of(written, tmp_path)) is not None
    }
    assert list(found.values()) == ["from the environment", "from a file", "ana.smith at SHOP"]


def test_a_word_of_an_engine_is_left_to_it(tmp_path: Path) -> None:
    assert secrets_of("server", tmp_path) is None
    assert secrets_of("passfile:x", tmp_path) is None


@pytest.mark.parametrize("login", ["nobody", "../outside", "..", "", "a/b", "."])
def test_a_login_without_a_file_of_its_own_has_no_secret(tmp_path: Path, login: str) -> None:
    _kept(tmp_path / "secrets", "ana", "secret")
    _kept(tmp_path, "outside", "secret")
    source = secrets_of("files:secrets", tmp_path)
    assert source is not None
    with pytest.raises(EngineError) as caught:
        source.of(login, {})
    assert caught.value.code == "credential_missing"


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    _kept(tmp_path / "secrets", "ana", "secret", 0o640)
    source = secrets_of("files:secrets", tmp_path)
    assert source is not None
    with pytest.raises(EngineError) as caught:
        source.of("ana", {})
    assert "600" in caught.value.next_step
    assert "secret\n" not in str(caught.value)


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(EngineError) as caught:
        FromEnvironment({}).of("ana", {})
    assert "CELLBOUND_DB_PASSWORD_ANA" in caught.value.next_step


@pytest.mark.parametrize("written", ["hook:no_such_module:f", f"hook:{__name__}:no_such_function"])
def test_a_hook_that_is_not_there_is_named(written: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError) as caught:
        secrets_of(written, tmp_path)
    assert caught.value.code == "hook_missing"
