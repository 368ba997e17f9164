"""A server that asks for a password gets the one of `credentials`, and no other that lies about."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gateway.engines.base import EngineError
from gateway.engines.postgres_credentials import credentials_of
from gateway.engines.postgres_session import connect
from gateway.engines.postgres_target import target_of

NOT_ENCRYPTED = (80877103, 80877104)
TELL_ME = b"R" + (8).to_bytes(4, "big") + (3).to_bytes(4, "big")
"""What a server says that wants the password as it is."""


class Curious:
    """A server that asks whoever comes for their password, and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.target = target_of(f"postgresql://127.0.0.1:{self._listening.getsockname()[1]}/shop")
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let nobody in any more."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(10)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                peer, _ = self._listening.accept()
                with peer, peer.makefile("rb") as said:
                    peer.settimeout(10)
                    while int.from_bytes(_message(said.read)[:4], "big") in NOT_ENCRYPTED:
                        peer.sendall(b"N")
                    peer.sendall(TELL_ME)
                    if said.read(1) == b"p":
                        self.heard.append(_message(said.read).rstrip(b"\0"))


def _message(read: Callable[[int], bytes]) -> bytes:
    return read(int.from_bytes(read(4), "big") - 4)


@pytest.fixture
def curious() -> Iterator[Curious]:
    server = Curious()
    yield server
    server.close()


@pytest.fixture
def about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password of the stores in the environment, and a person's own in their home."""
    home = tmp_path / "home"
    home.mkdir()
    file = home / ".pgpass"
    file.write_text("*:*:*:*:of-the-home\n", encoding="utf-8")
    file.chmod(0o600)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PGPASSFILE", str(file))
    monkeypatch.setenv("PGPASSWORD", "of-the-stores")


@pytest.mark.usefixtures("about")
def test_a_server_that_knows_its_askers_is_told_no_password_that_lies_about(
    curious: Curious, tmp_path: Path
) -> None:
    with pytest.raises(EngineError) as refused:
        connect(curious.target, "alice", credentials_of("server", tmp_path), 5)
    assert (refused.value.code, curious.heard) == ("login_refused", [])


@pytest.mark.usefixtures("about")
def test_the_password_file_of_the_settings_goes_before_every_other(curious: Curious, tmp_path: Path) -> None:
    file = tmp_path / "own"
    file.write_text("*:*:*:alice:of-alice\n", encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(EngineError):
        connect(curious.target, "alice", credentials_of("passfile:own", tmp_path), 5)
    assert curious.heard == [b"of-alice"]
