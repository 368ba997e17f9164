"""A house that is a fake, its callers, and the limits of a small server."""

from hashlib import sha256

import pytest

from gateway.doors.identity import Callers
from gateway.settings import IdentitySettings, ServerSettings, TokenSettings, UserSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway


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
