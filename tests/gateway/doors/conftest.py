"""A house that is a fake, its callers, and the limits of a small server."""

import io
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from gateway.doors.cli.main import run
from gateway.doors.identity import Callers
from gateway.settings.file import IdentitySettings, ServerSettings, TokenSettings, UserSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway
from tests.gateway.doors.shell import Said, Shell


@pytest.fixture
def house() -> FakeGateway:
    return FakeGateway()


@pytest.fixture
def identity() -> IdentitySettings:
    digest = sha256(TOKEN.encode()).hexdigest()
    return IdentitySettings(
        cli_user="ana",
        stdio_user="ana",
        users={
            "ana": UserSettings(roles=("analyst",), tenant="shop"),
            "rita": UserSettings(roles=("reviewer",)),
        },
        tokens=(TokenSettings(user="ana", sha256=digest),),
    )


@pytest.fixture
def callers(identity: IdentitySettings) -> Callers:
    return Callers(identity)


@pytest.fixture
def server() -> ServerSettings:
    return ServerSettings(
        workers=2, queue=1, body_bytes=4096, allowed_hosts=("127.0.0.1:*", "gateway.example")
    )


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def cellbound(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Runs a command line in the shop's folder; `stdin` is what it reads."""
    monkeypatch.chdir(shop)

    def said(*arguments: str, stdin: str | bytes = "") -> Said:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = run(arguments)
        captured = capsys.readouterr()
        return Said(status, captured.out, captured.err)

    return said
