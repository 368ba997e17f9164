"""An environment of a peer is used again only when it was made whole, for the same packages."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import peers


class Installer:
    """Stands in for venv and pip, which need minutes and a registry; it can be made to fail."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.broken = False

    def run(self, command: Sequence[str]) -> str:
        step = command[2]
        self.ran.append(step)
        if step == "venv":
            python = Path(command[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True, exist_ok=True)
            python.unlink(missing_ok=True)
            python.touch()
        elif self.broken:
            raise peers.Unavailable("no room")
        return ""


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    found = Installer()
    monkeypatch.setattr(peers, "BENCH", tmp_path)
    monkeypatch.setattr(peers, "run", found.run)
    return found


def test_a_whole_one_is_made_once(installer: Installer) -> None:
    assert peers.python_of("some", "a==1") == peers.python_of("some", "a==1")
    assert installer.ran == ["venv", "pip"]


def test_one_that_was_half_made_is_made_again(installer: Installer) -> None:
    installer.broken = True
    with pytest.raises(peers.Unavailable):
        peers.python_of("some", "a==1")
    installer.broken = False
    peers.python_of("some", "a==1")
    assert installer.ran == ["venv", "pip"] * 2


@pytest.mark.parametrize("gone", ["pins", "python", "link"])
def test_one_with_other_packages_or_without_its_interpreter_is_made_again(
    gone: str, installer: Installer
) -> None:
    python = peers.python_of("some", "a==1")
    if gone != "pins":
        python.unlink()
    if gone == "link":
        python.symlink_to("/nowhere/python3")
    peers.python_of("some", "a==2" if gone == "pins" else "a==1")
    assert installer.ran == ["venv", "pip"] * 2


def test_other_packages_that_fail_to_install_leave_no_stamp_of_the_old_ones(installer: Installer) -> None:
    peers.python_of("some", "a==1")
    installer.broken = True
    with pytest.raises(peers.Unavailable):
        peers.python_of("some", "a==2")
    installer.broken = False
    peers.python_of("some", "a==1")
    assert installer.ran == ["venv", "pip"] * 3
